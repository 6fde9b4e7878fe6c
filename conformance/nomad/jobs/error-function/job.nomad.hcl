job "shop" {
  name = uper("x")
}
