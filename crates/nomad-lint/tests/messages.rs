//! Shows what is said about jobs, as people see it.

use hieratic_nomad_job::{Job, Options};
use hieratic_nomad_lint::{NomadVersion, Severity, as_command_text, lint, validate};

const FAULTY: &str = r#"job "shop" {
  type = "batch"

  update {
    max_parallel = 2
    canary       = -1
  }

  periodic {
    crons     = ["@daily", "60 * * * *"]
    time_zone = "Europe/Atlantis"
  }

  group "front" {
    count = -1

    network {
      port "http" {
        static = 70000
      }
    }

    service {
      name = "front_end"
      port = "http"

      check {
        type     = "http"
        path     = "http://example.com/"
        interval = "10s"
        timeout  = "2s"
      }
    }

    task "web" {
      resources {
        cpu = 0
      }

      template {
        data        = "x"
        destination = "../../../etc/passwd"
        perms       = "9"
      }

      volume_mount {
        volume           = "data"
        destination      = "/data"
        propagation_mode = "sideways"
      }
    }

    task "web" {
      driver = "docker"

      constraint {
        attribute = "${attr.kernel.version}"
        operator  = "version"
        value     = ">> 5"
      }
    }
  }
}
"#;

const REMARKABLE: &str = r#"job "shop" {
  update {
    max_parallel = 5
  }

  group "front" {
    count = 2

    service {
      port     = "80"
      provider = "nomad"
    }

    task "web" {
      driver = "docker"

      identity {
        name = "vault_default"
        env  = true
      }
    }
  }
}
"#;

fn parse(source: &str) -> Job {
    Job::parse(source, &Options { path: "shop.nomad.hcl".into(), ..Options::default() }).unwrap()
}

/// One finding a line, with its place and what is around it.
fn lines(source: &str) -> String {
    let mut shown = String::new();
    for finding in validate(&parse(source)) {
        let outer: Vec<&str> = finding.around().collect();
        shown.push_str(&format!("{}: {finding}\n    {}\n", finding.severity.name(), outer.join(" ")));
    }
    shown
}

#[test]
fn errors_have_places_and_paths() {
    insta::assert_snapshot!(lines(FAULTY));
}

#[test]
fn warnings_have_places_and_paths() {
    insta::assert_snapshot!(lines(REMARKABLE));
}

#[test]
fn errors_suppress_warnings_in_the_command_text() {
    insta::assert_snapshot!(as_command_text(&validate(&parse(FAULTY))));
}

#[test]
fn the_command_shows_warnings() {
    insta::assert_snapshot!(as_command_text(&validate(&parse(REMARKABLE))));
}

#[test]
fn the_command_text_of_a_valid_job() {
    let source = "job \"j\" {\n  group \"g\" {\n    task \"t\" { driver = \"docker\" }\n  }\n}\n";
    insta::assert_snapshot!(as_command_text(&validate(&parse(source))));
}

#[test]
fn findings_on_inherited_values_have_their_position() {
    let source = "job \"j\" {\n  update {\n    canary = -1\n  }\n  group \"g\" {\n    update {\n      stagger = \"0s\"\n    }\n    \
                  task \"t\" {\n      driver = \"d\"\n    }\n  }\n}\n";
    let found: Vec<String> = validate(&parse(source)).iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            "shop.nomad.hcl:3,14-16: Canary count can not be less than zero: -1 < 0 (Job.Update.Canary)",
            "shop.nomad.hcl:7,17-21: Stagger must be greater than zero: 0s (Job.TaskGroups[0].Update.Stagger)",
        ]
    );
}

#[test]
fn a_mount_without_destination_is_an_error() {
    let source = "job \"j\" {\n  group \"g\" {\n    volume \"v\" {\n      type = \"host\"\n      source = \"s\"\n    }\n    \
                  task \"t\" {\n      driver = \"d\"\n      volume_mount {\n        volume = \"v\"\n      }\n    }\n  }\n}\n";
    let found = validate(&parse(source));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].severity, Severity::Error);
    assert_eq!(found[0].message, "Volume Mount (0) has no destination");
}

#[test]
fn modes_of_volumes_and_options_of_docker_are_known() {
    let source = "job \"j\" {\n  group \"g\" {\n    volume \"v\" {\n      type = \"csi\"\n      source = \"s\"\n      \
                  access_mode = \"single-node-writr\"\n      attachment_mode = \"mount\"\n    }\n    \
                  task \"t\" {\n      driver = \"docker\"\n      config {\n        image = \"a\"\n        \
                  volumes = [\"a:/b\", \"data\"]\n        cap_add = [\"net_admin\", \"net_admn\"]\n      }\n    }\n  }\n}\n";
    let found = lint(&parse(source), NomadVersion::NEWEST);
    let found: Vec<&str> = found.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(
        found,
        [
            "CSI volumes have no attachment_mode \"mount\": the allocation fails",
            "CSI volumes have no access_mode \"single-node-writr\": the allocation fails",
            "the driver docker takes a capability of Linux such as \"net_bind_service\" for the option \"cap_add\", \
             not \"net_admn\"",
            "the driver docker takes \"source:destination\" for the option \"volumes\", not \"data\"",
        ]
    );
}
