//! Sorting as the reference's Ruby sorts: the C library's merge sort, and its messages for values without an order.

use std::cmp::Ordering;

use hieratic_value::Value;

use crate::Error;
use crate::codes;

/// Sorts in place by the values that `value_of` returns. Values without an order are an error, which names the first
/// such pair, as in Ruby.
pub(super) fn sort<T: Clone>(elements: &mut Vec<T>, value_of: impl Fn(&T) -> Value) -> Result<(), Error> {
    let mut keyed: Vec<(Value, T)> = elements.drain(..).map(|element| (value_of(&element), element)).collect();
    merge_sort(&mut keyed)?;
    elements.extend(keyed.into_iter().map(|(_, element)| element));
    Ok(())
}

fn merge_sort<T: Clone>(elements: &mut [(Value, T)]) -> Result<(), Error> {
    if elements.len() < 2 {
        return Ok(());
    }
    let (left, right) = elements.split_at_mut(elements.len() / 2);
    merge_sort(left)?;
    merge_sort(right)?;
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut l, mut r) = (0, 0);
    while l < left.len() && r < right.len() {
        if compare(&left[l].0, &right[r].0)? == Ordering::Greater {
            merged.push(right[r].clone());
            r += 1;
        } else {
            merged.push(left[l].clone());
            l += 1;
        }
    }
    merged.extend_from_slice(&left[l..]);
    merged.extend_from_slice(&right[r..]);
    elements.clone_from_slice(&merged);
    Ok(())
}

fn compare(a: &Value, b: &Value) -> Result<Ordering, Error> {
    a.compare(b).ok_or_else(|| {
        let other = match b {
            Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => b.inspect(),
            _ => b.ruby_class().into(),
        };
        Error::fatal(codes::MERGE_SORT, format!("comparison of {} with {other} failed", a.ruby_class()))
            .with_quoted_value()
            .help("sort_merged_arrays needs elements of one kind: all strings or all numbers")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_strings_sort_alone_but_not_together() {
        let mut numbers = vec![Value::from(3), Value::from(1.5), Value::from(2)];
        sort(&mut numbers, Value::clone).unwrap();
        assert_eq!(numbers, [Value::from(1.5), Value::from(2), Value::from(3)]);
        let mixed = sort(&mut vec![Value::from("a"), Value::from(1)], Value::clone);
        assert!(mixed.is_err_and(|error| error.to_string() == "comparison of String with 1 failed"));
        let mixed = sort(&mut vec![Value::from(1), Value::from("a")], Value::clone);
        assert!(mixed.is_err_and(|error| error.to_string() == "comparison of Integer with String failed"));
    }
}
