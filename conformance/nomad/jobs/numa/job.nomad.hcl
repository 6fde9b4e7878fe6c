job "shop" {
  group "front" {
    task "server" {
      driver = "docker"

      resources {
        cores = 4

        numa {
          affinity = "require"
          devices  = ["nvidia/gpu"]
        }
      }
    }
  }
}
