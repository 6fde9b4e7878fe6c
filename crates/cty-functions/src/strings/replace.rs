//! Parts of texts replaced: `indent`, `regex_replace`, `replace`.

use hieratic_cty::{CallError, Type, Value};

use super::regex::Cache;
use crate::arguments::{Outcome, failed, number, string, text, whole};
use crate::{FunctionTable, MAX_PADDING};

pub(super) fn add(table: &mut FunctionTable) {
    table.fixed("indent", [number("spaces"), string("str")], Type::String, indent);
    table.fixed("replace", [string("str"), string("substr"), string("replace")], Type::String, |arguments| {
        Ok(Value::string(text(arguments, 0).replace(text(arguments, 1), text(arguments, 2))))
    });
    let cache = Cache::default();
    table.fixed(
        "regex_replace",
        [string("str"), string("pattern"), string("replace")],
        Type::String,
        move |arguments| {
            let pattern = cache.get(text(arguments, 1)).map_err(CallError::call)?;
            Ok(Value::string(pattern.replace_all(text(arguments, 0), text(arguments, 2))))
        },
    );
}

/// `indent`: spaces behind each line break.
fn indent(arguments: &[Value]) -> Outcome {
    let spaces = whole(arguments, 0).map_err(CallError::call)?;
    let Ok(spaces) = usize::try_from(spaces) else { return failed("the number of spaces must not be negative") };
    let text = text(arguments, 1);
    let breaks = text.bytes().filter(|byte| *byte == b'\n').count();
    if spaces.max(1).saturating_mul(breaks.max(1)) > MAX_PADDING {
        return failed(format!("the indentation would be longer than {MAX_PADDING} bytes"));
    }
    Ok(Value::string(text.replace('\n', &format!("\n{}", " ".repeat(spaces)))))
}
