job "shop" {
  group "front" {
    service {
      name = "native"
      port = "grpc"
      task = "server"

      connect {
        native = true
      }
    }

    task "server" {
      driver = "docker"
    }
  }
}
