job "shop" {
  constraint {
    atribute = "x"
  }
}
