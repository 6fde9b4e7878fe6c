job "shop" {
  group "front" {
    task "server" {
      driver = "docker"

      identity {
        name = "other"
      }

      identity {
        name = "default"
        file = true
      }

      identity {
        name = "third"
      }
    }
  }
}
