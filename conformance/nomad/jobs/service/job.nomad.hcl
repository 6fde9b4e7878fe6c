job "shop" {
  group "g" {
    service {
      name                = "web-${NOMAD_TASK_NAME}"
      tags                = ["a", "${NOMAD_DC}"]
      canary_tags         = ["canary"]
      enable_tag_override = true
      port                = "http"
      address_mode        = "alloc"
      address             = "203.0.113.7"
      task                = "t"
      on_update           = "require_healthy"
      provider            = "consul"
      cluster             = "main"
      kind                = "api-gateway"

      meta {
        version = 3
      }

      canary_meta {
        version = 4
      }

      tagged_addresses {
        lan_ipv4 = "10.0.0.1:80"
      }

      weights {
        passing = 10
        warning = 2
      }
    }

    task "t" {
      driver = "exec"

      service {
        provider = "nomad"
        port     = 80
      }

      service {
        name = "second"
      }
    }
  }
}
