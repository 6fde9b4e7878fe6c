job "shop" {
  dynamic "constraint" {
    for_each = []

    content {
      value = constraint.value.missing
    }
  }
}
