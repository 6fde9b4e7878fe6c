job "shop" {
  group "g" {
    spread {
      attribute = "x"
      target "a" {
        percent = 256
      }
    }
  }
}
