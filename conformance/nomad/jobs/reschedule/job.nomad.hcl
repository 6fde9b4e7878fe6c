job "shop" {
  reschedule {
    attempts       = 5
    interval       = "1h"
    delay          = "30s"
    delay_function = "fibonacci"
    max_delay      = "10m"
    unlimited      = false
  }

  group "g" {
    reschedule {
      unlimited = true
    }
  }
}
