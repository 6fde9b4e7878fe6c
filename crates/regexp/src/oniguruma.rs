//! Patterns on Oniguruma, with a limit on the work that a search may take.
//!
//! Oniguruma limits how often one attempt, which starts at one place, may go back. A text has as many places as it has
//! characters, so there are two ways to search: quickly, over the whole text with a low limit, which all but strange
//! patterns keep; and thoroughly, place by place, with what one attempt takes charged to the search, and with an eye on the
//! clock, because going forward is not counted.

use std::ops::Range;
use std::time::{Duration, Instant};

use onig::{MatchParam, Regex, RegexOptions, Region, SearchOptions, Syntax};

use crate::token::Token;
use crate::{Error, Options, TooExpensive, rewrite};

/// The longest text, in bytes, that is searched quickly: the work may grow with the square of it.
const LONG: usize = 1 << 14;

/// How often an attempt of a quick search may go back.
const QUICK: u32 = 1_000;

/// How often the attempts that a quick search would give up may go back in all; about a tenth of a second.
const BUDGET: u32 = 4_000_000;

/// How long a thorough search may take. Only long texts and strange patterns come near.
const PATIENCE: Duration = Duration::from_secs(5);

/// By how much the limit grows for an attempt that failed on it.
const GROWTH: u32 = 8;

/// How many places to go back to an attempt may remember; about 200 MB.
const DEEPEST: u32 = 4_000_000;

/// What Oniguruma finds no earlier than faults of look-behinds: a back reference to nothing, and a look-behind of
/// endless length, for which it has no message.
const LATE_FAULTS: [&str; 2] = ["invalid backref number/name", "undefined error code"];

/// A pattern compiled by Oniguruma.
pub(crate) struct Pattern {
    regex: Regex,
    /// Whether it matters where a search begins, so that places cannot be tried one by one.
    pub(crate) depends_on_start: bool,
}

impl Pattern {
    /// Compiles the tokens of a pattern.
    pub(crate) fn new(source: &str, options: Options, tokens: &[Token<'_>]) -> Result<Pattern, Error> {
        let rewritten = rewrite::rewrite(tokens).map_err(|reason| Error::new(reason, source, options))?;
        let mut flags = RegexOptions::REGEX_OPTION_NONE;
        flags.set(RegexOptions::REGEX_OPTION_IGNORECASE, options.ignore_case);
        flags.set(RegexOptions::REGEX_OPTION_EXTEND, options.extended);
        flags.set(RegexOptions::REGEX_OPTION_MULTILINE, options.multiline);
        let compiled = Regex::with_options(&rewritten.pattern, flags, Syntax::ruby());
        match (compiled, rewritten.fault) {
            (Ok(regex), None) => Ok(Pattern { regex, depends_on_start: rewritten.depends_on_start }),
            (Ok(_), Some(reason)) => Err(Error::new(reason, source, options)),
            (Err(error), Some(reason)) if LATE_FAULTS.contains(&error.description()) => {
                Err(Error::new(reason, source, options))
            }
            (Err(error), _) => Err(Error::new(in_rubys_words(error.description(), source), source, options)),
        }
    }

    /// Searches the text at once. A long one is left to the other ways, if there are any.
    pub(crate) fn quick_search(&self, text: &str, start: usize) -> Result<Option<Region>, TooExpensive> {
        if text.len() - start > LONG && !self.depends_on_start {
            return Err(TooExpensive);
        }
        let mut region = Region::new();
        let found = self
            .regex
            .search_with_param(
                text,
                start,
                text.len(),
                SearchOptions::SEARCH_OPTION_NONE,
                Some(&mut region),
                limited(QUICK),
            )
            .map_err(|_| TooExpensive)?;
        Ok(found.map(|_| region))
    }

    /// Searches place by place, where [`Pattern::quick_search`] gave up.
    pub(crate) fn thorough_search(&self, text: &str, start: usize) -> Result<Option<Region>, TooExpensive> {
        let mut region = Region::new();
        let mut budget = BUDGET;
        let begun = Instant::now();
        let places = text[start..].char_indices().map(|(at, _)| start + at).chain([text.len()]);
        for place in places {
            if begun.elapsed() > PATIENCE {
                return Err(TooExpensive);
            }
            let mut limit = QUICK;
            loop {
                let options = SearchOptions::SEARCH_OPTION_NONE;
                match self.regex.match_with_param(text, place, options, Some(&mut region), limited(limit)) {
                    Ok(Some(_)) => return Ok(Some(region)),
                    // Another attempt would take its own place for the start of the search.
                    Ok(None) if self.depends_on_start => return Err(TooExpensive),
                    Ok(None) => break,
                    Err(_) => {
                        budget = budget.checked_sub(limit).ok_or(TooExpensive)?;
                        limit = limit.saturating_mul(GROWTH);
                    }
                }
            }
        }
        Ok(None)
    }
}

/// A message about a group's name, which the two engines word differently; any other stays as it is.
fn in_rubys_words(message: &str, source: &str) -> String {
    let Some(name) = message.strip_prefix("invalid char in group name ") else { return message.into() };
    let referred = source.contains(&format!("\\k{name}"));
    if referred { format!("undefined name {name} reference") } else { format!("invalid group name {name}") }
}

/// The limits of one attempt.
fn limited(retries: u32) -> MatchParam {
    let mut limits = MatchParam::default();
    limits.set_retry_limit_in_match(retries);
    limits.set_match_stack_limit(DEEPEST);
    limits
}

/// The whole match and its groups, as byte ranges.
pub(crate) fn groups(region: &Region) -> Vec<Option<Range<usize>>> {
    (0..region.len()).map(|group| region.pos(group).map(|(start, end)| start..end)).collect()
}
