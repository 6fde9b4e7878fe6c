{"job": {"a": {"typ": "batch"}}}
