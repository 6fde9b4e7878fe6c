//! Times, versions and addresses as values.

use std::any::Any;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use hieratic_scalars::{SemVer, SemVerRange, Timespan, Timestamp, Uri};
use hieratic_value::{Extended, Value};

/// A plain type as a value: how it is ordered, inspected, and called in the reference.
macro_rules! values {
    ($($(#[$meta:meta])* $name:ident($plain:ty), $class:literal, $compare:expr, $inspect:expr;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub struct $name(pub $plain);

        impl $name {
            /// As a value.
            pub fn value(plain: $plain) -> Value {
                Value::from_extended($name(plain))
            }

            /// What the value is, if it is one of these.
            pub fn of(value: &Value) -> Option<&$plain> {
                value.extended::<$name>().map(|value| &value.0)
            }
        }

        impl Extended for $name {
            fn as_any(&self) -> &dyn Any {
                self
            }

            fn equals(&self, other: &dyn Extended) -> bool {
                other.as_any().downcast_ref::<$name>() == Some(self)
            }

            fn hash_into(&self, mut state: &mut dyn Hasher) {
                self.0.hash(&mut state);
            }

            fn compare(&self, other: &dyn Extended) -> Option<Ordering> {
                let compare: fn(&$plain, &$plain) -> Option<Ordering> = $compare;
                compare(&self.0, &other.as_any().downcast_ref::<$name>()?.0)
            }

            fn to_text(&self) -> String {
                self.0.to_string()
            }

            fn inspect(&self) -> String {
                let inspect: fn(&$plain) -> String = $inspect;
                inspect(&self.0)
            }

            fn ruby_class(&self) -> &'static str {
                $class
            }

            fn clone_box(&self) -> Box<dyn Extended> {
                Box::new(self.clone())
            }
        }
    )*};
}

values! {
    /// A point in time.
    TimestampValue(Timestamp), "Puppet::Pops::Time::Timestamp", |one, other| Some(one.cmp(other)),
        |moment| format!("Timestamp('{moment}')");
    /// A length of time.
    TimespanValue(Timespan), "Puppet::Pops::Time::Timespan", |one, other| Some(one.cmp(other)),
        |span| format!("Timespan('{span}')");
    /// A version.
    SemVerValue(SemVer), "SemanticPuppet::Version", |one, other| Some(one.compare(other)), SemVer::to_string;
    /// A range of versions.
    SemVerRangeValue(Range), "SemanticPuppet::VersionRange", |_, _| None, |range| range.range.canonical();
    /// An address.
    UriValue(Uri), "URI::Generic", |_, _| None, |uri| format!("URI('{uri}')");
}

/// A range of versions, and how it is written if that is not as it was read.
#[derive(Clone, Debug)]
pub struct Range {
    pub(crate) range: SemVerRange,
    pub(crate) text: Option<String>,
}

impl Range {
    /// The range itself.
    pub fn range(&self) -> &SemVerRange {
        &self.range
    }
}

impl From<SemVerRange> for Range {
    fn from(range: SemVerRange) -> Range {
        Range { range, text: None }
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.text {
            Some(text) => out.write_str(text),
            None => self.range.fmt(out),
        }
    }
}

impl PartialEq for Range {
    fn eq(&self, other: &Range) -> bool {
        self.range == other.range
    }
}

impl Eq for Range {}

impl Hash for Range {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.range.hash(state);
    }
}

/// The part of an address of that name; none if addresses have no such part.
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
