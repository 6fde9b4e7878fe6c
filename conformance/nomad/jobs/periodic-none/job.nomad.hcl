job "shop" {
  periodic {}
}
