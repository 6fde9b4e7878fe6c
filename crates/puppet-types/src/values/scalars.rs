//! Times and versions as values.

use std::any::Any;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use crate::quantities::{SemVer, Timespan, Timestamp};
use hieratic_value::{Extended, Value};

use super::Range;

/// Declares a plain type as a value: its order, its string form, and its class in the reference.
macro_rules! values {
    ($($(#[$meta:meta])* $name:ident($plain:ty), $class:literal, $compare:expr, $inspect:expr;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub struct $name(pub $plain);

        impl $name {
            /// Converts to a value.
            pub fn value(plain: $plain) -> Value {
                Value::from_extended($name(plain))
            }

            /// Returns a value as this type, or `None` if it is of another type.
            pub fn downcast(value: &Value) -> Option<&$plain> {
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
    /// A timestamp.
    TimestampValue(Timestamp), "Puppet::Pops::Time::Timestamp", |one, other| Some(one.cmp(other)),
        |moment| format!("Timestamp('{moment}')");
    /// A timespan.
    TimespanValue(Timespan), "Puppet::Pops::Time::Timespan", |one, other| Some(one.cmp(other)),
        |span| format!("Timespan('{span}')");
    /// A version.
    SemVerValue(SemVer), "SemanticPuppet::Version", |one, other| Some(one.compare(other)), SemVer::to_string;
    /// A range of versions.
    SemVerRangeValue(Range), "SemanticPuppet::VersionRange", |_, _| None, Range::canonical;
}
