# A job that takes from the node's data what it does not say itself.
job "shop" {
  datacenters = [hiera("datacenter")]

  group "web" {
    count = hiera("replicas")

    task "server" {
      driver = "docker"

      config {
        image = hiera("image")
      }

      env {
        SHOP_URL  = hiera("shop::url")
        LOG_LEVEL = hiera("shop::log_level", "info")
      }

      resources {
        memory = hiera("shop::limits").memory_mb
      }
    }
  }
}
