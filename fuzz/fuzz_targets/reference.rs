//! The reference beside a fuzz target: if `HIERATIC_HCL_REFERENCE` names the recorder of `conformance/recorders/nomad`, it is asked
//! the same, and has to answer the same.

use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, OnceLock};

use serde_json::{Value, json};

struct Reference {
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

fn reference() -> Option<&'static Mutex<Reference>> {
    static REFERENCE: OnceLock<Option<Mutex<Reference>>> = OnceLock::new();
    REFERENCE
        .get_or_init(|| {
            let recorder = std::env::var_os("HIERATIC_HCL_REFERENCE")?;
            let mut child = Command::new(recorder)
                .arg("expressions")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .expect("the reference cannot be started");
            let (questions, answers) = (child.stdin.take()?, child.stdout.take()?);
            Some(Mutex::new(Reference { questions, answers: BufReader::new(answers) }))
        })
        .as_ref()
}

/// Compares a report with what the reference says of the text, which is of that kind.
pub fn compare(kind: &str, text: &str, report: &Value) {
    let Some(reference) = reference() else { return };
    let mut reference = reference.lock().expect("the reference has gone");
    let question = json!({"id": "fuzz", kind: text, "vars": {}});
    writeln!(reference.questions, "{question}").expect("the reference takes no more questions");
    let mut answer = String::new();
    reference.answers.read_line(&mut answer).expect("the reference does not answer");
    let answer: Value = serde_json::from_str(&answer).expect("the reference answers in JSON");
    // What panics inside of the reference has a message of its own here.
    if answer.get("crash").is_some() || limited(report) {
        return;
    }
    for field in ["value", "type"] {
        assert_eq!(report[field], answer[field], "{field} of {text:?}");
    }
    for field in ["summary", "line", "col", "end_line", "end_col"] {
        assert_eq!(report["error"].get(field), answer["error"].get(field), "{field} of the error of {text:?}");
    }
}

/// Whether a limit was reached that the reference has not.
fn limited(report: &Value) -> bool {
    report["error"]["summary"] == "Nesting too deep"
}
