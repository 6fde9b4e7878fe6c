job "shop" {
  group "front" {
    consul {
      namespace = "trade"
      cluster   = "second"
      partition = "eu"
    }

    task "server" {
      driver = "docker"

      consul {
        cluster = "third"
      }
    }
  }
}
