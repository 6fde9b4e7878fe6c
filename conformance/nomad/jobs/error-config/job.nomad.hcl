job "shop" {
  group "g" {
    task "t" {
      config {
        a = [1][2]
      }
    }
  }
}
