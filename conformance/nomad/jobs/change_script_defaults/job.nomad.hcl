job "script" {
  group "g" {
    task "t" {
      driver = "x"

      template {
        data        = "a"
        destination = "b"
        change_mode = "script"

        change_script {
          command = "/bin/true"
        }
      }
    }
  }
}
