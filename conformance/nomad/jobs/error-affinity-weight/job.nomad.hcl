job "shop" {
  affinity {
    weight = "heavy"
  }
}
