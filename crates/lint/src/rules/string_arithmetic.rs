//! # string-arithmetic
//!
//! A number in quotes is calculated with. (warning)
//!
//! ## What is found
//!
//! With `--target-version 8` or `9`, an operation on a literal string that is a number: `'1' + 1`, `2 * '3'`, `-'5'`.
//! Nothing is found if the target does not treat it as an error: with `--strict warning` or `off`. A string on the right
//! of `+`, `-` and `<<` is not reported, unless a number is on the left: the left side may be an array.
//!
//! ## Why it matters
//!
//! Puppet 7 converts the string, with a warning. In Puppet 8, `strict` is `error`, and the catalog fails.
//!
//! ## How to fix it
//!
//! Remove the quotes. `hieratic check --target-version 8 --fix` does it for whole numbers in decimals.
//!
//! ## Example
//!
//! ```puppet
//! $next = '1' + $offset
//! ```
//!
//! becomes
//!
//! ```puppet
//! $next = 1 + $offset
//! ```
//!
//! A comment `# hieratic: ignore string-arithmetic` on the same line or the line before accepts the finding.

use hieratic::{PuppetVersion, Strict};
use hieratic_puppet_syntax::ast::{Arithmetic, Expr, Node};
use hieratic_puppet_syntax::visit::each_expression;

use super::ProgramContext;
use crate::finding::{Finding, Fix};
use crate::rules;

pub(super) fn check(cx: &ProgramContext<'_>) {
    let is_strict = cx.options.strict == Strict::Error;
    if !cx.options.upgrade || !is_strict || cx.options.settings.puppet_version == PuppetVersion::V7 {
        return;
    }
    each_expression(&cx.program.body, &mut |expr| {
        let operand = match &expr.node {
            Node::Minus(operand) => Some(&**operand),
            Node::Arithmetic(operator, left, right) => operand(*operator, left, right),
            _ => None,
        };
        if let Some((operand, text)) = operand.and_then(|operand| Some((operand, number_in(operand)?))) {
            report(cx, operand, text);
        }
    });
}

/// The operand that is converted in any case.
fn operand<'e>(operator: Arithmetic, left: &'e Expr, right: &'e Expr) -> Option<&'e Expr> {
    if number_in(left).is_some() {
        return Some(left);
    }
    let takes_arrays = matches!(operator, Arithmetic::Add | Arithmetic::Subtract | Arithmetic::ShiftLeft);
    let is_number = matches!(left.node, Node::Integer { .. });
    (is_number || !takes_arrays).then_some(right)
}

/// The text of a literal string that is a number.
fn number_in(expr: &Expr) -> Option<&str> {
    let Node::Literal(value) = &expr.node else { return None };
    let text = value.as_str()?;
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let is_hexadecimal = digits.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_hexdigit()));
    let is_decimal = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_decimal || is_hexadecimal).then_some(text)
}

fn report(cx: &ProgramContext<'_>, operand: &Expr, text: &str) {
    let source = &cx.program.source;
    let span = source.clamp(operand.span);
    let message = format!("the string '{text}' is calculated with, which is an error since Puppet 8");
    let finding = Finding::new(&rules::STRING_ARITHMETIC, message).at(source, span, "");
    let is_plain =
        text.len() < 18 && text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    let is_quoted = source.slice(span).trim_matches(['\'', '"']) == text;
    cx.report(if is_plain && is_quoted {
        finding.help("remove the quotes (--fix does it)").fix(Fix::new(source, span, text))
    } else {
        finding.help("remove the quotes, or convert it: `Integer('1')`")
    });
}
