//! Interim: what pcore does not have yet.

use hieratic_pcore::{StringFormats, Type, convert_to_string_with};
use hieratic_value::Value;

pub(crate) enum Blame { Whole, Left, Key(usize), Below }
pub(crate) struct ParameterizeError { pub message: String, pub blame: Blame }
pub(crate) struct Made { pub value: Value, pub warnings: Vec<String> }

pub(crate) fn parameterize(base: &Type, keys: &[Value]) -> Result<Made, ParameterizeError> {
    let keys: Vec<String> = keys.iter().map(|k| convert_to_string_with(k, &StringFormats::single("%p")).unwrap_or_default()).collect();
    let text = format!("{base}[{}]", keys.join(", "));
    match hieratic_pcore::parse(&text) {
        Ok(kind) => Ok(Made { value: kind.into_value(), warnings: vec![] }),
        Err(error) => Err(ParameterizeError { message: error.to_string(), blame: Blame::Whole }),
    }
}
pub(crate) fn attribute(_: &Value, _: &str) -> Option<Value> { None }
pub(crate) fn instantiate(kind: &Type, arguments: &[Value]) -> Result<Value, String> {
    let (first, rest) = arguments.split_first().ok_or("no arguments")?;
    hieratic_pcore::new_instance(kind, first, rest).map_err(|e| e.to_string())
}
pub(crate) fn concatenate(_: &Value, _: &Value) -> Option<Result<Value, String>> { None }
pub(crate) fn bytes_of(_: &Value) -> Option<Vec<u8>> { None }
pub(crate) fn bytes_value(_: Vec<u8>) -> Value { Value::Undef }
pub(crate) fn bytes_include(_: &Value, _: &Value) -> Option<bool> { None }
pub(crate) fn index_object(_: &Value, _: &[Value]) -> Option<Result<Value, String>> { None }

pub(crate) struct Resolver(String);
pub(crate) fn unresolved(name: &str) -> (hieratic_pcore::Alias, Resolver) {
    (hieratic_pcore::Alias::new(name, Type::Any), Resolver(name.to_owned()))
}
impl Resolver {
    pub fn resolve(self, kind: Type) -> Result<Type, String> {
        Ok(Type::Alias(hieratic_pcore::Alias::new(&self.0, kind)))
    }
}
