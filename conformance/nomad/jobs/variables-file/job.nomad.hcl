variable "text" {
  type        = string
  description = "Some text."
  default     = "abc"
}

variable "number" {
  type    = number
  default = 1.5
}

variable "flag" {
  type    = bool
  default = true
}

variable "texts" {
  type    = list(string)
  default = ["b", "a", "b"]
}

variable "kinds" {
  type    = set(string)
  default = ["b", "a", "b"]
}

variable "sizes" {
  type    = map(number)
  default = { small = 1, large = 2 }
}

variable "pair" {
  type    = tuple([string, number])
  default = ["x", 7]
}

variable "shop" {
  type = object({
    name  = string
    ports = list(number)
  })
  default = {
    name  = "main"
    ports = [80, 443]
    extra = "is dropped"
  }
}

variable "shops" {
  type    = list(object({ name = string }))
  default = [{ name = "a" }, { name = "b" }]
}

variable "any" {
  default = { list = [1, "x", null], flag = false }
}

job "shop" {
  group "g" {
    task "t" {
      driver = "exec"

      env {
        TEXT = jsonencode(var.text)
        NUMBER = jsonencode(var.number)
        FLAG = jsonencode(var.flag)
        TEXTS = jsonencode(var.texts)
        KINDS = jsonencode(var.kinds)
        SIZES = jsonencode(var.sizes)
        PAIR = jsonencode(var.pair)
        SHOP = jsonencode(var.shop)
        SHOPS = jsonencode(var.shops)
        ANY = jsonencode(var.any)
      }
    }
  }
}
