job "shop" {
  group "g" {
    task "t" {
      driver = "exec"

      env {
        A = file("a.txt")
        B = filebase64("a.txt")
        C = fileexists("b.txt")
        D = jsonencode(fileset(".", "*.txt"))
        E = basename("x/y.z")
        F = trimspace(file("./sub/c.txt"))
      }
    }
  }
}
