datacenter = "none"
image      = "registry.example.com/shop:latest"

limits = {
  connections = 100
  memory_mb   = 256 * 2
}

# Blocks are hashes below their names and labels.
network "public" {
  # Hiera resolves what HCL leaves alone: %% is a percent sign there.
  host = "shop.%%{facts.site}.example.com"
  port = 443
}

network "private" {
  host = "10.0.0.7"
  port = 8080
}
