//! # removed-function
//!
//! A function is gone after an upgrade. (warning)
//!
//! ## What is found
//!
//! With `--target-version 8` or `9`, a call of a function that the module stdlib no longer has: release 9 is the first one
//! for Puppet 8 and OpenVox 8, and lacks 33 functions of release 8, among them `has_key`, `is_array`, `is_string`,
//! `try_get_value` and most of `validate_*`. Nothing is found if a module here, other than stdlib, has a function of the
//! name. Functions that still work under a new name, such as `merge` and `ensure_packages`, are not reported.
//!
//! ## Why it matters
//!
//! Every catalog that reaches the call fails: `Unknown function: 'has_key'`.
//!
//! ## How to fix it
//!
//! The finding names the successor. `hieratic check --target-version 8 --fix` writes it if it is equivalent: for
//! `is_array`, `is_bool` and `is_hash`. Calls of `validate_*` become types of parameters.
//!
//! ## Example
//!
//! ```puppet
//! if is_array($ports) and has_key($options, 'tls') { }
//! ```
//!
//! becomes
//!
//! ```puppet
//! if ($ports =~ Array) and 'tls' in $options { }
//! ```
//!
//! A comment `# hieratic: ignore removed-function` on the same line or the line before accepts the finding.

use hieratic::PuppetVersion;
use hieratic_diagnostics::Span;
use hieratic_puppet_syntax::ast::{Call, Expr, Node};
use hieratic_puppet_syntax::visit::each_expression;

use super::ProgramContext;
use crate::finding::{Finding, Fix};
use crate::rules;

/// Functions that stdlib 9 lacks, and what to write instead.
const REMOVED: &[(&str, &str)] = &[
    ("dig44", "`$data.dig('a', 0)`, which the language has"),
    ("has_key", "`'key' in $hash`, which ignores case"),
    ("hash", "`Hash($array)`"),
    ("is_absolute_path", "`$path =~ Stdlib::Absolutepath`"),
    ("is_array", "`$value =~ Array`"),
    ("is_bool", "`$value =~ Boolean`"),
    ("is_domain_name", "`$name =~ Stdlib::Fqdn`"),
    ("is_email_address", "`$address =~ Stdlib::Email`"),
    ("is_float", "`$value =~ Float`, which takes no string"),
    ("is_function_available", "`stdlib::has_function('name')`"),
    ("is_hash", "`$value =~ Hash`"),
    ("is_integer", "`$value =~ Integer`, which takes no string"),
    ("is_ip_address", "`$address =~ Stdlib::IP::Address`"),
    ("is_ipv4_address", "`$address =~ Stdlib::IP::Address::V4`"),
    ("is_ipv6_address", "`$address =~ Stdlib::IP::Address::V6`"),
    ("is_mac_address", "`$address =~ Stdlib::MAC`"),
    ("is_numeric", "`$value =~ Numeric`, which takes no string"),
    ("is_string", "`$value =~ String`, which takes numbers in quotes, too"),
    ("sprintf_hash", "`sprintf`, which takes a hash"),
    ("try_get_value", "`$data.get('a.b', $default)`"),
    ("type3x", "`type($value)`, or better a match with a type"),
    ("validate_absolute_path", "the type Stdlib::Absolutepath of a parameter"),
    ("validate_array", "the type Array of a parameter"),
    ("validate_bool", "the type Boolean of a parameter"),
    ("validate_hash", "the type Hash of a parameter"),
    ("validate_integer", "a type such as Integer[0, 10] of a parameter"),
    ("validate_ip_address", "the type Stdlib::IP::Address of a parameter"),
    ("validate_ipv4_address", "the type Stdlib::IP::Address::V4 of a parameter"),
    ("validate_ipv6_address", "the type Stdlib::IP::Address::V6 of a parameter"),
    ("validate_numeric", "the type Numeric of a parameter"),
    ("validate_re", "a type such as Pattern[/^a/] of a parameter"),
    ("validate_slength", "a type such as String[1, 10] of a parameter"),
    ("validate_string", "the type String of a parameter"),
];

/// Functions whose answer a match with a type gives.
const MATCHES: &[(&str, &str)] = &[("is_array", "Array"), ("is_bool", "Boolean"), ("is_hash", "Hash")];

pub(super) fn check(cx: &ProgramContext<'_>) {
    if !cx.options.upgrade || cx.options.settings.puppet_version == PuppetVersion::V7 {
        return;
    }
    each_expression(&cx.program.body, &mut |expr| {
        let (name, span, call) = match &expr.node {
            Node::Call(call) => match &call.functor.node {
                Node::Name(name) => (name, call.functor.span, Some(call)),
                _ => return,
            },
            Node::Method(method) => (&method.name, method.name_span, None),
            _ => return,
        };
        let Some((name, successor)) = REMOVED.iter().find(|(removed, _)| *removed == &**name) else { return };
        // A module other than stdlib may have it.
        if cx.code.has_function(name, cx.options) {
            return;
        }
        let message = format!("stdlib 9, the first release for Puppet 8 and OpenVox 8, has no function '{name}'");
        let source = &cx.program.source;
        let finding = Finding::new(&rules::REMOVED_FUNCTION, message).at(source, source.clamp(span), "");
        let finding = finding.help(format!("use {successor}"));
        let fix = call.and_then(|call| as_match(cx, name, expr, call));
        cx.report(match fix {
            Some((span, text)) => finding.fix(Fix::new(source, span, text)),
            None => finding,
        });
    });
}

/// The match with a type that gives the same answer as a call.
fn as_match(cx: &ProgramContext<'_>, name: &str, expr: &Expr, call: &Call) -> Option<(Span, String)> {
    let (_, kind) = MATCHES.iter().find(|(function, _)| *function == name)?;
    let [argument] = call.arguments.as_slice() else { return None };
    let source = &cx.program.source;
    let (span, value) = (source.clamp(expr.span), source.slice(source.clamp(argument.span)));
    let is_whole = source.slice(span).starts_with(name) && source.slice(span).ends_with(')');
    let is_simple = matches!(argument.node, Node::Variable(_) | Node::Access { .. }) && value.starts_with('$');
    (is_whole && is_simple && call.is_value_used && !source.slice(span).contains('#'))
        .then(|| (span, format!("({value} =~ {kind})")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_functions_are_those_that_the_references_miss() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/upgrade/outcomes.jsonl");
        let text = std::fs::read_to_string(folder).unwrap();
        let rows = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let mut gone: Vec<String> = Vec::new();
        for row in rows {
            let id = row["id"].as_str().unwrap().to_owned();
            if let Some(name) = id.strip_prefix("removed-function ") {
                let unknown = format!("Evaluation Error: Unknown function: '{name}'.");
                assert!(row["7"]["error"].is_null(), "{name}");
                assert!(row["8"]["error"].as_str().unwrap().starts_with(&unknown), "{name}");
                gone.push(name.to_owned());
            } else if id.starts_with("kept ") {
                assert!(["7", "8", "9"].iter().all(|version| row[version]["error"].is_null()), "{id}");
            }
        }
        gone.sort();
        let known: Vec<&str> = REMOVED.iter().map(|(name, _)| *name).collect();
        assert_eq!(gone, known);
    }
}
