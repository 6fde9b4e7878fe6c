//! `to_label` and its relatives.

use hieratic_value::Value;

use crate::ExpressionError;
use crate::datum::Datum;
use crate::host::Host;
use crate::label::Label;
use crate::scope::Scope;

/// Declares a function for each rule.
macro_rules! labels {
    ($($name:ident),*) => {$(
        /// Converts the argument to a label; options next to the function's name change the rule.
        pub(super) fn $name(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError> {
            of_call(host, argument, scope, stringify!($name))
        }
    )*};
}

labels!(to_label, to_dns_label, to_kubernetes_label, to_googlecloud_label);

fn of_call(host: &dyn Host, argument: &Datum, scope: &mut Scope, function: &str) -> Result<Datum, ExpressionError> {
    let mut label = Label::named(function);
    if let Some(keys) = scope.call.keys().cloned() {
        for name in keys.keys().filter_map(Value::as_str).filter(|name| *name != function) {
            let value = host.entry(&scope.call, name)?;
            label.set(name, &host.force(&host.map_value(&value, scope)?)?)?;
        }
    }
    match host.map_value(argument, scope)? {
        instance @ Datum::Instance(_) => Ok(instance),
        list if list.is_list() => {
            let texts = host.elements(&list)?.iter().map(|item| host.text(item)).collect::<Result<Vec<_>, _>>()?;
            let secret = texts.iter().any(|(_, secret)| *secret);
            let texts: Value = texts.into_iter().map(|(text, _)| Value::from(text)).collect();
            host.shared().bytes(label.cost(&texts))?;
            let value = label.apply(&texts)?;
            host.shared().report(texts.as_array().unwrap_or_default(), &value);
            Ok(Datum::done(if secret { Value::sensitive(value) } else { value }))
        }
        value => {
            let value = host.force(&value)?;
            host.shared().weigh(&value)?;
            host.shared().bytes(label.cost(&value))?;
            let result = label.apply(&value)?;
            host.shared().report(std::slice::from_ref(&value), &result);
            Ok(Datum::done(result))
        }
    }
}
