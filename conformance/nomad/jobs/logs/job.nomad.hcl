job "shop" {
  group "front" {
    task "server" {
      driver = "docker"

      logs {
        max_files     = 5
        max_file_size = 20
        enabled       = true
        disabled      = false
      }
    }
  }
}
