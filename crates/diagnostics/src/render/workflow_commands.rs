//! Escapes text so that no CI system interprets it as a command.
//!
//! CI systems parse the output of programs, and some lines are commands to them. Messages quote data, which may come
//! from an attacker:
//!
//! | reader | command | where |
//! |---|---|---|
//! | GitHub, Gitea, Forgejo | `::name key=value::data` | at the start of a line, after any whitespace |
//! | GitHub | `##[name key=value;]data` | anywhere in a line |
//! | Azure Pipelines | `##vso[area.action key=value;]data`, `##[group]` | anywhere in a line |
//! | TeamCity | `##teamcity[name 'value']` | anywhere in a line |
//! | GitLab | `section_start:1700000000:name`, `section_end:...` | anywhere, before a carriage return |
//! | Travis | `travis_fold:start:name`, `travis_time:...` | anywhere in a line |
//!
//! A backslash before the sign disables all of these and leaves the text readable: `\::error::x`, `##\[group]`,
//! `##vso\[task.complete]`, `section_start\:1:x`. A zero-width character would not be enough: some of these readers
//! compare strings by collation and ignore it. In JSON the sign is written as a numeric escape, which decodes to the
//! same string.

use std::borrow::Cow;

/// The names that a colon turns into a command.
const BEFORE_COLON: [&str; 4] = ["section_start", "section_end", "travis_fold", "travis_time"];

/// Inserts a backslash wherever a CI system would see a command.
///
/// ```
/// use hieratic_diagnostics::render::escape_commands;
/// assert_eq!(escape_commands("a\n ::add-mask::b"), "a\n \\::add-mask::b");
/// assert_eq!(escape_commands("Error: ##vso[task.complete]"), "Error: ##vso\\[task.complete]");
/// assert_eq!(escape_commands("profile::web and [::1]:80"), "profile::web and [::1]:80");
/// ```
pub fn escape_commands(text: &str) -> Cow<'_, str> {
    with(text, true, |_| "\\".into())
}

/// Escapes JSON so that it contains no command. It decodes to the same value.
///
/// ```
/// use hieratic_diagnostics::render::escape_json_commands;
/// assert_eq!(escape_json_commands(r###"{"a":"##[error]"}"###), r###"{"a":"##\u005berror]"}"###);
/// ```
pub fn escape_json_commands(json: &str) -> Cow<'_, str> {
    // Commands can only occur inside of strings, because JSON itself has neither `##` nor names before a colon. No line
    // of JSON begins with two colons.
    with(json, false, |sign| format!("\\u{:04x}", u32::from(sign)).into())
}

/// The text with something before every sign that makes a command, or in place of it where the sign is written otherwise.
fn with(text: &str, keep: bool, mark: impl Fn(char) -> Cow<'static, str>) -> Cow<'_, str> {
    let mut out = String::new();
    let mut done = 0;
    let mut from = 0;
    // Only these two signs make commands, and most bytes are neither.
    while let Some(found) = text.as_bytes()[from..].iter().position(|byte| matches!(byte, b':' | b'[')) {
        let at = from + found;
        from = at + 1;
        let (before, after) = text.split_at(at);
        let is_command = if after.starts_with('[') {
            is_behind_hashes(before)
        } else {
            // No command begins with a third colon, and the frames of our excerpts do.
            keep && after.starts_with("::") && !after.starts_with(":::") && is_line_start(before)
                || BEFORE_COLON.iter().any(|name| before.ends_with(name))
        };
        if is_command {
            out.push_str(&text[done..at]);
            out.push_str(&mark(if after.starts_with('[') { '[' } else { ':' }));
            done = if keep { at } else { at + 1 };
        }
    }
    if done == 0 && out.is_empty() {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

/// Returns whether a string ends at the start of a line, ignoring whitespace.
fn is_line_start(before: &str) -> bool {
    // The whitespace before one colon is not before another one as well, so that nothing is scanned twice.
    let line = before.trim_end_matches(|c: char| c.is_whitespace() && c != '\n' && c != '\r');
    line.is_empty() || line.ends_with(['\n', '\r'])
}

/// Returns whether a string ends with two hashes and a name, which may be empty.
fn is_behind_hashes(before: &str) -> bool {
    // A name contains no bracket, so that nothing is scanned twice.
    let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    before.trim_end_matches(name).ends_with("##")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const COMMANDS: [&str; 14] = [
        "::error::x",
        "\u{a0}\t ::add-mask::x",
        "\u{2003}::stop-commands::x",
        "##[error]x",
        "x ##[add-mask]x",
        "####[group]x",
        "##vso[task.setvariable variable=a]x",
        "x##VSO[task.complete]",
        "##teamcity[buildStop comment='x']",
        "section_start:1700000000:x",
        "x section_end:1700000000:x",
        "travis_fold:start:x",
        "travis_time:start:x",
        "a\r::error::x",
    ];

    /// Returns whether any of the readers sees a command. Implemented independently of the code above, by patterns over
    /// single lines.
    fn is_command(text: &str) -> bool {
        text.split(['\n', '\r']).any(|line| {
            let hashes = line.match_indices("##").any(|(at, _)| {
                let rest = &line[at + 2..];
                let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "_-.".contains(c)));
                end.is_some_and(|end| rest[end..].starts_with('['))
            });
            let names = ["section_start:", "section_end:", "travis_fold:", "travis_time:"];
            let begins = line.trim_start();
            begins.starts_with("::") && !begins.starts_with(":::")
                || hashes
                || names.iter().any(|name| line.contains(name))
        })
    }

    #[test]
    fn no_command_is_left() {
        for command in COMMANDS {
            assert!(is_command(command), "{command}");
            let shown = escape_commands(command);
            assert!(!is_command(&shown), "{shown}");
            assert_eq!(shown.replace('\\', ""), command, "people still see what stands there");
        }
    }

    #[test]
    fn other_text_is_unchanged() {
        for text in
            ["profile::web", "a ::b::c", "# [x]", "#[derive]", "## Heading [x]", "section_start", "a\\::b", " ::: a:1"]
        {
            assert!(matches!(escape_commands(text), Cow::Borrowed(_)), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text(text in "(::|##|\\[|vso|a|\\\\|:|#|section_start|travis_fold|\n|\r| |\u{3000})*") {
            let shown = escape_commands(&text).into_owned();
            prop_assert!(!is_command(&shown));
            prop_assert_eq!(escape_commands(&shown), shown.as_str());
            let json = serde_json::to_string(&text).unwrap();
            let shown = escape_json_commands(&json).into_owned();
            prop_assert!(!is_command(&shown));
            prop_assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), text);
        }
    }
}
