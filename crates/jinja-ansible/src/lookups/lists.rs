//! Lookups that change the form of their terms. => Lookups that return their terms in another form.

use hieratic_jinja::extend::objects::{Dict, Entries, List, Tuple};
use hieratic_jinja::extend::python::kind::{entries, is_sequence};
use hieratic_jinja::extend::python::{Kind, format, iterate, kind, str};
use hieratic_jinja::extend::{Args, Host, Result, Value, define, error, work};
use hieratic_python_values::parse_int;

use super::dependent;
use super::lookup::{Table, flattened};
use crate::cross_product::cross_product;

/// The maximum number of items of a result.
const MAX_ITEMS: usize = 1_000_000;

/// The maximum nesting depth of lists that are flattened.
const MAX_DEPTH: usize = 200;

/// Appends the items of nested lists; in each list, up to an item `None` or `null`.
fn flatten(host: &dyn Host, terms: &[Value], depth: usize, out: &mut Vec<Value>) -> Result<()> {
    if depth > MAX_DEPTH {
        return Err(error(format!("lists nest more than {MAX_DEPTH} levels deep")));
    }
    for term in terms {
        work::elements(1)?;
        let term = host.rendered(term)?;
        match kind(&term)? {
            Kind::Str("None" | "null") => return Ok(()),
            Kind::List => flatten(host, &iterate(&term)?, depth + 1, out)?,
            _ => out.push(term),
        }
    }
    Ok(())
}

pub const TABLE: Table = &[
    define("cartesian", "*lists", "Returns all combinations of one item of each list.", |_, args| {
        if args.positional.is_empty() {
            return Err(error("with_cartesian requires at least one element in each list"));
        }
        let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
        for list in &args.positional {
            rows = cross_product(&rows, &listed(list)?, "the lists have more than", "combinations")?;
        }
        rows.iter().map(|row| flattened(row).map(List::value)).collect()
    }),
    define("dict", "*dictionaries", "Returns the pairs of a dictionary, each with `key` and `value`.", |_, args| {
        let mut out = Vec::new();
        for term in args.positional {
            if !matches!(kind(&term)?, Kind::Dict) {
                return Err(error("with_dict expects a dict"));
            }
            let pair = |(key, value)| Dict::value(Entries::from_iter([("key".into(), key), ("value".into(), value)]));
            out.extend(entries(&term)?.into_iter().map(pair));
        }
        Ok(out)
    }),
    define("flattened", "*lists", "Returns the items of lists, at all depths.", |host, args| {
        let mut out = Vec::new();
        flatten(host, &args.positional, 0, &mut out)?;
        Ok(out)
    }),
    define("indexed_items", "*lists", "Returns each item with its index.", |_, args| {
        let items = flattened(&args.positional)?;
        Ok(items.into_iter().enumerate().map(|(at, item)| Tuple::value(vec![Value::from(at), item])).collect())
    }),
    define("items", "*lists", "Returns the items of lists, to one level.", |_, args| flattened(&args.positional)),
    define("list", "*terms", "Returns its terms.", |_, args| Ok(args.positional)),
    define(
        "dependent",
        "*variables",
        "Returns all combinations of items, where an expression of a later list can use the items before it.",
        dependent::dependent,
    ),
    define("nested", "*lists", "Returns all combinations of one item of each list.", nested),
    define("random_choice", "*items", "Returns one item at random.", |_, args| {
        let items = args.positional;
        match items.get(fastrand::usize(..items.len().max(1))) {
            Some(item) => Ok(vec![item.clone()]),
            None => Ok(Vec::new()),
        }
    }),
    define(
        "sequence",
        "*terms",
        "Returns the numbers of terms such as `start=1 end=9 stride=2 format=%02d`.",
        sequence,
    ),
    define(
        "subelements",
        "list, path, flags={}",
        "Pairs each item with each element of a list within it.",
        |host, args| {
            let mut terms = args.positional.into_iter();
            let (list, path) = (terms.next(), terms.next());
            let flags = terms.next().filter(|flags| matches!(kind(flags), Ok(Kind::Dict)));
            let skip = match &flags {
                Some(flags) => hieratic_jinja::extend::python::kind::element(flags, &Value::from("skip_missing"))?,
                None => None,
            };
            let (Some(list), Some(path)) = (list, path) else {
                return Err(error("subelements lookup expects a list of two or three items"));
            };
            let names = str(&path)?;
            let positional = [list, path].into_iter().chain(skip).collect();
            let pairs = crate::filters::subelements(
                host,
                Args { callee: "subelements".into(), positional, named: Vec::new() },
            )?;
            // The lookup omits the subelements from the result; the filter does not.
            let names: Vec<&str> = names.split('.').collect();
            let pairs = iterate(&pairs)?.into_iter().map(|pair| {
                let mut pair = iterate(&pair)?;
                if let Some(item) = pair.first_mut() {
                    *item = without(item, &names)?;
                }
                Ok(Tuple::value(pair))
            });
            pairs.collect()
        },
    ),
    define("together", "*lists", "Pairs the items of several lists, as many as the longest has.", |_, args| {
        if args.positional.is_empty() {
            return Err(error("with_together requires at least one element in each list"));
        }
        let lists = args.positional.iter().map(listed).collect::<Result<Vec<_>>>()?;
        let length = lists.iter().map(Vec::len).max().unwrap_or(0);
        work::elements(length.saturating_mul(lists.len() + 1))?;
        let row = |at: usize| {
            let items: Vec<Value> =
                lists.iter().map(|list| list.get(at).cloned().unwrap_or_else(|| Value::from(()))).collect();
            flattened(&items).map(List::value)
        };
        (0..length).map(row).collect()
    }),
];

/// Returns a dictionary without the value at a path.
fn without(dict: &Value, path: &[&str]) -> Result<Value> {
    let [name, rest @ ..] = path else {
        return Ok(dict.clone());
    };
    let mut out: Entries = entries(dict)?.into_iter().collect();
    let name = Value::from(*name);
    match out.get(&name) {
        Some(inner) if !rest.is_empty() && matches!(kind(inner)?, Kind::Dict) => {
            let inner = without(inner, rest)?;
            out.insert(name, inner);
        }
        _ => {
            out.shift_remove(&name);
        }
    }
    Ok(Dict::value(out))
}

/// The items of a list, or the keys of a dictionary; another value is the only one.
fn listed(value: &Value) -> Result<Vec<Value>> {
    let has_items = is_sequence(value) || matches!(kind(value)?, Kind::Dict);
    if has_items { iterate(value) } else { Ok(vec![value.clone()]) }
}

/// Every item of each list with every item of the others.
fn nested(_: &dyn Host, args: Args) -> Result<Vec<Value>> {
    if args.positional.is_empty() {
        return Err(error("with_nested requires at least one element in the nested list"));
    }
    // The items of a single list are not in a list yet, so that their own items are taken.
    if let [list] = args.positional.as_slice() {
        let rows = listed(list)?;
        work::elements(rows.len())?;
        return rows.iter().map(|item| iterate(item).map(List::value)).collect();
    }
    let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
    for list in &args.positional {
        rows = cross_product(&rows, &listed(list)?, "the lists have more than", "combinations")?;
    }
    rows.iter().map(|row| flattened(row).map(List::value)).collect()
}

/// Numbers: `start=1 end=5 stride=2 format=web%02d`, or `1-5/2:web%02d`.
fn sequence(_: &dyn Host, args: Args) -> Result<Vec<Value>> {
    let mut out = Vec::new();
    // Named arguments count from ansible-core 2.19 on.
    for term in &args.positional {
        let Kind::Str(text) = kind(term)? else {
            return Err(error(format!("unknown error parsing with_sequence arguments: {}", str(term)?)));
        };
        let mut parts: Vec<(String, String)> = Vec::new();
        if !text.is_empty() && !text.contains('=') {
            let (numbers, layout) = text.split_once(':').unwrap_or((text, ""));
            let (numbers, stride) = numbers.split_once('/').unwrap_or((numbers, ""));
            let (start, end) = numbers.split_once('-').unwrap_or(("", numbers));
            let given = [("start", start), ("end", end), ("stride", stride), ("format", layout)];
            parts.extend(
                given
                    .iter()
                    .filter(|(_, part)| !part.is_empty())
                    .map(|(name, part)| (name.to_string(), part.to_string())),
            );
        } else {
            parts.extend(
                text.split_whitespace()
                    .filter_map(|part| part.split_once('='))
                    .map(|(name, part)| (name.into(), part.into())),
            );
        }
        out.extend(numbers(&parts)?);
        if out.len() > MAX_ITEMS {
            return Err(error(format!("a sequence of more than {MAX_ITEMS} numbers is too long")));
        }
    }
    Ok(out)
}

fn numbers(parts: &[(String, String)]) -> Result<Vec<Value>> {
    let number = |name: &str| match parts.iter().rev().find(|(known, _)| known == name) {
        None => Ok(None),
        Some((_, text)) => match parse_int(text, 0).and_then(|number| i64::try_from(&number).ok()) {
            Some(number) if number.abs() < 1 << 40 => Ok(Some(number)),
            _ => Err(error(format!("can't parse {name}={text} as integer"))),
        },
    };
    if let Some((unknown, _)) =
        parts.iter().find(|(name, _)| !["start", "end", "count", "stride", "format"].contains(&name.as_str()))
    {
        return Err(error(format!("unrecognized arguments to with_sequence: ['{unknown}']")));
    }
    let (start, stride) = (number("start")?.unwrap_or(1), number("stride")?.unwrap_or(1));
    let layout = parts.iter().rev().find(|(name, _)| name == "format").map_or("%d", |(_, layout)| layout);
    let end = match (number("count")?, number("end")?) {
        (None, None) => return Err(error("must specify count or end in with_sequence")),
        (Some(_), Some(_)) => return Err(error("can't specify both count and end in with_sequence")),
        (Some(0), None) => return Ok(Vec::new()),
        (Some(count), None) => start + count * stride - stride.signum(),
        (None, Some(end)) => end,
    };
    if stride > 0 && end < start {
        return Err(error("to count backwards make stride negative"));
    }
    if stride < 0 && end > start {
        return Err(error("to count forward don't make stride negative"));
    }
    if stride == 0 {
        return Ok(Vec::new());
    }
    let count = usize::try_from((end - start) / stride + 1).unwrap_or(0);
    if count > MAX_ITEMS {
        return Err(error(format!("a sequence of more than {MAX_ITEMS} numbers is too long")));
    }
    let item = |at: usize| {
        let number = Value::from(start + i64::try_from(at).unwrap_or(0) * stride);
        format::percent(layout, &Tuple::value(vec![number])).map(Value::from)
    };
    (0..count).map(item).collect()
}
