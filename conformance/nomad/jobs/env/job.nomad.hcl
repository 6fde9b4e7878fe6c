job "shop" {
  group "g" {
    task "block" {
      driver = "exec"

      env {
        PLAIN    = "x"
        NUMBER   = 12
        FRACTION = 1.50
        FLAG     = true
        ADDR     = "${NOMAD_IP_http}:${NOMAD_PORT_http}"
        BARE     = NOMAD_ALLOC_ID
        NODE     = node.unique.name
        LITERAL  = "$${HOME} %%{x}"
      }
    }

    task "argument" {
      driver = "exec"

      env = {
        "dotted.key" = "1"
        "with blank" = attr.cpu.arch
        (upper("a")) = true
      }
    }

    task "none" {
      driver = "exec"
      env {}
    }
  }
}
