job "shop" {
  group "front" {
    task "server" {
      driver = "docker"

      resources {
        device "nvidia/gpu/1080ti" {
          count = 2

          constraint {
            attribute = "${device.attr.memory}"
            operator  = ">="
            value     = "2 GiB"
          }

          affinity {
            attribute = "${device.attr.memory}"
            operator  = ">="
            value     = "4 GiB"
            weight    = 75
          }
        }

        device "gpu" {}
      }
    }
  }
}
