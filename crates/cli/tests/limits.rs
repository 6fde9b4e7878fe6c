//! `--limits`, and `--limit NAME=VALUE` of the verbs that work for an answer.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    Command::new(env!("CARGO_BIN_EXE_hieratic")).args(arguments).current_dir(folder.path()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_table_has_every_limit_in_columns() {
    let table = text(&run(&["--limits"]).stdout);
    let limits = hieratic::budget::Limits::default().table();
    assert_eq!(table.lines().count(), limits.len());
    for (line, (name, value, meaning)) in table.lines().zip(&limits) {
        let words: Vec<&str> = line.splitn(2, "  ").collect();
        assert_eq!(words[0].trim(), *name);
        assert!(line.contains(value.as_str()) && line.ends_with(meaning), "{line}");
    }
    let columns: Vec<usize> =
        table.lines().zip(&limits).map(|(line, (_, _, meaning))| line.find(meaning).unwrap()).collect();
    assert!(columns.iter().all(|column| *column == columns[0]), "{table}");
}

#[test]
fn code_is_stopped_at_its_limit() {
    let code = "Integer[1, 1000].each |$x| { $x + 1 }";
    for flags in [["--limit", "steps=100"], ["--step-limit", "100"]] {
        let output = run(&[&["eval", "-e", code], flags.as_slice()].concat());
        assert!(!output.status.success() && text(&output.stderr).contains("100"), "{}", text(&output.stderr));
    }
    let enough: [&[&str]; 3] = [
        &["--limit", "steps=100", "--limit", "steps=1_000_000"],
        &["--step-limit", "100", "--limit", "steps=1000000"],
        &["--limit", "steps=1000000", "--step-limit", "100"],
    ];
    for flags in enough {
        let output = run(&[&["eval", "-e", code], flags].concat());
        assert!(output.status.success(), "{flags:?}\n{}", text(&output.stderr));
    }
}

/// A request in JSON takes the limits of the command, in every language.
#[test]
fn requests_are_stopped_at_the_limit() {
    use std::io::Write;
    let requests = [
        r#"{"language": "puppet", "code": "Integer[1, 1000].each |$x| { $x + 1 }"}"#,
        r#"{"language": "unfurl", "kind": "template", "expr": "{% for x in range(1000) %}{{ x }}{% endfor %}"}"#,
        r#"{"language": "hcl", "expr": "length([for x in range(1000) : x + 1])"}"#,
    ];
    for request in requests {
        for (limit, is_stopped) in [("steps=100", true), ("steps=1000000", false)] {
            let mut child = Command::new(env!("CARGO_BIN_EXE_hieratic"))
                .args(["eval", "--jsonl", "--limit", limit])
                .stdin(std::process::Stdio::piped())
                .stdout(std::process::Stdio::piped())
                .spawn()
                .unwrap();
            writeln!(child.stdin.take().unwrap(), "{request}").unwrap();
            let answer = text(&child.wait_with_output().unwrap().stdout);
            let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
            assert_eq!(!answer["error"].is_null(), is_stopped, "{request} {limit} {answer}");
        }
    }
}

#[test]
fn every_verb_that_works_takes_limits() {
    for verb in ["lookup", "eval", "expand", "restore", "render", "job", "check", "serve", "repl", "parse"] {
        assert!(text(&run(&[verb, "--help"]).stdout).contains("--limit <NAME=VALUE>"), "{verb}");
        for wrong in ["stops=1", "steps", "steps=many", "depth=99999999999"] {
            let output = run(&[verb, "--limit", wrong]);
            let message = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{verb} {wrong}");
            assert!(message.contains("steps, bytes, depth") && message.contains(wrong), "{verb} {wrong}\n{message}");
        }
    }
}

/// Small programs that ask for much: each ends by itself, with an error that names a limit, long before the machine does.
#[test]
fn little_code_cannot_ask_for_everything() {
    let hcl: &[&str] = &["--language", "hcl"];
    for (language, code) in [
        (&[][..], "$a = range(1, 100000)\nrange(1, 1000).map |$i| { type($a) }"),
        (&[], "$x = range(1, 21).reduce([1]) |$m, $i| { [$m, $m] }\n$x.tree_each.map |$y| { 1 }"),
        (&[], "$x = range(1, 21).reduce([1]) |$m, $i| { [$m, $m] }\ntype($x)"),
        (hcl, "length([for i in range(1000): bcrypt(\"a\", 10)])"),
    ] {
        let output = run(&[&["eval", "-e", code, "--limit", "steps=2000000"], language].concat());
        let message = text(&output.stderr);
        assert!(output.status.code() == Some(1) && message.contains("are needed"), "{code}\n{message}");
    }
}

/// Digits that a format asks for are written, however many, up to the limit.
#[test]
fn formats_write_the_requested_digits() {
    let folder = tempfile::tempdir().unwrap();
    let template = folder.path().join("a.j2");
    for (format, digits) in [("{{ '%.*f' % (65536, 1.5) }}", 65_538), ("{{ '%.*e' % (65536, 1.5) }}", 65_542)] {
        std::fs::write(&template, format).unwrap();
        let output = run(&["render", template.to_str().unwrap()]);
        assert_eq!(text(&output.stdout).trim_end().len(), digits, "{format}: {}", text(&output.stderr));
    }
    std::fs::write(&template, "{{ '%.9999999999f'|format(1.5) }}").unwrap();
    assert_eq!(run(&["render", template.to_str().unwrap()]).status.code(), Some(1));
}

/// Few characters may name a number of ten million digits.
#[test]
fn huge_numbers_are_written_to_the_requested_length() {
    let hcl = |code: &str| run(&["eval", "--language", "hcl", "-e", code]);
    for (code, expected) in [
        ("format(\"%e\", 1e9999999)", "\"1.000000e+9999999\""),
        ("format(\"%.3g\", 1.2345e-9999999)", "\"1.23e-9999999\""),
        ("format(\"%f\", 1e-9999999)", "\"0.000000\""),
        ("strlen(\"${1e9999999}\")", "10000000"),
        ("strlen(jsonencode(1e9999999))", "10000000"),
        ("strlen(format(\"%s\", 1e-9999999))", "10000001"),
        ("1e9999999 == 1e9999999 + 1", "true"),
        ("1e9999999 / 1e9999998", "10"),
    ] {
        let output = hcl(code);
        assert_eq!(text(&output.stdout).trim_end(), expected, "{code}: {}", text(&output.stderr));
    }
    assert_eq!(text(&hcl("1e9999999").stdout).trim_end().len(), 10_000_000);
    for code in [
        "format(\"%d\", 1e9999999)",
        "format(\"%x\", 1e9999999)",
        "format(\"%f\", 1e9999999)",
        "format(\"%.9000000e\", 1e9999999)",
        "parseint(format(\"%09000000d\", 1), 10)",
        "join(\"\", [for i in range(1000): \"${1e9999999}\"])",
        "[for i in range(1000): 1e9999999]",
        "jsonencode([for i in range(1000): 1e9999999])",
    ] {
        let output = hcl(code);
        let message = text(&output.stderr);
        assert!(output.status.code() == Some(1) && message.contains("are needed"), "{code}\n{message}");
    }
}
