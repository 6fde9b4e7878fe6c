job "shop" {
  update {
    stagger           = "30s"
    max_parallel      = 2
    health_check      = "manual"
    min_healthy_time  = "12s"
    healthy_deadline  = "6m"
    progress_deadline = "0"
    canary            = 1
    auto_revert       = true
    auto_promote      = true
  }

  group "g" {
    update {
      max_parallel = 0
    }
  }
}
