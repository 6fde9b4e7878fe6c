type Own::Port = Integer[1, 65535]
