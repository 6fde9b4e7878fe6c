//! Interpolations that look a key up, under another name.

use hieratic::{Hash, Key, Value};
use hieratic_hiera::inspect::{InterpolationKind, interpolations};

use crate::data::{File, spliced, values};

/// A text with every `%{lookup('old')}` and its relatives asking for another key; none if there is none.
///
/// What is behind the key, by which a value is dug into, stays.
pub(crate) fn renamed(text: &str, old: &str, new: &str) -> Result<Option<String>, String> {
    if !text.contains("%{") || !text.contains(old) {
        return Ok(None);
    }
    let before = values(text)?;
    let expected = in_hash(&before, old, new);
    if Value::from(expected.clone()) == Value::from(before) {
        return Ok(None);
    }
    let file = File::read(text)?;
    let mut splices = Vec::new();
    for place in file.strings() {
        let Some(written) = text.get(place.clone()) else { continue };
        for found in interpolations(&written.replace("\\\"", "''")) {
            // Quotation marks with a backslash are two characters, too.
            let (InterpolationKind::Lookup(key) | InterpolationKind::Alias { key, .. }) = &found.kind else { continue };
            let Some(changed) = name(key, old, new) else { continue };
            let range = place.start + found.range.start..place.start + found.range.end;
            let inside = text.get(range.clone()).unwrap_or_default();
            if let Some(at) = inside.find(key.as_str()) {
                splices.push((range.start + at..range.start + at + key.len(), changed));
            }
        }
    }
    crate::data::proved(spliced(text, splices), &expected).map(Some)
}

/// A name that asks for a key, asking for another one instead; none if it asks for something else.
pub(crate) fn name(written: &str, old: &str, new: &str) -> Option<String> {
    let key = Key::parse(written).ok()?;
    if &**key.root() != old {
        return None;
    }
    let quoted_old = hieratic::quoted_key(old);
    let rest = [quoted_old.as_str(), old, &format!("\"{old}\""), &format!("'{old}'")]
        .into_iter()
        .find_map(|begin| written.trim_start().strip_prefix(begin))
        .filter(|rest| rest.is_empty() || rest.trim_start().starts_with('.'))?
        .to_owned();
    Some(format!("{}{rest}", hieratic::quoted_key(new)))
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
        if let InterpolationKind::Lookup(key) | InterpolationKind::Alias { key, .. } = &found.kind
            && let Some(changed) = name(key, old, new)
            && let Some(at) = text[found.range.clone()].find(key.as_str())
        {
            let start = found.range.start + at;
            splices.push((start..start + key.len(), changed));
        }
    }
    spliced(text, splices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_asks_for_the_key_changes() {
        let text = "a: \"%{lookup('old')} %{alias('old.x')} %{old} %{lookup('older')}\" # old\nb: '%{hiera(\"old\")}'\nc: \"%{lookup(\\\"old\\\")}\"\nold: 1\n";
        let changed = renamed(text, "old", "m::new").unwrap().unwrap();
        assert_eq!(
            changed,
            "a: \"%{lookup('m::new')} %{alias('m::new.x')} %{old} %{lookup('older')}\" # old\nb: '%{hiera(\"m::new\")}'\nc: \"%{lookup(\\\"m::new\\\")}\"\nold: 1\n"
        );
        assert_eq!(renamed("a: '%{lookup(\"b\")}'\n", "old", "new"), Ok(None));
    }
}
