job "shop" {
  priority = "high"
}
