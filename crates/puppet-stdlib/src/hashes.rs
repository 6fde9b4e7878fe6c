//! Functions for hashes: merging, joining, deleting values.

use hieratic_puppet_functions::{Call, Dispatch, Doc, Function, Outcome, interpolated, iterate};
use hieratic_value::{Hash, Value};

use crate::untyped::{arguments, ensure, fail, same};

pub(crate) static FUNCTIONS: &[Function] = &[
    Function::new("deep_merge", Doc::new("Merges hashes at every depth."), &[Dispatch::untyped(deep_merge)]),
    Function::new(
        "delete_values",
        Doc::new("Removes the entries of a hash that have a value."),
        &[Dispatch::untyped(delete_values)],
    ),
    Function::new(
        "join_keys_to_values",
        Doc::new("Returns the strings `key` + separator + `value`."),
        &[Dispatch::untyped(join_keys_to_values)],
    ),
    Function::new(
        "stdlib::merge",
        Doc::new("Merges hashes, or builds a hash with a block.")
            .example("stdlib::merge({ 'a' => 1 }, { 'a' => 2 }) # { 'a' => 2 }"),
        &[
            Dispatch::new(&["Variant[Hash[Scalar,Any], Undef, String[0,0]] *args"], |call| {
                let mut merged = hieratic_value::Map::default();
                for hash in call.arguments.iter().filter_map(Value::as_hash) {
                    merged.extend(hash.iter().map(|(key, value)| (key.clone(), value.clone())));
                }
                Ok(Value::from(Hash::from(merged)))
            }),
            Dispatch::new(&["Iterable *args", "&Callable[3,3] block"], |call| merged_by_block(call, true)),
            Dispatch::new(&["Iterable *args", "&Callable[2,2] block"], |call| merged_by_block(call, false)),
        ],
    ),
];

fn deep_merge(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "deep_merge")?;
    let many = given.len();
    ensure(many >= 2, || format!("deep_merge(): wrong number of arguments ({many}; must be at least 2)"))?;
    let mut result = Hash::default();
    for value in &given {
        match value {
            Value::String(text) if text.is_empty() => {}
            Value::Hash(hash) => result = merge(result, hash),
            other => {
                let class = other.ruby_class();
                return fail(format!("deep_merge: unexpected argument type {class}, only expects hash arguments"));
            }
        }
    }
    Ok(Value::from(result))
}

/// Merges the second hash over the first: hashes under the same key are merged, other values are replaced.
fn merge(under: Hash, over: &Hash) -> Hash {
    let mut merged = under.into_map();
    for (key, new) in over {
        let value = match (merged.get(key), new) {
            (Some(Value::Hash(old)), Value::Hash(new)) => Value::from(merge(old.clone(), new)),
            _ => new.clone(),
        };
        merged.insert(key.clone(), value);
    }
    Hash::from(merged)
}

fn delete_values(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "delete_values")?;
    let many = given.len();
    ensure(many == 2, || format!("delete_values(): Wrong number of arguments given ({many} of 2)"))?;
    let Value::Hash(hash) = &given[0] else {
        let class = given[0].ruby_class();
        return fail(format!("delete_values(): First argument must be a Hash. Given an argument of class {class}."));
    };
    let kept = hash.iter().filter(|(_, value)| !same(&given[1], value));
    Ok(Value::from(kept.map(|(key, value)| (key.clone(), value.clone())).collect::<Hash>()))
}

fn join_keys_to_values(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "join_keys_to_values")?;
    let many = given.len();
    ensure(many == 2, || format!("join_keys_to_values(): Takes exactly two arguments, but {many} given."))?;
    let Value::Hash(hash) = &given[0] else {
        let class = given[0].ruby_class();
        return fail(format!("join_keys_to_values(): The first argument must be a hash, but a {class} was given."));
    };
    let Value::String(separator) = &given[1] else {
        let class = given[1].ruby_class();
        return fail(format!("join_keys_to_values(): The second argument must be a string, but a {class} was given."));
    };
    let mut result = Vec::new();
    for (key, value) in hash {
        let key = interpolated(key);
        match value {
            Value::Array(elements) => result
                .extend(elements.iter().map(|element| Value::from(format!("{key}{separator}{}", element.to_text())))),
            _ if value.to_text() == "undef" => result.push(Value::from(key)),
            _ => result.push(Value::from(format!("{key}{separator}{}", value.to_text()))),
        }
    }
    Ok(Value::from(result))
}

/// Merges the results of the block for each element; the block receives the merged hash so far.
fn merged_by_block(call: &mut Call<'_>, with_index: bool) -> Outcome {
    let [iterable] = call.arguments else {
        let many = call.arguments.len();
        return fail(format!("wrong number of arguments (given {many}, expected 1)"));
    };
    let pairs = iterable.as_hash().is_some();
    let Some(elements) = iterate(iterable) else {
        return fail(format!("{} is not Iterable", iterable.inspect()));
    };
    let mut merged = Hash::default();
    for (index, element) in elements.enumerate() {
        let so_far = Value::from(merged.clone());
        let arguments = match element.as_array() {
            Some([key, value]) if pairs && with_index => vec![so_far, key.clone(), value.clone()],
            _ if with_index => vec![so_far, Value::from(index), element],
            _ => vec![so_far, element],
        };
        if let Value::Hash(more) = call.yield_block(&arguments)? {
            let mut map = merged.into_map();
            map.extend(more.iter().map(|(key, value)| (key.clone(), value.clone())));
            merged = Hash::from(map);
        }
    }
    Ok(Value::from(merged))
}
