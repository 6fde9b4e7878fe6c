job "shop" {
  group "front" {
    task "server" {
      driver = "docker"

      kill_timeout   = "1h2m3.5s"
      shutdown_delay = 1500000000

      template {
        data  = "x"
        splay = "-1.5h"

        wait {
          min = "1us"
          max = "+3µs"
        }
      }

      artifact {
        source = "x"
      }

      restart {
        delay    = "0"
        interval = "${5 + 5}m"
      }
    }
  }
}
