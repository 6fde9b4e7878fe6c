job "lost" {
  group "g" {
    vault {
      namespace              = nosuch(1)
      role                   = ["a"]
      env                    = var.missing
      allow_token_expiration = nosuch(1)
    }

    secret "s" {
      provider = nosuch(1)

      env {
        a = nosuch(1)
        b = "b"
      }
    }

    task "t" {
      driver = "x"
    }
  }
}
