# A web service with a cache beside it: `hieratic job web.nomad.hcl`.

variable "image" {
  description = "What is served"
  type        = string
  default     = "registry.example.com/web:1.4"
}

variable "ports" {
  description = "The ports by name"
  type        = map(number)
  default = {
    admin = 9090
    http  = 8080
  }
}

variable "replicas" {
  type    = number
  default = 2

  validation {
    condition     = var.replicas > 0
    error_message = "There must be at least one replica."
  }
}

locals {
  tags = [for name, port in var.ports : "${name}-${port}"]
}

job "web" {
  datacenters = ["dc1"]
  type        = "service"

  meta {
    owner = "platform"
    tags  = join(",", local.tags)
  }

  update {
    max_parallel = 1
    auto_revert  = true
  }

  group "web" {
    count          = var.replicas
    shutdown_delay = "5s"

    constraint {
      attribute = "${attr.kernel.name}"
      value     = "linux"
    }

    network {
      mode = "bridge"

      dynamic "port" {
        for_each = var.ports
        labels   = [port.key]

        content {
          to = port.value
        }
      }
    }

    service {
      name = "web"
      port = "http"
      tags = local.tags

      check {
        type     = "http"
        path     = "/health"
        interval = "10s"
        timeout  = "2s"
      }
    }

    task "server" {
      driver = "docker"

      config {
        image = var.image
        ports = keys(var.ports)
      }

      env {
        ADDRESS = "0.0.0.0:${NOMAD_PORT_http}"
        LEVEL   = upper("info")
      }

      template {
        destination = "local/motd"
        data        = file("files/motd.txt")
      }

      resources {
        cpu    = 200
        memory = 128
      }
    }

    task "cache" {
      driver = "docker"

      lifecycle {
        hook    = "prestart"
        sidecar = true
      }

      config {
        image = "redis:7"
        args  = ["--maxmemory", "${64 * 1024 * 1024}"]
      }
    }
  }
}
