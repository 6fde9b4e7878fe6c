//! [`ValueOrder`]: the order in which a format takes its values. Counted, numbered and named values cannot be mixed.

use super::{FormatError, Named, Values};

/// The order in which the values were taken so far.
pub(super) enum ValueOrder {
    /// In order, with the number of used values.
    Counted(usize),
    /// By number.
    Numbered,
    /// By name.
    Named,
}

impl ValueOrder {
    /// Returns the value after the one that was taken last.
    pub(super) fn next<V: Values>(&mut self, values: &mut V) -> Result<V::Value, V::Error> {
        let refusal = match self {
            ValueOrder::Counted(count) => {
                *count += 1;
                match values.at(*count - 1) {
                    Some(value) => return Ok(value),
                    None => "too few arguments",
                }
            }
            ValueOrder::Numbered => "unnumbered(1) mixed with numbered",
            ValueOrder::Named => "unnumbered(1) mixed with named",
        };
        Err(values.error(FormatError::Argument(refusal.into())))
    }

    /// Returns the value of a number, counted from 1.
    pub(super) fn numbered<V: Values>(&mut self, number: usize, values: &mut V) -> Result<V::Value, V::Error> {
        let refusal = match (&self, number.checked_sub(1)) {
            (ValueOrder::Counted(count), _) if *count > 0 => format!("numbered({number}) after unnumbered({count})"),
            (ValueOrder::Named, _) => format!("numbered({number}) after named"),
            (_, None) => format!("invalid index - {number}$"),
            (_, Some(index)) => {
                *self = ValueOrder::Numbered;
                match values.at(index) {
                    Some(value) => return Ok(value),
                    None => "too few arguments".into(),
                }
            }
        };
        Err(values.error(FormatError::Argument(refusal)))
    }

    /// Returns the value of a name, which includes its brackets.
    pub(super) fn named<V: Values>(&mut self, written: &str, values: &mut V) -> Result<V::Value, V::Error> {
        let refusal = match self {
            ValueOrder::Counted(count) if *count > 0 => format!("named{written} after unnumbered({count})"),
            ValueOrder::Numbered => format!("named{written} after numbered"),
            _ => {
                *self = ValueOrder::Named;
                match values.named(&written[1..written.len() - 1])? {
                    Named::Value(value) => return Ok(value),
                    Named::Missing => {
                        return Err(values.error(FormatError::Key(format!("key{written} not found"))));
                    }
                    Named::NoHash => "one hash required".into(),
                }
            }
        };
        Err(values.error(FormatError::Argument(refusal)))
    }
}
