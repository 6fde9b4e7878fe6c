job "shop" {
  priority = 1.5
}
