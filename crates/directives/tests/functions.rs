//! Replays direct calls of the reference's functions (`conformance/directives/functions.jsonl`).

use crate::cases::{from_json, lines, to_json};
use hieratic_directives::data::{Lacking, difference, intersection, patch};
use hieratic_directives::{Directive, PlusKey, merge};
use hieratic_value::Hash;
use hieratic_yaml_edit::tree::Node;
use serde_json::{Value as Json, json};

/// A directive as the reference shows it: the dots behind the name of an anchor count as its own and are negative.
fn shown(directive: &Directive) -> Json {
    let behind_name = directive.anchor.as_deref().map_or(0, |name| name.len() - name.trim_end_matches('.').len());
    let relative = if behind_name > 0 { -(behind_name as i64) } else { directive.dots as i64 };
    json!({
        "maybe": directive.optional,
        "include": directive.include,
        "anchor": directive.anchor,
        "relative": relative,
        "pointer": directive.pointer,
    })
}

fn parse_merge_key(key: &str) -> Result<Json, String> {
    match PlusKey::parse(key) {
        Ok(PlusKey::Directive(directive)) => Ok(shown(&directive)),
        Ok(_) => Ok(Json::Null),
        Err(error) => Err(error.to_string()),
    }
}

fn merge_dicts(base: &Json, own: &Json) -> Result<Json, String> {
    let node = |json: &Json| Node::from_value(&from_json(json));
    match merge(&node(base), &node(own)) {
        Ok(merged) => Ok(to_json(&merged.to_value())),
        Err(forbidden) => Err(forbidden.to_string()),
    }
}

fn hash(json: &Json) -> Hash {
    from_json(json).as_hash().unwrap().clone()
}

#[test]
fn every_function_call_returns_the_recorded_value() {
    let cases = lines("directives/functions.jsonl");
    assert_eq!(cases.len(), 48);
    for case in &cases {
        let arguments = case["args"].as_array().unwrap();
        let two = |function: fn(&Hash, &Hash) -> Hash| {
            Ok(to_json(&function(&hash(&arguments[0]), &hash(&arguments[1])).into()))
        };
        let answer = match case["function"].as_str().unwrap() {
            "parse_merge_key" => parse_merge_key(arguments[0].as_str().unwrap()),
            "merge_dicts" => merge_dicts(&arguments[0], &arguments[1]),
            "diff_dicts" => two(difference),
            "intersect_dict" => two(intersection),
            "patch_dict" if arguments.get(2) == Some(&json!(true)) => {
                two(|old, new| patch(old, new, Lacking::Preserve))
            }
            "patch_dict" => two(|old, new| patch(old, new, Lacking::Remove)),
            other => panic!("{other} is not known"),
        };
        match answer {
            Ok(answer) => assert_eq!(answer.to_string(), case["result"].to_string(), "{}", case["id"]),
            Err(message) => {
                assert_eq!(case["error"].as_str().unwrap(), format!("UnfurlError: {message}"), "{}", case["id"]);
            }
        }
    }
}
