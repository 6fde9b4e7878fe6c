//! # unknown-filter
//!
//! A Jinja2 template misspells a filter or a test. (warning)
//!
//! ## What is found
//!
//! A `.j2`, `.jinja` or `.jinja2` file uses a filter, `{{ x | defualt('') }}`, or a test, `{% if x is defind %}`, that neither
//! Jinja2 nor Ansible has, and one with nearly the same name exists. Other unknown names are not reported: any program
//! can add filters. Nothing is found below a folder that has `filter_plugins`, `test_plugins`, `plugins/filter` or
//! `plugins/test`.
//!
//! ## Why it matters
//!
//! Rendering the template fails, in Ansible even if the code is not reached.
//!
//! ## How to fix it
//!
//! Write the name that the finding suggests.
//!
//! ## Example
//!
//! ```jinja
//! listen {{ port | defualt(80) }};
//! ```
//!
//! becomes
//!
//! ```jinja
//! listen {{ port | default(80) }};
//! ```
//!
//! A comment `# hieratic: ignore unknown-filter` on the same line or the line before accepts the finding.

use std::path::Path;
use std::sync::LazyLock;

use hieratic::jinja::{BuiltinKind, builtins};
use hieratic_diagnostics::{Source, Span, nearest};

use crate::finding::Finding;
use crate::options::Options;
use crate::rules;

/// The names of filters and of tests.
static KNOWN: LazyLock<[Vec<&'static str>; 2]> = LazyLock::new(|| {
    [BuiltinKind::Filter, BuiltinKind::Test]
        .map(|kind| builtins(kind).into_iter().map(|builtin| builtin.name).collect())
});

/// A name in a template.
#[derive(Clone, Copy)]
struct Used {
    /// Whether it is that of a test.
    is_test: bool,
    start: usize,
    end: usize,
}

/// Finds misspelled filters and tests in a template that can be read.
pub(crate) fn check(path: &Path, source: &Source, options: &Options) -> Vec<Finding> {
    let text = source.text();
    let mut findings = Vec::new();
    for Used { is_test, start, end } in used(text) {
        let (noun, known) = if is_test { ("test", &KNOWN[1]) } else { ("filter", &KNOWN[0]) };
        let name = &text[start..end];
        // Of other collections, nothing is known.
        if name.contains('.') || known.contains(&name) {
            continue;
        }
        // A program's own filter may have a name that ends like a known one: `pydictsort`.
        let alike = known.iter().copied().filter(|known| known.chars().next() == name.chars().next());
        let Some(near) = nearest(name, alike) else { continue };
        let message = format!("there is no {noun} '{name}'");
        let finding = Finding::new(&rules::UNKNOWN_FILTER, message).at(source, Span::new(start, end), "");
        findings.push(finding.help(format!("did you mean '{near}'?")));
    }
    if !findings.is_empty() && has_plugins(path, options) {
        findings.clear();
    }
    findings
}

/// Returns whether a folder around a template has plugins.
fn has_plugins(path: &Path, options: &Options) -> bool {
    const FOLDERS: [&str; 4] = ["filter_plugins", "test_plugins", "plugins/filter", "plugins/test"];
    /// No repository is deeper.
    const DEEPEST: usize = 12;
    path.ancestors().skip(1).take(DEEPEST).any(|folder| {
        let files = options.settings.mounted(options.settings.permissions.files_below(folder));
        FOLDERS.iter().any(|name| files.is_folder(&folder.join(name)))
    })
}

/// The filters and tests in the tags of a template.
fn used(text: &str) -> Vec<Used> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find('{').map(|offset| at + offset) {
        let (end, is_code) = match text.as_bytes().get(start + 1) {
            Some(b'#') => ("#}", false),
            Some(b'{') => ("}}", true),
            Some(b'%') => ("%}", true),
            _ => {
                at = start + 1;
                continue;
            }
        };
        let inside = start + 2;
        let Some(length) = end_of_tag(&text[inside..], end, is_code) else { break };
        let code = &text[inside..inside + length];
        at = inside + length + 2;
        if !is_code {
            continue;
        }
        if code.trim_matches(['-', '+', ' ']) == "raw" {
            let Some(end) = text[at..].find("endraw") else { break };
            at += end;
            continue;
        }
        names(code, inside, &mut found);
    }
    found
}

/// The length of the code in front of the end of a tag. An end in a string does not count.
fn end_of_tag(text: &str, end: &str, is_code: bool) -> Option<usize> {
    if !is_code {
        return text.find(end);
    }
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at..].starts_with(end.as_bytes()) {
            return Some(at);
        }
        at = behind(bytes, at);
    }
    None
}

/// The offset after a character or a string.
fn behind(bytes: &[u8], at: usize) -> usize {
    let quote = bytes[at];
    if quote != b'\'' && quote != b'"' {
        return at + 1;
    }
    let mut end = at + 1;
    while end < bytes.len() && bytes[end] != quote {
        end += if bytes[end] == b'\\' { 2 } else { 1 };
    }
    (end + 1).min(bytes.len())
}

/// Adds the names after `|` and `is`.
fn names(code: &str, offset: usize, found: &mut Vec<Used>) {
    let bytes = code.as_bytes();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'.';
    let word = |at: usize| at + bytes[at..].iter().take_while(|byte| is_word(byte)).count();
    let behind_space = |at: usize| at + bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let mut at = 0;
    while at < bytes.len() {
        let end = word(at);
        let name = match bytes[at] {
            b'|' => Some((false, behind_space(at + 1))),
            _ if end > at && &code[at..end] == "is" => {
                let next = behind_space(end);
                let is_not = &code[next..word(next)] == "not";
                Some((true, if is_not { behind_space(word(next)) } else { next }))
            }
            _ => None,
        };
        match name {
            Some((is_test, start)) if start < bytes.len() && bytes[start].is_ascii_alphabetic() => {
                found.push(Used { is_test, start: offset + start, end: offset + word(start) });
                at = word(start);
            }
            _ => at = if end > at { end } else { behind(bytes, at) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_tags_outside_of_strings() {
        let text = "{{ a | upper | join('| x') }} | y {# | z #} {% if a is not defined or b is odd %}{% raw %}{{ q | w }}{% endraw %}";
        let names: Vec<(bool, &str)> =
            used(text).iter().map(|used| (used.is_test, &text[used.start..used.end])).collect();
        assert_eq!(names, [(false, "upper"), (false, "join"), (true, "defined"), (true, "odd")]);
        assert_eq!(used("{{ 'é' is").len(), 0);
        assert_eq!(used("{{ a | 'b' }} {").len(), 0);
    }
}
