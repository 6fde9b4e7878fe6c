job "shop" {
  group "front" {
    task "server" {
      driver = "docker"

      user           = "www-data"
      leader         = true
      kill_timeout   = "25s"
      kill_signal    = "SIGQUIT"
      shutdown_delay = "3s"
      kind           = "connect-proxy:web"

      meta {
        a = "b"
      }
    }
  }
}
