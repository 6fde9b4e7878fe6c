//! Patterns of `regex_replace`: the syntax of RE2 as Go parses it (<https://pkg.go.dev/regexp/syntax>).
//!
//! This module has its own parser, so that it accepts the same patterns as the reference. `regex-automata` searches.

mod class;
mod letters;
mod parse;
mod template;

use std::sync::{Arc, Mutex, PoisonError};

use hieratic_budget::{Budget, Exhausted};
use hieratic_hcl_types::CallError;
use regex_automata::meta::Regex;

/// A pattern that was read.
pub(super) struct Pattern {
    regex: Regex,
    /// By number; several groups may share a name.
    names: Vec<Option<String>>,
}

/// Checks a pattern of `regex_replace`: a regular expression of RE2 as Go parses it
/// (<https://pkg.go.dev/regexp/syntax>).
///
/// # Errors
///
/// The pattern is invalid. The message is the reference's.
///
/// ```
/// use hieratic_hcl_functions::check_pattern;
///
/// assert_eq!(check_pattern("^a(b|c)*$"), Ok(()));
/// assert_eq!(check_pattern("a(b").unwrap_err(), "error parsing regexp: missing closing ): `a(b`");
/// ```
pub fn check_pattern(pattern: &str) -> Result<(), String> {
    Pattern::new(pattern).map(drop)
}

/// The maximum size of a compiled pattern, in bytes.
const MAX_SIZE: usize = 1 << 26;

impl Pattern {
    /// # Errors
    ///
    /// The pattern is invalid. The message is the reference's.
    pub fn new(pattern: &str) -> Result<Self, String> {
        let parse::Parsed { hir, names } = parse::parse(pattern)?;
        let config = Regex::config().nfa_size_limit(Some(MAX_SIZE));
        match Regex::builder().configure(config).build_from_hir(&hir) {
            Ok(regex) => Ok(Self { regex, names }),
            Err(_) => Err(parse::error("expression too large", pattern)),
        }
    }

    /// Replaces all matches by a template: `$1`, `${name}`, `$$`.
    ///
    /// # Errors
    ///
    /// The budget's limit: each match costs a step, and replacements cost bytes.
    pub fn replace_all(&self, budget: &Budget, text: &str, template: &str) -> Result<String, Exhausted> {
        let mut result = String::with_capacity(text.len());
        let mut copied = 0;
        if !template.contains('$') {
            // Without group references, the faster search for whole matches suffices.
            for found in self.regex.find_iter(text) {
                budget.step()?;
                budget.bytes(template.len())?;
                result.push_str(text.get(copied..found.start()).unwrap_or_default());
                result.push_str(template);
                copied = found.end();
            }
        } else {
            for captures in self.regex.captures_iter(text) {
                let Some(found) = captures.get_match() else { continue };
                result.push_str(text.get(copied..found.start()).unwrap_or_default());
                budget.step()?;
                template::expand(budget, template, text, &captures, &self.names, &mut result)?;
                copied = found.end();
            }
        }
        result.push_str(text.get(copied..).unwrap_or_default());
        Ok(result)
    }
}

/// The most recent patterns, because calls in loops use the same ones repeatedly.
#[derive(Default)]
pub(super) struct PatternCache {
    latest: Mutex<Vec<(String, Arc<Pattern>)>>,
}

/// The number of cached patterns.
const MAX_CACHED: usize = 8;

/// The base cost of compiling a pattern, in steps; each byte adds to it.
const COMPILE_COST: u64 = 1_000;

impl PatternCache {
    /// # Errors
    ///
    /// The message about an invalid pattern, or the budget's limit: compiling is expensive.
    pub fn get(&self, budget: &Budget, pattern: &str) -> Result<Arc<Pattern>, CallError> {
        // A panic with the lock held cannot leave the list in an invalid state.
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = latest.iter().find(|(own, _)| own == pattern) {
            return Ok(Arc::clone(found));
        }
        budget.steps(COMPILE_COST + 10 * pattern.len() as u64)?;
        let read = Arc::new(Pattern::new(pattern).map_err(CallError::call)?);
        if latest.len() >= MAX_CACHED {
            latest.remove(0);
        }
        latest.push((pattern.to_owned(), Arc::clone(&read)));
        Ok(read)
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
