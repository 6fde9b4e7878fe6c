//! [`Operator`]: the operators of constraints and affinities.

/// An operator of constraints. Affinities have those that are not about allocations or the presence of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// The values are equal.
    Equal,
    /// The values differ.
    Unequal,
    /// The attribute is smaller.
    Less,
    /// The attribute is smaller or equal.
    LessOrEqual,
    /// The attribute is larger.
    Greater,
    /// The attribute is larger or equal.
    GreaterOrEqual,
    /// The version of the attribute fits.
    Version,
    /// The version of the attribute fits by the rules of semantic versions.
    Semver,
    /// The attribute matches a pattern.
    Regexp,
    /// The list in the attribute has all values.
    SetContains,
    /// The list in the attribute has one of the values.
    SetContainsAny,
    /// The allocations are on different nodes.
    DistinctHosts,
    /// The allocations are on nodes with different values.
    DistinctProperty,
    /// The node has the attribute.
    IsSet,
    /// The node lacks the attribute.
    IsNotSet,
}

impl Operator {
    /// The operators of constraints, as the documentation writes them.
    pub const OF_CONSTRAINTS: &'static [&'static str] = &[
        "=",
        "!=",
        ">",
        ">=",
        "<",
        "<=",
        "regexp",
        "version",
        "semver",
        "is_set",
        "is_not_set",
        "set_contains",
        "set_contains_any",
        "distinct_hosts",
        "distinct_property",
    ];

    /// The operators of affinities, as the documentation writes them.
    pub const OF_AFFINITIES: &'static [&'static str] =
        &["=", "!=", ">", ">=", "<", "<=", "regexp", "version", "semver", "set_contains", "set_contains_any"];

    /// Returns the operator of a name, in any spelling that Nomad accepts, or `None` if there is none.
    ///
    /// ```
    /// use hieratic_nomad_schema::Operator;
    /// assert_eq!(Operator::from_name("is"), Some(Operator::Equal));
    /// assert_eq!(Operator::from_name("equals"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Operator> {
        Some(match name {
            "=" | "==" | "is" => Operator::Equal,
            "!=" | "not" => Operator::Unequal,
            "<" => Operator::Less,
            "<=" => Operator::LessOrEqual,
            ">" => Operator::Greater,
            ">=" => Operator::GreaterOrEqual,
            "version" => Operator::Version,
            "semver" => Operator::Semver,
            "regexp" => Operator::Regexp,
            "set_contains" | "set_contains_all" => Operator::SetContains,
            "set_contains_any" => Operator::SetContainsAny,
            "distinct_hosts" => Operator::DistinctHosts,
            "distinct_property" => Operator::DistinctProperty,
            "is_set" => Operator::IsSet,
            "is_not_set" => Operator::IsNotSet,
            _ => return None,
        })
    }

    /// Returns whether the operator is about the job's own allocations.
    pub fn is_about_allocations(self) -> bool {
        matches!(self, Operator::DistinctHosts | Operator::DistinctProperty)
    }
}

#[cfg(test)]
mod tests {
    use super::Operator;

    #[test]
    fn documented_operators_exist() {
        for name in Operator::OF_CONSTRAINTS.iter().chain(Operator::OF_AFFINITIES) {
            assert!(Operator::from_name(name).is_some(), "{name}");
        }
    }
}
