//! [`MessageLog`]: the messages of a program.

use hieratic_puppet_functions::Level;
use hieratic_value::collections::HashSet;

use super::budget::{EvaluationBudget, RECORD_BYTES};
use crate::failure::Log;

/// The messages so far. Each is charged to the budget; without budget it is lost, and the program ends at its next step.
#[derive(Debug, Default)]
pub(crate) struct MessageLog {
    messages: Vec<Log>,
    /// The messages that are logged once.
    known: HashSet<String>,
    ignores_debug: bool,
}

impl MessageLog {
    /// Ignores debug messages from now on.
    pub(super) fn ignore_debug(&mut self) {
        self.ignores_debug = true;
    }

    /// Returns whether debug messages are recorded.
    pub(crate) fn records_debug(&self) -> bool {
        !self.ignores_debug
    }

    /// Returns the number of messages.
    pub(super) fn len(&self) -> usize {
        self.messages.len()
    }

    /// Takes the messages since the last call.
    pub(super) fn take(&mut self) -> Vec<Log> {
        std::mem::take(&mut self.messages)
    }

    /// Adds a message.
    pub(super) fn add(&mut self, log: Log, budget: &mut EvaluationBudget) {
        if log.level == Level::Debug && self.ignores_debug {
            return;
        }
        if budget.charge_bytes_later(RECORD_BYTES + log.message.len() + log.source.len()) {
            self.messages.push(log);
        }
    }

    /// Adds a problem of a source, whose text is already charged.
    pub(super) fn add_problem(&mut self, log: Log) {
        self.messages.push(log);
    }

    /// Returns whether a message is logged for the first time, and remembers it.
    pub(super) fn is_first(&mut self, message: &str, budget: &mut EvaluationBudget) -> bool {
        !self.known.contains(message)
            && budget.charge_bytes_later(message.len())
            && self.known.insert(message.to_owned())
    }
}
