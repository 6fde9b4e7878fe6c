job "shop" {
  name = var.none
}
