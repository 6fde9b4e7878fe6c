job "a" {}

resource "x" "y" {}
