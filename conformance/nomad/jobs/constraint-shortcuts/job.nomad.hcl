job "shop" {
  constraint {
    is_set = "${meta.a}"
  }

  constraint {
    is_not_set = "${meta.b}"
  }

  constraint {
    attribute        = "a"
    set_contains_all = "x"
    set_contains_any = "y"
  }

  constraint {
    attribute = "a"
    version   = "1"
    semver    = "2"
    regexp    = "3"
  }

  constraint {}
}
