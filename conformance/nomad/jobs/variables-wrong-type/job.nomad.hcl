variable "x" {
  type = list(number)
}

job "shop" {
  group "g" {
    task "t" {
      driver = "exec"

      env {
        X = jsonencode(var.x)
      }
    }
  }
}
