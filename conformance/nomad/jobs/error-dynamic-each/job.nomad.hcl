job "shop" {
  dynamic "group" {
    content {}
  }
}
