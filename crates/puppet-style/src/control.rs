//! Comments such as `# lint:ignore:140chars`, which accept problems.

use std::collections::BTreeMap;

use crate::kind::Kind;
use crate::manifest::Manifest;

/// The lines on which comments accept problems.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ignored {
    /// For each rule: the first and the last line, and the reason.
    lines: BTreeMap<String, Vec<(i64, i64, String)>>,
    /// Comments without their counterpart.
    pub(crate) unpaired: Vec<UnpairedComment>,
}

/// A control comment without its counterpart.
#[derive(Clone, Debug)]
pub struct UnpairedComment {
    /// The rule that is ignored without an end. `None` if an end has no start.
    pub rule: Option<String>,
    /// The line of the comment, as puppet-lint counts.
    pub line: i64,
    /// The byte range of the comment.
    pub span: std::ops::Range<usize>,
}

/// A comment that waits for its end: its line and span, and the rules with their reasons.
struct Open {
    line: i64,
    span: std::ops::Range<usize>,
    rules: Vec<(String, String)>,
}

impl Ignored {
    /// Reads the comments of a manifest.
    pub(crate) fn read(manifest: &Manifest<'_>) -> Ignored {
        let mut ignored = Ignored::default();
        let mut open: Vec<Open> = Vec::new();
        for id in manifest.of_kind(Kind::is_comment) {
            let token = manifest.token(id);
            let text = token.value.trim();
            if !is_control(text) {
                continue;
            }
            let is_behind_code =
                manifest.prev_kind(id).is_some_and(|kind| !matches!(kind, Kind::Newline | Kind::Indent));
            let words: Vec<&str> = text.split_whitespace().collect();
            let controls = words.iter().take_while(|word| is_word_of_control(word)).count();
            let reason = words[controls..].join(" ");
            let mut begun = Open { line: token.line, span: token.span.clone(), rules: Vec::new() };
            for control in &words[..controls] {
                let mut parts = control.split(':').skip(1);
                if parts.next() != Some("ignore") {
                    ignored.end(open.pop(), token.line, token.span.clone());
                    continue;
                }
                let Some(rule) = parts.next() else { continue };
                if is_behind_code {
                    ignored.add(rule, token.line, token.line, &reason);
                } else {
                    begun.rules.push((rule.to_owned(), reason.clone()));
                }
            }
            if !begun.rules.is_empty() {
                open.push(begun);
            }
        }
        for Open { line, span, rules } in open {
            let rule = rules.into_iter().next().map(|(rule, _)| rule);
            ignored.unpaired.push(UnpairedComment { rule, line, span });
        }
        ignored
    }

    fn add(&mut self, rule: &str, first: i64, last: i64, reason: &str) {
        self.lines.entry(rule.to_owned()).or_default().push((first, last, reason.to_owned()));
    }

    fn end(&mut self, open: Option<Open>, line: i64, span: std::ops::Range<usize>) {
        let Some(open) = open else { return self.unpaired.push(UnpairedComment { rule: None, line, span }) };
        for (rule, reason) in &open.rules {
            self.add(rule, open.line, line, reason);
        }
    }

    /// The reason why a problem is accepted; `None` if it is not.
    pub(crate) fn reason(&self, rule: &str, line: i64) -> Option<&str> {
        let ranges = self.lines.get(rule)?;
        let is_in = |(first, last, _): &&(i64, i64, String)| (*first..=*last).contains(&line);
        ranges.iter().rev().find(is_in).map(|(_, _, reason)| reason.as_str())
    }
}

/// Returns whether the text of a comment begins as a control comment.
fn is_control(text: &str) -> bool {
    let is_name = |rest: &str| rest.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    text.strip_prefix("lint:")
        .is_some_and(|rest| rest.starts_with("endignore") || rest.strip_prefix("ignore:").is_some_and(is_name))
}

fn is_word_of_control(word: &str) -> bool {
    word.starts_with("lint:ignore") || word.starts_with("lint:endignore")
}
