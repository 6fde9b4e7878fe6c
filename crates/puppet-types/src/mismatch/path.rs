//! [`Step`]: one step of the path from a value to the part that does not fit.

use std::fmt;

use hieratic_value::Str;

/// One step of the path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    Subject(Str),
    EntryValue(Str),
    EntryKey(Str),
    Parameter(Str),
    Index(usize),
    /// The block of a call.
    Block,
    /// The return value of a call.
    Return,
    /// An alternative of a variant. It does not count when paths are compared.
    Variant(usize),
    /// One of several signatures of a function. It does not count when paths are compared.
    Signature(usize),
}

impl Step {
    pub fn is_alternative(&self) -> bool {
        matches!(self, Step::Variant(_) | Step::Signature(_))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Subject(text) => f.write_str(text),
            Step::EntryValue(key) => write!(f, "entry '{key}'"),
            Step::EntryKey(key) => write!(f, "key of entry '{key}'"),
            Step::Parameter(name) => write!(f, "parameter '{name}'"),
            Step::Block => f.write_str("block"),
            Step::Return => f.write_str("return"),
            Step::Index(index) => write!(f, "index {index}"),
            Step::Variant(index) => write!(f, "variant {index}"),
            Step::Signature(index) => write!(f, "{}.", index + 1),
        }
    }
}

/// Returns the path with one more step.
pub(crate) fn extend(path: &[Step], step: Step) -> Vec<Step> {
    let mut longer = Vec::with_capacity(path.len() + 1);
    longer.extend_from_slice(path);
    longer.push(step);
    longer
}
