//! Runs Ruby source, or replays recorded answers: for trying things beside MRI.
//!
//! ```text
//! run 'SOURCE or FILE'
//! run --replay expressions.jsonl
//! run --templates templates.jsonl
//! run --time templates.jsonl ROUNDS
//! ```

use std::time::Instant;

use hieratic_budget::{Budget, thread_time};
use hieratic_ruby::{ErrorKind, Host, HostError, NullHost, Ruby, RubyError};
use hieratic_value::Value;

/// A scope with the variables of one template.
struct Scope {
    budget: Budget,
    variables: Vec<(String, Value)>,
    /// Whether other names have a value too, as the recorder's scope gives them one.
    generous: bool,
}

impl Host for Scope {
    fn budget(&self) -> &Budget {
        &self.budget
    }

    fn variable(&mut self, name: &str) -> Result<Option<Value>, HostError> {
        let known = self.variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        Ok(known.or_else(|| self.generous.then(|| format!("scope {name}").into())))
    }
}

fn value(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::Undef,
        serde_json::Value::Bool(one) => (*one).into(),
        serde_json::Value::Number(number) => number.as_i64().unwrap_or(0).into(),
        serde_json::Value::String(text) => text.as_str().into(),
        serde_json::Value::Array(list) => list.iter().map(value).collect(),
        serde_json::Value::Object(pairs) => {
            let hash: hieratic_value::Hash =
                pairs.iter().map(|(key, one)| (Value::from(key.as_str()), value(one))).collect();
            hash.into()
        }
    }
}

fn shown(result: Result<String, RubyError>) -> String {
    match result {
        Ok(shown) => format!("=> {shown}"),
        Err(error) => match &error.kind {
            ErrorKind::Raised { class, .. } => {
                format!("!! {class}: {}", error.message.lines().next().unwrap_or_default())
            }
            _ => format!("?? {error}"),
        },
    }
}

fn replay(path: &str) {
    let cases = std::fs::read_to_string(path).unwrap_or_default();
    let (mut right, mut wrong) = (0, 0);
    for line in cases.lines() {
        let Ok(case) = serde_json::from_str::<Vec<String>>(line) else { continue };
        let answer = shown(Ruby::new().inspect(&mut NullHost::default(), &case[0], "x.rb"));
        if answer == case[1] {
            right += 1;
        } else {
            wrong += 1;
            println!("{}\n   MRI {}\n   we  {answer}", case[0], case[1]);
        }
    }
    println!("{right} right, {wrong} wrong");
}

fn templates(path: &str) {
    let cases = std::fs::read_to_string(path).unwrap_or_default();
    let (mut right, mut wrong, mut both_fail) = (0, 0, 0);
    let mut ruby = Ruby::new();
    let mut jobs = Vec::new();
    for line in cases.lines() {
        let Ok(case) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let mut scope =
            Scope { budget: Budget::default(), variables: variables(&case), generous: case["path"].is_string() };
        let template = case["template"].as_str().unwrap_or_default();
        let name = case["path"].as_str().unwrap_or_default();
        let rendered = ruby.render(&mut scope, template, name, Some(name));
        match (&rendered, case["text"].as_str(), case["error"].as_str()) {
            (Ok(ours), Some(theirs), _) if **ours == *theirs => {
                right += 1;
                jobs.push((template.to_owned(), name.to_owned(), scope.variables));
            }
            (Err(_), None, Some(_)) => both_fail += 1,
            _ => {
                wrong += 1;
                let theirs = case["error"].as_str().map_or_else(
                    || "text".to_owned(),
                    |class| format!("{class}: {} at {}", case["message"].as_str().unwrap_or_default(), case["line"]),
                );
                println!(
                    "{name} {template:?}\n   MRI {theirs}\n   we  {}",
                    match &rendered {
                        Ok(ours) => {
                            let theirs = case["text"].as_str().unwrap_or_default();
                            let pair = ours.lines().zip(theirs.lines()).find(|(a, b)| a != b);
                            format!(
                                "another text: {pair:?} of {} and {} lines",
                                ours.lines().count(),
                                theirs.lines().count()
                            )
                        }
                        Err(error) => error.to_string(),
                    }
                );
            }
        }
    }
    println!("{right} equal, {both_fail} fail in both, {wrong} different");
    let start = Instant::now();
    let mut bytes = 0;
    for (template, name, variables) in &jobs {
        let mut scope = Scope { budget: Budget::default(), variables: variables.clone(), generous: true };
        bytes += ruby.render(&mut scope, template, name, Some(name)).map_or(0, |text| text.len());
    }
    println!("{} templates again, {bytes} bytes, in {:?}", jobs.len(), start.elapsed());
}

/// The variables of a recorded template.
fn variables(case: &serde_json::Value) -> Vec<(String, Value)> {
    let pairs = case["variables"].as_object();
    pairs.into_iter().flatten().map(|(name, one)| (name.clone(), value(one))).collect()
}

/// The milliseconds of the processor that a round of templates takes: read and rendered by an interpreter that knows none, and rendered again.
fn time(path: &str, rounds: u32) {
    let cases = std::fs::read_to_string(path).unwrap_or_default();
    let mut jobs = Vec::new();
    for line in cases.lines() {
        let Ok(case) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let (Some(template), Some(_)) = (case["template"].as_str(), case["text"].as_str()) else { continue };
        jobs.push((template.to_owned(), variables(&case)));
    }
    let round = |ruby: &mut Ruby, folder: u32| {
        let begun = thread_time();
        let mut bytes = 0;
        for (number, (template, variables)) in jobs.iter().enumerate() {
            let mut scope = Scope { budget: Budget::default(), variables: variables.clone(), generous: true };
            let name = format!("{folder}/{number}.erb");
            bytes += ruby.render(&mut scope, template, &name, Some(&name)).map_or(0, |text| text.len());
        }
        ((thread_time() - begun).as_secs_f64() * 1000.0, bytes)
    };
    let mut ruby = Ruby::new();
    // Under other names, templates are others.
    let read: f64 = (0..rounds).map(|folder| round(&mut ruby, folder).0).sum();
    let (again, bytes) =
        (0..rounds).map(|_| round(&mut ruby, rounds - 1)).fold((0.0, 0), |(sum, _), (one, bytes)| (sum + one, bytes));
    let (read, again) = (read / f64::from(rounds), again / f64::from(rounds));
    println!("{} templates, {bytes} bytes: {read:.1} ms, again {again:.1} ms", jobs.len());
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [flag, path] if flag == "--replay" => replay(path),
        [flag, path] if flag == "--templates" => templates(path),
        [flag, path, rounds] if flag == "--time" => time(path, rounds.parse().unwrap_or(1)),
        [source, ..] => {
            let source = std::fs::read_to_string(source).unwrap_or_else(|_| source.clone());
            let mut ruby = Ruby::new();
            let result = ruby.inspect(&mut NullHost::default(), &source, "x.rb");
            println!("{}{}", ruby.take_output(), shown(result));
        }
        [] => println!("usage: run SOURCE | --replay FILE | --templates FILE | --time FILE ROUNDS"),
    }
}
