//! [`group_by`](https://www.puppet.com/docs/puppet/8/function.html#group-by) and
//! [`partition`](https://www.puppet.com/docs/puppet/8/function.html#partition)

use hieratic_value::collections::FixedState;
use hieratic_value::{Hash, Value};
use indexmap::IndexMap;

use crate::{Call, Dispatch, Doc, Flow, Function, Outcome};

use super::pair;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::new(
        "group_by",
        Doc::new("The elements, grouped by the result of the block.").example("[1, 2, 3].group_by |$n| { $n % 2 }"),
        &[
            Dispatch::new(&["Collection collection", "&Callable[1,1] block"], |call| group_by(call, call_with_element)),
            Dispatch::new(&["Array array", "&Callable[2,2] block"], |call| group_by(call, call_with_index)),
            Dispatch::new(&["Collection collection", "&Callable[2,2] block"], |call| group_by(call, call_with_index)),
        ],
    ),
    Function::new(
        "partition",
        Doc::new("The elements for which the block is true, and the others.")
            .example("[1, 2].partition |$n| { $n > 1 } # [[2], [1]]"),
        &[
            Dispatch::new(&["Collection collection", "&Callable[1,1] block"], |call| {
                partition(call, call_with_element)
            }),
            Dispatch::new(&["Array array", "&Callable[2,2] block"], |call| partition(call, call_with_index)),
            Dispatch::new(&["Collection collection", "&Callable[2,2] block"], |call| partition(call, call_with_index)),
        ],
    ),
];

/// Calls the block for an element.
type BlockCall = fn(&mut Call<'_>, usize, &Value) -> Outcome;

fn call_with_element(call: &mut Call<'_>, _index: usize, element: &Value) -> Outcome {
    call.yield_block(std::slice::from_ref(element))
}

fn call_with_index(call: &mut Call<'_>, index: usize, element: &Value) -> Outcome {
    let spread = matches!(call.arguments[0], Value::Hash(_));
    call.yield_block(&pair(spread, index, element.clone()))
}

/// Groups the elements by the result of the block.
fn group_by(call: &mut Call<'_>, ask: BlockCall) -> Outcome {
    let mut groups: IndexMap<Value, Vec<Value>, FixedState> = IndexMap::default();
    for_each(call, "group_by", ask, |answer, element| groups.entry(answer).or_default().push(element))?;
    let groups = groups.into_iter().map(|(answer, elements)| (answer, Value::from(elements)));
    Ok(Value::from(groups.collect::<Hash>()))
}

/// Splits the elements into those for which the block is true, and the others.
fn partition(call: &mut Call<'_>, ask: BlockCall) -> Outcome {
    let (mut yes, mut no) = (Vec::new(), Vec::new());
    for_each(call, "partition", ask, |answer, element| {
        if answer.is_truthy() { &mut yes } else { &mut no }.push(element)
    })?;
    Ok(Value::from(vec![Value::from(yes), Value::from(no)]))
}

fn for_each(
    call: &mut Call<'_>,
    function: &str,
    ask: BlockCall,
    mut found: impl FnMut(Value, Value),
) -> Result<(), Flow> {
    for (index, element) in call.sequence(function, 0)?.walk().enumerate() {
        found(ask(call, index, &element)?, element);
    }
    Ok(())
}
