job "shop" {
  group "front" {
    task "server" {
      driver = "docker"

      config {
        image       = "example/shop:1.2"
        args        = ["-p", 80, true, null]
        privileged  = false
        memory      = 1.5
        big         = 12345678901234567890
        nothing     = null
        ports       = ["http"]
        empty_list  = []
        empty_map   = {}
        nested      = [[1, [2]], ["x"]]
        interpreted = "${NOMAD_TASK_DIR}/x $${escaped} ${upper("abc")}"

        labels = {
          a = "b"
          n = 1
        }

        logging {
          type = "journald"
          config {
            tag = "shop"
          }
        }

        mount {
          type   = "bind"
          source = "local/a"
        }

        mount {
          type   = "bind"
          source = "local/b"
        }

        volume "data" "main" {
          path = "/data"
        }

        list_of_maps = [{ a = 1 }, { b = [2] }]

        dynamic "kept" {
          for_each = [1]
          content {}
        }
      }
    }
  }
}
