job "shop" {
  periodic {
    crons = ["0 3 * * *", "@daily"]
  }
}
