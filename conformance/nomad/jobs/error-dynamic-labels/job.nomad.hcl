job "shop" {
  dynamic "group" {
    for_each = [1]
    content {}
  }
}
