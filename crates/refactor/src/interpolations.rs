//! Renames a key in interpolations.

use std::ops::Range;

use hieratic::hiera::inspect::{Interpolation, InterpolationKind, interpolations};
use hieratic::lookup::Key;
use hieratic::{Hash, Value};

use crate::data::{DataFile, apply_splices};

/// Renames the key in every `%{lookup('old')}` and its relatives; `None` if the text has none.
///
/// The path after the key, by which a lookup digs into the value, stays.
pub(crate) fn renamed(text: &str, old: &str, new: &str) -> Result<Option<String>, String> {
    if !may_look_up(text, old) {
        return Ok(None);
    }
    let file = DataFile::read(text)?;
    let expected = in_hash(file.values(), old, new);
    if Value::from(expected.clone()) == Value::from(file.values().clone()) {
        return Ok(None);
    }
    let mut splices = Vec::new();
    for place in file.strings() {
        let Some(written) = text.get(place.clone()) else { continue };
        let scalar = Scalar::parse(written);
        for found in interpolations(&scalar.text) {
            if let Some(changed) = rename_in(&scalar.text, &found, old, new) {
                let written = scalar.written(found.range);
                splices.push((place.start + written.start..place.start + written.end, scalar.quoted(&changed)));
            }
        }
    }
    crate::data::verified(apply_splices(text, splices), &expected).map(Some)
}

/// A cheap test on bytes for an interpolation that may look the key up: the braces contain its name, or escapes that
/// may hide it.
fn may_look_up(text: &str, key: &str) -> bool {
    text.split("%{").skip(1).any(|rest| {
        let inside = rest.split('}').next().unwrap_or(rest);
        // A nested one ends in its own braces.
        inside.contains(key) || inside.contains(['\\', '\n']) || rest.len() == inside.len()
    })
}

/// A scalar in the source, quotes included, with doubled and escaped quotation marks decoded.
struct Scalar {
    quote: Option<char>,
    text: String,
    /// The offsets in `text` of quotation marks that take two characters in the source.
    doubled: Vec<usize>,
}

impl Scalar {
    /// In [double quotes](https://yaml.org/spec/1.2.2/#731-double-quoted-style) a backslash precedes the mark, in
    /// [single ones](https://yaml.org/spec/1.2.2/#732-single-quoted-style) another mark. Other escapes are not decoded:
    /// names of keys do not contain them.
    fn parse(written: &str) -> Scalar {
        let quote = written.chars().next().filter(|first| matches!(first, '"' | '\''));
        let mut scalar = Scalar { quote, text: String::with_capacity(written.len()), doubled: Vec::new() };
        let end = written.len().saturating_sub(usize::from(quote.is_some()));
        let mut rest = written.char_indices().peekable();
        while let Some((at, letter)) = rest.next() {
            let next = rest.peek().filter(|(next, _)| *next < end).map(|(_, next)| *next);
            let is_inside = at > 0 && at < end;
            match (quote, letter, next) {
                (Some('"'), '\\', Some('"')) | (Some('\''), '\'', Some('\'')) if is_inside => {
                    scalar.doubled.push(scalar.text.len());
                    scalar.text.extend(quote);
                    rest.next();
                }
                (Some('"'), '\\', Some(escaped)) if is_inside => {
                    scalar.text.extend([letter, escaped]);
                    rest.next();
                }
                _ => scalar.text.push(letter),
            }
        }
        scalar
    }

    /// The range in the source of a range in the decoded text.
    fn written(&self, part: Range<usize>) -> Range<usize> {
        let after = |at: usize| at + self.doubled.partition_point(|doubled| *doubled < at);
        after(part.start)..after(part.end)
    }

    /// Encodes a string for this scalar.
    fn quoted(&self, text: &str) -> String {
        match self.quote {
            Some('"') => text.replace('\\', "\\\\").replace('"', "\\\""),
            Some(_) => text.replace('\'', "''"),
            None => text.to_owned(),
        }
    }
}

/// Renames the key in an interpolation; `None` if it looks another key up.
///
/// The [quotation marks](https://www.puppet.com/docs/puppet/8/hiera_merging.html#interpolation_functions) around a name
/// cannot occur in it: a name that contains them gets the other kind.
fn rename_in(text: &str, found: &Interpolation, old: &str, new: &str) -> Option<String> {
    let (InterpolationKind::Lookup(key) | InterpolationKind::Alias { key, .. }) = &found.kind else { return None };
    let changed = name(key, old, new)?;
    let written = &text[found.range.clone()];
    let (before, after) = written.split_once(key.as_str())?;
    let is_free = |mark: &char| !changed.contains(*mark);
    match before.chars().next_back().filter(|mark| matches!(mark, '"' | '\'')) {
        Some(mark) => {
            let free = [mark, '"', '\''].into_iter().find(is_free)?;
            let (before, after) = (before.strip_suffix(mark)?, after.strip_prefix(mark)?);
            Some(format!("{before}{free}{changed}{free}{after}"))
        }
        None => Some(format!("{before}{changed}{after}")),
    }
}

/// Renames the root key in the name of a lookup; `None` if it is another key.
pub(crate) fn name(written: &str, old: &str, new: &str) -> Option<String> {
    let key = Key::parse(written).ok()?;
    if &**key.root() != old {
        return None;
    }
    let quoted_old = hieratic::lookup::quoted_key(old);
    let rest = [&*quoted_old, old, &format!("\"{old}\""), &format!("'{old}'")]
        .into_iter()
        .find_map(|begin| written.trim_start().strip_prefix(begin))
        .filter(|rest| rest.is_empty() || rest.trim_start().starts_with('.'))?
        .to_owned();
    Some(format!("{}{rest}", hieratic::lookup::quoted_key(new)))
}

fn in_hash(hash: &Hash, old: &str, new: &str) -> Hash {
    hash.iter().map(|(key, value)| (in_value(key, old, new), in_value(value, old, new))).collect()
}

fn in_value(value: &Value, old: &str, new: &str) -> Value {
    match value {
        Value::String(text) if text.contains("%{") => in_text(text, old, new).into(),
        Value::Array(elements) => elements.iter().map(|element| in_value(element, old, new)).collect(),
        Value::Hash(hash) => in_hash(hash, old, new).into(),
        other => other.clone(),
    }
}

fn in_text(text: &str, old: &str, new: &str) -> String {
    let mut splices = Vec::new();
    for found in interpolations(text) {
        if let Some(changed) = rename_in(text, &found, old, new) {
            splices.push((found.range, changed));
        }
    }
    apply_splices(text, splices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lookups_of_the_key_change() {
        let text = "a: \"%{lookup('old')} %{alias('old.x')} %{old} %{lookup('older')}\" # old\nb: '%{hiera(\"old\")}'\nc: \"%{lookup(\\\"old\\\")}\"\nold: 1\n";
        let changed = renamed(text, "old", "m::new").unwrap().unwrap();
        assert_eq!(
            changed,
            "a: \"%{lookup('m::new')} %{alias('m::new.x')} %{old} %{lookup('older')}\" # old\nb: '%{hiera(\"m::new\")}'\nc: \"%{lookup(\\\"m::new\\\")}\"\nold: 1\n"
        );
        assert_eq!(renamed("a: '%{lookup(\"b\")}'\n", "old", "new"), Ok(None));
        let single = "a: 'it''s %{lookup(''old'')} and %{lookup(\"old.x\")}'\n";
        let changed = renamed(single, "old", "n.w").unwrap().unwrap();
        assert_eq!(changed, "a: 'it''s %{lookup(\"''n.w''\")} and %{lookup(\"''n.w''.x\")}'\n");
    }
}
