//! `if`, `and`, `or`, `not`, `eq`, `q`, `foreach`, `is_function_defined`.

use std::sync::Arc;

use hieratic_value::Value;

use super::{available, text, two};
use crate::Fault;
use crate::datum::{Datum, Plain};
use crate::lazy::LazyList;
use crate::scope::Scope;
use crate::session::Session;

/// `{if: CONDITION, then: EXPR, else: EXPR}`: one of two expressions. Without it, whether the condition holds.
pub(super) fn choose(session: &Arc<Session>, argument: &Datum, scope: &mut Scope) -> Result<Datum, Fault> {
    // Evaluating the condition may call other functions.
    let call = scope.call.clone();
    let holds = condition(session, argument, scope)?;
    let branch = if holds { "then" } else { "else" };
    match call.keys().is_some_and(|keys| keys.contains(branch)) {
        true => {
            let branch = session.entry(&call, branch)?;
            session.argument(&branch, scope)
        }
        false => Ok(Datum::done(holds)),
    }
}

/// `{not: EXPR}`: whether an expression gives nothing, null, false, 0 or something empty.
pub(super) fn not(session: &Arc<Session>, argument: &Datum, scope: &mut Scope) -> Result<Datum, Fault> {
    Ok(Datum::done(!condition(session, argument, scope)?))
}

/// Whether the first match of an expression is true.
fn condition(session: &Arc<Session>, argument: &Datum, scope: &mut Scope) -> Result<bool, Fault> {
    if session.call_option("map_value", scope)? {
        return session.truthy(&session.map_value(argument, scope)?);
    }
    let results = session.expression(argument, scope)?;
    results.first().map_or(Ok(false), |first| session.truthy(first))
}

/// `{and: [EXPR...]}`: the first that is not true, or else the last.
pub(super) fn and(session: &Arc<Session>, argument: &Datum, scope: &mut Scope) -> Result<Datum, Fault> {
    let mut last = Datum::done(false);
    for part in parts(session, argument, scope, "and")? {
        last = session.argument(&part, scope)?;
        if !session.truthy(&last)? {
            break;
        }
    }
    Ok(last)
}

/// `{or: [EXPR...]}`: the first that is true, or else false.
pub(super) fn or(session: &Arc<Session>, argument: &Datum, scope: &mut Scope) -> Result<Datum, Fault> {
    for part in parts(session, argument, scope, "or")? {
        let value = session.argument(&part, scope)?;
        if session.truthy(&value)? {
            return Ok(value);
        }
    }
    Ok(Datum::done(false))
}

/// The parts of `and` and `or`. As in the reference, expressions among them are evaluated first, and what they give is
/// an expression again.
fn parts(session: &Arc<Session>, argument: &Datum, scope: &mut Scope, function: &str) -> Result<Vec<Datum>, Fault> {
    let list = match argument {
        list if list.is_list() => match session.mapped(list, scope)?.value {
            list if session.call_option("map_value", scope)? => session.map_value(&list, scope)?,
            list => list,
        },
        other => session.argument(other, scope)?,
    };
    super::list(session, &list, function)
}

/// `{eq: [VALUE, VALUE]}`: whether two values are equal.
pub(super) fn equal(session: &Arc<Session>, argument: &Datum, scope: &mut Scope) -> Result<Datum, Fault> {
    let [one, other] = two(session, &session.map_value(argument, scope)?, "eq")?;
    Ok(Datum::done(session.equal(&one, &other)?))
}

/// `{q: ANYTHING}`: the argument as it is written.
pub(super) fn quote(_: &Arc<Session>, argument: &Datum, _: &mut Scope) -> Result<Datum, Fault> {
    Ok(argument.clone())
}

/// `{foreach: EXPR}`, `{foreach: {key: EXPR, value: EXPR}}`: an expression for everything in the current value.
pub(super) fn foreach(session: &Arc<Session>, argument: &Datum, scope: &mut Scope) -> Result<Datum, Fault> {
    let items = session.items(&scope.current)?;
    Ok(LazyList::known(session.for_each(argument, items, scope)?))
}

/// `{is_function_defined: NAME}`: whether there is a function of that name.
pub(super) fn is_function_defined(session: &Arc<Session>, argument: &Datum, scope: &mut Scope) -> Result<Datum, Fault> {
    let name = session.map_value(argument, scope)?;
    if let Datum::Plain(Plain { value: Value::Undef, .. }) = name {
        return Ok(Datum::done(false));
    }
    let name = text(&name, "the name of the function")?;
    Ok(Datum::done(available().any(|function| function == &*name)))
}
