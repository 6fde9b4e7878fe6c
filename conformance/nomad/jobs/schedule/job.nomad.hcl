job "shop" {
  group "front" {
    task "server" {
      driver = "docker"

      schedule {
        cron {
          start    = "0 8 * * * *"
          end      = "0 18"
          timezone = "Europe/Paris"
        }
      }
    }
  }
}
