//! Asks the questions of `conformance/specification`: one test for each statement of the references' documentation.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::statements::{OUTCOMES, Section, State, Statement, documents, yaml};

/// The versions of Puppet that are asked.
const VERSIONS: [&str; 3] = ["7", "8", "9"];

/// One test for each statement, named after it.
pub fn trials() -> Vec<Trial> {
    let sections = documents().into_iter().flat_map(|document| document.sections);
    sections.flat_map(trials_of).collect()
}

fn trials_of(section: Section) -> Vec<Trial> {
    let Section { name, statements, .. } = section;
    let tested = statements.into_iter().filter(|statement| !matches!(statement.state, State::Advice(_)));
    let trial = |statement: Statement| {
        Trial::test(format!("specification/{name}: {}", statement.states), move || shown(&statement))
    };
    tested.map(trial).collect()
}

fn shown(statement: &Statement) -> Result<(), Failed> {
    let repository = Repository::new(statement);
    let wrong: Vec<String> = statement.questions.iter().flat_map(|question| repository.wrong(question)).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// The question with the answers of a version: those of the newest one up to it that has separate ones.
fn on_version(question: &Value, version: &str) -> Value {
    let later = VERSIONS.iter().rev().skip_while(|later| **later != version);
    let Some(own) = later.filter_map(|later| question.get(format!("on_{later}"))?.as_object()).next() else {
        return question.clone();
    };
    let mut requested = question.as_object().unwrap().clone();
    requested.retain(|field, _| !OUTCOMES.contains(&field.as_str()));
    requested.extend(own.clone());
    Value::Object(requested)
}

#[derive(Default)]
struct Answer {
    value: Value,
    error: Option<String>,
    /// Whether a lookup found nothing.
    is_nothing: bool,
    printed: String,
    /// Severities and messages.
    logs: Vec<(String, String)>,
}

/// A folder with what the statement gives: levels, files and facts.
struct Repository<'s> {
    folder: TempDir,
    statement: &'s Statement,
}

impl<'s> Repository<'s> {
    fn new(statement: &'s Statement) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let repository = Repository { folder, statement };
        repository.write("hiera.yaml", "version: 5\nhierarchy: []\n");
        repository.write("facts.json", &repository.facts().to_string());
        if let Some(levels) = statement.given.get("levels").and_then(Value::as_object) {
            let mut hierarchy = "version: 5\nhierarchy:\n".to_owned();
            for (name, text) in levels {
                hierarchy.push_str(&format!("- {{name: {name}, path: {name}.yaml}}\n"));
                repository.write(&format!("environments/production/data/{name}.yaml"), text.as_str().unwrap());
            }
            repository.write("environments/production/hiera.yaml", &hierarchy);
        }
        for (path, text) in statement.given.get("files").and_then(Value::as_object).into_iter().flatten() {
            repository.write(path, text.as_str().unwrap());
        }
        repository
    }

    fn write(&self, path: &str, text: &str) {
        let file = self.folder.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        #[cfg(unix)]
        if text.starts_with("#!") {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    /// The facts that every node has, and those of the statement.
    fn facts(&self) -> Value {
        let mut facts = json!({
            "hostname": "web01", "domain": "example.com", "fqdn": "web01.example.com", "clientcert": "web01.example.com",
            "networking": {"hostname": "web01", "domain": "example.com", "fqdn": "web01.example.com"},
        });
        if let Some(own) = self.statement.given.get("facts").and_then(Value::as_object) {
            facts.as_object_mut().unwrap().extend(own.clone());
        }
        facts
    }

    /// What is wrong with the answers to a question, of every version.
    fn wrong(&self, question: &Value) -> Vec<String> {
        let is_of_puppet = ["lookup", "puppet"].iter().any(|kind| question.get(*kind).is_some());
        let versions = if is_of_puppet { &VERSIONS[..] } else { &VERSIONS[..1] };
        versions.iter().filter_map(|version| self.wrong_on(&on_version(question, version), version)).collect()
    }

    fn wrong_on(&self, question: &Value, version: &str) -> Option<String> {
        let answer = self.answer(question, version);
        let mut wrong = Vec::new();
        let field = |name: &str| question.get(name);
        match (field("fails").and_then(Value::as_str), &answer.error) {
            (Some(expected), Some(error)) if error.contains(expected) => {}
            (None, None) => {}
            (expected, error) => wrong.push(format!("error\nexpected {expected:?}\ngot      {error:?}")),
        }
        if let Some(expected) = field("gives")
            && !is_same(expected, &answer.value, field("restore").is_none())
        {
            wrong.push(format!("expected {expected}\ngot      {}", answer.value));
        }
        if let Some(expected) = field("prints").and_then(Value::as_str)
            && expected != answer.printed
        {
            wrong.push(format!("expected {expected:?}\nprinted  {:?}", answer.printed));
        }
        if field("nothing").is_some() != answer.is_nothing {
            wrong.push(format!("is there no value: {}", answer.is_nothing));
        }
        for level in ["notice", "warning"] {
            let logged: Vec<&str> =
                answer.logs.iter().filter(|(at, _)| at == level).map(|(_, text)| text.as_str()).collect();
            let expected = match field(if level == "notice" { "notices" } else { "warns" }) {
                None if level == "warning" && self.statement.given.contains_key("levels") => continue,
                None => Vec::new(),
                Some(Value::Array(expected)) => expected.iter().map(|text| text.as_str().unwrap()).collect(),
                Some(expected) => vec![expected.as_str().unwrap()],
            };
            let is_expected =
                logged.len() == expected.len() && logged.iter().zip(&expected).all(|(got, part)| got.contains(part));
            if !is_expected {
                wrong.push(format!("{level}: expected {expected:?}\ngot      {logged:?}"));
            }
        }
        (!wrong.is_empty()).then(|| format!("version {version}: {question}\n{}", wrong.join("\n")))
    }

    /// The answer to a question, with `{root}` for the folder.
    fn answer(&self, question: &Value, version: &str) -> Answer {
        let mut answer = self.ask(question, version);
        let folder = self.folder.path().display().to_string();
        answer.error = answer.error.map(|error| error.replace(&folder, "{root}"));
        answer.printed = answer.printed.replace(&folder, "{root}");
        answer
    }

    fn ask(&self, question: &Value, version: &str) -> Answer {
        if let Some(arguments) = question.get("lookup") {
            return self.look_up(arguments.as_str().unwrap(), version);
        }
        for verb in ["expand", "restore", "job"] {
            if let Some(text) = question.get(verb) {
                return self.run(verb, text.as_str().unwrap(), question);
            }
        }
        self.evaluate(question, version)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
        let home = [("TZ", "UTC"), ("LC_ALL", "C.UTF-8"), ("XDG_CONFIG_HOME", "/nowhere")];
        command.current_dir(self.folder.path()).envs(home).env("PATH", self.folder.path().join("bin"));
        command
    }

    /// The flags of a lookup and of Puppet's language.
    fn places(&self, version: &str) -> Vec<String> {
        let below = |name: &str| self.folder.path().join(name).display().to_string();
        [
            ["--puppet-version".to_owned(), version.to_string()],
            ["--environmentpath".to_owned(), below("environments")],
            ["--environment".to_owned(), "production".to_owned()],
            ["--node".to_owned(), "web01.example.com".to_owned()],
            ["--hiera_config".to_owned(), below("hiera.yaml")],
        ]
        .concat()
    }

    /// `hieratic lookup` with arguments that are separated by spaces.
    fn look_up(&self, arguments: &str, version: &str) -> Answer {
        let own: Vec<&str> = arguments.split(' ').collect();
        let mut command = self.command();
        command.arg("lookup").args(self.places(version)).arg("--facts").arg(self.folder.path().join("facts.json"));
        let is_data = !own.iter().any(|argument| ["--render-as", "--explain", "--explain-options"].contains(argument));
        if is_data {
            command.args(["--render-as", "json"]);
        }
        let output = command.args(own).output().unwrap();
        let mut answer = Answer { printed: text(&output.stdout), ..Answer::default() };
        let errors = text(&output.stderr);
        match output.status.code() {
            Some(0) if is_data => answer.value = serde_json::from_str(&answer.printed).unwrap(),
            Some(0) => {}
            _ if errors.contains("did not find a value") || errors.contains("key-not-found") => {
                answer.is_nothing = true
            }
            _ => answer.error = Some(errors),
        }
        answer
    }

    /// `hieratic eval`, in any language.
    fn evaluate(&self, question: &Value, version: &str) -> Answer {
        let request = self.request(question);
        let mut command = self.command();
        command.args(["eval", "--jsonl", "--allow-outside", "--reveal"]);
        if request["language"] == "puppet" {
            if self.folder.path().join("environments").exists() {
                command.args(self.places(version));
            } else {
                command.args(["--node", "web01.example.com", "--puppet-version", version]);
            }
        }
        let output = with_input(&mut command, &format!("{request}\n"));
        let report: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
        let error = &report["error"];
        let message = error["message"].as_str().map(str::to_owned).or_else(|| {
            let summary = error["summary"].as_str()?;
            Some(format!("{summary}: {}", error["detail"].as_str().unwrap_or_default()))
        });
        let usual = if request["language"] == "puppet" { "value" } else { "json" };
        let logs = report["logs"].as_array().into_iter().flatten();
        Answer {
            value: report[question["part"].as_str().unwrap_or(usual)].clone(),
            error: message,
            logs: logs.map(|log| (log[0].as_str().unwrap().to_owned(), log[1].as_str().unwrap().to_owned())).collect(),
            ..Answer::default()
        }
    }

    /// A question as a request to evaluate.
    fn request(&self, question: &Value) -> Value {
        let mut request = question.clone();
        if question.get("puppet").is_some() {
            request["language"] = "puppet".into();
            request["code"] = question["puppet"].clone();
            request["facts"] = self.facts();
        } else if question.get("tree").is_some() {
            request["language"] = "unfurl".into();
            request["kind"] = "template".into();
            request["expr"] = question["template"].clone();
            request["base"] = self.folder.path().display().to_string().into();
        } else {
            request["language"] = "hcl".into();
            if question.get("hcl").is_some() {
                request["expr"] = question["hcl"].clone();
            }
            let variables = question.get("vars").and_then(Value::as_object).into_iter().flatten();
            let typed = variables.map(|(name, value)| (name.clone(), json!({"type": "any", "value": value})));
            request["vars"] = Value::Object(typed.collect());
        }
        request
    }

    /// A verb that reads a file, whose text is given.
    fn run(&self, verb: &str, written: &str, question: &Value) -> Answer {
        let name = if verb == "job" { "main.nomad.hcl" } else { "main.yaml" };
        self.write(name, written);
        let mut command = self.command();
        match verb {
            "restore" => {
                self.write("changed.yaml", question["changed"].as_str().unwrap());
                command.args(["restore", name, "changed.yaml"]);
            }
            "expand" => drop(command.args(["expand", name, "--render-as", "json"])),
            _ => drop(command.args([verb, name])),
        }
        let output = command.output().unwrap();
        let printed = text(&output.stdout);
        let errors = text(&output.stderr);
        if !output.status.success() {
            let error = if verb == "job" { job_error(&errors) } else { errors };
            return Answer { error: Some(error), printed, ..Answer::default() };
        }
        let value = match verb {
            "restore" => yaml(name, printed.as_bytes()),
            _ => serde_json::from_str(&printed).unwrap(),
        };
        let value = match question["part"].as_str() {
            Some(part) => value.pointer(part).unwrap_or_else(|| panic!("{part} is not in {value}")).clone(),
            None => value,
        };
        Answer { value, printed, ..Answer::default() }
    }
}

/// Whether two values are the same, with the order of their keys or without.
fn is_same(expected: &Value, got: &Value, ordered: bool) -> bool {
    if !ordered {
        return expected == got;
    }
    let [expected, got] = [expected, got].map(Value::to_string);
    expected == got
}

/// Summary and detail of a diagnostic, as the recorder writes them.
fn job_error(errors: &str) -> String {
    let after = |start: &str| errors.lines().find_map(|line| line.strip_prefix(start)).unwrap_or_default();
    format!("{}; {}", after("Error: "), after("note: "))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn with_input(command: &mut Command, input: &str) -> Output {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}
