job "shop" {
  group "g" {
    secret "all" {
      provider = "nomad"
      path     = "x"
    }

    task "a" {
      driver = "exec"
    }

    task "b" {
      driver = "exec"
    }
  }
}
