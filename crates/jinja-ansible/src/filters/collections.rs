//! Filters of lists and dictionaries.

use hieratic_jinja::extend::filters::arguments::{as_flag, as_index, as_text, given};
use hieratic_jinja::extend::filters::{extreme, key_of};
use hieratic_jinja::extend::objects::{Dict, Entries, List, Tuple};
use hieratic_jinja::extend::python::compare::contains_item;
use hieratic_jinja::extend::python::kind::{element, entries, hashable, is_sequence, truth};
use hieratic_jinja::extend::python::{Budget, Kind, iterate, kind, repr, str, type_name};
use hieratic_jinja::extend::{Args, Host, Result, Table, Value, define, error, work};

use crate::cross_product::cross_product;
use crate::random::Random;

/// The longest list of combinations.
const MAX_ITEMS: usize = 1_000_000;

pub const TABLE: Table = &[
    define("combinations", "r", "Returns all combinations of this many items.", |_, args| combinations(args, false)),
    define("permutations", "r=None", "Returns all orders of this many items.", |_, args| combinations(args, true)),
    define(
        "dict2items",
        "key_name='key', value_name='value'",
        "Converts a dictionary to a list of dictionaries with `key` and `value`.",
        dict2items,
    ),
    define(
        "extract",
        "container, morekeys=None",
        "Returns the element of a container at this key, and the one within it at `morekeys`.",
        extract,
    ),
    define(
        "flatten",
        "levels=None, skip_nulls=True",
        "Replaces lists within the list by their items, to this depth.",
        flatten,
    ),
    define(
        "items2dict",
        "key_name='key', value_name='value'",
        "Converts a list of dictionaries with `key` and `value` to a dictionary.",
        items2dict,
    ),
    define(
        "max",
        "case_sensitive=False, attribute=None",
        "Returns the greatest item, or the item with the greatest attribute.",
        |host, args| extreme(host, args, "max", "a"),
    ),
    define(
        "min",
        "case_sensitive=False, attribute=None",
        "Returns the smallest item, or the item with the smallest attribute.",
        |host, args| extreme(host, args, "min", "a"),
    ),
    define("product", "*iterables, repeat=1", "Returns all combinations of one item of each list.", product),
    define(
        "random",
        "start=None, step=None, seed=None",
        "Returns one item at random; of a number, one of the numbers below it.",
        random,
    ),
    define(
        "rekey_on_member",
        "key, duplicates='error'",
        "Converts a list of dictionaries to a dictionary whose keys are a member of each.",
        rekey,
    ),
    define("shuffle", "seed=None", "Returns the items in random order, in the same order for the same seed.", shuffle),
    define(
        "subelements",
        "subelements, skip_missing=False",
        "Pairs each item with each element of a list within it.",
        subelements,
    ),
    define("zip", "*iterables", "Pairs the items of several lists, as many as the shortest has.", |_, args| {
        zip(args, false)
    }),
    define(
        "zip_longest",
        "*iterables, fillvalue=None",
        "Pairs the items of several lists, as many as the longest has.",
        |_, args| zip(args, true),
    ),
    define(
        "unique",
        "case_sensitive=None, attribute=None",
        "Returns each item once, by an attribute if one is named.",
        unique,
    ),
];

/// Creates a random generator with a seed, or with an unpredictable one.
fn generator(seed: Option<Value>) -> Result<Random> {
    hieratic_jinja::extend::work::steps(1_000)?;
    seed.filter(|seed| !seed.is_none()).map_or_else(|| Ok(Random::unseeded()), |seed| Random::seeded(&seed))
}

fn random(_: &dyn Host, args: Args) -> Result<Value> {
    let [end, start, step, seed] = args.bind(["end", "start", "step", "seed"], 1)?;
    let mut random = generator(seed)?;
    let end = given(end);
    let is_given = |value: &Option<Value>| value.as_ref().map_or(Ok(false), truth);
    let (has_start, has_step) = (is_given(&start)?, is_given(&step)?);
    if let Kind::Int(_) | Kind::Bool(_) = kind(&end)? {
        let end = hieratic_jinja::extend::python::number::index(&end)?;
        let start = as_index(start.filter(|_| has_start), 0)?;
        let step = as_index(step.filter(|_| has_step), 1)?;
        let distance = if step > 0 { end.saturating_sub(start) } else { start.saturating_sub(end) };
        let count = distance.max(0).saturating_add(step.saturating_abs() - 1) / step.saturating_abs().max(1);
        return match u64::try_from(count) {
            Ok(count) if count > 0 => {
                let at = i64::try_from(random.below(count)).unwrap_or(0);
                Ok(Value::from(start.saturating_add(at.saturating_mul(step))))
            }
            _ => Err(error(format!("empty range for randrange() ({start}, {end}, {step})"))),
        };
    }
    let items = iterate(&end).map_err(|_| error("random can only be used on sequences and integers"))?;
    if let Kind::Dict | Kind::Set(_) = kind(&end)? {
        return Err(error(format!("random cannot choose an item of a {} by its index", type_name(&end))));
    }
    if has_start || has_step {
        return Err(error("start and step can only be used with integer values"));
    }
    if items.is_empty() {
        return Err(error("Cannot choose from an empty sequence"));
    }
    Ok(items.get(random.index(items.len())).cloned().unwrap_or_default())
}

fn shuffle(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, seed] = args.bind(["mylist", "seed"], 1)?;
    // A value that is not iterable is returned unchanged, and an invalid seed keeps the order of the list.
    let value = given(value);
    let Ok(mut items) = iterate(&value) else { return Ok(value) };
    let seed = match seed {
        Some(seed) if truth(&seed)? => Some(seed),
        _ => None,
    };
    work::steps(items.len())?;
    if let Ok(mut random) = generator(seed) {
        random.shuffle(&mut items);
    }
    Ok(List::value(items))
}

fn unique(host: &dyn Host, args: Args) -> Result<Value> {
    let [value, sensitive, path] = args.bind(["a", "case_sensitive", "attribute"], 1)?;
    let path = path.filter(|path| !path.is_none());
    // Without an explicit `case_sensitive`, Ansible's own implementation is tried after Jinja2's, which needs hashable
    // items.
    let (sensitive, is_jinja) = match sensitive.filter(|sensitive| !sensitive.is_none()) {
        Some(sensitive) => (
            truth(&sensitive)?,
            sensitive.kind() == hieratic_jinja::extend::minijinja::value::ValueKind::Bool && !truth(&sensitive)?,
        ),
        None => (false, false),
    };
    let items = iterate(&given(value))?;
    let keys: Result<Vec<Value>> = items.iter().map(|item| key_of(host, item, path.as_ref(), sensitive)).collect();
    let keys = keys?;
    let all_hashable = keys.iter().all(|key| hashable(key).is_ok() && !key.is_undefined());
    if !all_hashable && (is_jinja || path.is_some()) {
        let message = "Jinja2's unique filter failed and we cannot fall back to Ansible's version as it does not support the \
                       parameters supplied.";
        return Err(error(message));
    }
    let mut seen = std::collections::HashSet::new();
    let mut seen_others: Vec<Value> = Vec::new();
    let mut out = Vec::new();
    for (item, key) in items.into_iter().zip(keys) {
        let is_new = if all_hashable {
            seen.insert(key)
        } else {
            work::steps(seen_others.len())?;
            let key = if path.is_none() { item.clone() } else { key };
            let is_new = !contains_item(&seen_others, &key)?;
            seen_others.push(key);
            is_new
        };
        if is_new {
            out.push(item);
        }
    }
    Ok(List::value(out))
}

fn dict2items(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, key_name, value_name] = args.bind(["mydict", "key_name", "value_name"], 1)?;
    let value = given(value);
    if !matches!(kind(&value)?, Kind::Dict) {
        let name = type_name(&value);
        return Err(error(format!("dict2items requires a dictionary, got <class '{name}'> instead.")));
    }
    let (key_name, value_name) = (key_name.unwrap_or("key".into()), value_name.unwrap_or("value".into()));
    hashable(&key_name).and(hashable(&value_name))?;
    let item = |(key, item)| Dict::value(Entries::from_iter([(key_name.clone(), key), (value_name.clone(), item)]));
    Ok(List::value(entries(&value)?.into_iter().map(item).collect()))
}

fn items2dict(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, key_name, value_name] = args.bind(["mylist", "key_name", "value_name"], 1)?;
    let value = given(value);
    if !is_sequence(&value) {
        let name = type_name(&value);
        return Err(error(format!("items2dict requires a list, got <class '{name}'> instead.")));
    }
    let (key_name, value_name) = (key_name.unwrap_or("key".into()), value_name.unwrap_or("value".into()));
    let mut out = Entries::new();
    for item in iterate(&value)? {
        let part = |name: &Value| match kind(&item)? {
            Kind::Dict => element(&item, name)?.ok_or_else(|| {
                let (key, value, list) = (repr(&key_name), repr(&value_name), repr(&value));
                error(format!(
                    "items2dict requires each dictionary in the list to contain the keys {} and {}, got {} instead.",
                    key.unwrap_or_default(),
                    value.unwrap_or_default(),
                    list.unwrap_or_default()
                ))
            }),
            // An index selects an element of a pair.
            Kind::List | Kind::Tuple(_) | Kind::Str(_) if name.as_i64().is_some() => {
                hieratic_jinja::extend::python::index::item(&item, name)?
                    .ok_or_else(|| error("list index out of range"))
            }
            _ => Err(error(format!("items2dict requires a list of dictionaries, got {} instead.", repr(&value)?))),
        };
        let key = part(&key_name)?;
        hashable(&key)?;
        out.insert(key, part(&value_name)?);
    }
    Ok(Dict::value(out))
}

fn extract(host: &dyn Host, args: Args) -> Result<Value> {
    let [key, container, more] = args.bind(["item", "container", "morekeys"], 2)?;
    let mut keys = vec![given(key)];
    match more.filter(|more| !more.is_none()) {
        Some(more) if is_sequence(&more) => keys.extend(iterate(&more)?),
        more => keys.extend(more),
    }
    keys.iter().try_fold(given(container), |value, key| host.item(&value, key))
}

fn flatten(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, levels, skip_nulls] = args.bind(["mylist", "levels", "skip_nulls"], 1)?;
    let levels = levels.filter(|levels| !levels.is_none());
    let levels = levels.map(|levels| hieratic_jinja::extend::python::number::index(&levels)).transpose()?;
    let skip_nulls = as_flag(skip_nulls, true)?;
    let mut out = Vec::new();
    flatten_into(&given(value), levels, skip_nulls, &mut out, 100, &Budget::new())?;
    Ok(List::value(out))
}

fn flatten_into(
    value: &Value,
    levels: Option<i64>,
    skip: bool,
    out: &mut Vec<Value>,
    depth: usize,
    budget: &Budget,
) -> Result<()> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(error("maximum recursion depth exceeded"));
    };
    for item in iterate(value)? {
        budget.step()?;
        let is_null = item.is_none() || matches!(item.as_str(), Some("None" | "null"));
        if skip && is_null {
            continue;
        }
        if is_sequence(&item) && levels.is_none_or(|levels| levels >= 1) {
            flatten_into(&item, levels.map(|levels| levels - 1), skip, out, depth, budget)?
        } else {
            out.push(item)
        }
        if out.len() > MAX_ITEMS {
            return Err(error("the list is too long"));
        }
    }
    Ok(())
}

fn zip(args: Args, longest: bool) -> Result<Value> {
    let mut args = args;
    let fill = if longest { args.take("fillvalue") } else { None }.unwrap_or_else(|| Value::from(()));
    args.only(&[])?;
    let lists = args.positional.iter().map(iterate).collect::<Result<Vec<Vec<Value>>>>()?;
    let lengths = lists.iter().map(Vec::len);
    let length = if longest { lengths.max() } else { lengths.min() }.unwrap_or(0);
    work::elements(length.saturating_mul(lists.len() + 1))?;
    let row = |at: usize| {
        Tuple::value(lists.iter().map(|list| list.get(at).cloned().unwrap_or_else(|| fill.clone())).collect())
    };
    Ok(List::value((0..length).map(row).collect()))
}

fn product(_: &dyn Host, args: Args) -> Result<Value> {
    args.only(&["repeat"])?;
    let mut args = args;
    let repeat = usize::try_from(as_index(args.take("repeat"), 1)?).unwrap_or(0).min(64);
    let lists = args.positional.iter().map(iterate).collect::<Result<Vec<Vec<Value>>>>()?;
    let mut rows = vec![Vec::new()];
    for list in lists.iter().cycle().take(lists.len() * repeat) {
        rows = cross_product(&rows, list, "the product has more than", "elements")?;
    }
    Ok(List::value(rows.into_iter().map(Tuple::value).collect()))
}

fn combinations(args: Args, ordered: bool) -> Result<Value> {
    let [value, size] = args.bind(["iterable", "r"], if ordered { 1 } else { 2 })?;
    let items = iterate(&given(value))?;
    if let Some(size) = size.as_ref().filter(|size| !ordered && size.is_none()) {
        return Err(error(format!("'{}' object cannot be interpreted as an integer", type_name(size))));
    }
    let default = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let Ok(size) = usize::try_from(as_index(size, default)?) else {
        return Err(error("r must be non-negative"));
    };
    let mut out = Vec::new();
    if size > items.len() {
        return Ok(List::value(out));
    }
    // There is one way to take all, which is found without going as deep as there are items.
    if size == items.len() && !ordered {
        work::elements(size)?;
        out.push(Tuple::value(items));
        return Ok(List::value(out));
    }
    if size > 64 || (ordered && size > 12) {
        return Err(error(format!("there are more than {MAX_ITEMS} combinations")));
    }
    let mut chosen = Vec::new();
    choose(&items, size, ordered, &mut chosen, &mut out)?;
    Ok(List::value(out))
}

/// Adds all combinations that extend the chosen items.
fn choose(items: &[Value], size: usize, ordered: bool, chosen: &mut Vec<usize>, out: &mut Vec<Value>) -> Result<()> {
    if chosen.len() == size {
        if out.len() >= MAX_ITEMS {
            return Err(error(format!("there are more than {MAX_ITEMS} combinations")));
        }
        work::elements(size + 2)?;
        out.push(Tuple::value(chosen.iter().filter_map(|at| items.get(*at).cloned()).collect()));
        return Ok(());
    }
    let missing = size - chosen.len();
    let (from, to) = match (ordered, chosen.last()) {
        (false, Some(last)) => (last + 1, items.len() - missing + 1),
        (false, None) => (0, items.len() - missing + 1),
        (true, _) => (0, items.len()),
    };
    work::steps(to.saturating_sub(from))?;
    for at in from..to {
        if ordered && chosen.contains(&at) {
            continue;
        }
        chosen.push(at);
        choose(items, size, ordered, chosen, out)?;
        chosen.pop();
    }
    Ok(())
}

/// The filter `rekey_on_member`.
fn rekey(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, key, duplicates] = args.bind(["data", "key", "duplicates"], 2)?;
    let (value, key) = (given(value), given(key));
    let duplicates = duplicates.map_or(Ok("error".into()), |mode| as_text(&Some(mode)))?;
    if !matches!(duplicates.as_str(), "error" | "overwrite") {
        return Err(error(format!("duplicates parameter to rekey_on_member has unknown value: {duplicates}")));
    }
    let items: Vec<Value> = match kind(&value)? {
        Kind::Dict => entries(&value)?.into_iter().map(|(_, item)| item).collect(),
        Kind::List | Kind::Tuple(_) => iterate(&value)?,
        _ => return Err(error("Type is not a valid list, set, or dict")),
    };
    let mut out = Entries::new();
    for item in items {
        if !matches!(kind(&item)?, Kind::Dict) {
            return Err(error("List item is not a valid dict"));
        }
        let Some(found) = element(&item, &key)? else {
            return Err(error(format!("Key {} was not found", str(&key)?)));
        };
        hashable(&found)?;
        let there = out.get(&found).is_some_and(|value: &Value| truth(value).unwrap_or(true));
        if there && duplicates == "error" {
            return Err(error(format!("Key {} is not unique, cannot correctly turn into dict", str(&found)?)));
        }
        out.insert(found, item);
    }
    Ok(Dict::value(out))
}

/// Returns the filter `subelements`, which is a lookup too.
pub fn subelements(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, path, skip] = args.bind(["obj", "subelements", "skip_missing"], 2)?;
    let (value, skip) = (given(value), as_flag(skip, false)?);
    let items = match kind(&value)? {
        Kind::Dict => entries(&value)?.into_iter().map(|(_, item)| item).collect(),
        Kind::List => iterate(&value)?,
        _ => return Err(error("obj must be a list of dicts or a nested dict")),
    };
    let path = given(path);
    let path: Vec<Value> = match kind(&path)? {
        Kind::Str(path) => path.split('.').map(Value::from).collect(),
        Kind::List | Kind::Tuple(_) => iterate(&path)?,
        _ => return Err(error("subelements must be a list or a string")),
    };
    let mut out = Vec::new();
    for item in items {
        let mut values = item.clone();
        for part in &path {
            let found = match kind(&values)? {
                Kind::Dict => element(&values, part)?,
                _ => return Err(error(format!("the key {} should point to a dictionary", str(part)?))),
            };
            values = match found {
                Some(found) => found,
                None if skip => List::value(Vec::new()),
                None => {
                    let (part, item) = (str(part)?, repr(&item)?);
                    return Err(error(format!("could not find '{part}' key in iterated item '{item}'")));
                }
            };
            if is_sequence(&values) {
                break;
            }
        }
        if !is_sequence(&values) {
            let part = path.last().map_or(Ok(String::new()), str)?;
            return Err(error(format!("the key {part} should point to a list, got '{}'", str(&values)?)));
        }
        for part in iterate(&values)? {
            out.push(Tuple::value(vec![item.clone(), part]));
        }
    }
    Ok(List::value(out))
}
