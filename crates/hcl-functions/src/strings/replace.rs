//! Functions that replace parts of strings: `indent`, `regex_replace`, `replace`.

use hieratic_hcl_types::{CallError, Type, Value};

use hieratic_budget::Budget;

use super::regex::PatternCache;
use crate::arguments::{CallResult, call_error, number, string, text, whole};
use crate::{FunctionTable, MAX_PADDING};

pub(super) fn add(table: &mut FunctionTable) {
    table.add_with_budget(
        "indent",
        "Adds spaces to the beginning of each line except the first.",
        [number("spaces"), string("str")],
        Type::String,
        indent,
    );
    table.add_with_budget(
        "replace",
        "Replaces each occurrence of a string.",
        [string("str"), string("substr"), string("replace")],
        Type::String,
        replace,
    );
    let cache = PatternCache::default();
    table.add_with_budget(
        "regex_replace",
        "Replaces each match of a regular expression; `$1` is its first group.",
        [string("str"), string("pattern"), string("replace")],
        Type::String,
        move |budget, arguments| {
            let pattern = cache.get(budget, text(arguments, 1))?;
            Ok(Value::string(pattern.replace_all(budget, text(arguments, 0), text(arguments, 2))?))
        },
    );
}

/// `replace`: all matches are replaced; an empty search string matches between all characters.
fn replace(budget: &Budget, arguments: &[Value]) -> CallResult {
    let (text, search, with) = (text(arguments, 0), text(arguments, 1), text(arguments, 2));
    if with.len() > search.len() {
        let places = text.matches(search).count();
        budget.bytes(places.saturating_mul(with.len() - search.len()))?;
    }
    budget.bytes(text.len())?;
    Ok(Value::string(text.replace(search, with)))
}

/// `indent`: adds spaces after each line break.
fn indent(budget: &Budget, arguments: &[Value]) -> CallResult {
    let spaces = whole(arguments, 0).map_err(CallError::call)?;
    let Ok(spaces) = usize::try_from(spaces) else { return call_error("the number of spaces must not be negative") };
    let text = text(arguments, 1);
    let breaks = text.bytes().filter(|byte| *byte == b'\n').count();
    if spaces.max(1).saturating_mul(breaks.max(1)) > MAX_PADDING {
        return call_error(format!("the indentation would be longer than {MAX_PADDING} bytes"));
    }
    budget.bytes(spaces.saturating_mul(breaks.max(1)))?;
    Ok(Value::string(text.replace('\n', &format!("\n{}", " ".repeat(spaces)))))
}
