{"job": [{"a": {"type": "batch"}}]}
