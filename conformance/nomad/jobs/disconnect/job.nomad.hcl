job "shop" {
  group "front" {
    disconnect {
      lost_after           = "6h"
      stop_on_client_after = "30m"
      replace              = true
      reconcile            = "keep_original"
    }

    task "server" {
      driver = "docker"
    }
  }
}
