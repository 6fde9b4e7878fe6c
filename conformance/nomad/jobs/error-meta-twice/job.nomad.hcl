job "shop" {
  meta {
    a = 1
  }
  meta = { b = 2 }
}
