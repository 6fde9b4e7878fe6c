//! Replays results of MRI 3.1: expressions and templates, as the recorders in `conformance/recorders/ruby` recorded
//! them.

use hieratic_budget::Budget;
use hieratic_ruby::{ErrorKind, Host, HostError, NullHost, Ruby, RubyError};
use hieratic_value::Value;

/// Cases that are known to differ; `docs/ruby.md` explains them.
const DIFFERENT: &str = include_str!("../../../conformance/ruby/different.txt");

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

#[test]
fn expressions_evaluate_as_in_ruby() {
    let different: Vec<&str> = DIFFERENT.lines().collect();
    let mut wrong = Vec::new();
    let mut count = 0;
    let recorded = [
        include_str!("../../../conformance/ruby/expressions.jsonl"),
        include_str!("../../../conformance/ruby/programs.jsonl"),
    ];
    for line in recorded.into_iter().flat_map(str::lines) {
        let case: Vec<String> = serde_json::from_str(line).unwrap();
        count += 1;
        let answer = shown(Ruby::new().inspect(&mut NullHost::default(), &case[0], "x.rb"));
        let listed = different.contains(&case[0].lines().next().unwrap());
        if (answer == case[1]) == listed {
            wrong.push(format!("{}\n   Ruby {}\n   here {answer}", case[0], case[1]));
        }
    }
    assert!(count > 6_500);
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

/// A scope with the variables of one template.
struct Scope {
    budget: Budget,
    variables: serde_json::Map<String, serde_json::Value>,
}

impl Host for Scope {
    fn budget(&self) -> &Budget {
        &self.budget
    }

    fn variable(&mut self, name: &str) -> Result<Option<Value>, HostError> {
        Ok(self.variables.get(name).map(value))
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

#[test]
fn templates_render_as_in_ruby() {
    let mut ruby = Ruby::new();
    let mut wrong = Vec::new();
    let mut count = 0;
    // Lines of templates that are known to differ.
    let different: Vec<usize> = include_str!("../../../conformance/ruby/different_templates.txt")
        .lines()
        .map(|line| line.parse().unwrap())
        .collect();
    for line in include_str!("../../../conformance/ruby/templates.jsonl").lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        count += 1;
        let variables = case["variables"].as_object().cloned().unwrap_or_default();
        let mut scope = Scope { budget: Budget::default(), variables };
        let template = case["template"].as_str().unwrap();
        let rendered = ruby.render(&mut scope, template, "x.erb", None);
        let same = match (&rendered, case["text"].as_str()) {
            (Ok(text), Some(expected)) => **text == *expected,
            (Err(error), None) => {
                let raised = matches!(&error.kind, ErrorKind::Raised { class, .. } if Some(class.as_str()) == case["error"].as_str());
                (raised || matches!(error.kind, ErrorKind::Syntax))
                    && (error.line == case["line"].as_u64().unwrap_or(0) as u32 || !raised)
            }
            _ => false,
        };
        if same == different.contains(&count) {
            wrong.push(format!("{case}\n   here {rendered:?}"));
        }
    }
    assert!(count >= 1_000, "{count}");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn nested_templates_render_into_one_string() {
    let mut ruby = Ruby::new();
    let variables = serde_json::from_str(r#"{"list": ["a", "b"]}"#).unwrap();
    let mut scope = Scope { budget: Budget::default(), variables };
    let text = ruby.render(
        &mut scope,
        "<% @list.each_with_index do |x, i| -%>\n<%= i %>: <%= x %>\n<% end -%>\n",
        "x.erb",
        None,
    );
    assert_eq!(&*text.unwrap(), "0: a\n1: b\n");
}
