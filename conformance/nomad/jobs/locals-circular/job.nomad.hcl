locals {
  a = local.a
}

job "shop" {
  group "g" {
    task "t" {
      driver = "exec"

      env {
        A = local.a
      }
    }
  }
}
