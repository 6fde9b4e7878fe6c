job "shop" {
  group "g" {
    task "t" {
      lifecycle {}
    }
  }
}
