//! Completions for the Tab key, in bash, zsh and fish.
//!
//! The shells call the command itself (`hieratic __complete SHELL INDEX WORD...`), so that it can offer names of the
//! repository: keys, nodes, environments. Verbs and flags come from the definition of the flags; [`values`] completes
//! the rest. Other shells get completions without these ([`crate::manual::completions`]).

mod revisions;
mod scripts;
mod values;

use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;
use clap_complete::engine::CompletionCandidate;

use crate::verbs::Arguments;

/// The word by which a shell asks.
const SUBCOMMAND: &str = "__complete";

/// The script that makes a shell call the command; `None` if the shell is not supported.
pub(crate) fn script(shell: Shell) -> Option<&'static str> {
    match shell {
        Shell::Bash => Some(scripts::BASH),
        Shell::Zsh => Some(scripts::ZSH),
        Shell::Fish => Some(scripts::FISH),
        _ => None,
    }
}

/// Answers a shell that requests completions; `None` for other command lines.
pub(crate) fn answer(arguments: &[OsString]) -> Option<ExitCode> {
    let [_, asking, shell, index, words @ ..] = arguments else { return None };
    if asking != SUBCOMMAND {
        return None;
    }
    let index: usize = index.to_str()?.parse().ok()?;
    let mut words = words.to_vec();
    words.resize(words.len().max(index + 1), OsString::new());
    let (shell, typed) = (shell.to_str()?, words[index].clone());
    for (at, word) in words.iter_mut().enumerate() {
        // Of the word that is not complete yet, zsh leaves an open quote, and fish everything.
        let is_raw = match shell {
            "bash" => true,
            "fish" => at == index,
            _ => at == index && is_quoted(word),
        };
        if is_raw && let Some(text) = word.to_str() {
            *word = unquote(text).into();
        }
    }
    let offered = candidates(&words, index);
    crate::output::print(format_candidates(&offered, shell, &typed).as_bytes());
    Some(ExitCode::SUCCESS)
}

/// Returns whether a word begins with a quote.
fn is_quoted(word: &OsStr) -> bool {
    matches!(word.as_encoded_bytes().first(), Some(b'\'' | b'"'))
}

/// Removes the quotes and backslashes of a shell. The last quote may be missing.
fn unquote(word: &str) -> String {
    let mut out = String::new();
    let mut open = None;
    let mut rest = word.chars();
    while let Some(c) = rest.next() {
        match (c, open) {
            ('\'' | '"', None) => open = Some(c),
            (c, Some(quote)) if c == quote => open = None,
            ('\\', None) => out.extend(rest.next()),
            ('\\', Some('"')) => match rest.next() {
                Some(c @ ('"' | '\\' | '$' | '`')) => out.push(c),
                other => out.extend(std::iter::once('\\').chain(other)),
            },
            _ => out.push(c),
        }
    }
    out
}

/// The candidates for the word at an index. Errors give no candidates, because messages would disturb the prompt.
fn candidates(words: &[OsString], index: usize) -> Vec<CompletionCandidate> {
    let mut command = Arguments::command();
    command.build();
    let mut command = values::with_values(command, &words[..index]);
    let here = std::env::current_dir().ok();
    let line = words[..=index].to_vec();
    let mut found = clap_complete::engine::complete(&mut command, line, index, here.as_deref()).unwrap_or_default();
    found.retain(|candidate| !candidate.is_hide_set());
    // Forty flags would push the keys off the screen, so they need a typed hyphen.
    let is_flag = |candidate: &CompletionCandidate| candidate.get_value().as_encoded_bytes().starts_with(b"-");
    let wants_flag = words[index].as_encoded_bytes().starts_with(b"-");
    if !wants_flag && !found.iter().all(is_flag) {
        found.retain(|candidate| !is_flag(candidate));
    }
    found
}

/// Formats candidates for a shell: one per line, with the description after a tab if the shell supports it.
fn format_candidates(candidates: &[CompletionCandidate], shell: &str, word: &OsStr) -> String {
    let mut out = String::new();
    for candidate in candidates {
        let Some(value) = candidate.get_value().to_str() else { continue };
        // A line is a candidate, and a tab ends it.
        if value.contains(|c: char| c.is_control()) {
            continue;
        }
        let help = candidate.get_help().map(|help| help.to_string()).unwrap_or_default();
        let help: String = help.lines().next().unwrap_or("").replace('\t', " ");
        match shell {
            "bash" => out.push_str(&quote_value(value, word)),
            _ if help.is_empty() => out.push_str(value),
            _ => out.push_str(&format!("{value}\t{help}")),
        }
        out.push('\n');
    }
    out
}

/// Quotes a candidate for the command line of bash: special characters are escaped, unless the word begins with a
/// quote.
fn quote_value(value: &str, word: &OsStr) -> String {
    const PLAIN: &str = "-_./:=,+@%^~";
    if is_quoted(word) {
        return value.to_owned();
    }
    let plain = |c: char| c.is_alphanumeric() || PLAIN.contains(c);
    value.chars().flat_map(|c| (!plain(c)).then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered(line: &[&str]) -> Vec<String> {
        let words: Vec<OsString> = line.iter().map(OsString::from).collect();
        let found = candidates(&words, words.len() - 1);
        found.iter().map(|candidate| candidate.get_value().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn verbs_flags_and_their_values_are_offered() {
        assert_eq!(offered(&["hieratic", "loo"]), ["lookup"]);
        assert_eq!(offered(&["hieratic", "lookup", "--knock"]), ["--knock-out-prefix"]);
        assert_eq!(offered(&["hieratic", "lookup", "--merge", ""]), ["first", "unique", "hash", "deep"]);
        assert_eq!(offered(&["hieratic", "lookup", "--merge=d"]), ["--merge=deep"]);
        assert_eq!(offered(&["hieratic", "check", "--ignore", "legacy"]), ["legacy-fact"]);
        assert_eq!(
            offered(&["hieratic", "check", "--ignore", "legacy-fact,unknown-par"]),
            ["legacy-fact,unknown-parameter"]
        );
        assert_eq!(offered(&["hieratic", "explain", "legacy-f"]), ["legacy-fact"]);
        assert_eq!(offered(&["hieratic", "affected", "src/lib"]), ["src/lib.rs"]);
        assert_eq!(offered(&["hieratic", "secret", "decrypt", "--pkcs7-private-key", "src/lib"]), ["src/lib.rs"]);
        assert_eq!(offered(&["hieratic", "lookup", "--limit", "st"]), ["steps="]);
    }

    #[test]
    fn names_of_the_repository_are_offered() {
        let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/control-repo");
        let of = |line: &[&str]| offered(&[&["hieratic", "lookup", "--environment-dir", example], line].concat());
        assert_eq!(of(&["profile::web::po"]), ["profile::web::port"]);
        assert_eq!(of(&["--node", "web01.example.com", "profile::web::v"]), ["profile::web::vhosts"]);
        assert_eq!(of(&["--node", "web"]), ["web01.example.com"]);
        assert!(of(&["profile::nothing"]).is_empty());
        let keys = of(&[""]);
        assert!(keys.contains(&"ntp::servers".to_owned()) && keys.iter().all(|key| !key.starts_with('-')), "{keys:?}");
    }

    #[test]
    fn quotes_are_removed() {
        let words = [r"a\ b", r#""a b"#, "'a b'", r#""a\"b\c""#, r"a\", r"'a\b", "", "a'b c'd"];
        assert_eq!(words.map(unquote), ["a b", "a b", "a b", r#"a"b\c"#, "a", r"a\b", "", "ab cd"]);
    }

    #[test]
    fn every_line_is_a_candidate() {
        let candidates = ["a b", "x\ny", "it's"].map(CompletionCandidate::new);
        assert_eq!(format_candidates(&candidates, "bash", "".as_ref()), "a\\ b\nit\\'s\n");
        assert_eq!(format_candidates(&candidates, "bash", "'a".as_ref()), "a b\nit's\n");
        let candidates = [CompletionCandidate::new("a").help(Some("what it\nis".into()))];
        assert_eq!(format_candidates(&candidates, "zsh", "".as_ref()), "a\twhat it\n");
    }
}
