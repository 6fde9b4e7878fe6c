//! `epp` and `inline_epp`.

use hieratic_functions::{Block, Outcome};
use hieratic_value::Value;

use super::{Builtin, on};
use crate::evaluator::Evaluator;

pub(super) static FUNCTIONS: [Builtin; 2] = [
    Builtin::new("epp", &[on(&["String path", "Hash[Pattern[/^\\w+$/],Any] parameters?"])], &[epp]),
    Builtin::new("inline_epp", &[on(&["String template", "Hash[Pattern[/^\\w+$/],Any] parameters?"])], &[inline_epp]),
];

fn epp(evaluator: &mut Evaluator<'_>, arguments: &[Value], _: Option<&Block>) -> Outcome {
    let name = arguments[0].as_str().unwrap_or_default();
    evaluator.epp_file(name, arguments.get(1).and_then(Value::as_hash))
}

fn inline_epp(evaluator: &mut Evaluator<'_>, arguments: &[Value], _: Option<&Block>) -> Outcome {
    let text = arguments[0].as_str().unwrap_or_default();
    evaluator.epp_text(text, arguments.get(1).and_then(Value::as_hash))
}
