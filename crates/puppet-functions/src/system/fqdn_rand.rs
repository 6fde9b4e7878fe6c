//! [`fqdn_rand`](https://www.puppet.com/docs/puppet/8/function.html#fqdn-rand): a number that is random but always the same
//! for one node.

use hieratic_value::random::Random;
use hieratic_value::{Hash, Value};

use crate::collections::joined;
use crate::{Call, Dispatch, Doc, EvalError, Function, Outcome, ruby};

use super::digests::{Algorithm, hexdigest};
use super::legacy;

pub(super) static FUNCTIONS: &[Function] = &[Function::new(
    "fqdn_rand",
    Doc::new("A pseudorandom number, the same each time for a node.").example("fqdn_rand(60, 'cron')"),
    &[Dispatch::untyped(fqdn_rand)],
)];

fn fqdn_rand(call: &mut Call<'_>) -> Outcome {
    let arguments = legacy::arguments(call, "fqdn_rand", -2)?;
    let max = match &arguments[0] {
        Value::Integer(max) => Value::Integer(*max),
        Value::Float(max) => ruby::to_integer(*max).ok_or_else(|| EvalError::new(Value::Float(*max).inspect()))?,
        Value::String(text) => ruby::to_i(text),
        other => return Err(EvalError::new(ruby::undefined_method("to_i", other)).into()),
    };
    let facts = call.host.variable("facts")?;
    let networking = facts.as_ref().and_then(Value::as_hash).and_then(|facts| facts.get("networking"));
    let name = networking.and_then(Value::as_hash).and_then(|networking: &Hash| networking.get("fqdn"));
    let mut name = name.cloned().unwrap_or_default();
    if arguments.get(2).is_some_and(Value::is_truthy) {
        name = Value::from(name.to_text().to_lowercase());
    }
    let initial = arguments.get(1).cloned().unwrap_or_default();
    let seed = joined(&[name, max.clone(), initial], ":");
    match max {
        Value::Integer(max) if max > 0 => {
            let number = Random::new(&hexdigest(Algorithm::Md5, seed.as_bytes())).below(max.unsigned_abs());
            // A number below a 63-bit limit fits into 63 bits.
            Ok(Value::Integer(i64::try_from(number).unwrap_or(i64::MAX)))
        }
        max => Err(EvalError::new(format!("invalid argument - {}", max.inspect())).into()),
    }
}
