//! Bodies by schema, `dynamic` blocks and type expressions, in both syntaxes: what is found, and what is said.

use hieratic_hcl_eval::type_expression::{constraint, constraint_with_defaults, exact};
use hieratic_hcl_eval::{AttributeSchema, BlockSchema, Body, Context, File, Functions, Problems, Schema, dynamic};
use hieratic_hcl_types::{Text, Value};

/// Attributes with their values, blocks with their labels, at all depths.
fn write(body: &Body<'_>, context: &Context<'_>, depth: usize, out: &mut String, message: &mut Problems) {
    let name = if depth == 0 { AttributeSchema::required("name") } else { AttributeSchema::optional("to") };
    let schema = Schema {
        attributes: vec![name, AttributeSchema::optional("count")],
        blocks: vec![BlockSchema::new("port", &["label"]), BlockSchema::new("inner", &[])],
    };
    let (content, found) = body.content(&schema);
    message.append(found);
    let indent = "  ".repeat(depth);
    for attribute in &content.attributes {
        let (value, found) = attribute.expression.value(context);
        message.append(found);
        let text = value.to_json().map_or_else(|_| "unknown".to_owned(), |json| json.to_string());
        *out += &format!("{indent}{} = {text}\n", attribute.name);
    }
    for block in &content.blocks {
        *out += &format!("{indent}{} {:?}\n", block.kind, block.labels);
        write(&block.body, context, depth + 1, out, message);
    }
}

/// What is found in a text, its `dynamic` blocks expanded, and what is said.
fn read(text: &str) -> String {
    let functions = Functions::new().with_expression_functions();
    let ports = Value::object(vec![("b".into(), Value::from(2)), ("a".into(), Value::from(1))]);
    let context = Context::new().with_variables([(Text::from("ports"), ports)]).with_functions(&functions);
    let file = if text.starts_with('{') { File::json("a.json", text) } else { File::native("a.hcl", text) };
    assert!(!file.problems().has_errors(), "{}", file.problems());
    let (mut out, mut message) = (String::new(), Problems::default());
    write(&dynamic::expand(file.body(), &context), &context, 0, &mut out, &mut message);
    for problem in message.iter() {
        out += &format!("! {problem}\n");
    }
    out
}

#[test]
fn unknown_items_are_errors() {
    let native =
        "nam = 1\ncount = 2\nport {}\nport \"a\" \"b\" {}\nprot \"x\" {}\ninner {\n  to = 1\n  too = 2\n}\nname {}\n";
    let json =
        r#"{"nam": 1, "count": [2], "port": {"a": [{"to": 1}, {"to": 2}], "b": 3}, "inner": [{}, 4], "count": 1}"#;
    insta::assert_snapshot!(format!("{}\n{}", read(native), read(json)));
}

#[test]
fn dynamic_blocks_expand_for_every_element() {
    let text = r#"name = "x"
dynamic "port" {
  for_each = ports
  labels   = ["p-${port.key}"]
  content {
    to = port.value + 1
    dynamic "inner" {
      for_each = [port.key, "z"]
      iterator = it
      content {
        to = "${it.key}-${it.value}-${port.value}"
      }
    }
  }
}
dynamic "inner" {
  for_each = convert(["s"], set(string))
  content {
    to = inner.key
  }
}
"#;
    let json = r#"{"name": "x", "dynamic": {"port": {"for_each": "${ports}", "labels": ["${port.key}"],
        "content": {"to": "${port.value}"}}}}"#;
    insta::assert_snapshot!(format!("{}\n{}", read(text), read(json)));
}

#[test]
fn invalid_dynamic_blocks_are_errors() {
    let cases = [
        "for_each = \"a\"\n labels = [\"x\"]\n content {}",
        "for_each = null\n labels = [\"x\"]\n content {}",
        "for_each = [1]\n content {}",
        "for_each = [1]\n labels = []\n content {}",
        "for_each = [1]\n labels = [\"a\", \"b\"]\n content {}",
        "for_each = [1]\n labels = [null]\n content {}",
        "for_each = [1]\n labels = [[]]\n content {}",
        "for_each = [1]\n labels = \"a\"\n content {}",
        "for_each = [1]\n labels = [\"a\"]",
        "for_each = [1]\n labels = [\"a\"]\n content {}\n content {}",
        "for_each = [1]\n labels = [\"a\"]\n iterator = a.b\n content {}",
        "for_each = nothing\n labels = [\"a\"]\n content {}",
    ];
    let mut all = String::new();
    for case in cases {
        all += &format!("{case}\n{}\n", read(&format!("name = 1\ndynamic \"port\" {{\n {case}\n}}\n")));
    }
    all += &read("name = 1\ndynamic \"nothing\" {\n for_each = []\n content {}\n}\n");
    insta::assert_snapshot!(all);
}

#[test]
fn type_expressions_parse_or_are_errors() {
    let cases = [
        "list(string)",
        "map(any)",
        "object({a = number, b = optional(string)})",
        "tuple([bool, set(number)])",
        "strin",
        "list",
        "list(string, number)",
        "object([])",
        "tuple({})",
        "string()",
        "any(1)",
        "optional(string)",
        "object({a = optional()})",
        "object({a = optional(string, 1, 2)})",
        "object({a = string, a = string, (b) = string})",
        "\"string\"",
        "vector(number)",
        "1",
    ];
    let mut all = String::new();
    for case in cases {
        let file = File::native_expression("type", case);
        let expression = file.expression().unwrap();
        for (how, (ty, message)) in [("exact", exact(&expression)), ("constraint", constraint(&expression))] {
            let message = if message.is_empty() { String::new() } else { format!(" ! {message}") };
            all += &format!("{case}: {how} {}{message}\n", ty.constraint());
        }
    }
    insta::assert_snapshot!(all);
}

#[test]
fn the_type_expressions_of_hcls_own_tests_have_the_same_outcomes() {
    let file = format!("{}/../../conformance/hcl/recorded/cty-suite.jsonl", env!("CARGO_MANIFEST_DIR"));
    let cases = std::fs::read_to_string(file).unwrap();
    let mut count = 0;
    for line in cases.lines().filter(|line| line.contains("\"kind\":\"type\"")) {
        count += 1;
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let file = File::native_expression("type", case["text"].as_str().unwrap());
        let expression = file.expression().unwrap();
        let (ty, message) = if case["constraint"] == true { constraint(&expression) } else { exact(&expression) };
        let message: Vec<String> =
            message.iter().map(|message| format!("{}; {}", message.summary, message.detail)).collect();
        assert_eq!(serde_json::json!(message), case["errors"], "{line}");
        if message.is_empty() {
            assert_eq!(serde_json::json!(ty.constraint()), case["to"], "{line}");
            assert_eq!(serde_json::json!(ty.has_optional()), case["optional"], "{line}");
        }
    }
    assert!(count > 40);
}

#[test]
fn defaults_fill_missing_values() {
    let text = "object({a = optional(number, 1), b = optional(list(object({c = optional(string, \"d\")})), [{}]), e = string})";
    let file = File::native_expression("type", text);
    let (ty, defaults, message) = constraint_with_defaults(&file.expression().unwrap());
    assert!(message.is_empty(), "{message}");
    let value = |text: &str| File::native_expression("v", text).expression().unwrap().value(&Context::new()).0;
    let filled = |text: &str| {
        let value = defaults.as_ref().unwrap().apply(&value(text));
        hieratic_hcl_types::convert(&value, &ty).unwrap().to_json().unwrap().to_string()
    };
    assert_eq!(filled("{e = 1}"), r#"{"a":1,"b":[{"c":"d"}],"e":"1"}"#);
    assert_eq!(filled("{a = null, b = [{c = 2}, {}], e = null}"), r#"{"a":1,"b":[{"c":"2"},{"c":"d"}],"e":null}"#);
}
