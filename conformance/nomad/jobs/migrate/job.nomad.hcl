job "shop" {
  migrate {
    max_parallel     = 2
    health_check     = "task_states"
    min_healthy_time = "15s"
    healthy_deadline = "5m"
  }

  group "g" {
    migrate {
      max_parallel = 1
    }
  }
}
