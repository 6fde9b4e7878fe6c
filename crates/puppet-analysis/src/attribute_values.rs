//! The values that resource types of the agent allow.
//!
//! Puppet 7.23 has listed them: `value_collection` of the classes of attributes that do not check values in another way. A type of a
//! module replaces one of the agent.

/// The resource type, the attribute, and its values.
#[rustfmt::skip]
const VALUES: &[(&str, &str, &str)] = &[
    ("exec", "logoutput", "true false on_failure"),
    ("exec", "refreshonly", "true false"),
    ("file", "force", "true false yes no"),
    ("file", "links", "follow manage"),
    ("file", "purge", "true false yes no"),
    ("file", "replace", "true false yes no"),
    ("file", "selinux_ignore_defaults", "true false"),
    ("file", "show_diff", "true false yes no"),
    ("file", "source_permissions", "use use_when_creating ignore"),
    ("file", "sourceselect", "first all"),
    ("group", "allowdupe", "true false yes no"),
    ("group", "attribute_membership", "inclusive minimum"),
    ("group", "auth_membership", "true false yes no"),
    ("group", "ensure", "present absent"),
    ("group", "forcelocal", "true false yes no"),
    ("group", "system", "true false yes no"),
    ("notify", "withpath", "true false"),
    ("package", "allow_virtual", "true false yes no"),
    ("package", "allowcdrom", "true false"),
    ("package", "configfiles", "keep replace"),
    ("package", "install_only", "true false yes no"),
    ("package", "mark", "hold none"),
    ("package", "reinstall_on_refresh", "true false"),
    ("schedule", "period", "hourly daily weekly monthly never"),
    ("schedule", "periodmatch", "number distance"),
    ("service", "enable", "true false manual mask delayed"),
    ("service", "ensure", "stopped running true false"),
    ("service", "hasrestart", "true false"),
    ("service", "hasstatus", "true false"),
    ("tidy", "rmdirs", "true false yes no"),
    ("tidy", "type", "atime mtime ctime"),
    ("user", "allowdupe", "true false yes no"),
    ("user", "attribute_membership", "inclusive minimum"),
    ("user", "auth_membership", "inclusive minimum"),
    ("user", "ensure", "present absent role"),
    ("user", "forcelocal", "true false yes no"),
    ("user", "key_membership", "inclusive minimum"),
    ("user", "membership", "inclusive minimum"),
    ("user", "profile_membership", "inclusive minimum"),
    ("user", "role_membership", "inclusive minimum"),
    ("user", "system", "true false yes no"),
];

/// The values of the metaparameter `loglevel`.
const LOG_LEVELS: &str = "debug info notice warning err alert emerg crit verbose";

/// The values that an attribute allows; `None` if it allows others, or none are known.
pub(crate) fn allowed(kind: &str, attribute: &str) -> Option<impl Iterator<Item = &'static str> + Clone> {
    let values = match attribute {
        "loglevel" => LOG_LEVELS,
        _ => VALUES.iter().find(|(known, name, _)| *known == kind && *name == attribute)?.2,
    };
    Some(values.split(' '))
}
