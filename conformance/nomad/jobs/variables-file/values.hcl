text   = "from the file"
number = 7
flag   = false
texts  = ["f"]
sizes = {
  a = "1"
}
shop = { name = "f", ports = ["8080"] }
