variable "x" {}

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
