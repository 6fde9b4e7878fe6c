job "shop" {
  group "g" {
    task "db" {
      driver = "exec"

      action "dump" {
        command = "/usr/bin/pg_dump"
        args    = ["--clean", "${NOMAD_META_database}"]
      }

      action "ping" {
        command = "/bin/true"
      }
    }
  }
}
