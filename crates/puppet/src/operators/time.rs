//! Times, versions and addresses in operators.

use std::cmp::Ordering;

use hieratic_syntax::ast::Arithmetic;
use hieratic_value::Value;

pub(crate) enum Refusal { NotApplicable, NotApplicableWhen, NotNumeric, DivisionByZero, Message(String) }

pub(crate) fn negated(_: &Value) -> Option<Result<Value, String>> { None }
pub(crate) fn operate(_: Arithmetic, _: &Value, _: &Value) -> Option<Result<Value, Refusal>> { None }
pub(crate) fn is_time(_: &Value) -> bool { false }
pub(crate) fn compare(_: &Value, _: &Value) -> Option<Result<Option<Ordering>, &'static str>> { None }
pub(crate) fn range_includes(_: &Value, _: &Value) -> Option<bool> { None }
pub(crate) fn version_matches(_: &Value, _: &Value) -> Option<bool> { None }
pub(crate) fn is_version(_: &Value) -> bool { false }
