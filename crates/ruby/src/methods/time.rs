//! The clock, which is provided by the host. => `Time`, with the clock of the host.

use super::Natives;
use crate::value::Value;

pub(super) const FUNCTIONS: Natives = &[("self.now", 0, 0, |vm, _, _| match vm.host.now() {
    Some(seconds) => Ok(Value::Float(seconds)),
    None => Err(vm.unsupported("the current time")),
})];
