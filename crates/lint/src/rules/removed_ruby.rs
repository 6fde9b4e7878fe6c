//! # removed-ruby
//!
//! A template calls Ruby that is gone after an upgrade. (warning)
//!
//! ## What is found
//!
//! With `--target-version 8` or `9`, code in an ERB template that newer versions of Ruby no longer have: `URI.escape`,
//! `URI.encode`, `URI.unescape` and `URI.decode`, which Ruby 3.0 removed, and `File.exists?`, `Dir.exists?`, `Fixnum`
//! and `Bignum`, which Ruby 3.2 removed. Strings and comments are ignored.
//!
//! ## Why it matters
//!
//! Puppet 7 runs Ruby 2.7. Puppet 8 and OpenVox 8 have Ruby 3.2, and their servers JRuby 9.4, which is Ruby 3.1. The
//! server of OpenVox 9 has JRuby 10, which is Ruby 3.4. The template fails, and so does the catalog.
//!
//! ## How to fix it
//!
//! The finding names the successor. Both exist in Ruby 2.7, too.
//!
//! ## Example
//!
//! ```erb
//! <% if File.exists?('/etc/motd') %>
//! ```
//!
//! becomes
//!
//! ```erb
//! <% if File.exist?('/etc/motd') %>
//! ```
//!
//! A comment `# hieratic: ignore removed-ruby` on the same line or the line before accepts the finding.

use hieratic::PuppetVersion;
use hieratic_diagnostics::{Source, Span};

use crate::finding::{Finding, Fix};
use crate::options::Options;
use crate::rules;

/// Something that Ruby no longer has: as written, the version without it, the successor, and whether that can be
/// written in its place.
struct Removed {
    written: &'static str,
    version: &'static str,
    successor: &'static str,
    is_same: bool,
}

const fn removed(written: &'static str, version: &'static str, successor: &'static str, is_same: bool) -> Removed {
    Removed { written, version, successor, is_same }
}

const REMOVED: &[Removed] = &[
    removed("File.exists?", "3.2", "File.exist?", true),
    removed("Dir.exists?", "3.2", "Dir.exist?", true),
    removed("URI.escape", "3.0", "URI.encode_www_form_component", false),
    removed("URI.encode", "3.0", "URI.encode_www_form_component", false),
    removed("URI.unescape", "3.0", "URI.decode_www_form_component", false),
    removed("URI.decode", "3.0", "URI.decode_www_form_component", false),
    removed("Fixnum", "3.2", "Integer", true),
    removed("Bignum", "3.2", "Integer", true),
];

/// Finds what newer versions of Ruby lack in an ERB template.
pub(crate) fn check(source: &Source, options: &Options) -> Vec<Finding> {
    if !options.upgrade || options.settings.puppet_version == PuppetVersion::V7 {
        return Vec::new();
    }
    let text = source.text();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut findings = Vec::new();
    for (start, end) in code_parts(text) {
        let code = &text[start..end];
        for removed in REMOVED {
            for (at, _) in code.match_indices(removed.written) {
                let before = code.as_bytes()[..at].last();
                let after = code.as_bytes().get(at + removed.written.len());
                let continues = |byte: &u8| is_word(*byte) || *byte == b':';
                if before.is_some_and(continues) || before == Some(&b'.') || after.is_some_and(|byte| is_word(*byte)) {
                    continue;
                }
                let span = Span::new(start + at, start + at + removed.written.len());
                findings.push(finding(source, span, removed));
            }
        }
    }
    findings
}

fn finding(source: &Source, span: Span, removed: &Removed) -> Finding {
    let Removed { written, version, successor, is_same } = removed;
    let message = format!("Ruby {version} has no {written}");
    let finding = Finding::new(&rules::REMOVED_RUBY, message).at(source, span, "");
    if *is_same {
        return finding.help(format!("write `{successor}` (--fix does it)")).fix(Fix::new(source, span, *successor));
    }
    finding.help(format!("use `{successor}`, which treats spaces differently"))
}

/// The parts of a template that are code, without strings and comments.
fn code_parts(text: &str) -> Vec<(usize, usize)> {
    let mut parts = Vec::new();
    for (start, end) in tags(text) {
        without_strings(text, start, end, &mut parts);
    }
    parts
}

/// The insides of the tags of a template, except comments.
pub(crate) fn tags(text: &str) -> Vec<(usize, usize)> {
    let mut parts = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find("<%").map(|at| from + at + 2) {
        let rest = &text[start..];
        if rest.starts_with('%') {
            from = start + 1;
            continue;
        }
        let Some(end) = rest.find("%>").map(|at| start + at) else { break };
        if !rest.starts_with('#') {
            parts.push((start, end));
        }
        from = end + 2;
    }
    parts
}

/// Adds the parts of code that are in no string and no comment.
fn without_strings(text: &str, start: usize, end: usize, parts: &mut Vec<(usize, usize)>) {
    let bytes = text.as_bytes();
    let (mut at, mut begin) = (start, start);
    while at < end {
        match bytes[at] {
            quote @ (b'\'' | b'"') => {
                parts.push((begin, at));
                at += 1;
                while at < end && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(end);
                begin = at;
            }
            b'#' => {
                parts.push((begin, at));
                at = text[at..end].find('\n').map_or(end, |line| at + line);
                begin = at;
            }
            _ => at += 1,
        }
    }
    parts.push((begin, end));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_and_comments_are_no_code() {
        let options = Options { upgrade: true, ..Options::default() };
        let lines = |text: &str| {
            let found = check(&Source::new("a.erb", text), &options);
            found.iter().filter_map(Finding::line).collect::<Vec<_>>()
        };
        assert_eq!(lines("<% if File.exists?('é') %>\n<%= URI.escape(@a) %>\n"), [1, 2]);
        let none =
            "File.exists? <%# File.exists? %> <%= 'File.exists?' # Fixnum\n %> <% MyFile.exists? %> <%% Fixnum %>";
        assert_eq!(lines(none), [] as [u32; 0]);
        assert_eq!(lines("<% Fixnums; My::Fixnum; File.exist?(1); URI.encode_www_form(1) %>"), [] as [u32; 0]);
    }
}
