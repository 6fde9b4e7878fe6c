//! Functions on the characters of strings, which are grapheme clusters: `strlen`, `reverse` and `strrev`, `substr`.

use hieratic_hcl_types::{CallError, Type, Value};
use hieratic_source::graphemes;

use super::simple;
use crate::FunctionTable;
use crate::arguments::{CallResult, number, string, text, whole};

pub(super) fn add(table: &mut FunctionTable) {
    table.fixed(
        "strlen",
        "Counts the letters of a string, as a reader sees them.",
        [string("str")],
        Type::Number,
        |arguments| Ok(length(text(arguments, 0)).into()),
    );
    // Both names: the list function of that name in other programs is not in Nomad's table.
    simple(table, "reverse", "Reverses the letters of a string.", reversed);
    simple(table, "strrev", "Reverses the letters of a string.", reversed);
    table.fixed(
        "substr",
        "Returns letters from an offset on; a length of -1 takes all that follow.",
        [string("str"), number("offset"), number("length")],
        Type::String,
        substr,
    );
}

fn reversed(text: &str) -> String {
    let mut clusters: Vec<&str> = graphemes(text).collect();
    clusters.reverse();
    clusters.concat()
}

/// The number of characters.
pub(super) fn length(text: &str) -> usize {
    graphemes(text).count()
}

/// The first `most` characters.
pub(super) fn prefix(text: &str, most: usize) -> &str {
    let bytes = graphemes(text).take(most).map(str::len).sum();
    text.get(..bytes).unwrap_or(text)
}

/// `substr`: a negative offset counts from the end, a negative length means all the rest.
fn substr(arguments: &[Value]) -> CallResult {
    let whole_text = text(arguments, 0);
    let offset = whole(arguments, 1).map_err(CallError::call)?;
    let most = whole(arguments, 2).map_err(CallError::call)?;
    let from_end = offset < 0;
    if !from_end && most == 0 {
        return Ok(Value::string(""));
    }
    // A length in memory always fits.
    let offset = if from_end { offset.saturating_add(length(whole_text) as i64) } else { offset };
    let skipped = prefix(whole_text, usize::try_from(offset).unwrap_or(0)).len();
    let rest = whole_text.get(skipped..).unwrap_or_default();
    // With an offset from the end, the reference treats a length of zero as unlimited.
    let result = match usize::try_from(most) {
        Ok(most) if most > 0 => prefix(rest, most),
        _ => rest,
    };
    Ok(Value::string(result))
}
