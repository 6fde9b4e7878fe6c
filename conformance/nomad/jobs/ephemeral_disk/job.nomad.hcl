job "shop" {
  group "front" {
    ephemeral_disk {
      sticky  = true
      migrate = true
      size    = 500
    }

    task "server" {
      driver = "docker"
    }
  }
}
