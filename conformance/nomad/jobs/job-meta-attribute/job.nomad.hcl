job "shop" {
  meta = {
    "com.example/owner" = "checkout"
    "a b"               = 1
    plain               = false
  }
}
