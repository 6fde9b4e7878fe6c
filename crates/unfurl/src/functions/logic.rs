//! `if`, `and`, `or`, `not`, `eq`, `q`, `foreach`.

use super::arguments::{self, two};
use crate::ExpressionError;
use crate::datum::Datum;
use crate::host::Host;
use crate::lazy::LazyList;
use crate::scope::Scope;

/// `{if: CONDITION, then: EXPR, else: EXPR}`: one of two expressions. Without it, whether the condition holds.
pub(super) fn choose(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError> {
    // Evaluating the condition may call other functions.
    let call = scope.call.clone();
    let holds = condition(host, argument, scope)?;
    let branch = if holds { "then" } else { "else" };
    if call.keys().is_some_and(|keys| keys.contains(branch)) {
        let branch = host.entry(&call, branch)?;
        host.argument(&branch, scope)
    } else {
        Ok(Datum::done(holds))
    }
}

/// `{not: EXPR}`: whether an expression gives nothing, null, false, 0 or something empty.
pub(super) fn not(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError> {
    Ok(Datum::done(!condition(host, argument, scope)?))
}

/// Evaluates a condition: the truth of the first match of an expression.
fn condition(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<bool, ExpressionError> {
    if host.call_option("map_value", scope)? {
        return Ok(host.map_value(argument, scope)?.is_true());
    }
    let results = host.expression(argument, scope)?;
    Ok(results.first().is_some_and(Datum::is_true))
}

/// `{and: [EXPR...]}`: the first that is not true, or else the last.
pub(super) fn and(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError> {
    let mut last = Datum::done(false);
    for part in parts(host, argument, scope, "and")? {
        last = host.argument(&part, scope)?;
        if !last.is_true() {
            break;
        }
    }
    Ok(last)
}

/// `{or: [EXPR...]}`: the first that is true, or else false.
pub(super) fn or(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError> {
    for part in parts(host, argument, scope, "or")? {
        let value = host.argument(&part, scope)?;
        if value.is_true() {
            return Ok(value);
        }
    }
    Ok(Datum::done(false))
}

/// Returns the operands of `and` and `or`. As in the reference, expressions among them are evaluated first, and their
/// results are expressions again.
fn parts(host: &dyn Host, argument: &Datum, scope: &mut Scope, function: &str) -> Result<Vec<Datum>, ExpressionError> {
    let list = match argument {
        list if list.is_list() => match host.evaluated(list, scope)? {
            list if host.call_option("map_value", scope)? => host.map_value(&list, scope)?,
            list => list,
        },
        other => host.argument(other, scope)?,
    };
    arguments::list(host, &list, function)
}

/// `{eq: [VALUE, VALUE]}`: whether two values are equal.
pub(super) fn equal(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError> {
    let [one, other] = two(host, &host.map_value(argument, scope)?, "eq")?;
    Ok(Datum::done(host.equal(&one, &other)?))
}

/// `{q: ANYTHING}`: the argument as written.
pub(super) fn quote(_: &dyn Host, argument: &Datum, _: &mut Scope) -> Result<Datum, ExpressionError> {
    Ok(argument.clone())
}

/// `{foreach: EXPR}`, `{foreach: {key: EXPR, value: EXPR}}`: an expression for everything in the current value.
pub(super) fn foreach(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError> {
    Ok(LazyList::known(host.for_each_part(argument, &scope.current, scope)?))
}
