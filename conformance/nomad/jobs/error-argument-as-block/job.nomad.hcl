job "shop" {
  priority {
    a = 1
  }
}
