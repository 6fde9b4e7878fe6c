//! Patterns on Oniguruma.

use std::ops::Range;

use onig::{MatchParam, Regex, RegexOptions, Region, SearchOptions, Syntax};

use crate::{Error, Options, TooExpensive};

/// How often a search may go back; Ruby has no such limit.
const MOST_RETRIES: u32 = 1_000_000;

/// The longest pattern; a longer one is an attack.
const LONGEST: usize = 1 << 16;

/// A pattern compiled by Oniguruma.
pub(crate) struct Pattern(Regex);

impl Pattern {
    pub(crate) fn new(source: &str, options: Options) -> Result<Pattern, Error> {
        let fault = |reason: String| Error { reason, source: source.into() };
        if source.len() > LONGEST {
            return Err(Error { reason: format!("too long a pattern ({} bytes)", source.len()), source: "".into() });
        }
        let ascii = onig_sys::ONIG_OPTION_WORD_IS_ASCII
            | onig_sys::ONIG_OPTION_DIGIT_IS_ASCII
            | onig_sys::ONIG_OPTION_SPACE_IS_ASCII;
        let mut flags = RegexOptions::from_bits_retain(ascii);
        flags.set(RegexOptions::REGEX_OPTION_IGNORECASE, options.ignore_case);
        flags.set(RegexOptions::REGEX_OPTION_EXTEND, options.extended);
        flags.set(RegexOptions::REGEX_OPTION_MULTILINE, options.multiline);
        let written = with_characters(source);
        Regex::with_options(&written, flags, Syntax::ruby())
            .map(Pattern)
            .map_err(|error| fault(error.description().to_string()))
    }

    pub(crate) fn find_at(&self, text: &str, start: usize) -> Result<Option<Range<usize>>, TooExpensive> {
        let mut region = Region::new();
        let mut limits = MatchParam::default();
        limits.set_retry_limit_in_match(MOST_RETRIES);
        let found = self
            .0
            .search_with_param(text, start, text.len(), SearchOptions::SEARCH_OPTION_NONE, Some(&mut region), limits)
            .map_err(|_| TooExpensive)?;
        Ok(found.and_then(|_| region.pos(0)).map(|(start, end)| start..end))
    }
}

/// The pattern with `\u{e9}` and `\u00e9`, which Oniguruma does not read, written as it does read them.
fn with_characters(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escape = &rest[at..];
        let braced = escape.strip_prefix("\\u{").and_then(|inside| inside.split_once('}'));
        let plain = escape.strip_prefix("\\u").and_then(|inside| inside.get(..4));
        let hex = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if let Some((codes, after)) = braced.filter(|(codes, _)| codes.split_whitespace().all(hex)) {
            codes.split_whitespace().for_each(|code| out.push_str(&format!("\\x{{{code}}}")));
            rest = after;
        } else if let Some(code) = plain.filter(|code| hex(code)) {
            out.push_str(&format!("\\x{{{code}}}"));
            rest = &escape[6..];
        } else {
            // The backslash and what it stands before go over together.
            let length = 1 + escape[1..].chars().next().map_or(0, char::len_utf8);
            out.push_str(&escape[..length]);
            rest = &escape[length..];
        }
    }
    out.push_str(rest);
    out
}
