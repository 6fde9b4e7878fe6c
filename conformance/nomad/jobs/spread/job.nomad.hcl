job "shop" {
  spread {
    attribute = "${node.datacenter}"
    weight    = 60

    target "fra1" {
      percent = 70
    }

    target "ams1" {
      percent = 30
    }
  }

  group "g" {
    spread {
      attribute = "${meta.rack}"
    }
  }
}
