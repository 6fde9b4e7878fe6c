job "shop" {
  grup "a" {}
}
