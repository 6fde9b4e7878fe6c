//! Heredocs with a syntax tag (<https://www.puppet.com/docs/puppet/8/lang_data_string.html>, heredocs, optional syntax
//! check).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hieratic_diagnostics::{Code, Severity, Source};
use hieratic_puppet_syntax::{Problem, ProgramError, parse};

use crate::codes;
use crate::{Limits, Options, PuppetVersion, Strict, summary, walk};

/// The maximum depth of code in heredocs in code. Each level is read once more for every level around it, so the depth
/// has a limit; deeper code is checked when it is run.
const MAX_DEPTH: u32 = 20;

/// The settings that a check inherits from the surrounding source.
#[derive(Clone, Copy)]
pub(crate) struct CheckContext {
    pub(crate) version: PuppetVersion,
    pub(crate) strict: Strict,
    pub(crate) tasks: bool,
    /// In how many heredocs the text is.
    pub(crate) depth: u32,
}

impl CheckContext {
    /// Returns the settings for a source that is not in a heredoc.
    pub(crate) fn from_options(options: &Options<'_>) -> CheckContext {
        CheckContext { version: options.version, strict: options.strict, tasks: options.tasks, depth: 0 }
    }
}

/// The error of a heredoc that does not match its syntax tag.
pub(crate) struct HeredocError {
    /// The reference's name of the issue, in lower case with hyphens.
    pub(crate) issue: Code,
    /// The reference's sentence.
    pub(crate) message: String,
}

/// Checks a string against the syntax tag of its heredoc: `json`, `base64`, `pp` or `epp`, or one of these in a tag
/// such as `data+json`. Other tags are not checked. Returns the warnings for valid code, with their positions in the
/// string.
///
/// ```
/// use hieratic_puppet_validator::{Options, check_syntax};
///
/// assert_eq!(check_syntax("data+json", "[1, 2]", &Options::default()), Ok(Vec::new()));
/// let message = check_syntax("base64", "x", &Options::default()).unwrap_err();
/// assert!(message.starts_with("Invalid produced text having syntax: 'base64'. Base64 syntax checker:"));
/// ```
///
/// # Errors
/// The string is invalid. The message is the reference's.
pub fn check_syntax(syntax: &str, text: &str, options: &Options<'_>) -> Result<Vec<String>, String> {
    let checked = check(syntax, text, CheckContext::from_options(options));
    match checked.error {
        Some(error) => Err(error.message),
        None => Ok(checked.warnings),
    }
}

/// The error and the warnings of a heredoc.
#[derive(Default)]
pub(crate) struct HeredocCheck {
    pub(crate) warnings: Vec<String>,
    pub(crate) error: Option<HeredocError>,
}

pub(crate) fn check(syntax: &str, text: &str, outer: CheckContext) -> HeredocCheck {
    let Some(language) = Language::from_tag(syntax) else { return HeredocCheck::default() };
    let mut warnings = Vec::new();
    let (issue, error) = match language {
        Language::Json => (codes::ILLEGAL_JSON, json(text)),
        Language::Base64 => (codes::ILLEGAL_BASE64, base64(text)),
        Language::Code => (codes::ILLEGAL_PP, code(text, false, outer, &mut warnings)),
        Language::Template => (codes::ILLEGAL_EPP, code(text, true, outer, &mut warnings)),
    };
    let placeless =
        |error| HeredocError { issue, message: format!("Invalid produced text having syntax: '{syntax}'. {error}") };
    HeredocCheck { warnings, error: error.map(placeless) }
}

#[derive(Clone, Copy)]
enum Language {
    Json,
    Base64,
    Code,
    Template,
}

impl Language {
    /// Returns the language of a tag: the whole tag, or the part after one of its `+`.
    fn from_tag(mut tag: &str) -> Option<Language> {
        loop {
            match tag {
                "json" => return Some(Language::Json),
                "base64" => return Some(Language::Base64),
                "pp" => return Some(Language::Code),
                "epp" => return Some(Language::Template),
                _ => (_, tag) = tag.split_once('+')?,
            }
        }
    }
}

/// The start of a message in one line.
fn shown(message: &str, length: usize) -> String {
    let start: String = message.chars().take(length).collect();
    start.replace("\r\n", "\\n").replace('\n', "\\n")
}

fn json(text: &str) -> Option<String> {
    let error = hieratic_json::parse(text.as_bytes()).err()?;
    let message = shown(error.message(), 100);
    Some(format!("JSON syntax checker: Cannot parse invalid JSON string. \"{message}\""))
}

fn base64(text: &str) -> Option<String> {
    // The reference leaves out question marks, too.
    let left_out = |c: &char| matches!(c, '\r' | '\n' | '?') || is_blank(*c);
    let clean: String = text.chars().filter(|c| !left_out(c)).collect();
    if STANDARD.decode(&clean).is_ok() {
        return None;
    }
    let reason = if (clean.len() * 8).is_multiple_of(6) {
        "contains letters outside strict base 64 range (or whitespace)"
    } else {
        "padding is not correct"
    };
    Some(format!("Base64 syntax checker: Cannot parse invalid Base64 string - {reason}"))
}

/// `[:blank:]`: a tab, or a character that Unicode calls a space separator.
fn is_blank(c: char) -> bool {
    matches!(c, '\t' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
}

fn code(text: &str, epp: bool, outer: CheckContext, warnings: &mut Vec<String>) -> Option<String> {
    if outer.depth >= MAX_DEPTH {
        return None;
    }
    let within = CheckContext { depth: outer.depth + 1, ..outer };
    let message =
        stacker::maybe_grow(walk::MIN_STACK, walk::STACK_SEGMENT, || code_error(text, epp, within, warnings))?;
    let language = if epp { "EPP" } else { "PP" };
    Some(format!("{language} syntax checker: \"{}\"", shown(&message, 500)))
}

/// With what reading code fails, and where.
fn code_error(text: &str, epp: bool, outer: CheckContext, warnings: &mut Vec<String>) -> Option<String> {
    let source = Source::new("", text);
    let CheckContext { version, strict, tasks, .. } = outer;
    let parsed = parse(&source, &hieratic_puppet_syntax::Options { epp, tasks });
    if let Some(first) = parsed.problems.iter().find(|problem| problem.severity == Severity::Error) {
        return Some(with_position(first, &source));
    }
    let options = Options { strict, tasks, epp, ..Options::for_version(version) };
    let problems = walk::check(&parsed.program?, &options, outer.depth);
    let summary = summary(&problems, &Limits::default());
    let questionable = summary.logged.iter().filter(|problem| problem.severity == Severity::Warning);
    warnings.extend(questionable.map(|problem| with_position(problem, &source)));
    match summary.failure? {
        ProgramError::One(problem) => Some(with_position(&problem, &source)),
        ProgramError::Several { message, .. } => Some(message),
    }
}

/// A message with its place.
fn with_position(problem: &Problem, source: &Source) -> String {
    let message = &problem.message;
    match problem.position(source) {
        (0, _) => message.clone(),
        (line, 0) => format!("{message} (line: {line})"),
        (line, column) => format!("{message} (line: {line}, column: {column})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_in_their_language() {
        for (tag, text) in [
            ("json", "{\"a\": [1]}"),
            ("data+json", "1"),
            ("base64", "aGVs\n bG8=?"),
            ("base64", ""),
            ("pp", "notice(1)"),
            ("epp", "<%= 1 %>"),
            ("JSON", "{"),
            ("json+x", "{"),
            ("", "{"),
        ] {
            assert_eq!(check_syntax(tag, text, &Options::default()), Ok(Vec::new()), "{tag} {text}");
        }
        let questionable = "Use of future reserved word: 'plan' (line: 1, column: 1)".to_owned();
        assert_eq!(check_syntax("pp", "class plan {}", &Options::default()), Ok(vec![questionable]));
    }

    #[test]
    fn or_the_message_says_why_not() {
        for (tag, text, expected) in [
            (
                "data+json",
                "[1,]",
                "JSON syntax checker: Cannot parse invalid JSON string. \"451: unexpected token at ']'\"",
            ),
            ("base64", "aGVsbG8", "Base64 syntax checker: Cannot parse invalid Base64 string - padding is not correct"),
            (
                "base64",
                "!!!",
                "Base64 syntax checker: Cannot parse invalid Base64 string - contains letters outside strict base 64 range (or whitespace)",
            ),
            ("base64", "YR==", "Base64 syntax checker: Cannot parse invalid Base64 string - padding is not correct"),
            ("pp", "\n notice(", "PP syntax checker: \"Syntax error at end of input\""),
            (
                "pp",
                "1\n2",
                "PP syntax checker: \"This Literal Integer has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 1)\"",
            ),
            (
                "pp",
                "class plan {}\n1 = 2\n3 = 4",
                "PP syntax checker: \"Language validation logged 2 errors, and 1 warnings. Giving up\"",
            ),
            (
                "epp",
                "<%= 1\n",
                "EPP syntax checker: \"Unbalanced epp tag, reached <eof> without closing tag. (line: 2, column: 1)\"",
            ),
        ] {
            let message = check_syntax(tag, text, &Options::default()).err();
            let expected = format!("Invalid produced text having syntax: '{tag}'. {expected}");
            assert_eq!(message, Some(expected), "{tag} {text}");
        }
    }

    #[test]
    fn code_in_code_is_checked_to_a_depth() {
        let nested = |levels: usize| {
            let mut text = "1 = 2\n".to_owned();
            for level in 0..levels {
                text = format!("$x = @(E{level}:pp)\n{text}| E{level}\n");
            }
            check_syntax("pp", &text, &Options::default()).is_err()
        };
        assert!(nested(0) && nested(5));
        assert!(!nested(25));
    }
}
