job "shop" {
  group "g" {
    task "t" {
      env {
        A = ["x"]
      }
    }
  }
}
