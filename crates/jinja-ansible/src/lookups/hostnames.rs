//! The lookup `inventory_hostnames`: the hosts that a pattern selects, of the groups in the variable `groups`
//! (<https://docs.ansible.com/ansible/latest/inventory_guide/intro_patterns.html>).

use std::collections::HashSet;

use hieratic_jinja::extend::python::kind::entries;
use hieratic_jinja::extend::python::{iterate, str as text_of};
use hieratic_jinja::extend::{Args, Host, Result, Value, define, error, work};
use hieratic_sandbox::name_pattern::{Dialect, matches};

use super::lookup::{Table, flattened};
use crate::pattern::{compile, too_expensive};

pub const TABLE: Table = &[define(
    "inventory_hostnames",
    "*patterns",
    "Returns the names of hosts that patterns select.",
    inventory_hostnames,
)];

fn inventory_hostnames(host: &dyn Host, args: Args) -> Result<Vec<Value>> {
    args.only(&[])?;
    let Some(groups) = host.given("groups") else {
        return Err(error("the lookup 'inventory_hostnames' needs an inventory: pass --inventory FILE"));
    };
    let mut known = Vec::new();
    for (name, hosts) in entries(&groups)? {
        known.push((text_of(&name)?, iterate(&hosts)?.iter().map(text_of).collect::<Result<Vec<String>>>()?));
    }
    let terms = flattened(&args.positional)?;
    let terms = terms.iter().map(text_of).collect::<Result<Vec<String>>>()?;
    Ok(Groups(known).selected(&terms)?.into_iter().map(Value::from).collect())
}

/// Returns the hosts that patterns select, given the groups of an inventory with their hosts.
///
/// ```
/// let groups = vec![("all".to_owned(), vec!["web1".to_owned(), "db1".to_owned()])];
/// let hosts = hieratic_jinja_ansible::selected_hosts(groups, &["all:!db*".to_owned()]).unwrap();
/// assert_eq!(hosts, ["web1"]);
/// ```
///
/// # Errors
///
/// A pattern is a regular expression that is not valid.
pub fn selected_hosts(
    groups: Vec<(String, Vec<String>)>,
    patterns: &[String],
) -> std::result::Result<Vec<String>, String> {
    Groups(groups).selected(patterns).map_err(|error| error.to_string())
}

/// The groups of an inventory, by their names, with their hosts.
struct Groups(Vec<(String, Vec<String>)>);

impl Groups {
    /// The hosts that patterns select: first those of the plain ones, of which only those of `&` stay, without those of
    /// `!`.
    fn selected(&self, terms: &[String]) -> Result<Vec<String>> {
        let mut patterns: Vec<&str> = terms.iter().flat_map(|term| parts(term)).collect();
        patterns.sort_by_key(|pattern| match pattern.as_bytes().first() {
            Some(b'&') => 1,
            Some(b'!') => 2,
            _ => 0,
        });
        if patterns.iter().all(|pattern| pattern.starts_with(['&', '!'])) {
            patterns.insert(0, "all");
        }
        let mut hosts: Vec<String> = Vec::new();
        for pattern in patterns {
            let found = self.matching(pattern.trim_start_matches(['&', '!']))?;
            work::steps(found.len() + hosts.len())?;
            match pattern.as_bytes().first() {
                Some(b'&') => {
                    let found: HashSet<String> = found.into_iter().collect();
                    hosts.retain(|host| found.contains(host));
                }
                Some(b'!') => {
                    let found: HashSet<String> = found.into_iter().collect();
                    hosts.retain(|host| !found.contains(host));
                }
                _ => {
                    let known: HashSet<String> = hosts.iter().cloned().collect();
                    hosts.extend(found.into_iter().filter(|host| !known.contains(host)));
                }
            }
        }
        let mut seen = HashSet::new();
        Ok(hosts.into_iter().filter(|host| seen.insert(host.clone())).collect())
    }

    /// The hosts of the groups with a name that matches, or with such a name themselves.
    fn matching(&self, pattern: &str) -> Result<Vec<String>> {
        let (pattern, range) = subscript(pattern);
        let mut found = Vec::new();
        let mut is_group = false;
        for (name, hosts) in &self.0 {
            if is_match(pattern, name)? {
                is_group = true;
                work::steps(hosts.len())?;
                found.extend(hosts.iter().cloned());
            }
        }
        if !is_group || pattern.starts_with('~') || pattern.contains(['.', '?', '*', '[']) {
            let mut seen = HashSet::new();
            for host in self.0.iter().flat_map(|(_, hosts)| hosts) {
                if seen.insert(host.as_str()) && is_match(pattern, host)? {
                    found.push(host.clone());
                }
            }
        }
        match range {
            Some((start, end)) if !found.is_empty() => {
                let length = i64::try_from(found.len()).unwrap_or(i64::MAX);
                let from_start = |at: i64| if at < 0 { at + length } else { at };
                let (start, end) = (from_start(start), end.map_or(from_start(start), from_start));
                let kept = found.into_iter().enumerate();
                let kept = kept.filter(|(at, _)| (start..=end).contains(&i64::try_from(*at).unwrap_or(i64::MAX)));
                Ok(kept.map(|(_, host)| host).collect())
            }
            _ => Ok(found),
        }
    }
}

/// The patterns of a string: commas separate them, or colons outside of brackets.
fn parts(term: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let is_end = |letter: char| {
        match letter {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ':' && depth == 0
    };
    let found: Vec<&str> = if term.contains(',') { term.split(',').collect() } else { term.split(is_end).collect() };
    found.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// A pattern without its range, and the range: `web[0]`, `web[1:3]`, `web[1:]`.
fn subscript(pattern: &str) -> (&str, Option<(i64, Option<i64>)>) {
    let split = || {
        let (name, range) = pattern.strip_suffix(']')?.rsplit_once('[')?;
        if name.is_empty() || pattern.starts_with('~') {
            return None;
        }
        let range = match range.split_once([':', '-']).filter(|(start, _)| !start.is_empty()) {
            Some((start, "")) => (start.parse().ok()?, Some(-1)),
            Some((start, end)) => (start.parse().ok()?, Some(end.parse().ok()?)),
            None => (range.parse().ok()?, None),
        };
        Some((name, range))
    };
    split().map_or((pattern, None), |(name, range)| (name, Some(range)))
}

/// Returns whether a name matches a pattern with `*`, `?` and `[...]`, or a regular expression after a tilde.
fn is_match(pattern: &str, name: &str) -> Result<bool> {
    work::steps(1 + name.len() / 16)?;
    match pattern.strip_prefix('~') {
        // Python's dialect has no malformed patterns.
        None => Ok(matches(Dialect::Python, pattern, name).unwrap_or(false)),
        Some(expression) => {
            let pattern = compile(&format!("^(?:{expression})"), false, false)?;
            pattern.is_match(name).map_err(too_expensive)
        }
    }
}
