variable "port" {
  type    = number
  default = 8080

  validation {
    condition     = var.port > 1024 && var.port < 65536
    error_message = "The port must be a free one."
  }

  validation {
    condition     = can(floor(var.port))
    error_message = "It must be a number!"
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
