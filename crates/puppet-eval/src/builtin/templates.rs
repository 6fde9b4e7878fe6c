//! `epp` and `inline_epp`, `template` and `inline_template`.

use hieratic_puppet_functions::{Block, Doc, EvalError, Outcome};
use hieratic_value::Value;

use super::{Builtin, on};
use crate::evaluator::Evaluator;

pub(super) static FUNCTIONS: &[Builtin] = &[
    Builtin::new(
        "epp",
        Doc::new("Renders a template of Puppet.").example("epp('web/conf.epp', { 'port' => 80 })"),
        &[on(&["String path", "Hash[Pattern[/^\\w+$/],Any] parameters?"])],
        &[epp],
    ),
    Builtin::new(
        "inline_epp",
        Doc::new("Renders a template that is given as a string.").example("inline_epp('<%= 1 + 1 %>') # '2'"),
        &[on(&["String template", "Hash[Pattern[/^\\w+$/],Any] parameters?"])],
        &[inline_epp],
    ),
    Builtin::new(
        "template",
        Doc::new("Renders templates in Ruby.").example("template('web/conf.erb')"),
        &[on(&["Any *names"])],
        &[template],
    ),
    Builtin::new(
        "inline_template",
        Doc::new("Renders a template in Ruby that is given as a string.")
            .example("inline_template('<%= 1 + 1 %>') # '2'"),
        &[on(&["Any *texts"])],
        &[inline_template],
    ),
];

fn epp(evaluator: &mut Evaluator<'_>, arguments: &[Value], _: Option<&Block>) -> Outcome {
    let name = arguments[0].as_str().unwrap_or_default();
    evaluator.epp_file(name, arguments.get(1).and_then(Value::as_hash))
}

fn inline_epp(evaluator: &mut Evaluator<'_>, arguments: &[Value], _: Option<&Block>) -> Outcome {
    let text = arguments[0].as_str().unwrap_or_default();
    evaluator.epp_text(text, arguments.get(1).and_then(Value::as_hash))
}

/// Renders ERB templates in order.
fn template(evaluator: &mut Evaluator<'_>, arguments: &[Value], _: Option<&Block>) -> Outcome {
    at_least_one("template", arguments)?;
    let mut out = String::new();
    for name in arguments {
        out.push_str(&evaluator.erb_file(&name.to_text())?);
    }
    Ok(out.into())
}

fn inline_template(evaluator: &mut Evaluator<'_>, arguments: &[Value], _: Option<&Block>) -> Outcome {
    at_least_one("inline_template", arguments)?;
    let mut out = String::new();
    for text in arguments {
        out.push_str(&evaluator.erb_text(&text.to_text())?);
    }
    Ok(out.into())
}

fn at_least_one(name: &str, arguments: &[Value]) -> Result<(), EvalError> {
    if arguments.is_empty() {
        return Err(EvalError::new(format!("{name}(): Wrong number of arguments given (0 for minimum 1)")));
    }
    Ok(())
}
