variable "sites" {
  default = ["fra", "ams"]
}

job "shop" {
  datacenters = [for dc in var.sites : "${dc}1"]

  dynamic "constraint" {
    for_each = { "${attr.kernel.name}" = "linux", "$${attr.cpu.arch}" = "amd64" }

    content {
      attribute = constraint.key
      value     = constraint.value
    }
  }

  dynamic "group" {
    for_each = var.sites
    labels   = ["${group.value}-${group.key}"]

    content {
      count = group.key + 1

      network {
        dynamic "port" {
          for_each = ["http", "admin"]
          iterator = it
          labels   = [it.value]

          content {
            to = 8000 + it.key
          }
        }
      }

      dynamic "task" {
        for_each = convert(["b", "a", "a"], set(string))
        labels   = [task.value]

        content {
          driver = "exec"

          env {
            SITE = group.value
            SELF = task.key
          }

          dynamic "template" {
            for_each = task.value == "a" ? [1, 2] : []

            content {
              data        = "${group.value} ${task.value} ${template.value}"
              destination = "local/${template.key}"
            }
          }
        }
      }
    }
  }
}
