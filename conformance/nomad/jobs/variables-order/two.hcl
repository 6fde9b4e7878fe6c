number = 12
