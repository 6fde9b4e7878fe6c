job "shop" {
  group "g" {
    task "t" {
      driver = "exec"

      env {
        A = format("%03d-%s-%v", 7, upper("x"), [1, true])
        B = join(",", sort(distinct(["b", "a", "b"])))
        C = sha256("x")
        D = base64encode(jsonencode({ a = [1, null] }))
        E = cidrsubnet("10.0.0.0/8", 8, 3)
        F = formatdate("YYYY-MM-DD'T'hh:mm:ssZ", timeadd("2024-02-28T23:00:00Z", "2h"))
        G = try(var.none, lookup({ a = "x" }, "b", "fallback"))
        H = yamlencode({ k = ["v", 1] })
        I = regex_replace("a1b22", "[0-9]+", "<$0>")
        J = max(1, 2.5) + pow(2, 10) - parseint("ff", 16)
        K = uuidv5("dns", "example.org")
        L = element(["a", "b"], 5)
        M = can(1 + "x") ? "yes" : "no"
        N = strrev("abc")
        O = indent(2, "a\nb")
      }
    }
  }
}
