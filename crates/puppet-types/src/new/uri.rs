//! `URI.new`.

use crate::quantities::Uri;
use hieratic_value::Value;

use super::{ConversionResult, choose};
use crate::Error;
use crate::creation::URI;
use crate::values::UriValue;

pub(super) fn new(arguments: &[Value]) -> ConversionResult {
    let result = match (choose("new_error", &*URI, arguments)?, arguments) {
        (_, [Value::Hash(hash)]) => {
            let text = |name: &str| hash.get(name).and_then(Value::as_str).map(str::to_owned);
            let port = match hash.get("port") {
                None => Ok(None),
                Some(Value::Integer(port)) => u16::try_from(*port).map(Some).map_err(|_| bad_port(*port)),
                Some(other) => Err(format!("bad component(expected port component): {}", other.inspect())),
            };
            let relative = text("path").filter(|path| !path.starts_with('/') && hash.get("scheme").is_some());
            if let Some(path) = relative {
                let message = format!("bad component(expected absolute path component): {path}");
                return Err(Error::new(message));
            }
            port.map(|port| Uri {
                scheme: text("scheme"),
                userinfo: text("userinfo"),
                host: text("host"),
                port,
                // A URI without a path has an empty one; only an opaque one has no path.
                path: text("path").or_else(|| text("opaque").is_none().then(String::new)),
                query: text("query"),
                fragment: text("fragment"),
                opaque: text("opaque"),
            })
        }
        (_, arguments) => Uri::parse(arguments.first().and_then(Value::as_str).unwrap_or_default()),
    };
    result.map(UriValue::value).map_err(Error::new)
}

fn bad_port(port: i64) -> String {
    format!("bad component(expected port component): {port}")
}
