//! Filters that take lists for sets:
//! <https://docs.ansible.com/ansible/latest/playbook_guide/playbooks_filters.html#selecting-from-sets-or-lists-set-theory>.
//! => Filters that treat lists as sets:
//! <https://docs.ansible.com/ansible/latest/playbook_guide/playbooks_filters.html#selecting-from-sets-or-lists-set-theory>.

use std::collections::HashSet;

use hieratic_jinja::extend::filters::arguments::given;
use hieratic_jinja::extend::objects::List;
use hieratic_jinja::extend::python::arithmetic::{self, Operator};
use hieratic_jinja::extend::python::compare::contains_item;
use hieratic_jinja::extend::python::kind::hashable;
use hieratic_jinja::extend::python::{Kind, iterate, kind, type_name};
use hieratic_jinja::extend::{Args, Result, Table, Value, define, error, work};

pub const TABLE: Table = &[
    define("difference", "b", "Returns the items of the list that the other list lacks.", |_, args| {
        apply(args, |in_left, in_right| in_left && !in_right)
    }),
    define("intersect", "b", "Returns the items that both lists have.", |_, args| {
        apply(args, |in_left, in_right| in_left && in_right)
    }),
    define("symmetric_difference", "b", "Returns the items that only one of both lists has.", |_, args| {
        apply(args, |in_left, in_right| in_left != in_right)
    }),
    define("union", "b", "Returns the items of both lists, each once.", |_, args| {
        apply(args, |in_left, in_right| in_left || in_right)
    }),
];

/// The items of both lists that count, each once, in the order in which they come.
fn apply(args: Args, counts: fn(bool, bool) -> bool) -> Result<Value> {
    let [left, right] = args.bind(["a", "b"], 2)?;
    let (left, right) = (given(left), given(right));
    if counts(false, true) {
        // The concatenation checks that both are lists.
        arithmetic::apply(Operator::Add, &left, &right)?;
    }
    let is_unhashable = hashable(&left).is_err();
    let given_right = right;
    let (left, right) = (iterate(&left)?, iterate(&given_right)?);
    let hashed = left.iter().chain(&right).all(|item| hashable(item).is_ok());
    if !hashed {
        work::steps((left.len() + right.len()).saturating_mul(left.len() + right.len()))?;
    }
    let set = |items: &[Value]| if hashed { items.iter().cloned().collect() } else { HashSet::new() };
    let (left_set, right_set) = (set(&left), set(&right));
    let has = |set: &HashSet<Value>, items: &[Value], item: &Value| {
        if hashed { Ok(set.contains(item)) } else { contains_item(items, item) }
    };
    // Python searches the other value for each item, and searches strings only for strings.
    if is_unhashable
        && !counts(false, true)
        && matches!(kind(&given_right)?, Kind::Str(_))
        && let Some(odd) = left.iter().find(|item| !matches!(kind(item), Ok(Kind::Str(_))))
    {
        return Err(error(format!("'in <string>' requires string as left operand, not {}", type_name(odd))));
    }
    let mut seen = HashSet::new();
    let mut out: Vec<Value> = Vec::new();
    for item in left.iter().chain(&right) {
        if !counts(has(&left_set, &left, item)?, has(&right_set, &right, item)?) {
            continue;
        }
        let is_new = if hashed { seen.insert(item.clone()) } else { !contains_item(&out, item)? };
        if is_new {
            out.push(item.clone());
        }
    }
    Ok(List::value(out))
}
