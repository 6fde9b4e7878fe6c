variable "name" {
  default = "shop"
}

locals {
  third  = "${local.second}!"
  first  = upper(var.name)
  second = "<${local.first}>"
}

locals {
  ports = { for i, n in ["http", "admin"] : n => 8000 + i }
  big   = [for k, v in local.ports : k if v > 8000]
}

job "shop" {
  group "g" {
    task "t" {
      driver = "exec"

      env {
        A = local.third
        B = jsonencode(local.ports)
        C = local.big[0]
      }
    }
  }
}
