job "shop" {
  group "front" {
    task "server" {
      driver = "docker"

      user   = 1000
      leader = "true"

      resources {
        cpu    = "250"
        memory = "1e2"
      }

      env {
        A = true
        B = 1.0
        C = 1e3
        D = 0.1 + 0.2
      }

      artifact {
        source = 12
        chown  = "false"
      }
    }
  }
}
