job "shop" {
  group "g" {
    restart {
      interval         = "30m"
      attempts         = 2
      delay            = "15s"
      mode             = "fail"
      render_templates = true
    }

    task "t" {
      driver = "exec"

      restart {
        attempts = 0
      }
    }
  }
}
