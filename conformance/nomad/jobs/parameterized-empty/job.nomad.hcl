job "shop" {
  parameterized {}
}
