text = "one"
number = 11
texts = ["one"]
