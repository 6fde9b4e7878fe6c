job "shop" {
  group {}
}
