//! Runs patterns on Oniguruma, with a limit on the cost of a search.
//!
//! Oniguruma limits the backtracks of an attempt at one position. A string has as many positions as characters, so
//! there are two ways to search: a fast one over the whole string with a low limit, which suffices for nearly all
//! patterns; and a slow one, position by position, which charges each attempt to the search and checks the clock
//! between attempts. Oniguruma does not count the work between two backtracks, but [`CostBound`] bounds it: the higher
//! the bound, the lower are the limits, so that no call exceeds [`MAX_STEPS`].

use std::ops::Range;
use std::time::Duration;

use hieratic_budget::{Budget, thread_time};
use onig::{MatchParam, Regex, RegexOptions, Region, SearchOptions, Syntax};

use crate::cost::CostBound;
use crate::token::Token;
use crate::{Error, Options, TooExpensive, cost, rewrite, search_cost};

/// The longest text, in bytes, that is searched quickly: the work may grow with the square of it.
const LONG_TEXT: usize = 1 << 14;

/// The limit of backtracks of an attempt in most searches.
const FIRST_QUICK_RETRIES: u32 = 32;

/// The limit of backtracks of an attempt in a quick search.
const QUICK_RETRIES: u32 = 1_000;

/// The limit of backtracks of all attempts that a quick search would cancel; about a tenth of a second.
const THOROUGH_RETRIES: u32 = 4_000_000;

/// The limit of the processor time of a thorough search. Only long strings and strange patterns come near it.
const TIME_LIMIT: Duration = Duration::from_secs(1);

/// The number of positions that are tried between two looks at the clock.
const POSITIONS_PER_CLOCK_CHECK: usize = 4;

/// The most steps of one call of Oniguruma; about a fifth of a second.
const MAX_STEPS: f64 = 4e7;

/// The lowest limit with which a search is tried at all.
const MIN_RETRIES: f64 = 4.0;

/// By how much the limit grows for an attempt that failed on it.
const GROWTH: u32 = 8;

/// The limit of the backtracking stack of an attempt; about 100 MB.
const MAX_STACK: u32 = 2_000_000;

/// Errors that Oniguruma finds no earlier than errors of look-behinds: a back reference to nothing, and a look-behind
/// of endless length, for which it has no message.
const LATE_ERRORS: [&str; 2] = ["invalid backref number/name", "undefined error code"];

/// A pattern compiled by Oniguruma.
pub(crate) struct Pattern {
    regex: Regex,
    /// Whether the match depends on the start of the search, so that positions cannot be tried one by one.
    pub(crate) depends_on_start: bool,
    pub(crate) work: CostBound,
}

impl Pattern {
    /// Compiles the tokens of a pattern.
    pub(crate) fn new(source: &str, options: Options, tokens: &[Token<'_>]) -> Result<Pattern, Error> {
        let work = cost::bound_cost(tokens).map_err(|reason| Error::new(reason, "", options))?;
        let rewritten = rewrite::rewrite(tokens).map_err(|reason| Error::new(reason, source, options))?;
        let mut flags = RegexOptions::REGEX_OPTION_NONE;
        flags.set(RegexOptions::REGEX_OPTION_IGNORECASE, options.ignore_case);
        flags.set(RegexOptions::REGEX_OPTION_EXTEND, options.extended);
        flags.set(RegexOptions::REGEX_OPTION_MULTILINE, options.multiline);
        let compiled = Regex::with_options(&rewritten.pattern, flags, Syntax::ruby());
        match (compiled, rewritten.fault) {
            (Ok(regex), None) => Ok(Pattern { regex, depends_on_start: rewritten.depends_on_start, work }),
            (Ok(_), Some(reason)) => Err(Error::new(reason, source, options)),
            (Err(error), Some(reason)) if LATE_ERRORS.contains(&error.description()) => {
                Err(Error::new(reason, source, options))
            }
            (Err(error), _) => Err(Error::new(in_rubys_words(error.description(), source), source, options)),
        }
    }

    /// Searches the text at once. A long one is left to the other ways, if there are any.
    pub(crate) fn quick_search(&self, text: &str, start: usize) -> Result<Option<Region>, TooExpensive> {
        let length = text.len() - start;
        if length > LONG_TEXT && !self.depends_on_start {
            return Err(TooExpensive::new());
        }
        let places = if self.depends_on_start || self.work.anchored { 1.0 } else { length as f64 + 1.0 };
        let most = self.retries(&text[start..], places, QUICK_RETRIES)?;
        // The cost of a search is only known from the limit that it stays below. For most, the lowest limit is enough.
        let limits = [FIRST_QUICK_RETRIES, most];
        let limits = if most > FIRST_QUICK_RETRIES { &limits[..] } else { &limits[1..] };
        for limit in limits {
            let mut region = Region::new();
            let options = SearchOptions::SEARCH_OPTION_NONE;
            let found =
                self.regex.search_with_param(text, start, text.len(), options, Some(&mut region), match_limits(*limit));
            // Nothing after a match was tried: searches in sequence take no more than one through all of the text.
            let last = found.as_ref().ok().and_then(|at| (*at)?.checked_sub(start));
            let tried = last.map_or(places, |last| places.min(last as f64 + 1.0));
            search_cost::add((tried * f64::from(*limit) / 4.0) as u64);
            if let Ok(found) = found {
                return Ok(found.map(|_| region));
            }
        }
        Err(TooExpensive::new())
    }

    /// Searches place by place, where [`Pattern::quick_search`] gave up.
    pub(crate) fn thorough_search(
        &self,
        text: &str,
        start: usize,
        limits: &Budget,
    ) -> Result<Option<Region>, TooExpensive> {
        let mut region = Region::new();
        // The limit for this very string is computed only if the limit for its length is too low: there may be a search
        // for each match.
        let rough = MAX_STEPS / self.work.steps(text.len() - start);
        let mut is_exact = rough < MIN_RETRIES;
        let mut most = if is_exact { self.retries(&text[start..], 1.0, u32::MAX)? } else { rough as u32 };
        let mut budget = THOROUGH_RETRIES;
        let begun = thread_time();
        let mut charged = Duration::ZERO;
        let places = text[start..].char_indices().map(|(at, _)| start + at).chain([text.len()]);
        for (tried, place) in places.enumerate() {
            if tried % POSITIONS_PER_CLOCK_CHECK == POSITIONS_PER_CLOCK_CHECK - 1 {
                let spent = thread_time().saturating_sub(begun);
                limits.steps(steps(spent.saturating_sub(charged)))?;
                charged = spent;
                if spent > TIME_LIMIT {
                    return Err(TooExpensive::new());
                }
            }
            search_cost::add(u64::from(QUICK_RETRIES) / 4);
            let mut limit = QUICK_RETRIES.min(most);
            loop {
                let options = SearchOptions::SEARCH_OPTION_NONE;
                match self.regex.match_with_param(text, place, options, Some(&mut region), match_limits(limit)) {
                    Ok(Some(_)) => return Ok(Some(region)),
                    // Another attempt would take its own place for the start of the search.
                    Ok(None) if self.depends_on_start => return Err(TooExpensive::new()),
                    Ok(None) => break,
                    Err(_) if limit >= most && is_exact => return Err(TooExpensive::new()),
                    Err(_) => {
                        if !is_exact && limit >= most {
                            (most, is_exact) = (self.retries(&text[start..], 1.0, u32::MAX)?, true);
                        }
                        search_cost::add(limit.into());
                        budget = budget.checked_sub(limit).ok_or(TooExpensive::new())?;
                        limit = limit.saturating_mul(GROWTH).min(most);
                    }
                }
            }
        }
        Ok(None)
    }

    /// The number of backtracks that an attempt in the rest of a string may take, at most `enough`, so that as many
    /// attempts as there are positions stay below [`MAX_STEPS`].
    fn retries(&self, text: &str, places: f64, enough: u32) -> Result<u32, TooExpensive> {
        let allowed = |steps: f64| MAX_STEPS / (steps * places);
        let mut retries = allowed(self.work.steps(text.len()));
        if retries < f64::from(enough) {
            retries = allowed(self.work.steps_in(text));
        }
        // The conversion takes the largest number for anything larger.
        if retries >= MIN_RETRIES { Ok(enough.min(retries as u32)) } else { Err(TooExpensive::new()) }
    }
}

/// Converts a time to steps of a budget: ten million per second.
pub(crate) fn steps(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).map_or(u64::MAX, |microseconds| microseconds.saturating_mul(10))
}

/// A message about a group's name, which the two engines word differently; any other stays as it is.
fn in_rubys_words(message: &str, source: &str) -> String {
    let Some(name) = message.strip_prefix("invalid char in group name ") else { return message.into() };
    let referred = source.contains(&format!("\\k{name}"));
    if referred { format!("undefined name {name} reference") } else { format!("invalid group name {name}") }
}

/// The limits of one attempt.
fn match_limits(retries: u32) -> MatchParam {
    let mut limits = MatchParam::default();
    limits.set_retry_limit_in_match(retries);
    limits.set_match_stack_limit(MAX_STACK);
    limits
}

/// The whole match and its groups, as byte ranges.
pub(crate) fn groups(region: &Region) -> Vec<Option<Range<usize>>> {
    (0..region.len()).map(|group| region.pos(group).map(|(start, end)| start..end)).collect()
}
