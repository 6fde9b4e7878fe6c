//! Templates of tasks: errors that would only show when the task starts.
//!
//! Source: <https://pkg.go.dev/text/template>.

use hieratic_hcl_syntax::Position;

use super::remark;
use crate::block::Block;
use crate::finding::Finding;
use crate::rule::Rule;

/// Templates whose actions do not end, or do not belong together.
pub(super) fn check(task: &Block<'_>, found: &mut Vec<Finding>) {
    for template in task.blocks("Templates") {
        let left = template.filled_text("LeftDelim").unwrap_or("{{");
        let right = template.filled_text("RightDelim").unwrap_or("}}");
        let text = template.text("EmbeddedTmpl");
        if let Err(TemplateError { at, what }) = read(text, left, right) {
            let line = Position::at_offset(text.as_bytes(), at).line;
            let spot = template.at("EmbeddedTmpl");
            found.push(remark(
                Rule::Template,
                format!("line {line} of the template: {what}"),
                spot.path(),
                spot.range(),
            ));
        }
    }
}

/// An error in a template, with its offset.
#[derive(Debug, PartialEq)]
struct TemplateError {
    at: usize,
    what: String,
}

/// Follows the actions of a template.
fn read(text: &str, left: &str, right: &str) -> Result<(), TemplateError> {
    let mut reading = TemplateReader { left, right, open: Vec::new(), variables: Vec::new(), first: 0 };
    let mut at = 0;
    while let Some(begin) = text.get(at..).and_then(|rest| rest.find(left)).map(|found| at + found) {
        let from = begin + left.len();
        let end = action_end(text, from, right).map_err(|what| TemplateError { at: begin, what })?;
        let inner = text.get(from..end).unwrap_or_default();
        reading.follow(trimmed(inner), begin)?;
        at = end + right.len();
    }
    match reading.open.pop() {
        Some(OpenAction { word, at, .. }) => {
            Err(TemplateError { at, what: format!("{left} {word} {right} has no matching {left} end {right}") })
        }
        None => Ok(()),
    }
}

/// An action without the marks that take blanks around it away.
fn trimmed(inner: &str) -> &str {
    let inner = match inner.strip_prefix('-') {
        Some(rest) if rest.starts_with(char::is_whitespace) => rest,
        _ => inner,
    };
    let inner = match inner.strip_suffix('-') {
        Some(rest) if rest.ends_with(char::is_whitespace) => rest,
        _ => inner,
    };
    inner.trim()
}

/// The state of reading a template.
struct TemplateReader<'t> {
    left: &'t str,
    right: &'t str,
    open: Vec<OpenAction<'t>>,
    /// The declared variables, without `$`.
    variables: Vec<&'t str>,
    /// The first of them that can be seen.
    first: usize,
}

/// An action that waits for its end.
struct OpenAction<'t> {
    word: &'t str,
    at: usize,
    /// The number of variables outside of it, and the index of the first visible one.
    outer: (usize, usize),
}

/// The maximum number of variables; more are not tracked.
const MAX_VARIABLES: usize = 1_000;

impl<'t> TemplateReader<'t> {
    /// Updates the open actions and the variables, and checks the variables that the action refers to.
    fn follow(&mut self, action: &'t str, at: usize) -> Result<(), TemplateError> {
        if action.starts_with("/*") {
            return Ok(());
        }
        let end = action.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(action.len());
        let (word, rest) = action.split_at(end);
        match word {
            "if" | "range" | "with" | "block" | "define" => {
                self.open.push(OpenAction { word, at, outer: (self.variables.len(), self.first) });
                self.require(word, rest, at)?;
                if word != "define" {
                    self.pipeline(rest, at)?;
                }
                if matches!(word, "block" | "define") {
                    self.first = self.variables.len();
                }
            }
            "end" => {
                let open = self.open.pop();
                let open = open.ok_or_else(|| TemplateError { at, what: "there is no block to end".to_owned() })?;
                let (length, first) = open.outer;
                self.variables.truncate(length);
                self.first = first;
            }
            "else" => {
                if !matches!(self.open.last(), Some(OpenAction { word: "if" | "range" | "with", .. })) {
                    return Err(TemplateError { at, what: "else without if, range or with".to_owned() });
                }
                let rest = rest.trim_start();
                let chained = ["if", "with"].into_iter().find_map(|word| Some((word, rest.strip_prefix(word)?)));
                if let Some((word, rest)) = chained {
                    self.require(&format!("else {word}"), rest, at)?;
                    self.pipeline(rest, at)?;
                }
            }
            "template" => {
                self.require(word, rest, at)?;
                self.pipeline(rest, at)?;
            }
            _ if action.is_empty() => {
                let what = format!("{} {} has nothing in it", self.left, self.right);
                return Err(TemplateError { at, what });
            }
            _ => self.pipeline(action, at)?,
        }
        Ok(())
    }

    fn require(&self, word: &str, rest: &str, at: usize) -> Result<(), TemplateError> {
        if !rest.trim().is_empty() {
            return Ok(());
        }
        let what = if matches!(word, "block" | "define" | "template") { "name" } else { "condition or value" };
        Err(TemplateError { at, what: format!("{} {word} {} has no {what}", self.left, self.right) })
    }

    fn knows(&self, name: &str) -> bool {
        let visible = self.variables.get(self.first..).unwrap_or_default();
        self.variables.len() > MAX_VARIABLES || visible.contains(&name)
    }

    /// Declares the variables that a pipeline sets, and checks those that it uses.
    fn pipeline(&mut self, text: &'t str, at: usize) -> Result<(), TemplateError> {
        let mut rest = text;
        let mut is_first = true;
        while let Some(found) = rest.find(['$', '"', '`', '\'']) {
            let (before, behind) = rest.split_at(found);
            let Some(name) = behind.strip_prefix('$') else {
                // The end was found before.
                let bytes = behind.as_bytes();
                let end = match bytes.first() {
                    Some(b'`') => behind.get(1..).and_then(|inner| inner.find('`')).map(|end| end + 1),
                    Some(quote) => quoted_end(bytes, 0, *quote),
                    None => None,
                };
                let Some(end) = end else { return Ok(()) };
                is_first = false;
                rest = behind.get(end + 1..).unwrap_or_default();
                continue;
            };
            let end = name.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(name.len());
            let (name, behind) = name.split_at(end);
            is_first &= before.trim().is_empty();
            if is_first && let Some(second) = second_variable(behind) {
                // `range $key, $value := ...`
                self.variables.extend([name, second]);
                is_first = false;
                let skipped = behind.find(":=").map_or(behind.len(), |at| at + 2);
                rest = behind.get(skipped..).unwrap_or_default();
                continue;
            }
            if behind.trim_start().starts_with(":=") {
                self.variables.push(name);
            } else if !name.is_empty() && !self.knows(name) {
                return Err(TemplateError { at, what: format!("the variable ${name} is not defined") });
            }
            is_first = false;
            rest = behind;
        }
        Ok(())
    }
}

/// The second of two variables that are set: what follows the first is `, $name :=`.
fn second_variable(behind: &str) -> Option<&str> {
    let name = behind.trim_start().strip_prefix(',')?.trim_start().strip_prefix('$')?;
    let end = name.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(name.len());
    let (name, behind) = name.split_at(end);
    behind.trim_start().starts_with(":=").then_some(name)
}

/// The end of an action: the first delimiter outside of strings and comments.
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

/// The end of a quoted string, which must not contain line ends.
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
    fn actions_must_be_balanced() {
        let fault = |text: &str| read(text, "{{", "}}").err().map(|fault| fault.what);
        for good in [
            "",
            "{{ range service \"web\" }}{{ .Address }}:{{ .Port }}\n{{ else }}none{{ end }}",
            "{{- if (eq (env \"A\") \"}}\") -}}x{{- else if true -}}y{{- end -}}",
            "{{/* if */}}{{- /* x }} */ -}}",
            "{{ with secret `a\nb` }}{{ .Data.x | printf \"%s\\\"\" }}{{ end }}",
            "{{ define \"x\" }}{{ end }}{{ template \"x\" . }}{{ ',' }}",
            "} }} {",
            "{{ $x := 1 }}{{ $x }}{{ $ }}{{ if $y := $x }}{{ $y }}{{ else }}{{ $y }}{{ end }}",
            "{{ range $i, $e := service \"a\" }}{{ $i }}{{ $e.Name }}{{ end }}{{ printf \"$z\" }}",
            "{{ with $d := key `$q` }}{{ $d }}{{ else with $e := 1 }}{{ $e }}{{ end }}",
            "{{ if true }}{{ else if false }}{{ end }}{{- /* $x */ -}}{{ -1 }}",
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
            ("{{ if }}x{{ end }}", "{{ if }} has no condition or value"),
            ("{{ range }}x{{ end }}", "{{ range }} has no condition or value"),
            ("{{ if true }}{{ else if }}{{ end }}", "{{ else if }} has no condition or value"),
            ("{{ template }}", "{{ template }} has no name"),
            ("{{ }}", "{{ }} has nothing in it"),
            ("{{ $x }}", "the variable $x is not defined"),
            ("{{ with 1 }}{{ $x := 1 }}{{ end }}{{ $x }}", "the variable $x is not defined"),
            ("{{ $x := 1 }}{{ define \"t\" }}{{ $x }}{{ end }}", "the variable $x is not defined"),
            ("{{ range $i, $e := $list }}{{ end }}", "the variable $list is not defined"),
        ] {
            assert_eq!(fault(bad).as_deref(), Some(what), "{bad}");
        }
        assert_eq!(read("[[ if x ]]", "[[", "]]").unwrap_err().what, "[[ if ]] has no matching [[ end ]]");
    }
}
