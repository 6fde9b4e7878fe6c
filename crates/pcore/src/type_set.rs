//! [`TypeSetType`]: a set of types under one name.

use std::hash::{Hash as StdHash, Hasher};

use hieratic_value::Str;

use crate::types::Type;

/// A set of types.
#[derive(Clone, Debug)]
pub struct TypeSetType {
    pub(crate) name: Option<Str>,
    pub(crate) name_authority: Option<Str>,
    pub(crate) pcore_uri: Option<Str>,
    pub(crate) pcore_version: Str,
    pub(crate) version: Option<Str>,
    pub(crate) types: Vec<(Str, Type)>,
}

impl TypeSetType {
    /// The names of the types, and the types.
    pub fn types(&self) -> impl Iterator<Item = (&str, &Type)> {
        self.types.iter().map(|(name, kind)| (&**name, kind))
    }
}

impl PartialEq for TypeSetType {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.name_authority == other.name_authority && self.version == other.version
    }
}

impl Eq for TypeSetType {}

impl StdHash for TypeSetType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}
