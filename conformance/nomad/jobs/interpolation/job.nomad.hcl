job "shop" {
  datacenters = ["${meta.dc}", attr.region]

  group "g" {
    task "t" {
      driver = "exec"

      env {
        A = "${attr.unique.hostname}"
        B = "${ attr.cpu.arch }/${node.class}"
        C = "${env["HOME"]}"
        D = "${meta["a.b"]}"
        E = "${NOMAD_META_x}"
        F = upper("${node.region}")
        G = "${device.a.b}"
        I = "$${kept}"
        J = <<-EOT
          ${NOMAD_ADDR_http}
        EOT
      }

      config {
        bare   = NOMAD_PORT_http
        mixed  = ["${NOMAD_IP_a}:1", attr.x]
        inside = { k = "${node.datacenter}" }
      }
    }
  }
}
