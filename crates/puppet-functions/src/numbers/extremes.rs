//! [`max`](https://www.puppet.com/docs/puppet/8/function.html#max) and
//! [`min`](https://www.puppet.com/docs/puppet/8/function.html#min)

use std::cmp::Ordering;
use std::sync::LazyLock;

use hieratic_puppet_types::PuppetVersion;
use hieratic_ruby_regexp::Regexp;
use hieratic_value::Value;

use crate::ruby;
use crate::{Call, Dispatch, Doc, EvalError, Flow, Function, Outcome};

pub(super) static FUNCTIONS: &[Function] = &[
    Function::changed(
        "max",
        Doc::new("The greatest value.").example("max(1, 3, 2) # 3"),
        PuppetVersion::has_greatest_versions_and_times,
        &[
            Dispatch::new(&["Numeric *values"], |call| ordered(call, call.arguments, MAX)),
            Dispatch::new(&["String *values"], |call| texts(call, call.arguments, MAX)),
            Dispatch::new(&["SemVer *values"], |call| ordered(call, call.arguments, MAX)),
            Dispatch::new(&["Timespan *values"], |call| ordered(call, call.arguments, MAX)),
            Dispatch::new(&["Timestamp *values"], |call| ordered(call, call.arguments, MAX)),
            Dispatch::new(&["Array[Numeric] values", BLOCK], |call| array(call, MAX, ordered)),
            Dispatch::new(&["Array[String] values", BLOCK], |call| array(call, MAX, texts)),
            Dispatch::new(&["Array[SemVer] values", BLOCK], |call| array(call, MAX, ordered)),
            Dispatch::new(&["Array[Timespan] values", BLOCK], |call| array(call, MAX, ordered)),
            Dispatch::new(&["Array[Timestamp] values", BLOCK], |call| array(call, MAX, ordered)),
            Dispatch::new(&["Array values", BLOCK], |call| array(call, MAX, anything)),
            Dispatch::new(&["Any *values", "&Callable[2,2] block"], |call| with_block(call, call.arguments, MAX)),
            Dispatch::new(&["Any *values"], |call| anything(call, call.arguments, MAX)),
        ],
        &[
            Dispatch::new(&["Numeric *values"], |call| ordered(call, call.arguments, MAX)),
            Dispatch::new(&["String *values"], |call| texts(call, call.arguments, MAX)),
            Dispatch::new(&["Array[Numeric] values", BLOCK], |call| array(call, MAX, ordered)),
            Dispatch::new(&["Array[String] values", BLOCK], |call| array(call, MAX, texts)),
            Dispatch::new(&["Array values", BLOCK], |call| array(call, MAX, anything)),
            Dispatch::new(&["Any *values", "&Callable[2,2] block"], |call| with_block(call, call.arguments, MAX)),
            Dispatch::new(&["Any *values"], |call| anything(call, call.arguments, MAX)),
        ],
    ),
    Function::changed(
        "min",
        Doc::new("The least value.").example("min(1, 3, 2) # 1"),
        PuppetVersion::has_greatest_versions_and_times,
        &[
            Dispatch::new(&["Numeric *values"], |call| ordered(call, call.arguments, MIN)),
            Dispatch::new(&["String *values"], |call| texts(call, call.arguments, MIN)),
            Dispatch::new(&["SemVer *values"], |call| ordered(call, call.arguments, MIN)),
            Dispatch::new(&["Timespan *values"], |call| ordered(call, call.arguments, MIN)),
            Dispatch::new(&["Timestamp *values"], |call| ordered(call, call.arguments, MIN)),
            Dispatch::new(&["Array[Numeric] values", BLOCK], |call| array(call, MIN, ordered)),
            Dispatch::new(&["Array[String] values", BLOCK], |call| array(call, MIN, texts)),
            Dispatch::new(&["Array[SemVer] values", BLOCK], |call| array(call, MIN, ordered)),
            Dispatch::new(&["Array[Timespan] values", BLOCK], |call| array(call, MIN, ordered)),
            Dispatch::new(&["Array[Timestamp] values", BLOCK], |call| array(call, MIN, ordered)),
            Dispatch::new(&["Array values", BLOCK], |call| array(call, MIN, anything)),
            Dispatch::new(&["Any *values", "&Callable[2,2] block"], |call| with_block(call, call.arguments, MIN)),
            Dispatch::new(&["Any *values"], |call| anything(call, call.arguments, MIN)),
        ],
        &[
            Dispatch::new(&["Numeric *values"], |call| ordered(call, call.arguments, MIN)),
            Dispatch::new(&["String *values"], |call| texts(call, call.arguments, MIN)),
            Dispatch::new(&["Array[Numeric] values", BLOCK], |call| array(call, MIN, ordered)),
            Dispatch::new(&["Array[String] values", BLOCK], |call| array(call, MIN, texts)),
            Dispatch::new(&["Array values", BLOCK], |call| array(call, MIN, anything)),
            Dispatch::new(&["Any *values", "&Callable[2,2] block"], |call| with_block(call, call.arguments, MIN)),
            Dispatch::new(&["Any *values"], |call| anything(call, call.arguments, MIN)),
        ],
    ),
];

const BLOCK: &str = "&?Callable[2,2] block";

/// One of the two functions.
#[derive(Clone, Copy)]
struct Extreme {
    function: &'static str,
    /// The result of comparing a better value with the best one so far.
    better: Ordering,
}

const MAX: Extreme = Extreme { function: "max", better: Ordering::Greater };
const MIN: Extreme = Extreme { function: "min", better: Ordering::Less };

type Search = fn(&mut Call<'_>, &[Value], Extreme) -> Outcome;

/// Compares the values of an array, by the block if there is one.
fn array(call: &mut Call<'_>, extreme: Extreme, search: Search) -> Outcome {
    let values = call.arguments[0].as_array().unwrap_or_default();
    match call.block {
        Some(_) => with_block(call, values, extreme),
        None => search(call, values, extreme),
    }
}

/// Compares values that have a natural order.
fn ordered(call: &mut Call<'_>, values: &[Value], extreme: Extreme) -> Outcome {
    assert_some(values, extreme)?;
    seek(call, values, extreme, |_, one, best| {
        one.compare(best).ok_or_else(|| ruby::comparison_failed(one, best).into())
    })
}

/// Compares strings. Strings that are numbers compare as numbers, which is deprecated.
fn texts(call: &mut Call<'_>, values: &[Value], extreme: Extreme) -> Outcome {
    assert_some(values, extreme)?;
    seek(call, values, extreme, |call, one, best| {
        Ok(compare_texts(call, &one.to_text(), &best.to_text(), extreme, None))
    })
}

/// Compares other values as strings, which is deprecated, too.
fn anything(call: &mut Call<'_>, values: &[Value], extreme: Extreme) -> Outcome {
    assert_some(values, extreme)?;
    seek(call, values, extreme, |call, one, best| {
        let warning = format!(
            "The {}() function's auto conversion of Any to String is deprecated - change to convert input before calling, or use lambda",
            extreme.function
        );
        Ok(compare_texts(call, &one.to_text(), &best.to_text(), extreme, Some(&warning)))
    })
}

fn compare_texts(call: &mut Call<'_>, one: &str, other: &str, extreme: Extreme, warning: Option<&str>) -> Ordering {
    static NUMBER: LazyLock<Option<Regexp>> = LazyLock::new(|| Regexp::new(r"\A-?\d+([._eE]\d+)?\z").ok());
    if NUMBER.as_ref().is_some_and(|number| number.is_match(one) && number.is_match(other)) {
        call.deprecated(&format!(
            "The {}() function's auto conversion of String to Numeric is deprecated - change to convert input before calling, or use lambda",
            extreme.function
        ));
        return ruby::to_f(one).partial_cmp(&ruby::to_f(other)).unwrap_or(Ordering::Equal);
    }
    if let Some(warning) = warning {
        call.deprecated(warning);
    }
    one.as_bytes().cmp(other.as_bytes())
}

fn with_block(call: &mut Call<'_>, values: &[Value], extreme: Extreme) -> Outcome {
    seek(call, values, extreme, |call, one, best| {
        let answer = call.yield_block(&[one.clone(), best.clone()])?;
        ruby::sign_of(&answer, one, best)
    })
}

/// Returns the first of the best values.
fn seek(
    call: &mut Call<'_>,
    values: &[Value],
    extreme: Extreme,
    mut compare: impl FnMut(&mut Call<'_>, &Value, &Value) -> Result<Ordering, Flow>,
) -> Outcome {
    let Some((mut best, others)) = values.split_first() else { return Ok(Value::Undef) };
    for one in others {
        if compare(call, one, best)? == extreme.better {
            best = one;
        }
    }
    Ok(best.clone())
}

fn assert_some(values: &[Value], extreme: Extreme) -> Result<(), Flow> {
    if values.is_empty() {
        let message = format!("{}(): Wrong number of arguments need at least one", extreme.function);
        return Err(EvalError::new(message).into());
    }
    Ok(())
}
