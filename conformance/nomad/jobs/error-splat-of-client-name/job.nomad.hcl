job "shop" {
  name = "${a.b.*.c}"
}
