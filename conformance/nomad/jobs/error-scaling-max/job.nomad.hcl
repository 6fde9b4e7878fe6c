job "shop" {
  group "g" {
    scaling {
      min = 1
    }
  }
}
