//! A large job file, and how fast it becomes a job.

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use hieratic::hcl::{HclInput, evaluate_hcl, hcl_functions};
use hieratic::nomad_job::{Job, Options};

/// Writes a job of about that many megabytes: variables, locals, groups with tasks, interpolations, functions, heredocs and
/// `dynamic` blocks.
pub(crate) fn generate(file: &Path, megabytes: usize) -> std::io::Result<()> {
    let mut text = String::from(HEAD);
    let mut number = 0;
    while text.len() < megabytes * 1_000_000 {
        // Writing to a string cannot fail.
        let _ = write!(text, "{}", GROUP.replace("NUMBER", &number.to_string()));
        number += 1;
    }
    text.push_str("}\n");
    std::fs::write(file, text)
}

const HEAD: &str = r#"variable "image" {
  type    = string
  default = "registry.example.com/service"
}

variable "ports" {
  type    = list(number)
  default = [80, 443, 8080]
}

locals {
  region = upper("eu-west")
  tags   = [for port in var.ports : "port-${port}"]
}

job "large" {
  datacenters = ["dc1", "dc2"]
  type        = "service"
"#;

const GROUP: &str = r#"
  # Group NUMBER serves one customer.
  group "group-NUMBER" {
    count = NUMBER % 3 + 1

    network {
      mode = "bridge"

      dynamic "port" {
        for_each = var.ports
        labels   = ["p${port.value}"]

        content {
          to = port.value
        }
      }
    }

    task "server" {
      driver = "docker"

      config {
        image = "${var.image}:${NUMBER + 1}.0"
        ports = [for port in var.ports : "p${port}"]
        args  = ["--group", "NUMBER", "--region", local.region, "--node", node.unique.name]
      }

      env {
        NAME    = lower(replace("GROUP_NUMBER", "_", "-"))
        ADDRESS = "${NOMAD_ADDR_p80}"
        TAGS    = join(",", local.tags)
        MODE    = NUMBER > 100 ? "large" : "small"
      }

      template {
        data        = <<-EOT
          {{ range service "db" }}
          server {{ .Address }}:{{ .Port }} # of group NUMBER in ${local.region}
          {{ end }}
        EOT
        destination = "local/servers.conf"
      }

      resources {
        cpu    = 100 + NUMBER % 10 * 50
        memory = 256
      }

      service {
        name = "group-NUMBER"
        port = "p80"
        tags = concat(local.tags, ["group-NUMBER"])

        check {
          type     = "http"
          path     = "/health"
          interval = "10s"
          timeout  = "2s"
        }
      }
    }
  }
"#;

/// Prints the seconds of reading a job and printing it, and the most memory that the process had.
pub(crate) fn measure(file: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let text = std::fs::read(file)?;
    let start = Instant::now();
    let options = Options { path: file.display().to_string(), ..Options::default() };
    let job = Job::parse(text, &options)?;
    let json = job.to_json()?;
    println!("{} {}", start.elapsed().as_secs_f64(), peak_memory());
    std::hint::black_box(json);
    Ok(())
}

/// Prints the seconds of evaluating an expression, and the most memory that the process had.
pub(crate) fn expression(file: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let text = std::fs::read(file)?;
    let start = Instant::now();
    let answer = evaluate_hcl(&HclInput { text, ..HclInput::default() }, &hcl_functions(None));
    println!("{} {}", start.elapsed().as_secs_f64(), peak_memory());
    if answer.value.is_some() { Ok(()) } else { Err(format!("{:?}", answer.problems).into()) }
}

/// In KiB, as Linux counts it.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
