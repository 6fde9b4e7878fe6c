//! The settings.

/// A setting: its name in the file, what its value looks like, and who may set it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    /// The name; the part before a dot is a table.
    pub(crate) name: &'static str,
    pub(crate) kind: ValueKind,
    pub(crate) set_by: SetBy,
    /// A description in one line.
    pub(crate) about: &'static str,
    /// An example value, as TOML.
    pub(crate) example: &'static str,
}

impl Key {
    /// Returns whether the setting changes the answers of an environment.
    pub(crate) fn is_about_environment(&self) -> bool {
        matches!(
            self.name,
            "facts"
                | "environment"
                | "modulepath"
                | "hiera_config"
                | "puppet_version"
                | "strict"
                | "datadirs"
                | "without-levels"
                | "sensitive-secrets"
        )
    }
}

/// The form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueKind {
    /// Any string.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// True or false.
    Switch,
    /// A file or folder.
    Path,
    /// A file or folder, or a list of them.
    Paths,
    /// A list of strings.
    Texts,
    /// A table of folders by the names that they have on servers.
    Folders,
    /// A table of lists of strings.
    Lists,
    /// A table of words, each one of these.
    Words(&'static [&'static str]),
    /// Tables of patterns of jobs and of their variable files.
    Jobs,
    /// A version of Nomad.
    NomadVersion,
    /// A web address with `{path}` and `{line}`.
    Link,
}

/// The owners whose files may contain a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SetBy {
    /// The user and the repository. Paths of a repository must not lead out of it.
    Anyone,
    /// Only the user: the setting grants capabilities, or is personal.
    User,
}

const fn key(name: &'static str, kind: ValueKind, set_by: SetBy, about: &'static str, example: &'static str) -> Key {
    Key { name, kind, set_by, about, example }
}

/// All settings, in the order in which they are shown.
pub(crate) const KEYS: &[Key] = &[
    key(
        "facts",
        ValueKind::Paths,
        SetBy::Anyone,
        "Facts of nodes: a folder of NAME.json or NAME.yaml files, or single files",
        "\"facts\"",
    ),
    key("environment", ValueKind::Text, SetBy::Anyone, "The default environment", "\"production\""),
    key(
        "modulepath",
        ValueKind::Paths,
        SetBy::Anyone,
        "Module folders; overrides environment.conf",
        "[\"modules\", \"site\"]",
    ),
    key("hiera_config", ValueKind::Path, SetBy::Anyone, "The global hiera.yaml", "\"global/hiera.yaml\""),
    key(
        "puppet_version",
        ValueKind::Word(&["7", "8", "9"]),
        SetBy::Anyone,
        "The version of Puppet or OpenVox whose answers are given (default: 8)",
        "\"7\"",
    ),
    key(
        "strict",
        ValueKind::Word(&["off", "warning", "error"]),
        SetBy::Anyone,
        "Puppet's setting of this name",
        "\"error\"",
    ),
    key(
        "datadirs",
        ValueKind::Folders,
        SetBy::Anyone,
        "Replacements for the datadirs of hiera.yaml",
        "{ \"/srv/hiera\" = \"data\" }",
    ),
    key(
        "without-levels",
        ValueKind::Texts,
        SetBy::Anyone,
        "Levels to skip, because their backends cannot run here",
        "[\"Vault\"]",
    ),
    key(
        "sensitive-secrets",
        ValueKind::Switch,
        SetBy::Anyone,
        "Whether values that contain a decrypted value become Sensitive",
        "true",
    ),
    key(
        "link",
        ValueKind::Link,
        SetBy::Anyone,
        "URL template for a line of a file on a forge",
        "\"https://github.com/me/control/blob/main/{path}#L{line}\"",
    ),
    key("trusted", ValueKind::Paths, SetBy::User, "Trusted repositories (`hieratic trust`)", "[\"/home/me/control\"]"),
    key(
        "nomad_version",
        ValueKind::NomadVersion,
        SetBy::Anyone,
        "The version of Nomad that jobs are for (default: the newest known)",
        "\"1.8\"",
    ),
    key(
        "jobs",
        ValueKind::Jobs,
        SetBy::Anyone,
        "Environments of jobs: variable files and more; `check` validates a job once for each entry that names it",
        "[{ files = [\"jobs/*.nomad.hcl\"], var-files = [\"prod.vars\"] }]",
    ),
    // Keys within tables come last, as TOML requires.
    key("check.select", ValueKind::Texts, SetBy::Anyone, "Report only these codes", "[\"unknown-parameter\"]"),
    key("check.ignore", ValueKind::Texts, SetBy::Anyone, "Do not report these codes", "[\"legacy-fact\"]"),
    key(
        "check.fail-on",
        ValueKind::Word(&["error", "warning", "note"]),
        SetBy::Anyone,
        "The least severity for exit status 1",
        "\"warning\"",
    ),
    key(
        "check.baseline",
        ValueKind::Path,
        SetBy::Anyone,
        "The baseline of accepted findings",
        "\"hieratic-baseline.json\"",
    ),
    key("check.all-nodes", ValueKind::Switch, SetBy::Anyone, "The nodes of `facts` are the whole fleet", "true"),
    key(
        "check.hygiene",
        ValueKind::Switch,
        SetBy::Anyone,
        "Report data that can be removed without changing an answer",
        "true",
    ),
    key(
        "check.style",
        ValueKind::Word(&["puppet-lint", "vox-pupuli"]),
        SetBy::Anyone,
        "The rules by which the style of manifests is judged",
        "\"puppet-lint\"",
    ),
    key("check.unused", ValueKind::Switch, SetBy::Anyone, "Report keys that nothing looks up", "true"),
    key(
        "check.exclude",
        ValueKind::Texts,
        SetBy::Anyone,
        "Files that are not checked: patterns of .gitignore",
        "[\"vendor/\"]",
    ),
    key(
        "check.per-file-ignores",
        ValueKind::Lists,
        SetBy::Anyone,
        "Codes that are not reported for files, by their patterns",
        "{ \"data/legacy/\" = [\"unused-key\"] }",
    ),
    key(
        "check.severity",
        ValueKind::Words(&["error", "warning", "note"]),
        SetBy::Anyone,
        "Severities of codes",
        "{ legacy-fact = \"error\" }",
    ),
    key(
        "check.private-levels",
        ValueKind::Texts,
        SetBy::Anyone,
        "Levels whose data is in another repository: they may have any key",
        "[\"Secrets\"]",
    ),
    key("check.strict-coverage", ValueKind::Switch, SetBy::Anyone, "Fail if something was not judged", "true"),
    key(
        "diff.ignore",
        ValueKind::Texts,
        SetBy::Anyone,
        "Resources, or attributes of them, whose changes `diff --catalogs` ignores",
        "[\"File[/etc/motd]\", \"File[*]::mode\"]",
    ),
    key(
        "diff.ignore-attr",
        ValueKind::Texts,
        SetBy::Anyone,
        "Attributes of all resources whose changes `diff --catalogs` ignores",
        "[\"loglevel\"]",
    ),
    key(
        "diff.ignore-tags",
        ValueKind::Texts,
        SetBy::Anyone,
        "Tags of resources whose changes `diff --catalogs` ignores",
        "[\"ignored_octocatalog_diff\"]",
    ),
    key(
        "diff.strict-coverage",
        ValueKind::Switch,
        SetBy::Anyone,
        "Exit with status 1 if something was not judged",
        "true",
    ),
    key(
        "puppetdb.url",
        ValueKind::Text,
        SetBy::User,
        "The PuppetDB that `serve`, `diff` and `affected` get nodes and facts from",
        "\"https://puppetdb:8081\"",
    ),
    key("puppetdb.ca", ValueKind::Path, SetBy::User, "The CA certificate of PuppetDB", "\"~/ssl/ca.pem\""),
    key("puppetdb.cert", ValueKind::Path, SetBy::User, "The client certificate for PuppetDB", "\"~/ssl/me.pem\""),
    key("puppetdb.key", ValueKind::Path, SetBy::User, "The key of the client certificate", "\"~/ssl/me.key\""),
];

/// The setting of a name.
pub(crate) fn find(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

/// Returns whether a name is that of a table of settings.
pub(crate) fn is_table(name: &str) -> bool {
    KEYS.iter().any(|key| key.name.split_once('.').is_some_and(|(table, _)| table == name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_is_documented() {
        let page = include_str!("../../../../docs/reference/settings.md");
        for key in KEYS {
            assert!(page.contains(&format!("| `{}` |", key.name)), "{}", key.name);
            assert!(page.contains(&format!("| `{}` |", key.example)), "{}", key.name);
            let only_yours = page
                .lines()
                .any(|line| line.starts_with(&format!("| `{}` |", key.name)) && line.contains("(your file only)"));
            assert_eq!(only_yours, key.set_by == SetBy::User, "{}", key.name);
        }
    }
}
