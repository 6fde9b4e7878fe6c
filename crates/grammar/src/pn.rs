//! interim
use crate::ast::Program;
/// x
pub fn dump(p: &Program) -> String { format!("{p:?}") }
