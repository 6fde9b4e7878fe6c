job "shop" {
  group "front" {
    task "server" {
      driver = "docker"

      resources {
        cpu        = 500
        cores      = 2
        memory     = 256
        memory_max = 512
        disk       = 100
        secrets    = 2
        iops       = 7
      }
    }
  }
}
