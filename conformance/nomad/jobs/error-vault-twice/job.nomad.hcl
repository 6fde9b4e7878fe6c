job "shop" {
  vault {}
  vault {}
}
