job "shop" {
  group "front" {
    service {
      check_restart {
        limit = 3
        grace = "0s"
      }
    }

    task "server" {
      driver = "docker"
    }
  }
}
