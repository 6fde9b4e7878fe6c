job "shop" {
  group "front" {
    task "server" {
      driver = "docker"

      identity {
        env           = true
        file          = true
        filepath      = "secrets/token.jwt"
        change_mode   = "signal"
        change_signal = "SIGHUP"
      }

      identity {
        name          = "vault_default"
        aud           = ["vault.io", "nomad"]
        ttl           = "1h"
        service_name  = "web"
        extra_claims  = ["a", "b"]
      }

      service {
        name = "web"

        identity {
          aud = ["consul.io"]
          ttl = "30m"
        }
      }
    }
  }
}
