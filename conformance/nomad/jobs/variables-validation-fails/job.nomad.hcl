variable "port" {
  type    = number
  default = 80

  validation {
    condition     = var.port > 1024
    error_message = "The port must be a free one."
  }
}

job "shop" {
  group "g" {
    task "t" {
      driver = "exec"

      env {
        P = var.port
      }
    }
  }
}
