job "shop" {
  group "g" {
    count = null
  }
}
