job "shop" {
  update = {}
}
