job "shop" {
  group "g" {
    shutdown_delay = "30"
  }
}
