job "shop" {
  priorty = 50
}
