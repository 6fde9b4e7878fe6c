job "shop" {
  group "a" "b" {}
}
