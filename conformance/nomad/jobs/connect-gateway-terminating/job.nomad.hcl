job "shop" {
  group "front" {
    service {
      connect {
        gateway {
          terminating {
            service {
              name      = "billing"
              ca_file   = "/ca.pem"
              cert_file = "/cert.pem"
              key_file  = "/key.pem"
              sni       = "billing.example.org"
            }

            service {
              name = "mail"
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
