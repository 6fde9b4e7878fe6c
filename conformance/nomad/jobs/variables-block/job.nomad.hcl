variables {
  a = 1
  b = ["x", true]
}

job "shop" {
  group "g" {
    task "t" {
      driver = "exec"

      env {
        A = var.a
        B = join("-", var.b)
      }
    }
  }
}
