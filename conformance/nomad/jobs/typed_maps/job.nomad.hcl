
variable "mounts" {
  type = map(object({ path = string, ro = bool }))
  default = {
    data = { path = "/data", ro = "false" }
    conf = { path = "/conf", ro = true }
  }
}

variable "labels" {
  type    = map(map(string))
  default = {}
}

variable "sets" {
  type    = set(map(string))
  default = [{ a = "1" }, { b = "2" }]
}

job "maps" {
  group "g" {
    task "t" {
      driver = "docker"

      config {
        mounts  = var.mounts
        labels  = var.labels
        sets    = var.sets
        kept    = { for name, mount in var.mounts : name => mount }
        listed  = values(var.mounts)
        turned  = convert({ a = { b = 1 }, c = { d = 2 } }, map(any))
        nested  = [[var.mounts.data]]
        strings = convert({ a = "x" }, map(string))
        lists   = convert({ a = ["x"] }, map(list(string)))
      }
    }
  }
}
