//! Patterns on Oniguruma, with a limit on the work that a search may take.
//!
//! Oniguruma limits how often one attempt, which starts at one place, may go back. A text has as many places as it has
//! characters, so there are two ways to search: quickly, over the whole text with a low limit, which all but strange
//! patterns keep; and thoroughly, place by place, with what one attempt takes charged to the search, and with an eye on the
//! clock between attempts. What an attempt does between two times that it goes back is not counted by Oniguruma, but known from
//! [`Work`]: the limits are lower the more that is, so that no call takes more than [`STEPS`].

use std::ops::Range;
use std::time::Duration;

use hieratic_powers::{Budget, thread_time};
use onig::{MatchParam, Regex, RegexOptions, Region, SearchOptions, Syntax};

use crate::token::Token;
use crate::work::Work;
use crate::{Error, Options, TooExpensive, effort, rewrite, work};

/// The longest text, in bytes, that is searched quickly: the work may grow with the square of it.
const LONG: usize = 1 << 14;

/// How often an attempt may go back in most searches.
const QUICKEST: u32 = 32;

/// How often an attempt of a quick search may go back.
const QUICK: u32 = 1_000;

/// How often the attempts that a quick search would give up may go back in all; about a tenth of a second.
const BUDGET: u32 = 4_000_000;

/// How long a thorough search may take of the processor. Only long texts and strange patterns come near.
const PATIENCE: Duration = Duration::from_secs(1);

/// How many places are tried between two looks at the clock.
const PLACES_A_LOOK: usize = 4;

/// The most steps of one call of Oniguruma; about a fifth of a second.
const STEPS: f64 = 4e7;

/// The lowest limit with which a search is tried at all.
const FEWEST: f64 = 4.0;

/// By how much the limit grows for an attempt that failed on it.
const GROWTH: u32 = 8;

/// How many places to go back to an attempt may remember; about 100 MB.
const DEEPEST: u32 = 2_000_000;

/// What Oniguruma finds no earlier than faults of look-behinds: a back reference to nothing, and a look-behind of
/// endless length, for which it has no message.
const LATE_FAULTS: [&str; 2] = ["invalid backref number/name", "undefined error code"];

/// A pattern compiled by Oniguruma.
pub(crate) struct Pattern {
    regex: Regex,
    /// Whether it matters where a search begins, so that places cannot be tried one by one.
    pub(crate) depends_on_start: bool,
    pub(crate) work: Work,
}

impl Pattern {
    /// Compiles the tokens of a pattern.
    pub(crate) fn new(source: &str, options: Options, tokens: &[Token<'_>]) -> Result<Pattern, Error> {
        let work = work::work(tokens).map_err(|reason| Error::new(reason, "", options))?;
        let rewritten = rewrite::rewrite(tokens).map_err(|reason| Error::new(reason, source, options))?;
        let mut flags = RegexOptions::REGEX_OPTION_NONE;
        flags.set(RegexOptions::REGEX_OPTION_IGNORECASE, options.ignore_case);
        flags.set(RegexOptions::REGEX_OPTION_EXTEND, options.extended);
        flags.set(RegexOptions::REGEX_OPTION_MULTILINE, options.multiline);
        let compiled = Regex::with_options(&rewritten.pattern, flags, Syntax::ruby());
        match (compiled, rewritten.fault) {
            (Ok(regex), None) => Ok(Pattern { regex, depends_on_start: rewritten.depends_on_start, work }),
            (Ok(_), Some(reason)) => Err(Error::new(reason, source, options)),
            (Err(error), Some(reason)) if LATE_FAULTS.contains(&error.description()) => {
                Err(Error::new(reason, source, options))
            }
            (Err(error), _) => Err(Error::new(in_rubys_words(error.description(), source), source, options)),
        }
    }

    /// Searches the text at once. A long one is left to the other ways, if there are any.
    pub(crate) fn quick_search(&self, text: &str, start: usize) -> Result<Option<Region>, TooExpensive> {
        let length = text.len() - start;
        if length > LONG && !self.depends_on_start {
            return Err(TooExpensive::new());
        }
        let places = if self.depends_on_start || self.work.anchored { 1.0 } else { length as f64 + 1.0 };
        let most = self.retries(&text[start..], places, QUICK)?;
        // What a search takes is known by the limit that it keeps. Most keep the lowest.
        let limits = [QUICKEST, most];
        let limits = if most > QUICKEST { &limits[..] } else { &limits[1..] };
        for limit in limits {
            let mut region = Region::new();
            let options = SearchOptions::SEARCH_OPTION_NONE;
            let found =
                self.regex.search_with_param(text, start, text.len(), options, Some(&mut region), limited(*limit));
            // Nothing behind a match was tried: searches one after the other take no more than one through all of the text.
            let last = found.as_ref().ok().and_then(|at| (*at)?.checked_sub(start));
            let tried = last.map_or(places, |last| places.min(last as f64 + 1.0));
            effort::add((tried * f64::from(*limit) / 4.0) as u64);
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
        // What the text allows is found out only if the length of the text does not allow enough: there may be a search for each match.
        let rough = STEPS / self.work.steps(text.len() - start);
        let mut is_exact = rough < FEWEST;
        let mut most = if is_exact { self.retries(&text[start..], 1.0, u32::MAX)? } else { rough as u32 };
        let mut budget = BUDGET;
        let begun = thread_time();
        let mut charged = Duration::ZERO;
        let places = text[start..].char_indices().map(|(at, _)| start + at).chain([text.len()]);
        for (tried, place) in places.enumerate() {
            if tried % PLACES_A_LOOK == PLACES_A_LOOK - 1 {
                let spent = thread_time().saturating_sub(begun);
                limits.steps(steps(spent.saturating_sub(charged)))?;
                charged = spent;
                if spent > PATIENCE {
                    return Err(TooExpensive::new());
                }
            }
            effort::add(u64::from(QUICK) / 4);
            let mut limit = QUICK.min(most);
            loop {
                let options = SearchOptions::SEARCH_OPTION_NONE;
                match self.regex.match_with_param(text, place, options, Some(&mut region), limited(limit)) {
                    Ok(Some(_)) => return Ok(Some(region)),
                    // Another attempt would take its own place for the start of the search.
                    Ok(None) if self.depends_on_start => return Err(TooExpensive::new()),
                    Ok(None) => break,
                    Err(_) if limit >= most && is_exact => return Err(TooExpensive::new()),
                    Err(_) => {
                        if !is_exact && limit >= most {
                            (most, is_exact) = (self.retries(&text[start..], 1.0, u32::MAX)?, true);
                        }
                        effort::add(limit.into());
                        budget = budget.checked_sub(limit).ok_or(TooExpensive::new())?;
                        limit = limit.saturating_mul(GROWTH).min(most);
                    }
                }
            }
        }
        Ok(None)
    }

    /// How often an attempt in the rest of a text may go back, `enough` at most, so that as many attempts as there are places take no
    /// more than [`STEPS`].
    fn retries(&self, text: &str, places: f64, enough: u32) -> Result<u32, TooExpensive> {
        let allowed = |steps: f64| STEPS / (steps * places);
        let mut retries = allowed(self.work.steps(text.len()));
        if retries < f64::from(enough) {
            retries = allowed(self.work.steps_in(text));
        }
        // The conversion takes the largest number for anything larger.
        if retries >= FEWEST { Ok(enough.min(retries as u32)) } else { Err(TooExpensive::new()) }
    }
}

/// How many steps of a budget a time is: ten million take a second.
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
