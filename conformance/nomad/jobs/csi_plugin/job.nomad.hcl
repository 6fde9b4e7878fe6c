job "shop" {
  group "front" {
    task "server" {
      driver = "docker"

      csi_plugin {
        id                     = "ebs"
        type                   = "monolith"
        mount_dir              = "/csi"
        stage_publish_base_dir = "/local/csi"
        health_timeout         = "45s"
      }
    }
  }
}
