job "shop" {
  group "front" {
    count                        = 3
    shutdown_delay               = "5s"
    max_run_duration             = "2h"
    stop_after_client_disconnect = "1m"
    max_client_disconnect        = "10m"
    prevent_reschedule_on_lost   = true

    meta {
      tier = "one"
    }

    task "server" {
      driver = "docker"
    }
  }
}
