job "shop" {
  group "front" {
    network {
      mode     = "bridge"
      device   = "eth1"
      cidr     = "10.0.0.0/16"
      ip       = "10.0.0.7"
      hostname = "web-${NOMAD_ALLOC_INDEX}"
      mbits    = 10

      port "http" {}

      port "admin" {
        static           = 9999
        to               = 8080
        host_network     = "private"
        ignore_collision = true
      }

      port "metrics" {
        to = -1
      }

      dns {
        servers  = ["10.0.0.2", "8.8.8.8"]
        searches = ["example.org"]
        options  = ["ndots:2"]
      }

      cni {
        args = {
          key = "value"
          n   = 1
        }
      }
    }

    task "server" {
      driver = "docker"
    }
  }
}
