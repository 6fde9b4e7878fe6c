//! Replays the recorded answers to the jobs in a checkout of Nomad.

use crate::support;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use hieratic_testing::skipped;
use serde_json::Value;
use sha2::{Digest, Sha256};
use support::{ask, conformance, sorted, texts};

/// The fenced block of that number in a page, of those with jobs in them.
fn block(page: &str, number: usize) -> Option<String> {
    let mut lines = page.split_inclusive('\n');
    let opens = |line: &str| {
        let fence = line.trim_start_matches([' ', '\t']).strip_prefix("```");
        fence.is_some_and(|language| language.starts_with("hcl") || language.starts_with("nomad"))
    };
    let closes = |line: &&str| line.trim_start_matches([' ', '\t']).starts_with("```");
    for _ in 1..number {
        lines.find(|line| opens(line))?;
        lines.find(closes)?;
    }
    lines.find(|line| opens(line))?;
    Some(lines.take_while(|line| !closes(line)).collect())
}

/// JSON with sorted keys, without blanks.
fn canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(key, _)| *key);
            out.push('{');
            for (at, (key, value)) in members.into_iter().enumerate() {
                let _ = write!(out, "{}{}:", if at > 0 { "," } else { "" }, Value::from(key.as_str()));
                canonical(value, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                canonical(item, out);
            }
            out.push(']');
        }
        other => {
            let _ = write!(out, "{other}");
        }
    }
}

fn digest(bytes: impl AsRef<[u8]>) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

#[test]
fn jobs_of_nomad_give_the_recorded_answers() {
    let Some(checkout) = std::env::var_os("HIERATIC_NOMAD_CHECKOUT").map(PathBuf::from) else {
        skipped("HIERATIC_NOMAD_CHECKOUT names no checkout of Nomad");
        return;
    };
    let scratch = std::env::temp_dir().join(format!("hieratic-nomad-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).unwrap();
    let (mut seen, mut wrong) = (0, Vec::new());
    for line in std::fs::read_to_string(conformance().join("nomad/public.jsonl")).unwrap().lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let path = case["path"].as_str().unwrap();
        let arguments = texts(&case["args"]);
        let (content, folder) = match path.split_once('#') {
            Some((page, number)) => {
                let page = std::fs::read_to_string(checkout.join(page)).unwrap_or_default();
                let Some(text) = block(&page, number.parse().unwrap()) else { continue };
                std::fs::write(scratch.join(arguments.last().unwrap()), &text).unwrap();
                (text.into_bytes(), scratch.clone())
            }
            None => {
                let file = checkout.join(path);
                let Ok(content) = std::fs::read(&file) else { continue };
                (content, file.parent().map(Path::to_owned).unwrap())
            }
        };
        if digest(&content) != case["sha256"].as_str().unwrap() {
            continue;
        }
        seen += 1;
        let (ours, error) = match ask(&folder, &arguments, &case["env"]) {
            Ok(job) => {
                let printed: Value = serde_json::from_str(&job.to_json().unwrap()).unwrap();
                let mut text = String::new();
                canonical(&printed["Job"], &mut text);
                (Some(digest(text)), None)
            }
            Err(failure) => (None, Some(support::message(&failure, &folder))),
        };
        let message = case["error"].as_str();
        let same_text = match (message, &error) {
            (Some(message), Some(error)) if case["unordered"] == true => sorted(message) == sorted(error),
            // Of several locals that fail, one because of another, the reference names one at random.
            (Some(message), Some(error)) if path.ends_with("locals.mdx#1") => {
                let failed = "Unsupported attribute; This object does not have an attribute named";
                message.contains(failed) && error.contains(failed)
            }
            (message, error) => message == error.as_deref(),
        };
        if ours.as_deref() != case["job"].as_str() || !same_text {
            wrong.push(format!("{path} {arguments:?}\n  ours: {error:?}\n  theirs: {message:?}"));
        }
    }
    std::fs::remove_dir_all(&scratch).unwrap();
    assert!(wrong.is_empty(), "{} of {seen} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(seen > 0, "nothing in {} is of the recorded version", checkout.display());
    eprintln!("{seen} jobs");
}
