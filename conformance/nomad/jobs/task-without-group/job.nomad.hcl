job "shop" {
  task "alone" {
    driver = "exec"
  }

  group "g" {
    task "t" {
      driver = "exec"
    }
  }

  task "second" {
    driver = "exec"
  }
}
