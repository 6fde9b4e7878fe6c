//! [`Arguments`]: the values for directives. Counted, numbered and named values cannot be mixed.

use hieratic_value::Value;

use crate::EvalError;

use super::error;

/// The values and how they were taken so far.
pub(super) struct Arguments<'a> {
    values: &'a [Value],
    mode: ArgumentMode,
}

enum ArgumentMode {
    /// In order, with the number of used values.
    Counted(usize),
    /// By number.
    Numbered,
    /// By name.
    Named,
}

impl<'a> Arguments<'a> {
    pub(super) fn new(values: &'a [Value]) -> Arguments<'a> {
        Arguments { values, mode: ArgumentMode::Counted(0) }
    }

    /// The value after the one that was taken last.
    pub(super) fn next(&mut self) -> Result<&'a Value, Box<EvalError>> {
        match &mut self.mode {
            ArgumentMode::Counted(count) => {
                *count += 1;
                self.values.get(*count - 1).ok_or_else(|| error("too few arguments"))
            }
            ArgumentMode::Numbered => Err(error("unnumbered(1) mixed with numbered")),
            ArgumentMode::Named => Err(error("unnumbered(1) mixed with named")),
        }
    }

    /// The value of a number, counted from 1.
    pub(super) fn numbered(&mut self, number: i64) -> Result<&'a Value, Box<EvalError>> {
        match self.mode {
            ArgumentMode::Counted(count) if count > 0 => {
                return Err(error(format!("numbered({number}) after unnumbered({count})")));
            }
            ArgumentMode::Named => return Err(error(format!("numbered({number}) after named"))),
            _ => {}
        }
        if number < 1 {
            return Err(error(format!("invalid index - {number}$")));
        }
        self.mode = ArgumentMode::Numbered;
        let index = usize::try_from(number - 1).unwrap_or(usize::MAX);
        self.values.get(index).ok_or_else(|| error("too few arguments"))
    }

    /// Returns the value of a name, which includes its brackets.
    pub(super) fn named(&mut self, written: &str) -> Result<&'a Value, Box<EvalError>> {
        match self.mode {
            ArgumentMode::Counted(count) if count > 0 => {
                return Err(error(format!("named{written} after unnumbered({count})")));
            }
            ArgumentMode::Numbered => return Err(error(format!("named{written} after numbered"))),
            _ => {}
        }
        self.mode = ArgumentMode::Named;
        let [Value::Hash(hash)] = self.values else { return Err(error("one hash required")) };
        let name = &written[1..written.len() - 1];
        hash.get(name).ok_or_else(|| error(format!("key{written} not found")))
    }
}
