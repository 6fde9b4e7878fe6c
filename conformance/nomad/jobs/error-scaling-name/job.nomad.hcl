job "shop" {
  group "g" {
    task "t" {
      scaling "disk" {}
    }
  }
}
