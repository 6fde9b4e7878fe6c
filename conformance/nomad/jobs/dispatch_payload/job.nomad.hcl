job "shop" {
  type = "batch"

  parameterized {
    payload       = "required"
    meta_required = ["user", "amount"]
    meta_optional = ["note"]
  }

  group "g" {
    task "t" {
      driver = "exec"

      dispatch_payload {
        file = "order.json"
      }
    }
  }
}
