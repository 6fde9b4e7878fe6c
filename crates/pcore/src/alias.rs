//! [`Alias`]: types under another name, those that the language brings along and those that someone defines.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock};

use hieratic_value::Str;

use crate::types::Type;

/// A type under another name. Two aliases are the same if their names are.
#[derive(Clone, Debug)]
pub struct Alias(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Builtin(Builtin),
    Defined(Arc<(Str, Type)>),
}

/// The aliases that the language brings along. Only these may speak of themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Builtin {
    Data,
    RichDataKey,
    RichData,
    LookupKey,
    LookupValue,
}

impl Builtin {
    const ALL: [Builtin; 5] =
        [Builtin::Data, Builtin::RichDataKey, Builtin::RichData, Builtin::LookupKey, Builtin::LookupValue];

    fn name(self) -> &'static str {
        match self {
            Builtin::Data => "Data",
            Builtin::RichDataKey => "RichDataKey",
            Builtin::RichData => "RichData",
            Builtin::LookupKey => "Puppet::LookupKey",
            Builtin::LookupValue => "Puppet::LookupValue",
        }
    }
}

impl Alias {
    /// `Data`: what JSON can hold.
    pub const DATA: Alias = Alias(Kind::Builtin(Builtin::Data));
    /// `RichDataKey`: what a key of a hash in a catalog can be.
    pub const RICH_DATA_KEY: Alias = Alias(Kind::Builtin(Builtin::RichDataKey));
    /// `RichData`: what a catalog can hold.
    pub const RICH_DATA: Alias = Alias(Kind::Builtin(Builtin::RichData));

    /// An alias of one's own, such as a module defines. It cannot speak of itself.
    pub fn new(name: &str, resolved: Type) -> Alias {
        Alias(Kind::Defined(Arc::new((name.into(), resolved))))
    }

    /// The alias of the language with that name, in any case of letters.
    pub(crate) fn builtin(lowercase: &str) -> Option<Alias> {
        let found = Builtin::ALL.into_iter().find(|alias| alias.name().eq_ignore_ascii_case(lowercase))?;
        Some(Alias(Kind::Builtin(found)))
    }

    /// The name.
    pub fn name(&self) -> &str {
        match &self.0 {
            Kind::Builtin(builtin) => builtin.name(),
            Kind::Defined(defined) => &defined.0,
        }
    }

    /// Whether the language brings the alias along.
    pub fn is_builtin(&self) -> bool {
        matches!(self.0, Kind::Builtin(_))
    }

    /// Whether the alias speaks of itself.
    pub(crate) fn is_recursive(&self) -> bool {
        matches!(self.0, Kind::Builtin(Builtin::Data | Builtin::RichData))
    }

    /// The type that the alias stands for.
    pub fn resolved(&self) -> &Type {
        match &self.0 {
            Kind::Builtin(builtin) => match builtin {
                Builtin::Data => &DATA,
                Builtin::RichDataKey => &RICH_DATA_KEY,
                Builtin::RichData => &RICH_DATA,
                Builtin::LookupKey => &LOOKUP_KEY,
                Builtin::LookupValue => &LOOKUP_VALUE,
            },
            Kind::Defined(defined) => &defined.1,
        }
    }
}

impl PartialEq for Alias {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Alias {}

impl Hash for Alias {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

static DATA: LazyLock<Type> = LazyLock::new(|| {
    Type::variant([Type::ScalarData, Type::Undef, Type::hash(Type::STRING, Type::data()), Type::array(Type::data())])
});

static RICH_DATA_KEY: LazyLock<Type> = LazyLock::new(|| Type::variant([Type::STRING, Type::Numeric]));

static RICH_DATA: LazyLock<Type> = LazyLock::new(|| {
    Type::variant([
        Type::Scalar,
        Type::SemVerRange,
        Type::Binary,
        Type::sensitive(Type::Any),
        Type::Type(None),
        Type::TypeSet,
        Type::Uri,
        Type::Object,
        Type::Undef,
        Type::Default,
        Type::hash(Type::Alias(Alias::RICH_DATA_KEY), Type::rich_data()),
        Type::array(Type::rich_data()),
    ])
});

static LOOKUP_KEY: LazyLock<Type> = LazyLock::new(|| Type::Alias(Alias::RICH_DATA_KEY));
static LOOKUP_VALUE: LazyLock<Type> = LazyLock::new(Type::rich_data);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_of_the_language_resolve() {
        let value = Alias::builtin("puppet::lookupvalue").unwrap();
        assert_eq!(value.name(), "Puppet::LookupValue");
        assert_eq!(value.resolved(), &Type::rich_data());
        assert_eq!(Type::Alias(value).resolved(), RICH_DATA.resolved());
        let key = Alias::builtin("puppet::lookupkey").unwrap();
        assert_eq!(Type::Alias(key).resolved(), &*RICH_DATA_KEY);
    }
}
