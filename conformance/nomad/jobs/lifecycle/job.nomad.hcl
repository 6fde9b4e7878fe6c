job "shop" {
  group "g" {
    task "before" {
      driver = "exec"
      lifecycle {
        hook    = "prestart"
        sidecar = false
      }
    }

    task "main" {
      driver = "exec"
      leader = true
    }

    task "beside" {
      driver = "exec"
      lifecycle {
        hook    = "poststart"
        sidecar = true
      }
    }

    task "behind" {
      driver = "exec"
      lifecycle {
        hook = "poststop"
      }
    }
  }
}
