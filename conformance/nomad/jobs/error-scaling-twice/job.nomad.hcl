job "shop" {
  group "g" {
    task "t" {
      scaling "cpu" {}
      scaling "CPU" {}
    }
  }
}
