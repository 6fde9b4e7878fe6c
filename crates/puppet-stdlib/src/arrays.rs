//! Functions for arrays: sets, selection, joining, ranges.

use std::sync::Arc;

use hieratic_puppet_functions::{Call, Dispatch, Doc, EvalError, Function, Outcome, interpolated};
use hieratic_value::ErasedSort as _;
use hieratic_value::{Hash, Value};

use crate::booleans;
use crate::untyped::{arguments, ensure, fail, is_digits, regexp, same, to_i};

/// The maximum number of elements of `range`.
const MOST: usize = 1_000_000;

pub(crate) static FUNCTIONS: &[Function] = &[
    Function::new(
        "any2array",
        Doc::new("Converts anything to an array; a hash becomes alternating keys and values."),
        &[Dispatch::untyped(any2array)],
    ),
    Function::new("clamp", Doc::new("Returns the middle of three values."), &[Dispatch::untyped(clamp)]),
    Function::new("concat", Doc::new("Concatenates arrays."), &[Dispatch::untyped(concat)]),
    Function::new("count", Doc::new("Counts elements, or those equal to a value."), &[Dispatch::untyped(count)]),
    Function::new("delete", Doc::new("Removes an element, a key or a substring."), &[Dispatch::untyped(delete)]),
    Function::new("delete_at", Doc::new("Removes the element at an index."), &[Dispatch::untyped(delete_at)]),
    Function::new(
        "delete_regex",
        Doc::new("Removes matching elements of an array or hash."),
        &[Dispatch::untyped(delete_regex)],
    ),
    Function::new(
        "delete_undef_values",
        Doc::new("Removes undef elements of an array or hash."),
        &[Dispatch::untyped(delete_undef_values)],
    ),
    Function::new(
        "difference",
        Doc::new("Returns the elements of the first array that are not in the second."),
        &[Dispatch::untyped(|call| sets(call, "difference"))],
    ),
    Function::new(
        "grep",
        Doc::new("Returns the matching elements."),
        &[Dispatch::untyped(|call| matching(call, "grep", true))],
    ),
    Function::new(
        "intersection",
        Doc::new("Returns the elements that both arrays contain."),
        &[Dispatch::untyped(|call| sets(call, "intersection"))],
    ),
    Function::new(
        "member",
        Doc::new("Tests whether an array contains all given elements.").example("member(['a', 'b'], 'a') # true"),
        &[Dispatch::untyped(member)],
    ),
    Function::new(
        "pick",
        Doc::new("Returns the first argument that is not empty; fails if all are empty.")
            .example("pick(undef, '', 'a') # 'a'"),
        &[Dispatch::untyped(pick)],
    ),
    Function::new(
        "pick_default",
        Doc::new("Does the same, but returns the last argument if all are empty."),
        &[Dispatch::untyped(pick_default)],
    ),
    Function::new(
        "prefix",
        Doc::new("Prepends a string to every element or key."),
        &[Dispatch::untyped(|call| affix(call, "prefix", |text, affix| format!("{affix}{text}")))],
    ),
    Function::new(
        "range",
        Doc::new("Returns numbers or strings from one to another, in steps."),
        &[Dispatch::untyped(range)],
    ),
    Function::new(
        "reject",
        Doc::new("Returns the elements that do not match."),
        &[Dispatch::untyped(|call| matching(call, "reject", false))],
    ),
    Function::new("reverse", Doc::new("Reverses an array or a string."), &[Dispatch::untyped(reverse)]),
    Function::new(
        "stdlib::sort_by",
        Doc::new("Sorts by the result of a block."),
        &[
            Dispatch::new(&["Array ary", "&Callable[1,1] block"], |call| sorted(call).map(Value::from)),
            Dispatch::new(&["String str", "&Callable[1,1] block"], sort_text),
            Dispatch::new(&["Hash hsh", "&Variant[Callable[1,1], Callable[2,2]] block"], sort_hash),
        ],
    ),
    Function::new(
        "suffix",
        Doc::new("Appends a string to every element or key."),
        &[Dispatch::untyped(|call| affix(call, "suffix", |text, affix| format!("{text}{affix}")))],
    ),
    Function::new("union", Doc::new("Returns the elements of all arrays, each once."), &[Dispatch::untyped(union)]),
    Function::new(
        "values_at",
        Doc::new("Returns the elements at indexes and ranges."),
        &[Dispatch::untyped(values_at)],
    ),
    Function::new("zip", Doc::new("Pairs the elements of arrays."), &[Dispatch::untyped(zip)]),
    Function::new(
        "stdlib::nested_values",
        Doc::new("Returns all values of a hash, at every depth."),
        &[Dispatch::new(&["Hash hash"], |call| {
            let mut found = Vec::new();
            if let Some(hash) = call.arguments.first().and_then(Value::as_hash) {
                nested_values(hash, &mut found);
            }
            Ok(Value::from(found))
        })],
    ),
];

fn any2array(call: &mut Call<'_>) -> Outcome {
    let arguments = arguments(call, "any2array")?;
    Ok(match &arguments[..] {
        [Value::Array(_)] => arguments[0].clone(),
        [Value::String(text)] if text.is_empty() => Value::from(Vec::new()),
        [Value::Hash(hash)] => hash.iter().flat_map(|(key, value)| [key.clone(), value.clone()]).collect(),
        _ => Value::from(arguments),
    })
}

/// Returns the median of three numbers.
fn clamp(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "clamp")?;
    ensure(!given.is_empty(), || "clamp(): Wrong number of arguments given (0 for minimum 1)".into())?;
    let mut values = Vec::new();
    flatten(&given, &mut values);
    ensure(values.len() == 3, || "clamp(): Wrong number of arguments, need three to clamp".into())?;
    for value in &values {
        match value {
            Value::String(text) if !is_digits(text) => {
                return fail(format!("clamp(): Required explicit numeric ({text}:String)"));
            }
            Value::Hash(_) => return fail(format!("clamp(): The Hash type is not allowed ({})", value.inspect())),
            _ => {}
        }
    }
    let mut numbers: Vec<i64> = values.iter().map(to_i).collect();
    numbers.sort_unstable();
    Ok(Value::Integer(numbers[1]))
}

/// Flattens nested arrays.
pub(crate) fn flatten(values: &[Value], into: &mut Vec<Value>) {
    for value in values {
        match value {
            Value::Array(elements) => flatten(elements, into),
            _ => into.push(value.clone()),
        }
    }
}

fn concat(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "concat")?;
    let count = given.len();
    ensure(count >= 2, || format!("concat(): Wrong number of arguments given ({count} for < 2)"))?;
    let Value::Array(first) = &given[0] else { return fail("concat(): Requires array to work with") };
    let mut result = first.to_vec();
    for value in &given[1..] {
        match value {
            Value::Array(elements) => result.extend(elements.iter().cloned()),
            _ => result.push(value.clone()),
        }
    }
    Ok(Value::from(result))
}

fn count(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "count")?;
    let many = given.len();
    ensure(many > 0, || "count(): Wrong number of arguments given (0 for minimum 1)".into())?;
    ensure(many <= 2, || format!("count(): Wrong number of arguments given {many} for 1 or 2."))?;
    let elements: Vec<Value> = match &given[0] {
        Value::Array(elements) => elements.to_vec(),
        Value::Hash(hash) => hash.iter().map(|(key, value)| Value::from(vec![key.clone(), value.clone()])).collect(),
        other => {
            let class = other.ruby_class();
            return fail(format!("count(): Requires an array or a hash to work with, got {class}"));
        }
    };
    let counted = match given.get(1).filter(|item| item.is_truthy()) {
        Some(item) => elements.iter().filter(|element| same(element, item)).count(),
        None => elements.iter().filter(|element| !is_nothing(element)).count(),
    };
    Ok(number(counted))
}

/// Returns whether this module treats the value as nothing.
fn is_nothing(value: &Value) -> bool {
    value.is_undef() || value.as_str() == Some("")
}

fn number(count: usize) -> Value {
    // Collections never have more elements than this.
    Value::from(count)
}

/// Returns the items of the second argument: the elements of an array, or the value itself.
fn items(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(elements) => elements.to_vec(),
        Value::Undef => Vec::new(),
        Value::Hash(hash) => hash.iter().map(|(key, value)| Value::from(vec![key.clone(), value.clone()])).collect(),
        _ => vec![value.clone()],
    }
}

fn delete(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "delete")?;
    let many = given.len();
    ensure(many == 2, || format!("delete(): Wrong number of arguments given {many} for 2"))?;
    let items = items(&given[1]);
    Ok(match &given[0] {
        Value::Array(elements) => {
            elements.iter().filter(|element| !items.iter().any(|item| same(element, item))).cloned().collect()
        }
        Value::Hash(hash) => {
            let kept = hash.iter().filter(|(key, _)| !items.contains(key));
            Value::from(kept.map(|(key, value)| (key.clone(), value.clone())).collect::<Hash>())
        }
        Value::String(text) => {
            let mut text = text.to_string();
            for item in &items {
                let Value::String(item) = item else {
                    let class = item.ruby_class();
                    return fail(format!("no implicit conversion of {class} into String"));
                };
                text = text.replace(&**item, "");
            }
            Value::from(text)
        }
        other => {
            let class = other.ruby_class();
            return fail(format!(
                "delete(): First argument must be an Array, String, or Hash. Given an argument of class {class}."
            ));
        }
    })
}

fn delete_at(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "delete_at")?;
    let many = given.len();
    ensure(many >= 2, || format!("delete_at(): Wrong number of arguments given ({many} for 2)"))?;
    let Value::Array(elements) = &given[0] else { return fail("delete_at(): Requires array to work with") };
    if given[1].as_str().is_some_and(|text| !is_digits(text)) {
        return fail("delete_at(): You must provide non-negative numeric index");
    }
    let (index, size) = (to_i(&given[1]), i64::try_from(elements.len()).unwrap_or(i64::MAX));
    ensure(index < size, || "delete_at(): Given index exceeds size of array given".into())?;
    // A negative index counts from the end; an index before the start is out of range.
    let index = if index < 0 { index + size } else { index };
    let mut result = elements.to_vec();
    if let Ok(index) = usize::try_from(index) {
        result.remove(index);
    }
    Ok(Value::from(result))
}

fn delete_regex(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "delete_regex")?;
    let many = given.len();
    ensure(many == 2, || format!("delete_regex(): Wrong number of arguments given {many} for 2"))?;
    let mut patterns = Vec::new();
    for item in items(&given[1]) {
        patterns.push(regexp(call, &format!("\\b{}\\b", interpolated(&item)))?);
    }
    let hit = |value: &Value| value.as_str().is_some_and(|text| patterns.iter().any(|one| one.is_match(text)));
    match &given[0] {
        Value::Array(elements) => Ok(elements.iter().filter(|element| !hit(element)).cloned().collect()),
        Value::Hash(hash) => {
            let kept = hash.iter().filter(|(key, _)| !hit(key));
            Ok(Value::from(kept.map(|(key, value)| (key.clone(), value.clone())).collect::<Hash>()))
        }
        other => {
            let class = other.ruby_class();
            fail(format!(
                "delete_regex(): First argument must be an Array, Hash, or String. Given an argument of class {class}."
            ))
        }
    }
}

fn delete_undef_values(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "delete_undef_values")?;
    match given.first() {
        None => fail("delete_undef_values(): Wrong number of arguments given (0)"),
        Some(Value::Array(elements)) => Ok(elements.iter().filter(|element| !element.is_undef()).cloned().collect()),
        Some(Value::Hash(hash)) => {
            let kept = hash.iter().filter(|(_, value)| !value.is_undef());
            Ok(Value::from(kept.map(|(key, value)| (key.clone(), value.clone())).collect::<Hash>()))
        }
        Some(other) => {
            let (value, class) = (other.to_text(), other.ruby_class());
            fail(format!("delete_undef_values(): expected an array or hash, got {value} type  {class} "))
        }
    }
}

/// `difference` returns the elements of the first array only, `intersection` the distinct elements of both.
fn sets(call: &mut Call<'_>, function: &str) -> Outcome {
    let given = arguments(call, function)?;
    let many = given.len();
    ensure(many == 2, || format!("{function}(): Wrong number of arguments given ({many} for 2)"))?;
    let (Value::Array(first), Value::Array(second)) = (&given[0], &given[1]) else {
        let got = format!(", got {} and {}", given[0].ruby_class(), given[1].ruby_class());
        let got = if function == "intersection" { &got } else { "" };
        return fail(format!("{function}(): Requires 2 arrays{got}"));
    };
    let others: Hash = second.iter().map(|value| (value.clone(), Value::Undef)).collect();
    if function == "difference" {
        return Ok(first.iter().filter(|value| others.get_value(value).is_none()).cloned().collect());
    }
    let both = first.iter().filter(|value| others.get_value(value).is_some());
    Ok(distinct(both))
}

fn distinct<'a>(values: impl Iterator<Item = &'a Value>) -> Value {
    let seen: Hash = values.map(|value| (value.clone(), Value::Undef)).collect();
    seen.keys().cloned().collect()
}

fn union(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "union")?;
    let many = given.len();
    ensure(many >= 2, || format!("union(): Wrong number of arguments given ({many} for < 2)"))?;
    ensure(given.iter().all(|value| value.as_array().is_some()), || {
        "union(): Every parameter must be an array".into()
    })?;
    Ok(distinct(given.iter().filter_map(Value::as_array).flatten()))
}

fn matching(call: &mut Call<'_>, function: &str, keeps: bool) -> Outcome {
    let given = arguments(call, function)?;
    let many = given.len();
    ensure(many == 2, || format!("{function}(): Wrong number of arguments given {many} for 2"))?;
    let (Value::Array(elements), Value::String(pattern)) = (&given[0], &given[1]) else {
        return fail(format!("{function}(): Requires an array and a pattern to work with"));
    };
    let pattern = regexp(call, pattern)?;
    let hit = |value: &Value| value.as_str().is_some_and(|text| pattern.is_match(text));
    Ok(elements.iter().filter(|element| hit(element) == keeps).cloned().collect())
}

fn member(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "member")?;
    let many = given.len();
    ensure(many >= 2, || format!("member(): Wrong number of arguments given ({many} for 2)"))?;
    let Value::Array(elements) = &given[0] else { return fail("member(): Requires array to work with") };
    let items = match &given[1] {
        Value::String(_) | Value::Integer(_) => vec![given[1].clone()],
        Value::Array(items) => items.to_vec(),
        _ => return fail("member(): Item to search for must be a string, fixnum, or array"),
    };
    ensure(!items.is_empty(), || "member(): You must provide item to search for within array given".into())?;
    Ok(Value::Boolean(items.iter().all(|item| elements.contains(item))))
}

/// Returns whether the value is neither undef nor an empty string.
fn is_present(value: &&Value) -> bool {
    !is_nothing(value)
}

fn pick(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "pick")?;
    match given.iter().find(is_present) {
        Some(value) if !value.to_text().is_empty() => Ok(value.clone()),
        _ => fail("pick(): must receive at least one non empty value"),
    }
}

fn pick_default(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "pick_default")?;
    let Some((default, others)) = given.split_last() else { return fail("Must receive at least one argument.") };
    Ok(others.iter().find(is_present).unwrap_or(default).clone())
}

fn affix(call: &mut Call<'_>, function: &str, join: fn(&str, &str) -> String) -> Outcome {
    let given = arguments(call, function)?;
    let Some(first) = given.first() else {
        return fail(format!("{function}(): Wrong number of arguments given (0 for 1)"));
    };
    if !matches!(first, Value::Array(_) | Value::Hash(_)) {
        let value = first.inspect();
        return fail(format!("{function}(): expected first argument to be an Array or a Hash, got {value}"));
    }
    let affix = match given.get(1).filter(|value| value.is_truthy()) {
        None => "",
        Some(Value::String(affix)) => affix,
        Some(other) => {
            let value = other.inspect();
            return fail(format!("{function}(): expected second argument to be a String, got {value}"));
        }
    };
    let changed = |value: &Value| Value::from(join(&value.to_text(), affix));
    Ok(match first {
        Value::Array(elements) => elements.iter().map(changed).collect(),
        Value::Hash(hash) => {
            Value::from(hash.iter().map(|(key, value)| (changed(key), value.clone())).collect::<Hash>())
        }
        _ => Value::Undef,
    })
}

/// Splits a range at its sign, `..`, `...` or `-`; also returns whether the end is excluded.
fn parts(text: &str, part: impl Fn(char) -> bool) -> Option<(&str, &str, bool)> {
    let end = text.find(|c| !part(c))?;
    let (first, rest) = text.split_at(end);
    let sign = ["...", "..", "-"].into_iter().find(|sign| rest.starts_with(sign))?;
    let last = &rest[sign.len()..];
    let whole = !first.is_empty() && !last.is_empty() && last.chars().all(part);
    whole.then_some((first, last, sign == "..."))
}

fn range(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "range")?;
    let (start, stop, step, exclusive) = match &given[..] {
        [] => return fail("range(): Wrong number of arguments given (0 for 1)"),
        [value] => {
            let text = value.to_text();
            match parts(&text, |c| c.is_ascii_alphanumeric() || c == '_') {
                Some((first, last, exclusive)) => (first.to_owned(), last.to_owned(), 1, exclusive),
                None if text.is_empty() => return fail(format!("range(): Unknown range format: {text}")),
                None => return fail(format!("range(): Unable to compute range from the value: {text}")),
            }
        }
        [start, stop, rest @ ..] => {
            let step = rest.first().map_or(1, |step| to_i(step).unsigned_abs());
            ensure(step != 0, || "range(): 3rd arg (step size) must be a non zero integer (e.g. 1 or -1)".into())?;
            (start.to_text(), stop.to_text(), step, false)
        }
    };
    let step = usize::try_from(step).unwrap_or(usize::MAX);
    if is_digits(&start) {
        let (first, last) = (to_i(&Value::from(start)), to_i(&Value::from(stop)));
        let last = if exclusive { last.saturating_sub(1) } else { last };
        return Ok((first..=last).step_by(step).take(MOST).map(Value::Integer).collect());
    }
    let all = texts_between(&start, &stop, exclusive)?;
    Ok(all.into_iter().step_by(step).map(Value::from).collect())
}

/// Returns the strings between two others in Ruby's succession: `a` to `z`, `az` to `ba`, `host09` to `host10`.
fn texts_between(start: &str, stop: &str, exclusive: bool) -> Result<Vec<String>, EvalError> {
    let mut all = Vec::new();
    let mut current = start.to_owned();
    if start.len() > stop.len() || start > stop && !is_digits(stop) {
        return Ok(all);
    }
    loop {
        let last = current == stop;
        if last && exclusive {
            break;
        }
        all.push(current.clone());
        if last || all.len() >= MOST {
            break;
        }
        current = successor(&current);
        if current.len() > stop.len() {
            break;
        }
    }
    Ok(all)
}

/// Returns the successor of a string: the last letter or digit is incremented, with a carry to the left.
fn successor(text: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let Some(last) = characters.iter().rposition(char::is_ascii_alphanumeric) else {
        if let Some(last) = characters.last_mut() {
            *last = char::from_u32(u32::from(*last) + 1).unwrap_or(char::MAX);
        }
        return characters.into_iter().collect();
    };
    let mut at = last;
    loop {
        let (next, carry) = match characters[at] {
            'z' => ('a', Some('a')),
            'Z' => ('A', Some('A')),
            '9' => ('0', Some('1')),
            // ASCII letters and digits have a successor.
            other => (char::from_u32(u32::from(other) + 1).unwrap_or(other), None),
        };
        characters[at] = next;
        let Some(carry) = carry else { break };
        match characters[..at].iter().rposition(char::is_ascii_alphanumeric) {
            Some(before) => at = before,
            None => {
                characters.insert(at, carry);
                break;
            }
        }
    }
    characters.into_iter().collect()
}

fn reverse(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "reverse")?;
    match given.first() {
        None => fail("reverse(): Wrong number of arguments given (0 for 1)"),
        Some(Value::Array(elements)) => Ok(elements.iter().rev().cloned().collect()),
        Some(Value::String(text)) => Ok(Value::from(text.chars().rev().collect::<String>())),
        Some(_) => fail("reverse(): Requires either array or string to work with"),
    }
}

/// Returns the indexes of an argument: numbers, and ranges as strings.
fn values_at(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "values_at")?;
    let many = given.len();
    ensure(many >= 2, || format!("values_at(): Wrong number of arguments given ({many} for 2)"))?;
    let Value::Array(elements) = &given[0] else { return fail("values_at(): Requires array to work with") };
    let mut indices = Vec::new();
    flatten(&given[1..2], &mut indices);
    ensure(!indices.is_empty(), || "values_at(): You must provide at least one positive index to collect".into())?;
    let last = i64::try_from(elements.len()).unwrap_or(i64::MAX) - 1;
    let mut result = Vec::new();
    for index in &indices {
        let text = index.to_text();
        let (start, stop) = match parts(&text, |c| c.is_ascii_digit()) {
            Some((start, stop, exclusive)) => {
                let (start, stop) = (to_i(&Value::from(start)), to_i(&Value::from(stop)));
                ensure(start <= stop, || {
                    "values_at(): Stop index in given indices range is smaller than the start index".into()
                })?;
                ensure(stop <= last, || "values_at(): Stop index in given indices range exceeds array size".into())?;
                (start, if exclusive { stop - 1 } else { stop })
            }
            None => {
                ensure(is_digits(&text), || "values_at(): Unknown format of given index".into())?;
                let index = to_i(&Value::from(text));
                ensure(index <= last, || "values_at(): Given index exceeds array size".into())?;
                (index, index)
            }
        };
        let picked = (start..=stop).filter_map(|index| elements.get(usize::try_from(index).ok()?));
        result.extend(picked.filter(|value| !value.is_undef()).cloned());
    }
    Ok(Value::from(result))
}

fn zip(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "zip")?;
    let many = given.len();
    ensure(many >= 2, || format!("zip(): Wrong number of arguments given ({many} for 2)"))?;
    let (Value::Array(first), Value::Array(second)) = (&given[0], &given[1]) else {
        return fail("zip(): Requires array to work with");
    };
    let flat = match given.get(2).filter(|value| value.is_truthy()) {
        Some(value) => booleans::parse_bool(value)?,
        None => false,
    };
    let others = second.iter().cloned().chain(std::iter::repeat(Value::Undef));
    let pairs: Vec<Value> = first.iter().cloned().zip(others).map(|(a, b)| Value::from(vec![a, b])).collect();
    if !flat {
        return Ok(Value::from(pairs));
    }
    let mut result = Vec::new();
    flatten(&pairs, &mut result);
    Ok(Value::from(result))
}

fn nested_values(hash: &Hash, into: &mut Vec<Value>) {
    for (_, value) in hash {
        match value {
            Value::Hash(inner) => nested_values(inner, into),
            _ => into.push(value.clone()),
        }
    }
}

/// Sorts the elements of the first argument by the result of the block for each.
fn sorted(call: &mut Call<'_>) -> Result<Vec<Value>, hieratic_puppet_functions::Flow> {
    let elements: Arc<[Value]> = match call.arguments.first() {
        Some(Value::Array(elements)) => elements.iter().cloned().collect(),
        Some(Value::String(text)) => text.chars().map(|c| Value::from(c.to_string())).collect(),
        Some(Value::Hash(hash)) => {
            hash.iter().map(|(key, value)| Value::from(vec![key.clone(), value.clone()])).collect()
        }
        _ => Arc::new([]),
    };
    let two = call.block.is_some_and(|block| block.0.parameter_names().len() == 2);
    let mut keyed = Vec::with_capacity(elements.len());
    for element in elements.iter() {
        let key = match element.as_array().filter(|_| two) {
            Some(pair) => call.yield_block(pair)?,
            None => call.yield_block(std::slice::from_ref(element))?,
        };
        keyed.push((key, element.clone()));
    }
    // If keys cannot be compared, the error names the first such pair of neighbors.
    for pair in keyed.windows(2) {
        if let [(left, _), (right, _)] = pair
            && left.compare(right).is_none()
        {
            let special = matches!(right, Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_));
            let shown = if special { right.inspect() } else { right.ruby_class().to_owned() };
            return fail(format!("comparison of {} with {shown} failed", left.ruby_class()));
        }
    }
    keyed.sort_erased_by(|(left, _), (right, _)| left.compare(right).unwrap_or(std::cmp::Ordering::Equal));
    Ok(keyed.into_iter().map(|(_, element)| element).collect())
}

fn sort_text(call: &mut Call<'_>) -> Outcome {
    Ok(Value::from(sorted(call)?.iter().map(Value::to_text).collect::<String>()))
}

fn sort_hash(call: &mut Call<'_>) -> Outcome {
    let pairs = sorted(call)?;
    let pairs = pairs.iter().filter_map(Value::as_array).filter_map(|pair| match pair {
        [key, value] => Some((key.clone(), value.clone())),
        _ => None,
    });
    Ok(Value::from(pairs.collect::<Hash>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_counted_as_ruby_does() {
        for (text, next) in [("a", "b"), ("az", "ba"), ("zz", "aaa"), ("host09", "host10"), ("a9", "b0"), ("Zz", "AAa")]
        {
            assert_eq!(successor(text), next);
        }
    }

    #[test]
    fn ranges_are_of_three_kinds() {
        let word = |c: char| c.is_ascii_alphanumeric();
        assert_eq!(parts("a..c", word), Some(("a", "c", false)));
        assert_eq!(parts("1...3", word), Some(("1", "3", true)));
        assert_eq!(parts("1-3", word), Some(("1", "3", false)));
        assert_eq!(parts("13", word), None);
    }
}
