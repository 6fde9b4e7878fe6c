job "shop" {
  group "g" {
    scaling {
      min     = 1
      max     = 10
      enabled = true
      type    = "horizontal"

      policy {
        cooldown = "2m"

        check "cpu" {
          source = "nomad-apm"
          query  = "avg_cpu"

          strategy "target-value" {
            target = 70
          }
        }

        check "memory" {
          strategy "pass-through" {}
        }
      }
    }

    task "t" {
      driver = "exec"

      scaling "cpu" {
        enabled = true
        max     = 1000

        policy {
          cooldown = "1m"
        }
      }

      scaling "mem" {
        max = 2000
        policy {}
      }
    }
  }
}
