job "shop" {
  group "g" {
    task "t" {
      template {
        wait {
          min = "1s"
        }
      }
    }
  }
}
