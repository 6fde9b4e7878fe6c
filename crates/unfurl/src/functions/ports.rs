//! `portspec`: a specification of ports as a map (<https://docs.unfurl.run/expressions.html>).

use hieratic_python_values as python;
use hieratic_value::{Hash, Value};

use crate::ExpressionError;
use crate::datum::Datum;
use crate::host::Host;
use crate::scope::Scope;

/// The protocols that a specification may name.
const PROTOCOLS: [&str; 3] = ["udp", "tcp", "icmp"];

/// The properties in the order in which the missing ones are added.
const PROPERTIES: [&str; 5] = ["source", "source_range", "target", "target_range", "protocol"];

/// `{portspec: PORT}`, `{portspec: "SOURCE:TARGET/PROTOCOL"}`, where a port may be a range `FROM-TO`: the map of the data type PortSpec.
pub(super) fn portspec(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError> {
    let spec = host.force(&host.map_value(argument, scope)?)?;
    let entries: Vec<(Value, Value)> = match &spec {
        Value::Integer(port) => {
            let port = Value::Integer(*port);
            vec![("source".into(), port.clone()), ("target".into(), port), ("protocol".into(), "tcp".into())]
        }
        spec if !python::truthy(spec) => return Ok(Datum::NULL),
        Value::String(text) => of_text(text),
        Value::Hash(properties) => properties.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
        other => {
            let shown = Datum::done(other.clone());
            return Err(ExpressionError::new(format!("the argument of 'portspec' is {}, not a port", shown.kind()))
                .help("write portspec: \"SOURCE:TARGET/PROTOCOL\""));
        }
    };
    let mut spec: Hash = entries.into_iter().collect();
    for name in PROPERTIES {
        let value = spec.get(name).cloned().unwrap_or_default();
        let value = match name {
            "source" | "target" if value != Value::Undef => Value::Integer(port(&value, name)?),
            "protocol" if python::truthy(&value) => protocol(value)?,
            _ => value,
        };
        spec = with(&spec, name, value);
    }
    for (name, range) in [("source", "source_range"), ("target", "target_range")] {
        check_range(&spec, name, range)?;
    }
    if PROPERTIES.iter().take(4).all(|name| spec.get(name).is_none_or(|value| *value == Value::Undef)) {
        return Err(ExpressionError::new("the argument of 'portspec' has no port").help("name a source or a target"));
    }
    Ok(Datum::done(spec))
}

/// The properties that a string names.
fn of_text(text: &str) -> Vec<(Value, Value)> {
    let (ports, protocol) = text.split_once('/').unwrap_or((text, ""));
    let (source, target) = ports.split_once(':').unwrap_or((ports, ""));
    let target = if target.is_empty() { source } else { target };
    let end = |name: &str, ports: &str| {
        if ports.contains('-') {
            (format!("{name}_range").into(), ports.split('-').map(Value::from).collect())
        } else {
            (name.into(), ports.into())
        }
    };
    let protocol = if protocol.is_empty() { "tcp" } else { protocol };
    vec![("protocol".into(), protocol.into()), end("source", source), end("target", target)]
}

/// A number of a port.
fn port(value: &Value, name: &str) -> Result<i64, ExpressionError> {
    let number = match value {
        Value::Integer(number) => Some(*number),
        Value::String(text) => python::parse_int(text, 10).and_then(|number| i64::try_from(number).ok()),
        _ => None,
    };
    let number =
        number.ok_or_else(|| ExpressionError::new(format!("\"{}\" is not an integer.", python::text(value))))?;
    if (1..=65_535).contains(&number) {
        Ok(number)
    } else {
        Err(ExpressionError::new(format!("the value \"{number}\" of property \"{name}\" is no port"))
            .help("ports are numbers from 1 to 65535"))
    }
}

fn protocol(value: Value) -> Result<Value, ExpressionError> {
    if value.as_str().is_some_and(|name| PROTOCOLS.contains(&name)) {
        Ok(value)
    } else {
        Err(ExpressionError::new(format!("the protocol \"{}\" is not valid", python::text(&value)))
            .help(format!("the protocols are {}", PROTOCOLS.join(", "))))
    }
}

/// Checks a range, and that it contains a port.
fn check_range(spec: &Hash, name: &str, range: &str) -> Result<(), ExpressionError> {
    let Some(given) = spec.get(range).filter(|given| python::truthy(given)) else { return Ok(()) };
    let wrong = || ExpressionError::new(format!("\"{}\" is not a valid range.", python::text(given)));
    let ends = given.as_array().ok_or_else(wrong)?;
    let [first, last] = ends else { return Err(wrong()) };
    let (first, last) = (port(first, range)?, port(last, range)?);
    let is_inside = match spec.get(name) {
        Some(Value::Integer(port)) => (first..=last).contains(port),
        _ => true,
    };
    if first > last || !is_inside { Err(wrong()) } else { Ok(()) }
}

/// The hash with an entry, which keeps its place if it was there.
fn with(hash: &Hash, name: &str, value: Value) -> Hash {
    hash.iter().map(|(key, value)| (key.clone(), value.clone())).chain([(name.into(), value)]).collect()
}
