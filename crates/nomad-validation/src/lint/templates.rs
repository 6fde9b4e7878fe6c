//! Templates of tasks: what keeps them from being read when the task starts.
//!
//! Source: <https://pkg.go.dev/text/template>.

use hieratic_hcl_syntax::Position;

use super::remark;
use crate::block::Block;
use crate::finding::Finding;

/// Templates whose actions do not end, or do not belong together.
pub(super) fn check(task: &Block<'_>, found: &mut Vec<Finding>) {
    for template in task.blocks("Templates") {
        let left = template.filled_text("LeftDelim").unwrap_or("{{");
        let right = template.filled_text("RightDelim").unwrap_or("}}");
        let text = template.text("EmbeddedTmpl");
        if let Err(Fault { at, what }) = read(text, left, right) {
            let line = Position::of(text.as_bytes(), at).line;
            let spot = template.at("EmbeddedTmpl");
            found.push(remark(format!("line {line} of the template: {what}"), spot.path(), spot.range()));
        }
    }
}

/// What is wrong with a template, and where.
#[derive(Debug, PartialEq)]
struct Fault {
    at: usize,
    what: String,
}

/// Follows the actions of a template.
fn read(text: &str, left: &str, right: &str) -> Result<(), Fault> {
    // The actions that wait for their end: the word, and where it stands.
    let mut open: Vec<(&str, usize)> = Vec::new();
    let mut at = 0;
    while let Some(begin) = text.get(at..).and_then(|rest| rest.find(left)).map(|found| at + found) {
        let from = begin + left.len();
        let end = action_end(text, from, right).map_err(|what| Fault { at: begin, what })?;
        let inner = text.get(from..end).unwrap_or_default();
        follow(inner.trim_matches('-').trim(), begin, &mut open)?;
        at = end + right.len();
    }
    match open.pop() {
        Some((word, at)) => {
            Err(Fault { at, what: format!("{left} {word} {right} has no matching {left} end {right}") })
        }
        None => Ok(()),
    }
}

/// What an action begins or ends.
fn follow<'t>(action: &'t str, at: usize, open: &mut Vec<(&'t str, usize)>) -> Result<(), Fault> {
    let mut words = action.split(|letter: char| letter.is_whitespace() || letter == '(');
    match words.next().unwrap_or_default() {
        word @ ("if" | "range" | "with" | "block" | "define") => open.push((word, at)),
        "end" => {
            open.pop().ok_or_else(|| Fault { at, what: "there is no block to end".to_owned() })?;
        }
        "else" if !matches!(open.last(), Some(("if" | "range" | "with", _))) => {
            return Err(Fault { at, what: "else without if, range or with".to_owned() });
        }
        _ => {}
    }
    Ok(())
}

/// Where an action ends: before the delimiter that stands in no text and no comment.
fn action_end(text: &str, from: usize, right: &str) -> Result<usize, String> {
    let rest = text.get(from..).unwrap_or_default();
    let begin = rest.strip_prefix("- ").unwrap_or(rest).trim_start();
    if begin.starts_with("/*") {
        let comment = from + rest.find("/*").unwrap_or_default();
        let closed = text.get(comment..).and_then(|comment| comment.find("*/")).ok_or("the comment is not closed")?;
        let behind = comment + closed + 2;
        let end = text.get(behind..).and_then(|behind| behind.find(right)).ok_or("the comment is not closed")?;
        return Ok(behind + end);
    }
    let bytes = text.as_bytes();
    let mut at = from;
    let mut brackets = 0_usize;
    while at < bytes.len() {
        if text.get(at..).is_some_and(|rest| rest.starts_with(right)) {
            return if brackets == 0 { Ok(at) } else { Err("a bracket is not closed".to_owned()) };
        }
        match bytes[at] {
            quote @ (b'"' | b'\'') => at = quoted_end(bytes, at, quote).ok_or("a quoted string is not closed")?,
            b'`' => {
                let end =
                    bytes[at + 1..].iter().position(|byte| *byte == b'`').ok_or("a quoted string is not closed")?;
                at += end + 1;
            }
            b'(' => brackets += 1,
            b')' => brackets = brackets.checked_sub(1).ok_or("unexpected closing bracket")?,
            _ => {}
        }
        at += 1;
    }
    Err("the action is not closed".to_owned())
}

/// Where a text in quotes ends, which has no line ends in it.
fn quoted_end(bytes: &[u8], start: usize, quote: u8) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match bytes.get(at)? {
            b'\\' => at += 1,
            b'\n' => return None,
            byte if *byte == quote => return Some(at),
            _ => {}
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_end_and_belong_together() {
        let fault = |text: &str| read(text, "{{", "}}").err().map(|fault| fault.what);
        for good in [
            "",
            "{{ range service \"web\" }}{{ .Address }}:{{ .Port }}\n{{ else }}none{{ end }}",
            "{{- if (eq (env \"A\") \"}}\") -}}x{{- else if true -}}y{{- end -}}",
            "{{/* if */}}{{- /* x }} */ -}}",
            "{{ with secret `a\nb` }}{{ .Data.x | printf \"%s\\\"\" }}{{ end }}",
            "{{ define \"x\" }}{{ end }}{{ template \"x\" . }}{{ ',' }}",
            "} }} {",
        ] {
            assert_eq!(fault(good), None, "{good}");
        }
        for (bad, what) in [
            ("{{ if true }}x", "{{ if }} has no matching {{ end }}"),
            ("{{ end }}", "there is no block to end"),
            ("{{ else }}", "else without if, range or with"),
            ("{{ key \"a }}", "a quoted string is not closed"),
            ("{{ key (env \"a\" }}", "a bracket is not closed"),
            ("{{ a ) }}", "unexpected closing bracket"),
            ("{{ a", "the action is not closed"),
            ("{{/* a", "the comment is not closed"),
        ] {
            assert_eq!(fault(bad).as_deref(), Some(what), "{bad}");
        }
        assert_eq!(read("[[ if x ]]", "[[", "]]").unwrap_err().what, "[[ if ]] has no matching [[ end ]]");
    }
}
