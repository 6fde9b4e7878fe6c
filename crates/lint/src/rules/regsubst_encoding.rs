//! # regsubst-encoding
//!
//! `regsubst` is given an encoding. (warning)
//!
//! ## What is found
//!
//! With `--target-version 8` or `9`, a call of `regsubst` with five arguments. The fifth, an encoding such as `'U'`, has no
//! effect since Ruby 1.9.
//!
//! ## Why it matters
//!
//! OpenVox 8 logs a warning. In OpenVox 9, the argument is an error, and the catalog fails.
//!
//! ## How to fix it
//!
//! Remove the argument. `hieratic check --target-version 9 --fix` does it.
//!
//! ## Example
//!
//! ```puppet
//! $plain = regsubst($text, 'ü', 'ue', 'G', 'U')
//! ```
//!
//! becomes
//!
//! ```puppet
//! $plain = regsubst($text, 'ü', 'ue', 'G')
//! ```
//!
//! A comment `# hieratic: ignore regsubst-encoding` on the same line or the line before accepts the finding.

use hieratic::PuppetVersion;
use hieratic_diagnostics::Span;
use hieratic_puppet_syntax::ast::{Expr, Node};
use hieratic_puppet_syntax::visit::each_expression;

use super::ProgramContext;
use crate::finding::{Finding, Fix};
use crate::rules;

pub(super) fn check(cx: &ProgramContext<'_>) {
    if !cx.options.upgrade || cx.options.settings.puppet_version == PuppetVersion::V7 {
        return;
    }
    let source = &cx.program.source;
    each_expression(&cx.program.body, &mut |expr| {
        let Some([before, encoding]) = last_of_five(expr) else { return };
        let is_error = cx.options.settings.puppet_version == PuppetVersion::V9;
        let message = if is_error {
            "'regsubst' takes no encoding in OpenVox 9"
        } else {
            "'regsubst' ignores the encoding, and OpenVox 9 refuses it"
        };
        let span = source.clamp(encoding.span);
        let finding = Finding::new(&rules::REGSUBST_ENCODING, message).at(source, span, "");
        let argument = Span::new(source.clamp(before.span).range().end, span.range().end);
        // Something may be between both that is not to be lost.
        let is_plain = source.slice(argument).bytes().filter(|byte| matches!(byte, b',' | b'#')).count() == 1;
        let finding = finding.help("remove the argument (--fix does it)");
        cx.report(if is_plain { finding.fix(Fix::new(source, argument, "")) } else { finding });
    });
}

/// The fourth and the fifth argument of a call of `regsubst`.
fn last_of_five(expr: &Expr) -> Option<[&Expr; 2]> {
    let (arguments, receivers) = match &expr.node {
        Node::Call(call) => match &call.functor.node {
            Node::Name(name) if &**name == "regsubst" => (&call.arguments, 0),
            _ => return None,
        },
        Node::Method(method) if &*method.name == "regsubst" => (&method.arguments, 1),
        _ => return None,
    };
    let is_unfolded = arguments.iter().any(|argument| matches!(argument.node, Node::Unfold(_)));
    match arguments.as_slice() {
        [.., before, last] if !is_unfolded && arguments.len() + receivers == 5 => Some([before, last]),
        _ => None,
    }
}
