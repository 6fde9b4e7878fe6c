//! Words without quotes. An undefined name is left to the client, as the string `${word}`.

use hieratic_nomad_job::Origin;
use hieratic_nomad_job::record::Data;

use super::remark;
use crate::finding::Finding;
use crate::rule::Rule;

/// Reports a value that is written as a bare word, or as a list of them.
pub(super) fn check(origin: &Origin<'_>, found: &mut Vec<Finding>) {
    let (Data::Text(text), Some(place)) = (origin.value, &origin.place) else { return };
    let Some(word) = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')) else { return };
    if !hieratic_hcl_syntax::is_identifier(word) || word.starts_with("NOMAD_") {
        return;
    }
    let written = String::from_utf8_lossy(place.source.slice(place.span)).into_owned();
    let is_word = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.' | '"' | '$' | '{');
    let stands_alone = written.match_indices(word).any(|(at, _)| {
        let before = written.get(..at).and_then(|before| before.chars().next_back());
        let after = written.get(at + word.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(is_word) && !after.is_some_and(|letter| is_word(letter) || matches!(letter, '(' | '['))
    });
    if stands_alone && !written.contains(&**text) {
        let message = format!("{word} is not defined, so it becomes the string \"{text}\"; write \"{word}\"");
        found.push(remark(Rule::UnquotedWord, message, format!("Job.{}", origin.path), Some(place.clone())));
    }
}
