//! `catalog --serve`: lines of JSON on standard input and output.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

struct Service {
    child: Child,
    folder: tempfile::TempDir,
}

impl Service {
    fn start(flags: &[&str]) -> Service {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
        command.args(["catalog", "--serve"]).args(flags).current_dir(folder.path()).env("HOME", folder.path());
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        Service { child, folder }
    }

    /// Sends lines, ends the input and returns the answers by id.
    fn answers(mut self, lines: &[String]) -> Vec<Value> {
        let mut input = self.child.stdin.take().unwrap();
        let text = lines.join("\n");
        let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).unwrap());
        let output = self.child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        let mut answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        answers.sort_by_key(|answer| answer["id"].as_i64());
        answers
    }
}

#[test]
fn each_line_has_an_answer_with_its_id() {
    let mut lines: Vec<String> = (0..50)
        .map(|id| json!({"id": id, "node": format!("n{id}"), "code": "notify { $trusted['certname']: }"}).to_string())
        .collect();
    lines.push(String::new());
    lines.extend(["{".to_owned(), "[]".into(), json!({"id": 99}).to_string(), "\u{0}\u{fffd}".into()]);
    let answers = Service::start(&[]).answers(&lines);
    assert_eq!(answers.len(), 54);
    let refused: Vec<&Value> = answers.iter().filter(|answer| answer["catalog"].is_null()).collect();
    assert_eq!(refused.len(), 4);
    assert!(refused.iter().all(|answer| answer["errors"][0]["code"] == "catalog-request"), "{refused:?}");
    for id in 0..50 {
        let answer = answers.iter().find(|answer| answer["id"] == id).unwrap();
        let resources = answer["catalog"]["resources"].as_array().unwrap();
        assert!(resources.iter().any(|resource| resource["title"] == format!("n{id}")), "{answer}");
        assert!(answer["milliseconds"].as_f64().unwrap() >= 0.0);
    }
}

#[test]
fn an_answer_comes_before_the_input_ends() {
    let mut service = Service::start(&[]);
    let mut input = service.child.stdin.take().unwrap();
    let mut output = BufReader::new(service.child.stdout.take().unwrap());
    let file = service.folder.path().canonicalize().unwrap().join("modules/m/manifests/init.pp");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let mut ask = |title: &str| {
        fs::write(&file, format!("class m {{ notify {{ '{title}': }} }}\n")).unwrap();
        let modulepath = file.ancestors().nth(3).unwrap();
        writeln!(input, "{}", json!({"id": title, "node": "n", "code": "include m", "modulepath": [modulepath]}))
            .unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer["id"], title);
        answer["catalog"]["resources"].to_string().contains(&format!("\"title\":\"{title}\""))
    };
    assert!(ask("first") && ask("second"));
    drop(input);
    assert!(service.child.wait().unwrap().success());
}

#[test]
fn flags_apply_to_all_requests() {
    let long = json!({"id": 1, "node": "n", "code": "range(1, 100000).each |$x| { $x }"}).to_string();
    let answers = Service::start(&["--limit", "steps=1000"]).answers(&[long]);
    assert_eq!(answers[0]["errors"][0]["limitation"], true, "{}", answers[0]);
    let secret = json!({"id": 1, "node": "n", "code": "notify { 'a': message => Sensitive('swordfish') }"}).to_string();
    let shown = |flags: &[&str]| {
        Service::start(flags).answers(std::slice::from_ref(&secret))[0].to_string().contains("swordfish")
    };
    assert!(!shown(&[]) && shown(&["--reveal"]));
    let reported = Command::new(env!("CARGO_BIN_EXE_hieratic")).args(["catalog", "--serve", "web01"]).output().unwrap();
    assert_eq!(reported.status.code(), Some(2));
}

#[test]
fn the_schema_has_the_fields_of_requests_and_answers() {
    let schema = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/catalog-service.schema.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(schema).unwrap()).unwrap();
    let fields = |part: &Value| part["properties"].as_object().unwrap().keys().cloned().collect::<Vec<String>>();
    let of_requests = fields(&schema["$defs"]["request"]);
    assert!(of_requests.len() > 25);
    // A field with a value of no type is refused by its name, and a field of another name because it is unknown.
    let lines: Vec<String> = of_requests
        .iter()
        .filter(|name| !matches!(name.as_str(), "node" | "id"))
        .chain([&"another".to_owned()])
        .enumerate()
        .map(|(id, name)| json!({"id": id, "node": "n", "code": "", name: 0.5}).to_string())
        .collect();
    let answers = Service::start(&[]).answers(&lines);
    let (unknown, known) = answers.split_last().unwrap();
    assert!(unknown["errors"][0]["message"].as_str().unwrap().contains("unknown field 'another'"), "{unknown}");
    for answer in known {
        let message = answer["errors"][0]["message"].as_str();
        assert!(message.is_some_and(|message| !message.contains("unknown field")), "{answer}");
    }
    let help = unknown["errors"][0]["help"].as_str().unwrap();
    assert!(of_requests.iter().all(|name| help.contains(name.as_str())), "{help}");
    // Answers have exactly the fields that it requires.
    let warning = json!({"id": 0, "node": "n", "code": "warning('x') fail('y')"}).to_string();
    let answer = &Service::start(&[]).answers(&[warning])[0];
    let names = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<String>>();
    let of_answers = &schema["$defs"]["answer"];
    assert_eq!(names(answer), fields(of_answers));
    assert_eq!(names(&answer["errors"][0]), fields(&of_answers["properties"]["errors"]["items"]));
    assert_eq!(names(&answer["warnings"][0]), fields(&of_answers["properties"]["warnings"]["items"]));
}
