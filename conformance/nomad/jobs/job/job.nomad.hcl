job "shop" {
  id          = "shop-frontend"
  name        = "shop"
  region      = "europe"
  namespace   = "trade"
  type        = "service"
  priority    = 70
  all_at_once = true
  datacenters = ["fra1", "ams*"]
  node_pool   = "web"

  meta {
    owner = "team-checkout"
    cost  = 4711
    paid  = true
  }
}
