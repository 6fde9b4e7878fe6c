job "shop" {
  group "front" {
    meta = { "a.b" = "c" }

    task "server" {
      driver = "docker"
    }
  }
}
