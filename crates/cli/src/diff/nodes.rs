//! [`Nodes`]: the nodes that a comparison is about.

use std::collections::BTreeMap;

use hieratic::{Code, Environment, Error, Facts, Value};
use hieratic_audit::{nodes_of, nodes_of_data};
use hieratic_changes::Subject;

use super::sides::Sides;
use super::{DiffArguments, usage};
use crate::place;
use crate::report::Reporter;

/// The nodes, and where they come from.
pub(super) struct Nodes {
    pub(super) subjects: Vec<Subject>,
    /// Whether they were made up from the paths of data files.
    pub(super) are_made_up: bool,
}

/// The nodes that the flags mean: those of the facts, or one for each path of data that the hierarchies have on either side.
pub(super) fn subjects(
    arguments: &DiffArguments,
    sides: &Sides,
    head: &Environment,
    reporter: &Reporter,
) -> Result<Nodes, Error> {
    let place = &arguments.place;
    let permissions = place::permissions(place);
    let read = |paths: &[std::path::PathBuf]| {
        let names: Vec<String> = place.node.iter().cloned().collect();
        nodes_of(paths, &names, place.puppet.version(), &permissions)
            .map_err(|fault| usage(fault.message).help(fault.help))
    };
    let mut are_made_up = false;
    let facts = match (place.facts.is_empty(), &place.node) {
        (true, None) if !place.fact.is_empty() => vec![place::of_node(place, reporter)?],
        (true, None) => {
            are_made_up = true;
            made_up(arguments, sides)?
        }
        (true, Some(_)) => vec![place::of_node(place, reporter)?],
        (false, _) => with_flags(read(&place.facts)?, &place.fact)?,
    };
    if facts.is_empty() {
        return Err(
            usage("there is no node to compare").help("name facts of nodes with --facts, or leave the flag out")
        );
    }
    let mut before: BTreeMap<String, Facts> = BTreeMap::new();
    for facts in if arguments.base_facts.is_empty() { Vec::new() } else { read(&arguments.base_facts)? } {
        before.insert(facts.node().unwrap_or_default().to_owned(), facts);
    }
    let is_other = |one: &Facts, other: &Facts| Value::from(one.facts().clone()) != Value::from(other.facts().clone());
    let mut subjects = Vec::new();
    for now in facts {
        if let Some(filter) = &arguments.filter
            && !holds(filter, head, &now)?
        {
            continue;
        }
        let name = now.node().unwrap_or_default().to_owned();
        subjects.push(match before.remove(&name) {
            Some(base) if is_other(&base, &now) => Subject { name, base, head: Some(now) },
            _ => Subject { name, base: now, head: None },
        });
    }
    if subjects.is_empty() {
        return Err(usage("no node is left to compare").help("--where holds for none of them"));
    }
    Ok(Nodes { subjects, are_made_up })
}

fn with_flags(mut nodes: Vec<Facts>, flags: &[String]) -> Result<Vec<Facts>, Error> {
    for facts in &mut nodes {
        for flag in flags {
            facts.set(flag).map_err(|error| usage(error.to_string()))?;
        }
    }
    Ok(nodes)
}

/// The nodes that the data of either side describes, each once.
fn made_up(arguments: &DiffArguments, sides: &Sides) -> Result<Vec<Facts>, Error> {
    let mut nodes: BTreeMap<String, Facts> = BTreeMap::new();
    for is_base in [true, false] {
        let settings = sides.settings(is_base, arguments.limits.limits());
        // An error of one side is reported when it is compared.
        for facts in nodes_of_data(&settings).unwrap_or_default() {
            let known =
                format!("{} {}", facts.node().unwrap_or_default(), Value::from(facts.facts().clone()).inspect());
            nodes.entry(known).or_insert(facts);
        }
    }
    let name = |facts: &Facts| facts.node().unwrap_or_default().to_owned();
    let wanted = |facts: &Facts| arguments.place.node.as_ref().is_none_or(|node| *node == name(facts));
    Ok(nodes.into_values().filter(wanted).collect())
}

/// Whether an expression is true for a node. `facts.os.family` may be written for `$facts['os']['family']`.
fn holds(filter: &str, environment: &Environment, facts: &Facts) -> Result<bool, Error> {
    let code = Code::new(Some(environment), facts.clone(), Default::default());
    match code.evaluate("", &in_puppet(filter)).value {
        Ok(value) => Ok(value.is_truthy()),
        Err(failure) => Err(usage(format!("--where cannot be evaluated for {}: {failure}", facts.node().unwrap_or("a node")))
            .help("an expression of the Puppet language: 'facts.role == \"web\"', '$facts[\"os\"][\"family\"] in [\"Debian\"]'")),
    }
}

/// The expression with `facts.a.b` and `trusted.a.b` as calls that give undef for what is not there.
fn in_puppet(filter: &str) -> String {
    let mut out = String::new();
    let mut quote = None;
    let mut rest = filter;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let word = ["facts.", "trusted."].into_iter().find(|word| {
            quote.is_none()
                && rest.starts_with(word)
                && !before.is_alphanumeric()
                && !matches!(before, '$' | '_' | ':' | '.')
        });
        if let Some(word) = word {
            let path = &rest[word.len()..];
            let end = path.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.')).unwrap_or(path.len());
            if end > 0 {
                out.push_str(&format!("${}get('{}')", word, &path[..end]));
                rest = &path[end..];
                before = 'x';
                continue;
            }
        }
        match quote {
            Some(open) if c == open => quote = None,
            None if matches!(c, '\'' | '"') => quote = Some(c),
            _ => {}
        }
        out.push(c);
        before = c;
        rest = &rest[c.len_utf8()..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_written_as_in_hierarchies() {
        assert_eq!(in_puppet("facts.role == \"web\""), "$facts.get('role') == \"web\"");
        assert_eq!(in_puppet("!(trusted.extensions.pp_role =~ /x/)"), "!($trusted.get('extensions.pp_role') =~ /x/)");
        assert_eq!(in_puppet("$facts[a] == 'facts.b'"), "$facts[a] == 'facts.b'");
    }
}
