//! Templates of tasks: errors that would only occur when the task starts.
//!
//! Source: <https://pkg.go.dev/text/template> and
//! <https://developer.hashicorp.com/nomad/docs/job-specification/template>.

mod functions;
mod names;

use hieratic_budget::Budget;
use hieratic_go_template::{Cause, ParseError, Syntax, parse};
use hieratic_hcl_syntax::suggestion;
use hieratic_hcl_types::quoted;

use super::remark;
use crate::block::Block;
use crate::finding::Finding;
use crate::nomad_version::NomadVersion;
use crate::rule::Rule;

/// Reports templates that cannot be parsed, and functions that the version of Nomad lacks.
pub(super) fn check(task: &Block<'_>, version: NomadVersion, found: &mut Vec<Finding>) {
    for template in task.blocks("Templates") {
        let left = template.filled_text("LeftDelim").unwrap_or("{{");
        let right = template.filled_text("RightDelim").unwrap_or("}}");
        let text = template.text("EmbeddedTmpl");
        if text.is_empty() || left.contains("${") || right.contains("${") {
            continue;
        }
        let syntax = Syntax { left, right, functions: Some(&functions::is_known) };
        let field = template.at("EmbeddedTmpl");
        let mut report = |rule: Rule, message: String, help: Option<String>| {
            let finding = remark(rule, message, field.path(), field.range());
            found.push(Finding { help, ..finding });
        };
        match parse("data", text, &syntax, &Budget::default()) {
            Err(ParseError { cause: Cause::Exhausted(exhausted), .. }) => {
                report(Rule::Template, format!("the template is not judged: {exhausted}"), None);
            }
            Err(error) => {
                let message = format!("line {} of the template: {}", line(text, &error), error.message);
                report(Rule::Template, message, help(&error.cause));
            }
            Ok(templates) => {
                for (name, line) in names::functions(&templates, text) {
                    if let Some(since) = functions::since(&name).filter(|since| *since > version) {
                        let message = format!(
                            "line {line} of the template: Nomad has the function {} since {since}, and not in {version}",
                            quoted(&name)
                        );
                        report(Rule::Version, message, None);
                    }
                }
            }
        }
    }
}

/// The line of the error. The reference names the line of the last token that it has read.
fn line(text: &str, error: &ParseError) -> usize {
    let before = text.as_bytes().get(..error.span.start as usize).unwrap_or(text.as_bytes());
    before.iter().filter(|byte| **byte == b'\n').count() + 1
}

fn help(cause: &Cause) -> Option<String> {
    match cause {
        Cause::UndefinedFunction(name) => {
            let all: Vec<String> = functions::names().collect();
            let of_sprig = format!("sprig_{name}");
            let near = all.iter().find(|known| **known == of_sprig).map(String::as_str);
            let near = near.or_else(|| suggestion(name, all.iter().map(String::as_str)));
            near.map(|near| format!("did you mean {near}?"))
        }
        Cause::UndefinedVariable(name) => {
            Some(format!("set it before: {{{{ {name} := ... }}}}, and not inside of if, range or with"))
        }
        Cause::Syntax | Cause::Exhausted(_) => None,
    }
}
