datacenter = "lon1"
replicas   = 1 + 2
image      = upper("shop") == "SHOP" ? "registry.example.com/shop:2.4" : "none"
