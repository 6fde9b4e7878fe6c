//! [`PuppetVersion`]: the emulated version, and all differences between the versions.

use std::fmt;
use std::str::FromStr;

/// The version of Puppet or OpenVox that is emulated.
///
/// Each difference between the versions is a method here, with a link to the change that made it. Other code calls
/// these methods and never compares versions.
///
/// ```
/// use hieratic_puppet_types::{PuppetVersion, Strict};
///
/// assert_eq!(PuppetVersion::default(), PuppetVersion::V8);
/// assert_eq!("7".parse(), Ok(PuppetVersion::V7));
/// assert_eq!(PuppetVersion::V7.strict(), Strict::Warning);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PuppetVersion {
    /// Puppet 7 and OpenVox 7, as recorded from Puppet 7.23.
    V7,
    /// Puppet 8 and OpenVox 8, as recorded from OpenVox 8.28.
    #[default]
    V8,
    /// OpenVox 9, as recorded from a beta.
    V9,
}

/// The treatment of questionable data and code, as the setting
/// [`strict`](https://www.puppet.com/docs/puppet/8/configuration.html#strict).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strict {
    /// They are ignored.
    Off,
    /// They are warnings.
    Warning,
    /// They are errors.
    Error,
}

impl Strict {
    /// Returns the word of the setting.
    pub const fn word(self) -> &'static str {
        match self {
            Strict::Off => "off",
            Strict::Warning => "warning",
            Strict::Error => "error",
        }
    }
}

impl FromStr for Strict {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Strict, UnknownWord> {
        [Strict::Off, Strict::Warning, Strict::Error]
            .into_iter()
            .find(|strict| strict.word() == text)
            .ok_or(UnknownWord)
    }
}

/// The error for an unknown word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownWord;

impl fmt::Display for UnknownWord {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("unknown value")
    }
}

impl std::error::Error for UnknownWord {}

impl PuppetVersion {
    /// All versions, the oldest first.
    pub const ALL: [PuppetVersion; 3] = [PuppetVersion::V7, PuppetVersion::V8, PuppetVersion::V9];

    /// Returns the number in flags and settings: `8`.
    pub const fn number(self) -> &'static str {
        match self {
            PuppetVersion::V7 => "7",
            PuppetVersion::V8 => "8",
            PuppetVersion::V9 => "9",
        }
    }

    /// Returns the full number of the recorded version.
    pub const fn recorded(self) -> &'static str {
        match self {
            PuppetVersion::V7 => "7.23.0",
            PuppetVersion::V8 => "8.28.1",
            PuppetVersion::V9 => "9.0.0-beta2",
        }
    }

    /// Returns the address of the page about deprecations, for messages.
    pub const fn page_of_deprecations(self) -> &'static str {
        match self {
            PuppetVersion::V7 => "https://puppet.com/docs/puppet/7.23/deprecated_language.html",
            PuppetVersion::V8 => "https://puppet.com/docs/puppet/8.28/deprecated_language.html",
            PuppetVersion::V9 => "https://docs.openvoxproject.org/openvox/latest/deprecated_language.html",
        }
    }

    /// Returns the name of the product in messages about reserved words and unsupported features.
    pub const fn product(self) -> &'static str {
        if self.is_9() { "OpenVox" } else { "Puppet" }
    }

    /// Returns whether `environment.conf` may name the provider of an environment's data, and whether
    /// `data_binding_terminus` may disable the global layer.
    pub const fn has_settings_of_data_providers(self) -> bool {
        !self.is_9()
    }

    /// Returns whether `regsubst` accepts an encoding, which it ignores.
    pub const fn takes_encoding_of_regsubst(self) -> bool {
        !self.is_9()
    }

    /// Returns the default of `strict`. [PUP-11725](https://github.com/OpenVoxProject/openvox/commit/65bcabdd50)
    pub const fn strict(self) -> Strict {
        if self.is_8() { Strict::Error } else { Strict::Warning }
    }

    /// Returns the default of `strict_variables`.
    /// [PUP-11689](https://github.com/OpenVoxProject/openvox/commit/785e3e6db7)
    pub const fn strict_variables(self) -> bool {
        self.is_8()
    }

    /// Returns whether nodes have legacy facts, such as `fqdn` and `osfamily` (the setting `include_legacy_facts`).
    /// [PUP-11430](https://github.com/OpenVoxProject/openvox/commit/d01ecd6e54)
    pub const fn has_legacy_facts(self) -> bool {
        !self.is_8()
    }

    /// Returns whether lookups see the server's facts: `server_facts`, and `serverversion` as a variable.
    /// [PUP-12021](https://github.com/OpenVoxProject/openvox/commit/719efae576)
    pub const fn looks_up_with_server_facts(self) -> bool {
        self.is_8()
    }

    /// Returns whether an unknown variable in a `hiera.yaml` is a warning even if `strict` is `error`.
    /// [PUP-11751](https://github.com/OpenVoxProject/openvox/commit/ae1c68f9f5)
    pub const fn tolerates_unknown_variables_in_hierarchies(self) -> bool {
        self.is_8()
    }

    /// Returns whether the warning about a key in a module's data that belongs to another module names the key.
    /// [Commit](https://github.com/OpenVoxProject/openvox/commit/d8bbc1e323)
    pub const fn names_keys_of_other_modules(self) -> bool {
        self.is_8()
    }

    /// Returns whether `max` and `min` compare versions and times, instead of their strings.
    /// [PUP-11663](https://github.com/OpenVoxProject/openvox/commit/bb0ee098a4)
    pub const fn has_greatest_versions_and_times(self) -> bool {
        self.is_8()
    }

    /// Returns whether `split` accepts Sensitive strings.
    /// [PUP-11429](https://github.com/OpenVoxProject/openvox/commit/940db71b63)
    pub const fn splits_sensitive(self) -> bool {
        self.is_8()
    }

    /// Returns whether `regsubst` accepts Sensitive strings.
    /// [Commit](https://github.com/OpenVoxProject/openvox/commit/18a1f2a336)
    pub const fn substitutes_in_sensitive(self) -> bool {
        self.is_8()
    }

    /// Returns whether parameters of classes whose types cannot be known without evaluation cause a warning.
    /// [PUP-12026](https://github.com/OpenVoxProject/openvox/commit/86a8c1473b)
    pub const fn warns_of_computed_parameter_types(self) -> bool {
        self.is_8()
    }

    /// Returns whether duplicate literal keys of hashes are also detected for negative numbers and types.
    /// [PUP-11981](https://github.com/OpenVoxProject/openvox/commit/adbb02c9f1)
    pub const fn takes_types_for_literals(self) -> bool {
        self.is_8()
    }

    /// Returns whether each nested array that is added to a hash must be a pair. Version 7 accepts a key alone, with
    /// the value `undef`. [Commit](https://github.com/OpenVoxProject/openvox/commit/d035114839)
    pub const fn adds_pairs_only(self) -> bool {
        self.is_8()
    }

    /// Returns whether an unknown variable is accepted if the caller of `lookup` gives a default.
    /// [PUP-11751](https://github.com/OpenVoxProject/openvox/commit/46d6d5fd8a)
    pub const fn takes_defaults_for_unknown_variables(self) -> bool {
        self.is_8()
    }

    /// Returns whether the features of version 8 are present.
    const fn is_8(self) -> bool {
        !matches!(self, PuppetVersion::V7)
    }

    /// Returns whether the features of version 9 are present.
    const fn is_9(self) -> bool {
        matches!(self, PuppetVersion::V9)
    }
}

impl fmt::Display for PuppetVersion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.number())
    }
}

impl FromStr for PuppetVersion {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<PuppetVersion, UnknownWord> {
        PuppetVersion::ALL.into_iter().find(|version| version.number() == text).ok_or(UnknownWord)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_values_are_the_same() {
        for version in PuppetVersion::ALL {
            assert_eq!(version.to_string().parse(), Ok(version));
            assert!(version.recorded().starts_with(version.number()));
        }
        assert_eq!("6".parse::<PuppetVersion>(), Err(UnknownWord));
        assert_eq!("error".parse(), Ok(Strict::Error));
        assert_eq!("errors".parse::<Strict>(), Err(UnknownWord));
    }
}
