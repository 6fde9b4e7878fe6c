job "shop" {
  group "g" {
    scaling {
      max  = 1
      type = "vertical_cpu"
    }
  }
}
