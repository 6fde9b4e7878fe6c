job "shop" {
  group "a" {
    task "one" { driver = "exec" }
    task "two" { driver = "exec" }
  }

  group "b" {
    count = 0
    task "three" { driver = "exec" }
    task "four" { driver = "raw_exec" }
  }
}
