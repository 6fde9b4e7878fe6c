job "shop" {
  group "g" {
    volume "data" {
      type            = "csi"
      source          = "shop-data"
      read_only       = true
      sticky          = true
      access_mode     = "single-node-writer"
      attachment_mode = "file-system"
      per_alloc       = true

      mount_options {
        fs_type     = "ext4"
        mount_flags = ["noatime", "ro"]
      }
    }

    volume "certs" {
      type   = "host"
      source = "certs"
    }

    task "t" {
      driver = "docker"

      volume_mount {
        volume           = "data"
        destination      = "/data"
        read_only        = true
        propagation_mode = "private"
        selinux_label    = "Z"
      }

      volume_mount {
        volume      = "certs"
        destination = "/certs"
      }
    }
  }
}
