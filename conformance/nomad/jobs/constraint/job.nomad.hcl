job "shop" {
  constraint {
    attribute = "${attr.kernel.name}"
    value     = "linux"
  }

  constraint {
    attribute = "${meta.size}"
    operator  = ">="
    value     = 3
  }

  constraint {
    operator = "distinct_hosts"
    value    = "true"
  }

  constraint {
    distinct_hosts = true
  }

  constraint {
    distinct_hosts = false
  }

  constraint {
    distinct_property = "${meta.rack}"
  }

  constraint {
    distinct_property = "${meta.rack}"
    value             = "2"
  }

  group "front" {
    constraint {
      attribute = "${attr.os.version}"
      version   = ">= 20.04, < 25"
    }

    constraint {
      attribute = "${attr.consul.version}"
      semver    = "> 1.17.0"
    }

    constraint {
      attribute = "${attr.unique.hostname}"
      regexp    = "web-.*"
    }

    task "server" {
      driver = "docker"

      constraint {
        attribute    = "${attr.cpu.features}"
        set_contains = "avx2"
      }

      constraint {
        attribute        = "${attr.cpu.features}"
        operator         = "set_contains_any"
        value            = "avx2,neon"
      }

      constraint {
        attribute = "${meta.gpu}"
        operator  = "is_set"
      }

      constraint {
        attribute = "${meta.old}"
        operator  = "is_not_set"
      }
    }
  }
}
