//! `lookup`: Ansible's lookup plugins.

use hieratic_value::Value;

use crate::ExpressionError;
use crate::datum::Datum;
use crate::host::Host;
use crate::scope::Scope;

/// `{lookup: {NAME: ARGUMENTS, OPTION: VALUE}}`: the result of a lookup; null if there is none, a list if there are
/// several.
///
/// <https://docs.unfurl.run/expressions.html#lookup>
pub(super) fn lookup(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError> {
    let mapped = host.map_value(argument, scope)?;
    let mut entries = match &mapped {
        Datum::Map(map) if map.len() > 0 => (0..map.len())
            .map(|at| Ok((map.key(at).cloned().unwrap_or_default(), map.at(at, host)?)))
            .collect::<Result<Vec<_>, ExpressionError>>()?
            .into_iter(),
        other => {
            return Err(ExpressionError::new(format!("Wrong shape: the argument of 'lookup' is {}", other.kind()))
                .help("write lookup: {name: argument}"));
        }
    };
    let (name, arguments) = entries.next().unwrap_or((Value::Undef, Datum::NULL));
    let arguments = if arguments.is_list() { host.elements(&arguments)? } else { vec![arguments] };
    host.call_lookup(&name, arguments, entries.collect(), scope)
}
