//! [`Outline`]: source of the prelude without the bodies of its methods.
//!
//! An interpreter needs the names of all methods, and the code of few. Methods are found by their indentation, which
//! the prelude keeps to: a method begins with `def` and ends with the first `end` that is indented as much. =>
//! [`Outline`]: source of the prelude without the bodies of its methods.
//!
//! An interpreter needs the names of all methods, and the code of few. Methods are found by their indentation, which is
//! consistent in the prelude: a method begins with `def` and ends with the first `end` of equal indentation.

use hieratic_value::collections::HashMap;

/// Source in which the methods have their names and parameters, and nothing between them and their `end`.
pub(super) struct Outline {
    /// The source. Each line has the number that it has in the whole source.
    pub source: String,
    /// The whole methods, by the lines where they begin, counted from 1.
    pub methods: HashMap<u32, &'static str>,
}

impl Outline {
    pub fn new(source: &'static str) -> Outline {
        let mut outline = Outline { source: String::with_capacity(source.len()), methods: HashMap::default() };
        let mut rest = source;
        let mut line = 1;
        while let Some((first, after)) = split_line(rest) {
            outline.source.push_str(first);
            match method_length(first, after) {
                Some(length) => {
                    let (body, end) = after.split_at(length);
                    outline.methods.insert(line, &rest[..first.len() + length + end_of(first).len()]);
                    let lines = body.matches('\n').count();
                    outline.source.extend(std::iter::repeat_n('\n', lines));
                    line += 1 + lines as u32;
                    rest = end;
                }
                None => {
                    line += 1;
                    rest = after;
                }
            }
        }
        outline
    }
}

/// Splits off a line with its end.
fn split_line(source: &'static str) -> Option<(&'static str, &'static str)> {
    let length = source.find('\n').map_or(source.len(), |at| at + 1);
    (length > 0).then(|| source.split_at(length))
}

fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches(' ').len()]
}

/// The line that ends a method which begins with a line.
fn end_of(first: &str) -> String {
    format!("{}end", indentation(first))
}

/// Returns the length of the body of a method. `None` if the line does not begin one, or if the method ends in its first
/// line.
fn method_length(first: &str, after: &'static str) -> Option<usize> {
    if !first.trim_start().starts_with("def ") || first.matches('(').count() != first.matches(')').count() {
        return None;
    }
    let (depth, end) = (indentation(first).len(), end_of(first));
    let mut rest = after;
    while let Some((line, further)) = split_line(rest) {
        if line.trim_end() == end {
            return Some(after.len() - rest.len());
        }
        if indentation(line).len() <= depth && !line.trim().is_empty() {
            return None;
        }
        rest = further;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_left_out_and_lines_keep_their_numbers() {
        let outline = Outline::new(
            "module A\n  def one(a, b = 2)\n    if a\n      b\n    end\n  end\n\n  def two = 2\n  def three; 3; end\n  def four\n    4\n  end\nend\n",
        );
        assert_eq!(
            outline.source,
            "module A\n  def one(a, b = 2)\n\n\n\n  end\n\n  def two = 2\n  def three; 3; end\n  def four\n\n  end\nend\n"
        );
        assert_eq!(outline.methods.get(&2).copied(), Some("  def one(a, b = 2)\n    if a\n      b\n    end\n  end"));
        assert_eq!(outline.methods.get(&10).copied(), Some("  def four\n    4\n  end"));
        assert_eq!(outline.methods.len(), 2);
    }
}
