job "shop" {
  type = "batch"

  periodic {
    enabled          = false
    cron             = "*/15 * * * *"
    prohibit_overlap = true
    time_zone        = "Europe/Berlin"
  }
}
