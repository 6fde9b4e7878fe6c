job "shop" {
  affinity {
    attribute = "${node.datacenter}"
    operator  = "="
    value     = "fra1"
    weight    = 80
  }

  affinity {
    attribute = "${attr.kernel.version}"
    version   = ">= 5.10"
    weight    = -20
  }

  affinity {
    attribute = "${attr.nomad.version}"
    semver    = ">= 1.9.0-beta1"
  }

  group "front" {
    affinity {
      attribute = "${meta.rack}"
      regexp    = "^r[0-9]+$"
      weight    = 100
    }

    affinity {
      attribute    = "${attr.cpu.features}"
      set_contains = "avx2,sse4"
    }

    task "server" {
      driver = "docker"

      affinity {
        attribute        = "${attr.drivers}"
        set_contains_all = "docker,exec"
      }

      affinity {
        attribute        = "${attr.drivers}"
        set_contains_any = "podman,docker"
        weight           = -100
      }

      affinity {
        value = "no operator"
      }
    }
  }
}
