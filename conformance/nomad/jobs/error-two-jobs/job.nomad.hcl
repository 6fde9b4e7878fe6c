job "a" {}

job "b" {}
