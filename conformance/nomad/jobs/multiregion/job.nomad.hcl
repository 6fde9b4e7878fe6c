job "shop" {
  multiregion {
    strategy {
      max_parallel = 1
      on_failure   = "fail_all"
    }

    region "west" {
      count       = 2
      datacenters = ["west-1"]
      node_pool   = "fast"

      meta {
        spoken = "en"
      }
    }

    region "east" {
      count = 5
    }
  }
}
