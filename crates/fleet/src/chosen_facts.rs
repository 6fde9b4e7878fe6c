//! [`ChosenFacts`]: the facts that become columns of rows.

use std::sync::atomic::{AtomicBool, Ordering};

use hieratic::Facts;
use hieratic::code::Condition;

/// The facts that the user chose as columns of rows. It records which of them no node has, because a misspelled name
/// would be an empty column.
#[derive(Debug)]
pub struct ChosenFacts {
    all: Condition,
    are_met: AtomicBool,
}

impl ChosenFacts {
    /// Creates the list from the paths of facts, such as `os.family`.
    pub fn new(names: &[String]) -> ChosenFacts {
        let quoted = names.iter().map(|name| name.replace('\\', "\\\\").replace('\'', "\\'"));
        let facts: Vec<String> = quoted.map(|name| format!("$facts.get('{name}')")).collect();
        let all = Condition::new(&format!("[{}]", facts.join(", ")));
        ChosenFacts { all, are_met: AtomicBool::new(names.is_empty()) }
    }

    /// Records which of the facts a node has.
    pub fn note(&self, facts: &Facts) {
        if self.are_met.load(Ordering::Relaxed) {
            return;
        }
        // The value is of no interest, nor is an error: what is no name of a fact has a column without values.
        let _ = self.all.evaluate(None, facts);
        self.are_met.store(self.all.unknown_facts().is_empty(), Ordering::Relaxed);
    }

    /// Returns a sentence for each fact that no recorded node has.
    pub fn unknown(&self) -> Vec<String> {
        self.all.unknown_facts().iter().map(ToString::to_string).collect()
    }
}
