//! The comments of a job file that is written again.

use hieratic_nomad_job::{Job, Options};

fn written(source: &str) -> String {
    Job::parse(source, &Options::default()).unwrap().to_hcl()
}

#[test]
fn comments_stay_with_their_items() {
    let source = r#"# License: x

# The count.
variable "n" { # of tasks
  default = 3
}

# The job.
job "web" { # opens
  # how much
  priority = 70 # high
  // several
  // lines
  group "g" {
    count = var.n # counted
    /* a block */
    task "t" {
      driver = "docker"
      config {
        # the image
        image = "a:1" # pinned
        args = [
          "x", # one
        ]
      }
      template {
        data = <<EOT
a # no comment
b
EOT
        destination = "d" # there
      }
      # the last of the task
    } # the end of the task
  }
} # the end of the job
# the end
"#;
    let expected = r#"# License: x

# The job.
job "web" { # opens
  # how much
  priority = 70 # high

  // several
  // lines
  group "g" {
    count = 3 # counted

    /* a block */
    task "t" {
      driver = "docker"

      config {
        # one
        args = ["x"]
        # the image
        image = "a:1" # pinned
      }

      template {
        destination          = "d" # there
        data                 = <<EOT
a # no comment
b
EOT
        change_mode          = "restart"
        splay                = "5s"
        perms                = "0644"
        error_on_missing_key = false
      }
      # the last of the task
    } # the end of the task
  }
} # the end of the job
# the end
"#;
    assert_eq!(written(source), expected);
    // Written again, nothing changes.
    assert_eq!(written(expected), expected);
}

#[test]
fn items_from_one_position_share_one_comment() {
    let source = r#"job "j" {
  group "g" {
    network {
      dynamic "port" {
        for_each = ["a", "b"]
        labels   = [port.value]
        content {
          to = 80 # the port
        }
      }
    }
    task "t" {
      driver = "raw_exec"
    }
  }
}
"#;
    let text = written(source);
    assert_eq!(text.matches("# the port").count(), 1, "{text}");
}
