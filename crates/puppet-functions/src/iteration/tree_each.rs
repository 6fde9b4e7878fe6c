//! [`tree_each`](https://www.puppet.com/docs/puppet/8/function.html#tree-each)

use std::sync::LazyLock;

use hieratic_puppet_types::{Opaque, Type, parse};
use hieratic_value::{Hash, Value};

use crate::sequence::{Order, Tree};
use crate::{Call, Dispatch, Doc, EvalError, Flow, Function, Outcome, Sequence};

const TREE: &str = "Variant[Iterator, Array, Hash, Object] tree";

pub(super) static FUNCTIONS: &[Function] = &[Function::new(
    "tree_each",
    Doc::new("Runs the block for each value inside of values.").example("[1, [2]].tree_each |$n| { notice($n) }"),
    &[
        Dispatch::new(&[TREE, "OptionsType options?", "&Callable[2,2] block"], |call| each(call, true)),
        Dispatch::new(&[TREE, "OptionsType options?", "&Callable[1,1] block"], |call| each(call, false)),
        Dispatch::new(&[TREE, "OptionsType options?"], |call| Ok(sequence(call)?.into_value())),
    ],
)];

/// Calls the block with path and value, or only with the value.
fn each(call: &mut Call<'_>, with_path: bool) -> Outcome {
    for entry in sequence(call)?.walk() {
        let Some([path, value]) = entry.as_array() else { continue };
        let both = [path.clone(), value.clone()];
        if call.yield_or_stop(if with_path { &both } else { &both[1..] })?.is_none() {
            break;
        }
    }
    Ok(call.arguments[0].clone())
}

fn sequence(call: &Call<'_>) -> Result<Sequence, Flow> {
    let options = call.arguments.get(1).and_then(Value::as_hash).cloned().unwrap_or_default();
    // An iterator is visited like an array of its elements.
    let root = match Opaque::content::<Sequence>(&call.arguments[0]) {
        Some(iterator) => Value::from(iterator.collect()?),
        None => call.arguments[0].clone(),
    };
    // An iterator knows the type of all values that it will visit; a visit also has the path.
    call.charge_parts(&root, BYTES_OF_VISIT)?;
    let with_containers = flag(&options, "include_containers");
    let with_values = flag(&options, "include_values");
    if !with_containers && !with_values {
        return Err(EvalError::new("Options 'include_containers' and 'include_values' cannot both be false").into());
    }
    Ok(Sequence::of_tree(Tree {
        root,
        containers: containers(&options)?,
        with_root: with_containers && flag(&options, "include_root"),
        with_containers,
        with_values,
        order: match options.get("order").and_then(Value::as_str) {
            None | Some("depth_first") => Order::Depth,
            Some(_) => Order::Breadth,
        },
    }))
}

/// The memory of a visited value with its type and path, in bytes.
const BYTES_OF_VISIT: usize = 256;

/// Returns an option that is true unless it is set to false.
fn flag(options: &Hash, name: &str) -> bool {
    options.get(name).is_none_or(|value| value.is_undef() || value.is_truthy())
}

/// Returns the types of containers that are descended into.
fn containers(options: &Hash) -> Result<Option<Type>, Flow> {
    static POSSIBLE: LazyLock<Type> =
        // A constant type always parses.
        LazyLock::new(|| parse("Variant[Array, Hash, Object]").unwrap_or(Type::Any));
    let Some(kind) = options.get("container_type").and_then(Type::of_value) else { return Ok(None) };
    if !POSSIBLE.is_assignable(kind) {
        let message = format!("Only Array, Hash, and Object types can be used as container types. Got {kind}");
        return Err(EvalError::new(message).into());
    }
    Ok(Some(kind.clone()))
}
