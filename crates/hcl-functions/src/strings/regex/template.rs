//! Templates of replacements (<https://pkg.go.dev/regexp#Regexp.Expand>).

use hieratic_budget::{Budget, Exhausted};
use regex_automata::util::captures::Captures;

/// Expands the references of a template. A group that did not match is empty, and so is a missing group. Invalid
/// references are copied literally.
pub(super) fn expand(
    budget: &Budget,
    template: &str,
    text: &str,
    captures: &Captures,
    names: &[Option<String>],
    to: &mut String,
) -> Result<(), Exhausted> {
    budget.bytes(template.len())?;
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('$') {
        to.push_str(before);
        rest = after;
        if let Some(after) = rest.strip_prefix('$') {
            to.push('$');
            rest = after;
            continue;
        }
        let Some((name, after)) = reference(rest) else {
            to.push('$');
            continue;
        };
        rest = after;
        let span = if is_number(name) {
            name.parse().ok().and_then(|index: usize| captures.get_group(index))
        } else {
            // Of several groups of the name the first that took part.
            let numbers = names.iter().enumerate().filter(|(_, own)| own.as_deref() == Some(name));
            numbers.filter_map(|(index, _)| captures.get_group(index)).next()
        };
        let group = span.and_then(|span| text.get(span.range())).unwrap_or_default();
        budget.bytes(group.len())?;
        to.push_str(group);
    }
    to.push_str(rest);
    Ok(())
}

/// Parses the name of a reference, and returns the rest.
fn reference(text: &str) -> Option<(&str, &str)> {
    let (braced, inner) = match text.strip_prefix('{') {
        Some(inner) => (true, inner),
        None => (false, text),
    };
    let length = inner.find(|letter: char| !is_name(letter)).unwrap_or(inner.len());
    let (name, rest) = inner.split_at(length);
    if name.is_empty() {
        return None;
    }
    Some((name, if braced { rest.strip_prefix('}')? } else { rest }))
}

fn is_name(letter: char) -> bool {
    use unicode_general_category::GeneralCategory::{
        DecimalNumber, LowercaseLetter, ModifierLetter, OtherLetter, TitlecaseLetter, UppercaseLetter,
    };
    letter == '_'
        || letter.is_ascii_alphanumeric()
        || (!letter.is_ascii()
            && matches!(
                unicode_general_category::get_general_category(letter),
                UppercaseLetter | LowercaseLetter | TitlecaseLetter | ModifierLetter | OtherLetter | DecimalNumber
            ))
}

/// Returns whether a name is a group number: digits without a leading zero, below a hundred million.
fn is_number(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit()) && name.len() <= 8 && (name.len() == 1 || !name.starts_with('0'))
}
