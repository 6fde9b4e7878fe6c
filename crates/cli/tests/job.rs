//! What `hieratic job`, and `eval` and `render` of HCL, print: answers and messages, word for word; and the recorded jobs through
//! the command.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

/// What the command prints with these files in its folder: output, then errors, then the status unless it is 0.
fn session(files: &[(&str, &str)], arguments: &[&str], input: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .args(arguments)
        .current_dir(folder.path())
        .env("NOMAD_VAR_owner", "environment")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let mut shown = String::from_utf8_lossy(&output.stdout).into_owned();
    shown.push_str(&String::from_utf8_lossy(&output.stderr));
    if !output.status.success() {
        shown.push_str(&format!("[status {}]\n", output.status.code().unwrap()));
    }
    shown.replace(&folder.path().canonicalize().unwrap().display().to_string(), "{root}")
}

const JOB: &str = r#"variable "owner" {
  type    = string
  default = "nobody"
}

variable "ports" {
  type = list(number)
}

job "web" {
  meta {
    owner = var.owner
    home  = "${attr.kernel.name}/x"
  }

  group "g" {
    count = length(var.ports)

    task "t" {
      driver = "docker"

      config {
        ports = var.ports
      }
    }
  }
}
"#;

#[test]
fn variables_come_from_where_the_origins_say() {
    let files = [("web.nomad.hcl", JOB), ("a.vars", "ports = [1]\nowner = \"file\"\n"), ("b.vars", "ports = [1, 2]\n")];
    let variables = ["job", "web.nomad.hcl", "-var-file=a.vars", "-var-file", "b.vars", "-var", "owner=flag"];
    let with = |more: &[&'static str]| [variables.as_slice(), more].concat();
    let mut shown = String::new();
    for more in [["--origins"].as_slice(), &["--origins", "--render-as", "report"], &["--render-as", "report"]] {
        shown += &format!(">>> {}\n{}\n", more.join(" "), session(&files, &with(more), ""));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn origins_follow_locals_and_variables() {
    let job = "variable \"v\" { default = \"x\" }\nlocals {\n  a = \"${var.v}-${local.b[0]}\"\n  b = [for v in [1] : v]\n}\n\
               job \"j\" {\n  meta {\n    one = local.a\n    two = \"${local.a}${var.v}\"\n    three = \"plain\"\n  }\n}\n";
    let files = [("j.nomad", job)];
    let mut shown = session(&files, &["job", "j.nomad", "-var", "v=y", "--origins"], "");
    shown += &session(&files, &["job", "j.nomad", "-var", "v=y", "--origins", "--render-as", "json"], "");
    insta::assert_snapshot!(shown);
}

#[test]
fn faults_have_their_lines() {
    let mut shown = String::new();
    let reads = "job \"x\" {\n  meta { a = file(\"a.txt\") }\n}\n";
    let cases: [(&str, &[&str]); 10] = [
        (JOB, &["job", "web.nomad.hcl"]),
        (JOB, &["job", "web.nomad.hcl", "-var", "ports", "--render-as", "s"]),
        (reads, &["job", "web.nomad.hcl", "--deny-files"]),
        (JOB, &["job", "web.nomad.hcl", "-var", "ports=[x]", "-var", "none=1"]),
        (JOB, &["job", "web.nomad.hcl", "-var", "ports=[]", "-var-file", "missing.vars"]),
        (JOB, &["job", "web.nomad.hcl", "-var", "ports=[]", "-var-file", "extra.vars"]),
        ("job \"x\" {\n  gruop \"g\" {}\n  prio = 1 +\n}\n", &["job", "web.nomad.hcl"]),
        (
            "job \"x\" {\n  priority = \"high\"\n  type = upper(1, 2)\n  meta { a = nosuch(1) }\n}\n",
            &["job", "web.nomad.hcl", "--message-format", "json"],
        ),
        ("{\"job\": {\"x\": {\"prioritty\": 1}}}", &["job", "web.nomad.hcl"]),
        ("job \"x\" {}\n", &["job", "web.nomad.hcl", "-hcl2-strict=maybe"]),
    ];
    for (job, arguments) in cases {
        let files = [("web.nomad.hcl", job), ("extra.vars", "extra = 1\n")];
        shown += &format!(">>> {}\n{}\n", arguments.join(" "), session(&files, arguments, ""));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn validation_reports_the_errors_of_a_server() {
    let job = "job \"x\" {\n  type = \"batch\"\n  priority = 500\n  group \"g\" {\n    count = -1\n    task \"t\" {\n      \
               resources {\n        cpu = 0\n      }\n    }\n  }\n}\n";
    let fine = "job \"x\" {\n  group \"g\" {\n    task \"t\" {\n      driver = \"exec\"\n    }\n  }\n}\n";
    let early = "job \"x\" {\n  group \"g\" {\n    task \"t\" {\n      driver = \"exec\"\n      lifecycle {\n        \
                 hook = \"prestart\"\n      }\n    }\n  }\n}\n";
    let files = [("bad.nomad.hcl", job), ("good.nomad.hcl", fine), ("early.nomad.hcl", early)];
    let mut shown = String::new();
    for more in [
        ["early.nomad.hcl", "--render-as", "s"].as_slice(),
        &["early.nomad.hcl", "--nomad-version", "2.0.5"],
        &["bad.nomad.hcl"],
        &["bad.nomad.hcl", "--render-as", "s"],
        &["bad.nomad.hcl", "--render-as", "report"],
        &["good.nomad.hcl"],
    ] {
        let arguments = [&["job", "--validate"], more].concat();
        shown += &format!(">>> {}\n{}\n", more.join(" "), session(&files, &arguments, ""));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn variable_files_may_be_shared_between_jobs() {
    let files = [("web.nomad.hcl", "job \"x\" {}\n"), ("extra.vars", "extra = 1\n")];
    let job = |more: &str| session(&files, &["job", "web.nomad.hcl", "-var-file", "extra.vars", more], "");
    assert!(job("--allow-undeclared").starts_with("{\n    \"Job\": {"));
    let loose = job("-hcl2-strict=false");
    assert!(loose.contains("\"ID\": \"x\"") && loose.contains("Warning"), "{loose}");
}

#[test]
fn jobs_see_the_data_of_a_node() {
    let files = [
        ("environment.conf", ""),
        (
            "hiera.yaml",
            "version: 5\nhierarchy:\n  - {name: Nodes, path: \"%{facts.role}.yaml\"}\n  - {name: All, path: all.yaml}\n",
        ),
        ("data/web.yaml", "replicas: 3\n"),
        ("data/all.yaml", "replicas: 1\ntags: [a, b]\nlimits: {cpu: 200}\n"),
        (
            "web.nomad.hcl",
            "job \"x\" {\n  group \"g\" {\n    count = hiera(\"replicas\")\n    task \"t\" {\n      resources { cpu = hiera(\"limits\").cpu }\n      \
             env {\n        TAGS = join(\",\", hiera(\"tags\"))\n        NONE = hiera(\"none\", \"default\")\n      }\n    }\n  }\n}\n",
        ),
    ];
    let arguments = [
        "job",
        "web.nomad.hcl",
        "--environment-dir",
        ".",
        "--node",
        "n1",
        "--fact",
        "role=web",
        "--render-as",
        "report",
    ];
    let report: Value = serde_json::from_str(&session(&files, &arguments, "")).unwrap();
    let group = &report["job"]["TaskGroups"][0];
    assert_eq!(group["Count"], 3);
    assert_eq!(group["Tasks"][0]["Resources"]["CPU"], 200);
    assert_eq!(group["Tasks"][0]["Env"], serde_json::json!({"NONE": "default", "TAGS": "a,b"}));
    let missing = ["eval", "--language", "hcl", "-e", "hiera(\"nothing\")", "--environment-dir", ".", "--node", "n1"];
    insta::assert_snapshot!(session(&files, &missing, ""));
}

#[test]
fn hcl_is_evaluated_in_every_format() {
    let files = [("a.tfvars", "name = \"x\"\nsizes = [for n in [1, 2] : n * 2]\nblock \"label\" {\n  on = true\n}\n")];
    let mut shown = String::new();
    let cases: [&[&str]; 9] = [
        &["eval", "--language", "hcl", "-e", "{a = 1, b = [true, null]}"],
        &["eval", "--language", "hcl", "-e", "{a = 1, b = [true, null]}", "--render-as", "yaml"],
        &["eval", "--language", "hcl", "-e", "x + 1", "--var", "x=2", "--render-as", "report"],
        &[
            "eval",
            "--language",
            "hcl",
            "--kind",
            "template",
            "-e",
            "Hello ${upper(n)}!",
            "--var",
            "n=you",
            "--render-as",
            "s",
        ],
        &["eval", "--language", "hcl", "--kind", "json_expr", "-e", "{\"a\": \"${1 + 1}\"}"],
        &["eval", "a.tfvars"],
        &["eval", "--language", "hcl", "-e", "uper(\"a\") + [1][3]"],
        &["eval", "--language", "hcl", "-e", "1/0"],
        &["eval", "--language", "hcl", "-e", "file(\"a.tfvars\")", "--render-as", "report"],
    ];
    for arguments in cases {
        shown += &format!(">>> {}\n{}\n", arguments.join(" "), session(&files, arguments, ""));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn requests_of_hcl_are_answered_line_by_line() {
    let requests = [
        r#"{"language": "hcl", "expr": "x + 1", "vars": {"x": {"type": "number", "value": 41}}}"#,
        r#"{"language": "hcl", "template": "${1/3}"}"#,
        r#"{"language": "hcl", "body": "a = 1\nb \"c\" {\n}\n"}"#,
        r#"{"language": "hcl", "json_expr": "[1, \"${upper(\\\"a\\\")}\"]"}"#,
        r#"{"language": "hcl", "expr": "1 +"}"#,
        r#"{"language": "hcl", "expr": "x", "vars": {"x": {"type": "nonsense", "value": 1}}}"#,
        r#"{"language": "hcl"}"#,
    ];
    insta::assert_snapshot!(session(&[], &["eval", "--jsonl"], &requests.join("\n")));
}

#[test]
fn templates_of_hcl_are_rendered() {
    let files = [
        ("t.tftpl", "%{ for p in ports ~}\nserver ${facts.networking.hostname}:${p}\n%{ endfor ~}\n"),
        ("bad.tftpl", "a\n${nothing}\n"),
    ];
    let render = |more: &[&str]| session(&files, &[&["render", "--node", "web01.example.com"], more].concat(), "");
    assert_eq!(render(&["t.tftpl", "--var", "ports=[80, 443]"]), "server web01:80\nserver web01:443\n");
    insta::assert_snapshot!(render(&["bad.tftpl"]));
}

/// The documentation's examples: tables of expressions with their values.
#[test]
fn the_documentation_is_true() {
    let guide = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/nomad.md")).unwrap();
    let mut requests = String::new();
    let mut expected = Vec::new();
    for row in guide.lines().filter(|line| line.starts_with("| `") && !line.starts_with("| `-")) {
        let mut cells = row.split('`').skip(1).step_by(2);
        let (expression, value) = (cells.next().unwrap().replace("\\|", "|"), cells.next().unwrap());
        requests += &serde_json::json!({"language": "hcl", "expr": expression}).to_string();
        requests.push('\n');
        expected.push((expression, value.to_owned()));
    }
    let answers = session(&[], &["eval", "--jsonl"], &requests);
    assert!(expected.len() >= 25, "{} examples", expected.len());
    for (answer, (expression, value)) in answers.lines().zip(expected) {
        let report: Value = serde_json::from_str(answer).unwrap();
        assert_eq!(report["value"].to_string(), value, "{expression}: {report}");
    }
}

/// The recorded jobs, through the command: the job, or the text of the failure and its place.
#[test]
fn recorded_jobs_are_answered_by_the_command() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    let mut count = 0;
    for jobs in ["hcl/jobs", "nomad/jobs"] {
        for folder in fs::read_dir(root.join(jobs)).unwrap() {
            let folder = folder.unwrap().path();
            let case: Value = serde_json::from_str(&fs::read_to_string(folder.join("case.json")).unwrap()).unwrap();
            if case["error"].get("unstable_text").is_some() || case.get("unstable_text").is_some() {
                continue;
            }
            let arguments = case["args"].as_array().unwrap().iter().map(|argument| argument.as_str().unwrap());
            let environment =
                case["env"].as_object().unwrap().iter().map(|(name, value)| (name, value.as_str().unwrap()));
            let output = Command::new(env!("CARGO_BIN_EXE_hieratic"))
                .arg("job")
                .args(arguments)
                .args(["--render-as", "report"])
                .current_dir(&folder)
                .env_clear()
                .envs(environment)
                .output()
                .unwrap();
            let report: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(report["job"], case["job"], "{}", folder.display());
            assert_eq!(report["error"]["text"], case["error"]["text"], "{}", folder.display());
            for place in ["line", "col"].into_iter().filter(|place| case["error"].get(*place).is_some()) {
                assert_eq!(report["error"][place], case["error"][place], "{}: {place}", folder.display());
            }
            count += 1;
        }
    }
    assert!(count > 250, "{count} jobs");
}

#[test]
fn a_mistake_is_reported_without_its_consequences() {
    let job = r#"variable "image" {
  default = "redis:7"
}

variable "number" {
  type = nmber
}

variable "mounts" {
  type    = map(object({ path = string }))
  default = { data = { path = "/data" } }
}

job "x" {
  priority = var.imgae
  group "g" {
    task "t" {
      driver = "docker"
      kill_timeout = var.nothing
      config {
        mounts = var.mounts
      }
    }
  }
}
"#;
    let fine = job.replace("  type = nmber\n", "").replace("var.imgae", "50").replace("var.nothing", "\"5s\"");
    let files =
        [("wrong.hcl", job), ("unknown.hcl", &job.replace("  type = nmber\n", "  default = 1\n")), ("lost.hcl", &fine)];
    let mut shown = String::new();
    for arguments in [
        ["job", "wrong.hcl", "-var", "number=1"].as_slice(),
        &["job", "unknown.hcl"],
        &["job", "unknown.hcl", "--render-as", "report"],
        &["job", "lost.hcl", "-var", "number=1", "--validate"],
    ] {
        shown += &format!(">>> {}\n{}\n", arguments.join(" "), session(&files, arguments, ""));
    }
    insta::assert_snapshot!(shown);
    assert!(session(&[], &["job", "-"], "job \"x\" {\n  prio = 1\n}\n").contains("--> stdin:2:3"));
}

/// Reads `file(...)` of a job in a repository that has a folder beside it.
fn reads(expression: &str, folder: &str, arguments: &[&str]) -> Result<String, String> {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    for (name, text) in [
        ("repo/.git/HEAD", ""),
        ("repo/jobs/beside.txt", "beside"),
        ("repo/common/shared.txt", "shared"),
        ("repo/top.txt", "top"),
        ("outside/other.txt", "other"),
    ] {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let link = |to: &str, name: &str| std::os::unix::fs::symlink(root.join(to), root.join(name)).unwrap();
    link("repo/common/shared.txt", "repo/jobs/inside.txt");
    link("outside/other.txt", "repo/jobs/outside.txt");
    let expression = expression.replace("{root}", root.to_str().unwrap());
    let job = format!("job \"x\" {{\n  meta {{\n    text = {expression}\n  }}\n}}\n");
    fs::write(root.join("repo/jobs/a.nomad.hcl"), job).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .args(["job", root.join("repo/jobs/a.nomad.hcl").to_str().unwrap(), "--render-as", "report"])
        .args(arguments)
        .current_dir(root.join(folder))
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    fs::remove_dir_all(&root).unwrap();
    match report["job"]["Meta"]["text"].as_str() {
        Some(text) => Ok(text.to_owned()),
        None => Err(report["error"]["text"].as_str().unwrap_or_default().replace(root.to_str().unwrap(), "{root}")),
    }
}

#[test]
fn files_of_the_repository_are_read_and_others_with_a_flag() {
    let ok = |text: &str| Ok(text.to_owned());
    // As in the reference from where the command runs, and beside the job.
    assert_eq!(reads("file(\"top.txt\")", "repo", &[]), ok("top"));
    assert_eq!(reads("file(\"../common/shared.txt\")", "repo/jobs", &[]), ok("shared"));
    assert_eq!(reads("file(\"beside.txt\")", "outside", &[]), ok("beside"));
    assert_eq!(reads("file(\"inside.txt\")", "repo", &[]), ok("shared"));
    assert_eq!(reads("file(\"{root}/repo/top.txt\")", "outside", &[]), ok("top"));
    assert_eq!(reads("join(\",\", fileset(\"common\", \"*.txt\"))", "repo", &[]), ok("shared.txt"));
    assert_eq!(reads("fileexists(\"beside.txt\") ? \"yes\" : \"no\"", "repo", &[]), ok("yes"));
    // What lies outside takes a flag.
    for outside in ["file(\"outside.txt\")", "file(\"../outside/other.txt\")", "file(\"{root}/outside/other.txt\")"] {
        let refused = reads(outside, "repo", &[]).unwrap_err();
        assert!(refused.contains("functions can only read files in "), "{outside}: {refused}");
        assert_eq!(reads(outside, "repo", &["--allow-files"]), ok("other"), "{outside}");
        assert_eq!(reads(outside, "repo", &["--allow-files", "../outside"]), ok("other"), "{outside}");
    }
    assert_eq!(reads("file(\"other.txt\")", "repo", &["--base", "../outside"]), ok("other"));
    assert_eq!(reads("file(\"shared.txt\")", "repo", &["--base=common"]), ok("shared"));
    let missing = reads("file(\"beside.txt\")", "repo", &["--base", "common"]).unwrap_err();
    assert!(missing.contains("no file exists at common/beside.txt"), "{missing}");
    let denied = reads("file(\"beside.txt\")", "repo", &["--deny-files"]).unwrap_err();
    assert!(denied.contains("filesystem function disabled"), "{denied}");
    let files =
        [("a.nomad", "job \"x\" {\n  meta {\n    a = file(\"/etc/hostname\")\n    b = file(\"none\")\n  }\n}\n")];
    let message = session(&files, &["job", "a.nomad"], "");
    assert!(message.contains("--allow-files FOLDER") && message.contains("--base FOLDER"), "{message}");
}

#[test]
fn several_jobs_are_read_in_one_call() {
    let good = "job \"NAME\" {\n  group \"g\" {\n    task \"t\" {\n      driver = \"exec\"\n    }\n  }\n}\n";
    let job = |name: &str| good.replace("NAME", name);
    let files = [
        ("jobs/b.nomad.hcl", &*job("b")),
        ("jobs/deep/c.hcl", &job("c")),
        ("jobs/variables.hcl", "a = 1\n"),
        ("jobs/.hidden/d.nomad", &job("d")),
        ("a.hcl", &job("a")),
        ("wrong.nomad", "job \"w\" {\n  cuont = 1\n}\n"),
    ];
    let validated = session(&files, &["job", "--validate", "a.hcl", "jobs"], "");
    let fine = "Job validation successful\n";
    assert_eq!(validated, format!("a.hcl: {fine}jobs/b.nomad.hcl: {fine}jobs/deep/c.hcl: {fine}"));
    let reports = session(&files, &["job", "a.hcl", "wrong.nomad", "--render-as", "report"], "");
    let reports: Vec<Value> = reports.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&reports[0]["file"], &reports[0]["job"]["ID"]), (&"a.hcl".into(), &"a".into()));
    assert_eq!((&reports[1]["file"], &reports[1]["error"]["line"]), (&"wrong.nomad".into(), &2.into()));
    let plain = session(&files, &["job", "wrong.nomad", "a.hcl"], "");
    assert!(plain.contains("\"ID\": \"a\"") && plain.contains("cuont") && plain.ends_with("[status 1]\n"), "{plain}");
    let by_content = [("x/a.job", job("a")), ("x/run.job", "#!/bin/sh\n".to_owned()), ("x/b.nomad2", job("b"))];
    let by_content: Vec<(&str, &str)> = by_content.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let validated = session(&by_content, &["job", "--validate", "x"], "");
    assert_eq!(validated, format!("x/a.job: {fine}x/b.nomad2: {fine}"));
    assert!(session(&[("none/a.txt", "")], &["job", "none"], "").contains("no job found in the named folders"));
}

#[test]
fn flags_of_the_reference_are_taken() {
    let files = [("a.nomad", "job \"x\" {}\n")];
    let plain = session(&files, &["job", "a.nomad"], "");
    let submitting = [
        "job",
        "-check-index",
        "5",
        "-detach",
        "-eval-priority=3",
        "-policy-override",
        "-preserve-counts",
        "-preserve-resources",
        "-ui",
        "-verbose",
        "-address=http://localhost",
        "-region",
        "eu",
        "-namespace",
        "n",
        "-token",
        "t",
        "-output",
        "a.nomad",
    ];
    assert_eq!(session(&files, &submitting, ""), plain);
    let namespaces = session(&files, &["job", "-consul-namespace", "c", "-vault-namespace=v", "a.nomad"], "");
    let changed = plain
        .replace("\"ConsulNamespace\": null", "\"ConsulNamespace\": \"c\"")
        .replace("\"VaultNamespace\": null", "\"VaultNamespace\": \"v\"");
    assert_eq!(namespaces, changed);
}

#[test]
fn infinite_numbers_are_reported() {
    let files = [(
        "a.nomad",
        "job \"x\" {\n  group \"g\" {\n    task \"t\" {\n      config {\n        a = 1e400\n      }\n    }\n  }\n}\n",
    )];
    let report: Value =
        serde_json::from_str(&session(&files, &["job", "a.nomad", "--render-as", "report"], "")).unwrap();
    assert_eq!(report["error"]["text"], "json: unsupported value: +Inf");
    assert!(session(&files, &["job", "a.nomad", "--origins"], "").contains("Config[\"a\"] = \"+Inf\""));
}

#[test]
fn requests_are_of_the_language_that_is_given() {
    let requests = "{\"expr\": \"1 + 1\"}\n{\"language\": \"puppet\", \"code\": \"1 + 2\"}\n";
    let answers = session(&[], &["eval", "--language", "hcl", "--jsonl"], requests);
    let values: Vec<Value> =
        answers.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["value"].clone()).collect();
    assert_eq!(values[0], 2);
    assert!(answers.lines().nth(1).unwrap().contains('3'), "{answers}");
}

#[test]
fn operators_in_a_row_are_no_nesting() {
    for operator in ["+", "-", "*", "&&", "||", "==", "!="] {
        let operand = if operator.contains(['&', '|']) { "true" } else { "1" };
        let sum = vec![operand; 5000].join(operator);
        let request = serde_json::json!({ "expr": sum }).to_string();
        let answer = session(&[], &["eval", "--language", "hcl", "--jsonl"], &request);
        let nested = answer.contains("Nesting too deep");
        assert!(!nested, "{operator}: {}", &answer[..answer.len().min(300)]);
    }
}

#[test]
fn unlikely_code_is_reported() {
    let job = r#"job "web" {
  group "front" {
    network {
      port "http" {}
    }

    service {
      port = "htpp"
    }

    task "nginx" {
      driver = docker

      template {
        data        = "{{ if true }}x"
        destination = "local/x"
      }

      env {
        PORT = "${NOMAD_PROT_http}"
        HOME = "${HOME}"
      }
    }

    task "side" {
      driver = "docker"

      config {
        imgae = "redis:7"
      }
    }
  }
}
"#;
    let files = [("web.nomad.hcl", job)];
    let mut shown = session(&files, &["job", "--validate", "--lint", "web.nomad.hcl"], "");
    shown += &session(&files, &["check", "."], "");
    insta::assert_snapshot!(shown);
}

#[test]
fn files_are_laid_out() {
    let files = [
        ("a.nomad.hcl", "job \"a\" {\ntype=\"batch\" # why\n  priority   = 5\n}\n"),
        ("b.hcl", "a = 1\n"),
        ("wrong.hcl", "a = \n"),
        ("deep/c.hcl", "a=1\n"),
        ("d.txt", "a=1\n"),
    ];
    assert_eq!(
        session(&files, &["fmt", "-"], files[0].1),
        "job \"a\" {\n  type     = \"batch\" # why\n  priority = 5\n}\n"
    );
    let checked = session(&files, &["fmt", "-check", "a.nomad.hcl", "b.hcl", "d.txt"], "");
    assert_eq!(checked, "a.nomad.hcl\nd.txt\n[status 1]\n");
    let wrong = session(&files, &["fmt"], "");
    assert!(
        wrong.starts_with("./a.nomad.hcl\n") && wrong.contains("wrong.hcl:1:5") && !wrong.contains("deep"),
        "{wrong}"
    );
    assert_eq!(session(&files, &["fmt", "--recursive", "deep", "."], "").lines().next(), Some("deep/c.hcl"));
    assert_eq!(session(&files, &["fmt", "-list=false", "-write=false", "deep/c.hcl"], ""), "a = 1\n");
}

#[test]
fn two_versions_are_compared_as_a_plan() {
    let old = r#"job "web" {
  datacenters = ["dc1", "dc2"]

  group "front" {
    count = 1

    network {
      port "http" {}
    }

    task "nginx" {
      driver = "docker"

      config {
        image = "nginx:1"
        args  = ["-v"]
      }

      env {
        A = "1"
      }

      resources {
        cpu = 100
      }
    }

    task "same" {
      driver = "exec"
    }
  }

  group "old" {
    task "t" {
      driver = "exec"
    }
  }
}
"#;
    let new = old
        .replace("\"dc2\"", "\"dc3\"")
        .replace("count = 1", "count = 3")
        .replace("nginx:1", "nginx:2")
        .replace("A = \"1\"", "A = \"2\"\n        B = \"x\"")
        .replace("cpu = 100", "cpu = 100\n        memory = 64")
        .replace("port \"http\" {}", "port \"http\" {\n        to = 80\n      }")
        .replace("group \"old\"", "group \"new\"");
    let files = [("old.nomad", old), ("new.nomad", &new), ("other.nomad", "job \"other\" {}\n")];
    let mut shown = session(&files, &["job", "new.nomad", "--diff", "old.nomad"], "");
    shown += &session(&files, &["job", "old.nomad", "-diff=old.nomad"], "");
    shown += &session(&files, &["job", "old.nomad", "--diff", "other.nomad"], "");
    insta::assert_snapshot!(shown);
}

#[test]
fn extensions_are_taken_with_a_flag() {
    let job = r#"variable "services" {
  type = map(object({ port = optional(number, 80), tags = optional(list(string)) }))
  default = { a = {}, b = { port = "81" } }
}

job "x" {
  meta {
    services = jsonencode(var.services)
    text     = templatefile("t.tftpl", { ports = [for s in values(var.services) : s.port] })
  }
}
"#;
    let files =
        [("a.nomad", job), ("t.tftpl", "%{ for p in ports ~}\n${p};\n%{ endfor ~}\n"), ("bad.tftpl", "${nosuch}")];
    let report = session(&files, &["job", "a.nomad", "--extensions", "--render-as", "report"], "");
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["job"]["Meta"]["services"], r#"{"a":{"port":80,"tags":null},"b":{"port":81,"tags":null}}"#);
    assert_eq!(report["job"]["Meta"]["text"], "80;\n81;\n");
    let given = ["job", "a.nomad", "--extensions", "--render-as", "report", "-var", "services={ c = { tags = [1] } }"];
    let given: Value = serde_json::from_str(&session(&files, &given, "")).unwrap();
    assert_eq!(given["job"]["Meta"]["services"], r#"{"c":{"port":80,"tags":["1"]}}"#);
    let refused = session(&files, &["job", "a.nomad"], "");
    assert!(refused.contains("only for type constraints") && refused.contains("--extensions enables it"), "{refused}");
    let files = [files[2], ("b.nomad", "job \"x\" {\n  meta {\n    a = templatefile(\"bad.tftpl\", {})\n  }\n}\n")];
    assert!(session(&files, &["job", "b.nomad"], "").contains("--extensions enables it"));
    let bad = session(&files, &["job", "b.nomad", "--extensions"], "");
    assert!(bad.contains("bad.tftpl:1,3-9: Unknown variable"), "{bad}");
}

#[test]
fn json_becomes_a_job_file() {
    let job = r#"{"Job": {"ID": "web", "Name": "web", "Version": 3, "Meta": {"a b": "1"}, "TaskGroups": [{"Name": "g", "Count": 2,
        "Networks": [{"ReservedPorts": [{"Label": "ssh", "Value": 22}], "DynamicPorts": [{"Label": "http"}]}],
        "Tasks": [{"Name": "t", "Driver": "docker", "KillTimeout": 90000000000, "Env": {"PORT": "${NOMAD_PORT_http}", "RAW": "${x}"},
        "Config": {"image": "nginx", "auth": {"user": "me"}, "mounts": [{"type": "bind"}]},
        "Templates": [{"EmbeddedTmpl": "a {{ b }}\nc\n", "DestPath": "local/x"}]}]}]}}"#;
    let files = [("web.json", job)];
    let file = session(&files, &["job", "-json", "web.json", "--to", "hcl"], "");
    insta::assert_snapshot!(file);
    let files = [("web.json", job), ("web.nomad.hcl", &*file)];
    assert_eq!(session(&files, &["fmt", "-check", "web.nomad.hcl"], ""), "");
    let again: Value = serde_json::from_str(&session(&files, &["job", "web.nomad.hcl"], "")).unwrap();
    let task = &again["Job"]["TaskGroups"][0]["Tasks"][0];
    assert_eq!(task["Config"]["auth"], serde_json::json!({"user": "me"}));
    assert_eq!(task["Env"], serde_json::json!({"PORT": "${NOMAD_PORT_http}", "RAW": "${x}"}));
    assert_eq!(again["Job"]["Meta"], serde_json::json!({"a b": "1"}));
}

/// A job whose count is a variable, in a repository with two environments.
fn with_environments(folder: &Path) {
    let job = "variable \"count\" {\n  default = 1\n}\njob \"web\" {\n  group \"g\" {\n    count = var.count\n    task \"t\" {\n      \
               driver = \"docker\"\n    }\n  }\n}\n";
    let settings = "[[jobs]]\nname = \"small\"\nfiles = [\"*.nomad\"]\nvars = { count = 2 }\nnamespace = \"dev\"\n\n[[jobs]]\nname = \
                    \"large\"\nfiles = [\"*.nomad\"]\nvar-files = [\"large.vars\"]\nregion = \"eu\"\n";
    std::fs::write(folder.join("web.nomad"), job).unwrap();
    std::fs::write(
        folder.join("plain.nomad"),
        job.replace("var.count", "1").replace("variable \"count\"", "variable \"other\""),
    )
    .unwrap();
    std::fs::write(folder.join("hieratic.toml"), settings).unwrap();
    std::fs::write(folder.join("large.vars"), "count = 9\n").unwrap();
    std::fs::create_dir(folder.join(".git")).unwrap();
    std::fs::write(folder.join(".git/HEAD"), "").unwrap();
}

#[test]
fn a_job_is_read_for_an_environment_of_the_settings() {
    let folder = tempfile::tempdir().unwrap();
    with_environments(folder.path());
    let run = |arguments: &[&str]| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_hieratic")).args(arguments).current_dir(folder.path()).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (status, printed, _) = run(&["job", "web.nomad", "--entry", "small"]);
    assert_eq!(status, Some(0));
    assert!(printed.contains("\"Count\": 2,") && printed.contains("\"Namespace\": \"dev\","), "{printed}");
    let (_, printed, _) = run(&["job", "web.nomad", "--entry", "large"]);
    assert!(printed.contains("\"Count\": 9,") && printed.contains("\"Region\": \"eu\","), "{printed}");
    let (status, _, reported) = run(&["job", "web.nomad"]);
    assert_eq!(status, Some(1));
    assert!(reported.contains("choose one with --entry: small, large"), "{reported}");
    // Of several jobs, those of the entry are read.
    std::fs::create_dir(folder.path().join("other")).unwrap();
    std::fs::write(folder.path().join("other/o.nomad.hcl"), "job \"o\" {\n}\n").unwrap();
    let (status, printed, reported) = run(&["job", ".", "--entry", "large", "--validate"]);
    assert_eq!(status, Some(0), "{reported}");
    assert!(printed.contains("web.nomad: Job validation successful") && !printed.contains("o.nomad.hcl"), "{printed}");
    assert!(
        reported.contains("--entry large does not name") && reported.contains("other/o.nomad.hcl: not read"),
        "{reported}"
    );
    let (_, _, reported) = run(&["job", "web.nomad", "-var", "cuont=3"]);
    assert!(reported.contains("the flags take the place of the entries small, large of [[jobs]]"), "{reported}");
    // Flags take the place of the entries, and one flag serves several jobs.
    let (status, printed, reported) = run(&["job", "web.nomad", "plain.nomad", "-var", "count=3"]);
    assert_eq!(status, Some(0), "{reported}");
    assert!(printed.contains("\"Count\": 3,"), "{printed}");
    assert!(reported.contains("-var count is not for plain.nomad, which does not declare it"), "{reported}");
    // The values of an entry are for all of its jobs.
    let (status, printed, reported) = run(&["job", "plain.nomad", "--entry", "small"]);
    assert_eq!(status, Some(0), "{reported}");
    assert!(printed.contains("\"Count\": 1,") && printed.contains("\"Namespace\": \"dev\","), "{printed}");
    let note = "the value for 'count' of the entry 'small' is not for plain.nomad, which does not declare it";
    assert!(reported.contains(note), "{reported}");
    let (status, _, reported) = run(&["job", "plain.nomad", "--entry", "large"]);
    assert_eq!(status, Some(0), "{reported}");
    assert!(reported.contains(&note.replace("small", "large")), "{reported}");
    let (status, _, reported) = run(&["job", "plain.nomad", "--entry", "small", "-var", "count=3"]);
    assert_eq!(status, Some(1), "{reported}");
    let (status, _, reported) = run(&["job", "web.nomad", "plain.nomad", "-var", "coutn=3"]);
    assert_eq!(status, Some(1));
    assert!(reported.contains("no job declares the variable of -var coutn"), "{reported}");
}

#[test]
fn versions_of_nomad_are_checked_with_a_flag() {
    let job = "job \"a\" {\n  ui {\n    description = \"x\"\n  }\n  group \"g\" {\n    task \"t\" {\n      driver = \"docker\"\n      lifecycle {\n        hook = \"prestart\"\n      }\n    \
               }\n  }\n}\n";
    let shown = |version: &str| {
        session(&[("a.nomad", job)], &["job", "a.nomad", "--validate", "--lint", "--nomad-version", version], "")
    };
    assert!(shown("1.7").contains("Nomad has \"ui\" since 1.8.0, and not in 1.7.0"));
    assert!(shown("1.8").contains("Nomad refuses it since 2.0.6"));
    assert!(shown("2.0.6").contains("Task group g must have at least one main task"));
}

#[test]
fn a_flag_does_not_take_a_job_for_its_folder() {
    let job = "job \"a\" {\n  meta {\n    x = basename(\"a/b\")\n  }\n}\n";
    let printed = session(&[("a.nomad", job)], &["job", "--allow-files", "a.nomad"], "");
    assert!(printed.contains("\"x\": \"b\""), "{printed}");
}

#[test]
fn policies_are_laid_out_as_their_programs_do() {
    let vault = "path \"a\" {\n  capabilities = [ \"read\" ]\n  policy=\"read\" }\n";
    let expected = "path \"a\" {\n  capabilities = [\"read\"]\n  policy       = \"read\"\n}\n";
    assert_eq!(session(&[], &["fmt", "-"], vault), expected);
    // HCL2 cannot read this one.
    let nomad = "namespace \"default\" { policy = \"write\" capabilities = [\"submit-job\"] }\n";
    let expected = "namespace \"default\" {\n  policy = \"write\"\n\n  capabilities = [\"submit-job\"]\n}\n";
    assert_eq!(session(&[], &["fmt", "-"], nomad), expected);
}

#[test]
fn packs_are_rendered_and_checked() {
    let files = [
        ("metadata.hcl", "app {\n  url = \"\"\n}\npack {\n  name    = \"web\"\n  version = \"1.0\"\n}\n"),
        ("variables.hcl", "variable \"count\" {\n  type    = number\n  default = 1\n}\n"),
        ("templates/web.nomad.tpl", "job \"web\" {\n  bogus = [[ var \"count\" . ]]\n}\n"),
    ];
    let rendered = session(&files, &["pack", "render", ".", "--var", "count=2"], "");
    assert_eq!(rendered, "web/web.nomad:\n\njob \"web\" {\n  bogus = 2\n}\n\n\n");
    let checked = session(&files, &["pack", "check", "."], "");
    assert!(checked.contains("./templates/web.nomad.tpl:2:3\n") && checked.ends_with("[status 1]\n"), "{checked}");
    let json = session(&files, &["pack", "render", ".", "--format", "json"], "");
    assert!(json.contains("\"name\": \"web/web.nomad\",") && json.contains("bogus = 1"), "{json}");
    let right = "job \"web\" {\n  group \"a\" {\n    task \"t\" {\n      driver = \"docker\"\n      config {\n        \
                 image = \"x\"\n      }\n    }\n  }\n}\n";
    let files_without_fault = [files[0], files[1], ("templates/web.nomad.tpl", right)];
    let checked = session(&files_without_fault, &["pack", "check", "."], "");
    assert_eq!(checked, "Checked 1 job: nothing found\n");
    let checked = session(&files[..2], &["pack", "check", "."], "");
    assert!(
        checked.contains("the pack has no job: nothing was checked") && checked.ends_with("[status 1]\n"),
        "{checked}"
    );
    let blank = session(&files[..2], &["pack", "render", "."], "");
    assert!(blank.contains("no templates were rendered") && blank.ends_with("[status 1]\n"), "{blank}");
    let plain = session(&files, &["pack", "render", ".", "--no-format"], "");
    assert_eq!(plain, "web/web.nomad:\n\njob \"web\" {\n  bogus = 1\n}\n\n\n");
    let required = [files[0], ("variables.hcl", "variable \"count\" {\n  type = number\n}\n"), files[2]];
    let unset = session(&required, &["pack", "render", "."], "");
    assert!(unset.contains("missing required variable: \"count\"") && unset.ends_with("[status 1]\n"), "{unset}");
    let unset = session(&required, &["pack", "render", ".", "--allow-unset-vars"], "");
    assert!(unset.contains("bogus ="), "{unset}");
    let wrong = session(&files, &["pack", "render", "templates"], "");
    assert!(wrong.contains("templates is not a pack: it has no metadata.hcl"), "{wrong}");
}

#[test]
fn templates_of_levant_are_rendered() {
    let files = [
        ("web.nomad", "job \"[[ .name ]]\" {\n  priority = [[ .count | add 1 ]]\n}\n"),
        ("vars.yaml", "name: a\ncount: 4\n"),
    ];
    let rendered = session(&files, &["pack", "render", "web.nomad", "--var-file", "vars.yaml", "--var", "name=b"], "");
    assert_eq!(rendered, "job \"b\" {\n  priority = 5\n}\n");
}
