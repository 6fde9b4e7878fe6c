//! [`Alias`]: built-in and user-defined aliases of types.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};

use hieratic_value::Str;

use crate::types::Type;

/// A type under another name. Aliases with equal names are equal.
#[derive(Clone, Debug)]
pub struct Alias(AliasKind);

#[derive(Clone, Debug)]
enum AliasKind {
    Builtin(Builtin),
    Defined(Arc<UserAlias>),
}

/// A user-defined alias.
struct UserAlias {
    name: Str,
    /// The type; unset while it is being resolved.
    resolved: OnceLock<Type>,
    /// Whether the type refers to its own alias.
    recursive: AtomicBool,
}

impl fmt::Debug for UserAlias {
    // The type is left out, because it may refer to the alias.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Defined").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The aliases of the language.
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
    /// The type `Data`: the values that JSON can represent.
    pub const DATA: Alias = Alias(AliasKind::Builtin(Builtin::Data));
    /// The type `RichDataKey`: the keys that hashes in a catalog may have.
    pub const RICH_DATA_KEY: Alias = Alias(AliasKind::Builtin(Builtin::RichDataKey));
    /// The type `RichData`: the values that a catalog may contain.
    pub const RICH_DATA: Alias = Alias(AliasKind::Builtin(Builtin::RichData));

    /// Creates a user-defined alias, such as those of a module, whose type is already known.
    pub fn new(name: &str, resolved: Type) -> Alias {
        Alias(AliasKind::Defined(Arc::new(UserAlias {
            name: name.into(),
            resolved: resolved.into(),
            recursive: AtomicBool::new(false),
        })))
    }

    /// Creates a user-defined alias whose type is set later, so that the type can refer to the alias. Until then no
    /// value is an instance of it.
    ///
    /// The memory of a recursive type is never freed.
    ///
    /// ```
    /// use hieratic_puppet_types::{Alias, Type, parse_with};
    /// use hieratic_value::Value;
    /// let (tree, resolver) = Alias::unresolved("Tree");
    /// let own = Type::Alias(tree);
    /// let kind = parse_with("Variant[Integer, Array[Tree]]", &|name| (name == "Tree").then(|| own.clone())).unwrap();
    /// let tree = resolver.resolve(kind).unwrap();
    /// let nested = Value::from(vec![Value::from(1), Value::from(vec![Value::from(2)])]);
    /// assert!(tree.is_instance(&nested));
    /// assert_eq!(tree.to_string(), "Tree = Variant[Integer, Array[Tree]]");
    /// ```
    pub fn unresolved(name: &str) -> (Alias, Resolver) {
        let defined = Arc::new(UserAlias {
            name: name.into(),
            resolved: OnceLock::new(),
            // The assumption until the type is resolved.
            recursive: AtomicBool::new(true),
        });
        (Alias(AliasKind::Defined(defined.clone())), Resolver(defined))
    }

    /// Returns the alias of the language with that name in lower case.
    pub(crate) fn builtin(lowercase: &str) -> Option<Alias> {
        let found = Builtin::ALL.into_iter().find(|alias| alias.name().eq_ignore_ascii_case(lowercase))?;
        Some(Alias(AliasKind::Builtin(found)))
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        match &self.0 {
            AliasKind::Builtin(builtin) => builtin.name(),
            AliasKind::Defined(defined) => &defined.name,
        }
    }

    /// Returns whether the alias is part of the language.
    pub fn is_builtin(&self) -> bool {
        matches!(self.0, AliasKind::Builtin(_))
    }

    /// Returns whether the type of the alias refers to the alias.
    pub(crate) fn is_recursive(&self) -> bool {
        match &self.0 {
            AliasKind::Builtin(builtin) => matches!(builtin, Builtin::Data | Builtin::RichData),
            AliasKind::Defined(defined) => defined.recursive.load(Ordering::Relaxed),
        }
    }

    /// Returns the type that the alias names.
    pub fn resolved(&self) -> &Type {
        match &self.0 {
            AliasKind::Builtin(builtin) => match builtin {
                Builtin::Data => &DATA,
                Builtin::RichDataKey => &RICH_DATA_KEY,
                Builtin::RichData => &RICH_DATA,
                Builtin::LookupKey => &LOOKUP_KEY,
                Builtin::LookupValue => &LOOKUP_VALUE,
            },
            AliasKind::Defined(defined) => defined.resolved.get().unwrap_or(&UNRESOLVED),
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

/// Sets the type of an alias, once.
#[derive(Debug)]
pub struct Resolver(Arc<UserAlias>);

impl Resolver {
    /// Sets the type of the alias and returns the type that its name refers to. This is the alias, except for object
    /// types and type sets, which are given the name.
    ///
    /// # Errors
    /// The alias only refers to itself, or the type is too large.
    pub fn resolve(self, kind: Type) -> Result<Type, String> {
        let Resolver(defined) = self;
        let alias = Alias(AliasKind::Defined(defined.clone()));
        if let Some(kind) = own(&kind, &defined.name) {
            // Only the resolver sets the type, and it is consumed.
            let _ = defined.resolved.set(kind.clone());
            return Ok(kind);
        }
        let mut kind = kind.normalize();
        if !is_real(&kind, &defined) {
            return Err(format!("Type alias '{}' cannot be resolved to a real type", defined.name));
        }
        crate::size::check(&kind)?;
        let reached = reached_aliases(&kind);
        let recursive = reached.contains(&alias);
        if recursive && let Type::Variant(variants) = &kind {
            // Variants that consist only of aliases are dropped.
            kind = Type::variant(variants.as_slice().iter().filter(|one| is_real(one, &defined)).cloned());
        }
        if is_self_reference(&kind, &defined) {
            return Err(format!("Type alias '{}' cannot be resolved to a real type", defined.name));
        }
        let recursive = recursive && reached_aliases(&kind).contains(&alias);
        // As above.
        let _ = defined.resolved.set(kind);
        defined.recursive.store(recursive, Ordering::Relaxed);
        for other in reached {
            // Another alias that reaches this one was resolved before it. Whether that alias is recursive is known only
            // now.
            if let AliasKind::Defined(other_defined) = &other.0
                && other != alias
            {
                let own = reached_aliases(other.resolved()).contains(&other);
                other_defined.recursive.store(own, Ordering::Relaxed);
            }
        }
        Ok(Type::Alias(alias))
    }
}

/// Returns the object type or type set that takes the name of the alias.
fn own(kind: &Type, name: &Str) -> Option<Type> {
    match kind {
        Type::Object(Some(object)) if object.name() == Some(name) => Some(kind.clone()),
        Type::Object(Some(object)) if object.name().is_none() => {
            let mut named = (**object).clone();
            named.rename(name);
            Some(Type::Object(Some(Arc::new(named))))
        }
        Type::TypeSet(Some(set)) if set.name.as_ref() == Some(name) => Some(kind.clone()),
        Type::TypeSet(Some(set)) if set.name.is_none() => Some(Type::TypeSet(Some(Arc::new(set.named(name))))),
        _ => None,
    }
}

/// Returns whether the type contains anything except aliases and variants.
fn is_real(kind: &Type, own: &Arc<UserAlias>) -> bool {
    fn real(kind: &Type, seen: &mut Vec<*const UserAlias>) -> bool {
        match kind {
            Type::Alias(Alias(AliasKind::Builtin(_))) => true,
            Type::Alias(Alias(AliasKind::Defined(defined))) => {
                let address = Arc::as_ptr(defined);
                if seen.contains(&address) {
                    return false;
                }
                seen.push(address);
                defined.resolved.get().is_some_and(|kind| real(kind, seen))
            }
            Type::Variant(variants) => variants.as_slice().iter().any(|one| real(one, seen)),
            _ => true,
        }
    }
    real(kind, &mut vec![Arc::as_ptr(own)])
}

/// Returns whether the type reaches the alias without passing a type that takes a value apart. All other recursion ends
/// with the value that is compared.
fn is_self_reference(kind: &Type, own: &Arc<UserAlias>) -> bool {
    let mut seen: Vec<*const UserAlias> = Vec::new();
    let mut waiting = vec![kind];
    while let Some(kind) = waiting.pop() {
        match kind {
            Type::Alias(Alias(AliasKind::Defined(defined))) => {
                let address = Arc::as_ptr(defined);
                if address == Arc::as_ptr(own) {
                    return true;
                }
                if !seen.contains(&address) {
                    seen.push(address);
                    waiting.extend(defined.resolved.get());
                }
            }
            Type::Variant(_) | Type::Optional(_) | Type::NotUndef(_) | Type::Init(_) => {
                kind.for_each_part(&mut |part| waiting.push(part));
            }
            _ => {}
        }
    }
    false
}

/// Returns all user-defined aliases that the type refers to, directly or through others.
fn reached_aliases(kind: &Type) -> Vec<Alias> {
    let mut reached: Vec<Alias> = Vec::new();
    let mut waiting = vec![kind];
    while let Some(kind) = waiting.pop() {
        match kind {
            Type::Alias(alias) if alias.is_builtin() || reached.contains(alias) => {}
            Type::Alias(alias) => {
                reached.push(alias.clone());
                waiting.push(alias.resolved());
            }
            other => other.for_each_part(&mut |part| waiting.push(part)),
        }
    }
    reached
}

/// The type of an alias that is not resolved yet.
static UNRESOLVED: LazyLock<Type> = LazyLock::new(|| Type::Reference("UnresolvedReference".into()));

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
        Type::TypeSet(None),
        Type::Uri,
        Type::Object(None),
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

    /// Defines an alias for an expression that may refer to it.
    fn defined(text: &str) -> Result<Type, String> {
        let (alias, resolver) = Alias::unresolved("A");
        let own = Type::Alias(alias);
        let kind = crate::parse_with(text, &|name| (name == "A").then(|| own.clone()));
        resolver.resolve(kind.map_err(|error| error.to_string())?)
    }

    #[test]
    fn an_alias_may_speak_of_itself_inside_of_something() {
        let tree = defined("Variant[Integer, Hash[String, A], A]").unwrap();
        assert_eq!(tree.to_string(), "A = Variant[Integer, Hash[String, A]]");
        let other = defined("Variant[Integer, Hash[String, A]]").unwrap();
        assert!(tree.is_assignable(&other));
        assert!(tree.is_assignable(&crate::parse("Hash[String, Hash[String, Integer]]").unwrap()));
        assert!(!tree.is_assignable(&crate::parse("Hash[String, Hash[String, String]]").unwrap()));
        let wrong = crate::assert_instance("value", &tree, &hieratic_value::Value::from("x")).unwrap_err();
        assert_eq!(
            wrong.to_string(),
            "value has wrong type, expects an A = Variant[Integer, Hash[String, A]] value, got String"
        );
    }

    #[test]
    fn an_alias_stands_for_something() {
        for text in ["A", "Variant[A, A]", "Optional[A]", "NotUndef[Variant[A]]"] {
            assert_eq!(defined(text).unwrap_err(), "Type alias 'A' cannot be resolved to a real type", "{text}");
        }
    }

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
