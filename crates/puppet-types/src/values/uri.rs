//! URIs as values.

use std::any::Any;
use std::hash::{Hash, Hasher};

use crate::quantities::Uri;
use hieratic_value::{Extended, Value};

use crate::quote::quote;

/// A URI. Two are equal if they differ only in the case of their hosts and in implied defaults.
#[derive(Clone, Debug)]
pub struct UriValue(pub Uri);

impl UriValue {
    /// Converts a URI to a value.
    pub fn value(uri: Uri) -> Value {
        Value::from_extended(UriValue(uri))
    }

    /// Returns the URI of a value, if it is one.
    pub fn downcast(value: &Value) -> Option<&Uri> {
        value.extended::<UriValue>().map(|value| &value.0)
    }

    fn normal(&self) -> Uri {
        let Uri { scheme, host, path, .. } = &self.0;
        Uri {
            scheme: scheme.as_ref().map(|scheme| scheme.to_lowercase()),
            host: host.as_ref().map(|host| host.to_lowercase()),
            port: self.0.effective_port(),
            path: path.as_ref().map(|path| if path.is_empty() { "/".to_owned() } else { path.clone() }),
            ..self.0.clone()
        }
    }
}

impl PartialEq for UriValue {
    fn eq(&self, other: &UriValue) -> bool {
        self.0 == other.0 || self.normal() == other.normal()
    }
}

impl Eq for UriValue {}

impl Extended for UriValue {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn Extended) -> bool {
        other.as_any().downcast_ref::<UriValue>() == Some(self)
    }

    fn hash_into(&self, mut state: &mut dyn Hasher) {
        self.normal().hash(&mut state);
    }

    fn to_text(&self) -> String {
        self.0.to_string()
    }

    fn inspect(&self) -> String {
        format!("URI({})", quote(&self.0.to_string()))
    }

    fn ruby_class(&self) -> &'static str {
        match self.0.scheme.as_deref() {
            Some("http") => "URI::HTTP",
            Some("https") => "URI::HTTPS",
            Some("ftp") => "URI::FTP",
            Some("file") => "URI::File",
            Some("ldap") => "URI::LDAP",
            Some("ldaps") => "URI::LDAPS",
            Some("mailto") => "URI::MailTo",
            Some("ws") => "URI::WS",
            Some("wss") => "URI::WSS",
            _ => "URI::Generic",
        }
    }

    fn clone_box(&self) -> Box<dyn Extended> {
        Box::new(self.clone())
    }
}

/// Returns the named part of a URI, or `None` if URIs have no such part.
pub(crate) fn uri_part(uri: &Uri, name: &str) -> Option<Value> {
    let text = |part: &Option<String>| part.as_deref().map_or(Value::Undef, Value::from);
    Some(match name {
        "scheme" => text(&uri.scheme),
        "userinfo" => text(&uri.userinfo),
        "host" => text(&uri.host),
        "port" => uri.effective_port().map_or(Value::Undef, |port| Value::from(i64::from(port))),
        "path" => text(&uri.path),
        "query" => text(&uri.query),
        "fragment" => text(&uri.fragment),
        "opaque" => text(&uri.opaque),
        _ => return None,
    })
}
