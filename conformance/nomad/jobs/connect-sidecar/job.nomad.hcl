job "shop" {
  group "front" {
    service {
      name = "api"
      port = 9001

      connect {
        native = false

        sidecar_service {
          tags                      = ["sidecar", "v2"]
          port                      = "proxy"
          disable_default_tcp_check = true

          meta {
            team = "mesh"
          }

          proxy {
            local_service_address = "127.0.0.1"
            local_service_port    = 9001

            expose {
              path {
                path            = "/metrics"
                protocol        = "http2"
                local_path_port = 9001
                listener_port   = "metrics"
              }

              path {
                path          = "/live"
                listener_port = "live"
              }
            }

            upstreams {
              destination_name        = "orders"
              destination_namespace   = "trade"
              destination_peer        = "cloud"
              destination_partition   = "eu"
              destination_type        = "service"
              local_bind_port         = 8081
              datacenter              = "fra1"
              local_bind_address      = "127.0.0.2"
              local_bind_socket_path  = "/run/orders.sock"
              local_bind_socket_mode  = "0600"

              mesh_gateway {
                mode = "local"
              }

              config {
                connect_timeout_ms = 500
                limits {
                  max_connections = 10
                }
              }
            }

            upstreams {
              destination_name = "stock"
              local_bind_port  = 8082
            }

            transparent_proxy {
              uid                    = "101"
              outbound_port          = 15001
              exclude_inbound_ports  = ["80", "http"]
              exclude_outbound_ports = [443, 22]
              exclude_outbound_cidrs = ["10.0.0.0/8"]
              exclude_uids           = ["0"]
              no_dns                 = true
            }

            config {
              protocol = "http"
            }
          }
        }

        sidecar_task {
          name           = "envoy"
          driver         = "docker"
          user           = "nobody"
          kill_timeout   = "5s"
          shutdown_delay = "1s"
          kill_signal    = "SIGINT"

          config {
            image = "envoy:v1"
            args  = ["-c", "${NOMAD_SECRETS_DIR}/envoy.json"]
          }

          env {
            LEVEL = "debug"
          }

          meta {
            kind = "proxy"
          }

          resources {
            cpu    = 50
            memory = 32
          }

          logs {
            max_files     = 2
            max_file_size = 3
          }

          volume_mount {
            volume      = "certs"
            destination = "/certs"
          }

          identity {
            name = "default"
            env  = true
          }
        }
      }
    }

    task "server" {
      driver = "docker"
    }
  }
}
