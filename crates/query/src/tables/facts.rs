//! [`leaves`]: facts as rows.

use hieratic::lookup::quoted_key;
use hieratic::{Hash, Redactor, Value};
use hieratic_fleet::{Cell, Scalar};

/// A fact that is a scalar, or an empty hash or array.
pub(super) struct Leaf {
    /// Its keys and indices with dots between them, as `hieratic lookup` takes them.
    pub(super) path: String,
    pub(super) json: String,
    pub(super) scalar: Scalar,
}

/// The maximum depth to which facts are split; deeper ones are one value.
const DEEPEST: usize = 100;

/// Returns the leaves of facts whose paths are selected. Sensitive values are redacted; other facts are not searched
/// for secrets, even if they equal one.
pub(super) fn leaves(facts: &Hash, redactor: &Redactor, is_selected: &dyn Fn(&str) -> bool) -> Vec<Leaf> {
    let mut walk = Walk { redactor, selects_key: is_selected, path: String::new(), leaves: Vec::new() };
    for (name, value) in facts.iter() {
        walk.below(&name.to_text(), value, 0);
    }
    walk.leaves
}

struct Walk<'w> {
    redactor: &'w Redactor,
    selects_key: &'w dyn Fn(&str) -> bool,
    path: String,
    leaves: Vec<Leaf>,
}

impl Walk<'_> {
    fn below(&mut self, step: &str, value: &Value, depth: usize) {
        let length = self.path.len();
        if length > 0 {
            self.path.push('.');
        }
        self.path.push_str(&quoted_key(step));
        match value {
            Value::Hash(pairs) if !pairs.is_empty() && depth < DEEPEST => {
                pairs.iter().for_each(|(key, value)| self.below(&key.to_text(), value, depth + 1));
            }
            Value::Array(elements) if !elements.is_empty() && depth < DEEPEST => {
                elements.iter().enumerate().for_each(|(index, value)| self.below(&index.to_string(), value, depth + 1));
            }
            leaf if (self.selects_key)(&self.path) => {
                let cell = Cell::from_value(&self.redactor.marked(leaf));
                // A value that JSON cannot represent cannot come from a facts file.
                let (json, scalar) = cell.map_or(("null".to_owned(), Scalar::None), |cell| (cell.json, cell.scalar));
                self.leaves.push(Leaf { path: self.path.clone(), json, scalar });
            }
            _ => {}
        }
        self.path.truncate(length);
    }
}
