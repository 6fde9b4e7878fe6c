//! Texts in heredocs whose tag says what language they are in.

use hieratic_diagnostics::{Severity, Source};
use hieratic_syntax::{Options, Problem, parse};

/// Checks a text against the syntax tag of its heredoc: `json`, `base64`, `pp` or `epp`; of a tag such as `data+json` the
/// part that is known. Other tags say nothing.
///
/// # Errors
/// The reference's sentence.
pub fn check_syntax(syntax: &str, text: &str) -> Result<(), String> {
    let mut rest = syntax;
    let known = loop {
        if matches!(rest, "json" | "base64" | "pp" | "epp") {
            break rest;
        }
        match rest.split_once('+') {
            Some((_, after)) => rest = after,
            None => return Ok(()),
        }
    };
    let message = match known {
        "json" => json(text),
        "base64" => base64(text),
        "pp" => code(text, false).map(|message| format!("PP syntax checker: \"{}\"", shown(&message, 500))),
        _ => code(text, true).map(|message| format!("EPP syntax checker: \"{}\"", shown(&message, 500))),
    };
    match message {
        Some(message) => Err(format!("Invalid produced text having syntax: '{syntax}'. {message}")),
        None => Ok(()),
    }
}

/// The start of a message in one line.
fn shown(message: &str, length: usize) -> String {
    let start: String = message.chars().take(length).collect();
    start.replace("\r\n", "\\n").replace('\n', "\\n")
}

fn json(text: &str) -> Option<String> {
    let error = hieratic_document::json::parse(text.as_bytes()).err()?;
    Some(format!("JSON syntax checker: Cannot parse invalid JSON string. \"{}\"", shown(&error.to_string(), 100)))
}

fn base64(text: &str) -> Option<String> {
    let clean: Vec<u8> = text.bytes().filter(|byte| !matches!(byte, b'\r' | b'\n' | b'?' | b' ' | b'\t')).collect();
    let data = clean.len() - clean.iter().rev().take_while(|byte| **byte == b'=').count();
    let letters = clean[..data].iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'));
    let padded = clean.len().is_multiple_of(4) && clean.len() - data <= 2;
    if letters && padded {
        return None;
    }
    Some(if !(clean.len() * 8).is_multiple_of(6) {
        "Base64 syntax checker: Cannot parse invalid Base64 string - padding is not correct".into()
    } else {
        "Base64 syntax checker: Cannot parse invalid Base64 string - contains letters outside strict base 64 range (or whitespace)"
            .into()
    })
}

/// The first fault of code, with its place.
fn code(text: &str, epp: bool) -> Option<String> {
    let source = Source::new("", text);
    let parsed = parse(&source, &Options { epp, tasks: false });
    let is_error = |problem: &&Problem| problem.severity == Severity::Error;
    let mut errors: Vec<Problem> = parsed.problems.iter().filter(is_error).cloned().collect();
    if let Some(program) = parsed.program.filter(|_| errors.is_empty()) {
        let found = crate::validate(&program, &crate::Options { epp, ..Default::default() });
        errors = found.iter().filter(is_error).cloned().collect();
    }
    match &errors[..] {
        [] => None,
        [one] => {
            let (line, column) = one.position(&source);
            let place = match (line, column) {
                (0, _) => String::new(),
                (line, 0) => format!(" (line: {line})"),
                (line, column) => format!(" (line: {line}, column: {column})"),
            };
            Some(format!("{}{place}", one.message))
        }
        many => Some(format!("Language validation logged {} errors. Giving up", many.len())),
    }
}
