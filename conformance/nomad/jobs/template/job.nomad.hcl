job "shop" {
  group "front" {
    task "server" {
      driver = "docker"

      template {
        data                 = <<-TEXT
          {{ range nomadService "web" }}
          server {{ .Address }}:{{ .Port }} # $${NOMAD_DC}
          {{ end }}
        TEXT
        destination          = "local/web.conf"
        change_mode          = "script"
        change_signal        = "SIGHUP"
        once                 = true
        splay                = "10s"
        perms                = "600"
        uid                  = 1000
        gid                  = 0
        left_delimiter       = "[["
        right_delimiter      = "]]"
        env                  = true
        vault_grace          = "5m"
        error_on_missing_key = true

        change_script {
          command             = "/bin/reload"
          args                = ["-v"]
          timeout             = "20s"
          fail_on_error       = true
          run_on_first_render = true
        }

        wait {
          min = "2s"
          max = "1m"
        }
      }

      template {
        source      = "local/in.tpl"
        destination = "local/out"
      }

      template {
        data        = "x"
        destination = "y"

        change_script {
          command       = "/bin/true"
          fail_on_error = false
        }
      }
    }
  }
}
