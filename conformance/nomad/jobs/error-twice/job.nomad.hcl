job "shop" {
  update {}
  update {}
}
