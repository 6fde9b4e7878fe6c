job "shop" {
  dynamic "group" {
    for_each = null
    labels   = ["x"]

    content {}
  }
}
