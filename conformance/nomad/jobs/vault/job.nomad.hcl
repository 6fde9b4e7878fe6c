job "shop" {
  vault {
    policies               = ["shop", "base"]
    role                   = "shop"
    namespace              = "trade"
    cluster                = "main"
    env                    = false
    disable_file           = true
    change_mode            = "signal"
    change_signal          = "SIGUSR1"
    allow_token_expiration = true
  }

  group "inherits" {
    task "t" {
      driver = "exec"
    }
  }

  group "overrides" {
    vault {
      role = "group"
    }

    task "group" {
      driver = "exec"
    }

    task "own" {
      driver = "exec"

      vault {
        role = "own"
      }
    }
  }
}
