job "shop" {
  group "g" {
    network {
      port "http" {
        static = "eighty"
      }
    }
  }
}
