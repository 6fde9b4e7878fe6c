job "shop" {
  group "front" {
    service {
      connect {
        gateway {
          mesh {}
        }
      }
    }

    task "server" {
      driver = "docker"
    }
  }
}
