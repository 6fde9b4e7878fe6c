job "shop" {
  group "front" {
    service {
      name = "entry"

      connect {
        gateway {
          proxy {
            connect_timeout                      = "500ms"
            envoy_gateway_bind_tagged_addresses  = true
            envoy_gateway_no_default_bind        = true
            envoy_dns_discovery_type             = "STRICT_DNS"

            envoy_gateway_bind_addresses "public" {
              address = "0.0.0.0"
              port    = 8443
            }

            envoy_gateway_bind_addresses "private" {
              address = "10.1.1.1"
              port    = 8444
            }

            config {
              a = 1
            }
          }

          ingress {
            tls {
              enabled         = true
              tls_min_version = "TLSv1_2"
              tls_max_version = "TLSv1_3"
              cipher_suites   = ["TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"]

              sds {
                cluster_name  = "sds"
                cert_resource = "cert"
              }
            }

            listener {
              port     = 8080
              protocol = "http"

              service {
                name                    = "web"
                hosts                   = ["shop.example.org", "*.example.org"]
                max_connections         = 100
                max_pending_requests    = 20
                max_concurrent_requests = 30

                tls {
                  sds {
                    cluster_name  = "other"
                    cert_resource = "web"
                  }
                }

                request_headers {
                  add {
                    X-In = "1"
                  }
                  set {
                    X-Set = "2"
                  }
                  remove = ["X-Gone"]
                }

                response_headers {
                  add {
                    X-Out = "3"
                  }
                  remove = []
                }
              }

              service {
                name = "*"
              }
            }

            listener {
              port = 9090

              service {
                name = "tcp"
              }
            }
          }
        }
      }
    }

    task "server" {
      driver = "docker"
    }
  }
}
