//! The prefix that marks elements for removal.

use hieratic_ruby_regexp::Regexp;
use hieratic_value::Str;

use crate::object::Object;

/// Returns the name of the element that a knockout removes, and the knockout's own string.
pub(super) fn knockout_target(pattern: &Regexp, element: &Object) -> Option<(Str, Str)> {
    let text = element.as_text()?;
    let item = without_prefix(pattern, &text);
    (item != *text).then(|| (item.into(), text))
}

/// Removes the prefix at the start of every line.
pub(crate) fn without_prefix(pattern: &Regexp, text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut position = 0;
    while position <= text.len() {
        let Some(found) = pattern.find_at(text, position) else { break };
        out.push_str(&text[position..found.start]);
        position = found.end;
        if found.start == found.end {
            // An empty match: continue after the next character.
            let Some(next) = text[position..].chars().next() else { break };
            out.push(next);
            position += next.len_utf8();
        }
    }
    out.push_str(text.get(position..).unwrap_or(""));
    out
}
