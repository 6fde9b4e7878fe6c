job "shop" {
  group "front" {
    network {
      reserved_ports "http" {
        static = 80
      }

      port "x" {
        static = 0
      }
    }

    task "server" {
      driver = "docker"
    }
  }
}
