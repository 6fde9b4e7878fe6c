//! Calls of `next`, `break` and `return` outside of blocks and functions.

use hieratic_diagnostics::Span;

use crate::finding::{Finding, MISPLACED_RETURN};
use crate::scope::Place;
use crate::walk::Walk;

impl<'t> Walk<'t> {
    /// Reports a call that leaves nothing. `next` leaves a block, a function, a class or a defined type, `break` only a block,
    /// and `return` what is around all blocks.
    pub(crate) fn check_leaving(&mut self, name: &str, span: Span) {
        let is_in_block = self.scopes.last().is_some_and(|scope| scope.place == Place::Block);
        let Some(place) = self.scopes.iter().rev().map(|scope| scope.place).find(|place| *place != Place::Block) else {
            return;
        };
        let (is_illegal, leaves) = match name {
            "next" => (!is_in_block && matches!(place, Place::Top | Place::Node), "a block, a function or a class"),
            "break" => (!is_in_block, "a block of an iteration"),
            "return" => (matches!(place, Place::Top | Place::Node), "a function, a class or a defined type"),
            _ => return,
        };
        if is_illegal {
            let message = format!("{name}() from context where this is illegal");
            self.report(Finding::new(&MISPLACED_RETURN, span, message).help(format!("'{name}' leaves {leaves}")));
        }
    }
}
