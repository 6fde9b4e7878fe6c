variable "x" {
  default = 1
}

job "shop" {
  group "g" {
    task "t" {
      driver = "exec"

      env {
        X = var.x
      }
    }
  }
}
