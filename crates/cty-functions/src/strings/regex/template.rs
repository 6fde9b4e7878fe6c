//! Templates of replacements (<https://pkg.go.dev/regexp#Regexp.Expand>).

use hieratic_powers::{Budget, Exhausted};
use regex_automata::util::captures::Captures;

/// Writes a template with its references filled in. A group that did not take part is empty, as is one that there is none
/// of; what is no reference is text.
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

/// The name that a reference begins with, and what is behind it.
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

/// Whether a name is the number of a group: digits without a zero in front, below a hundred million.
fn is_number(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit()) && name.len() <= 8 && (name.len() == 1 || !name.starts_with('0'))
}
