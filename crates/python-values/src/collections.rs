//! Writes collections as Python does, independently of their container types: [`write_list`], [`write_tuple`],
//! [`write_set`], [`write_dict`].

/// Writes a list. `each` writes an element.
///
/// ```
/// let mut out = String::new();
/// let written = hieratic_python_values::write_list(&mut out, ["a", "b"], |out, text| {
///     hieratic_python_values::quote(out, text);
///     Ok::<(), std::fmt::Error>(())
/// });
/// assert_eq!((written, out.as_str()), (Ok(()), "['a', 'b']"));
/// ```
///
/// # Errors
/// `each` fails.
pub fn write_list<T, E>(
    out: &mut String,
    elements: impl IntoIterator<Item = T>,
    each: impl FnMut(&mut String, T) -> Result<(), E>,
) -> Result<(), E> {
    out.push('[');
    write_all(out, elements, each)?;
    out.push(']');
    Ok(())
}

/// Writes a tuple, with a comma after a single element.
///
/// # Errors
/// `each` fails.
pub fn write_tuple<T, E>(
    out: &mut String,
    elements: impl IntoIterator<Item = T>,
    each: impl FnMut(&mut String, T) -> Result<(), E>,
) -> Result<(), E> {
    out.push('(');
    let count = write_all(out, elements, each)?;
    out.push_str(if count == 1 { ",)" } else { ")" });
    Ok(())
}

/// Writes a set.
///
/// # Errors
/// `each` fails.
pub fn write_set<T, E>(
    out: &mut String,
    elements: impl IntoIterator<Item = T>,
    each: impl FnMut(&mut String, T) -> Result<(), E>,
) -> Result<(), E> {
    let start = out.len();
    out.push('{');
    let count = write_all(out, elements, each)?;
    match count {
        0 => out.replace_range(start.., "set()"),
        _ => out.push('}'),
    }
    Ok(())
}

/// Writes a dictionary. `each` writes a key or a value.
///
/// # Errors
/// `each` fails.
pub fn write_dict<T, E>(
    out: &mut String,
    entries: impl IntoIterator<Item = (T, T)>,
    mut each: impl FnMut(&mut String, T) -> Result<(), E>,
) -> Result<(), E> {
    out.push('{');
    write_all(out, entries, |out, (key, value)| {
        each(out, key)?;
        out.push_str(": ");
        each(out, value)
    })?;
    out.push('}');
    Ok(())
}

/// Writes elements with commas between them; how many there are.
fn write_all<T, E>(
    out: &mut String,
    elements: impl IntoIterator<Item = T>,
    mut each: impl FnMut(&mut String, T) -> Result<(), E>,
) -> Result<usize, E> {
    let mut count = 0;
    for element in elements {
        out.push_str(if count > 0 { ", " } else { "" });
        each(out, element)?;
        count += 1;
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collections_have_pythons_repr() {
        let each = |out: &mut String, text: &str| {
            out.push_str(text);
            Ok::<(), std::fmt::Error>(())
        };
        let written = |write: &dyn Fn(&mut String)| {
            let mut out = "x".to_owned();
            write(&mut out);
            out
        };
        for (elements, list, tuple, set) in [
            (&[][..], "x[]", "x()", "xset()"),
            (&["1"], "x[1]", "x(1,)", "x{1}"),
            (&["1", "2"], "x[1, 2]", "x(1, 2)", "x{1, 2}"),
        ] {
            assert_eq!(written(&|out| write_list(out, elements.iter().copied(), each).unwrap_or_default()), list);
            assert_eq!(written(&|out| write_tuple(out, elements.iter().copied(), each).unwrap_or_default()), tuple);
            assert_eq!(written(&|out| write_set(out, elements.iter().copied(), each).unwrap_or_default()), set);
        }
        let pairs = [("a", "1"), ("b", "2")];
        assert_eq!(written(&|out| write_dict(out, pairs, each).unwrap_or_default()), "x{a: 1, b: 2}");
    }
}
