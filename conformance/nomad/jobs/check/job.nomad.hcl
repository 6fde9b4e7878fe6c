job "shop" {
  group "front" {
    service {
      name = "web"
      port = "http"

      check {
        name                     = "alive"
        type                     = "http"
        path                     = "/health?x=1"
        method                   = "POST"
        body                     = "{\"ping\": true}"
        protocol                 = "https"
        port                     = "http"
        expose                   = true
        address_mode             = "driver"
        advertise                = "10.0.0.1"
        interval                 = "10s"
        timeout                  = "2s"
        initial_status           = "warning"
        notes                    = "is asked by the balancer"
        tls_server_name          = "web.example.org"
        tls_skip_verify          = true
        task                     = "server"
        success_before_passing   = 3
        failures_before_critical = 5
        failures_before_warning  = 2
        on_update                = "ignore_warnings"

        header {
          Authorization = ["Basic abc"]
          X-Many        = ["a", "b"]
        }

        check_restart {
          limit           = 4
          grace           = "1m30s"
          ignore_warnings = true
        }
      }

      check {
        type         = "grpc"
        grpc_service = "shop.Orders"
        grpc_use_tls = true
        interval     = 10000000000
        timeout      = "500ms"
      }

      check {
        type    = "script"
        command = "/bin/check"
        args    = ["-v", "1"]
      }
    }

    task "server" {
      driver = "docker"
    }
  }
}
