job "shop" {
  group "front" {
    task "server" {
      driver = "docker"

      config {}
    }
  }
}
