job "shop" {
  group "front" {
    task "server" {
      driver = "docker"

      resources {
        network {
          port "a" {
            static = 80
          }
          port "b" {}
        }

        network {
          mode = "host"
        }
      }
    }
  }
}
