job "shop" {
  secret "shared" {
    provider = "nomad"
    path     = "shop/shared"

    config {
      namespace = "trade"
    }
  }

  group "g" {
    task "with" {
      driver = "exec"

      secret "own" {
        provider = "vault"
        path     = "secret/data/own"

        config {
          engine = "kv_v2"
        }

        env {
          TOKEN_TTL = "1h"
        }
      }
    }

    task "without" {
      driver = "exec"
    }
  }
}
