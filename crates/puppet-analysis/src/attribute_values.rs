//! The values that resource types of the agent allow.
//!
//! They are recorded from Puppet 7.23: the `value_collection` of all attributes that do not check their values in
//! another way. A type of a module replaces a type of the agent.

use crate::types::KindSet;

/// The resource type, the attribute, and its values.
#[rustfmt::skip]
const VALUES: &[(&str, &str, &str)] = &[
    ("exec", "logoutput", "true false on_failure"),
    ("exec", "refreshonly", "true false"),
    ("file", "force", "true false yes no"),
    ("file", "links", "follow manage"),
    ("file", "purge", "true false yes no"),
    ("file", "recurse", "true false remote"),
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
    ("user", "managehome", "true false yes no"),
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
        "noop" => "true false",
        _ => VALUES.iter().find(|(known, name, _)| *known == kind && *name == attribute)?.2,
    };
    Some(values.split(' '))
}

/// The resource types of the agent that do not take any provider, with those that Puppet 7.23 has.
#[rustfmt::skip]
const PROVIDERS: &[(&str, &str)] = &[
    ("exec", "posix shell windows"),
    ("file", "posix windows"),
    ("group", "aix directoryservice groupadd ldap pw windows_adsi"),
    ("package", "aix appdmg apple apt aptitude aptrpm blastwave dnf dnfmodule dpkg fink freebsd gem hpux macports nim openbsd opkg \
        pacman pip pip2 pip3 pkg pkgdmg pkgin pkgng pkgutil portage ports portupgrade puppet_gem puppetserver_gem rpm rug sun \
        sunfreeware tdnf up2date urpmi windows yum zypper"),
    ("service", "base bsd daemontools debian freebsd gentoo init launchd openbsd openrc openwrt rcng redhat runit service smf src \
        systemd upstart windows"),
    ("user", "aix directoryservice hpuxuseradd ldap openbsd pw user_role_add useradd windows_adsi"),
];

/// The providers of a resource type of the agent; `None` if they are not known.
pub(crate) fn providers(kind: &str) -> Option<&'static str> {
    PROVIDERS.iter().find(|(known, _)| *known == kind).map(|(_, names)| *names)
}

/// The resource type, the attribute, and the kinds of values that it refuses: Puppet 7.23 has been given one of each.
#[rustfmt::skip]
const REFUSED: &[(&str, &str, &str)] = &[
    ("exec", "command", "boolean hash integer"),
    ("exec", "creates", "boolean hash integer"),
    ("exec", "cwd", "boolean hash integer"),
    ("exec", "environment", "boolean hash integer"),
    ("exec", "onlyif", "boolean hash integer"),
    ("exec", "path", "boolean hash integer"),
    ("exec", "refresh", "boolean hash integer"),
    ("exec", "timeout", "boolean hash"),
    ("exec", "tries", "boolean hash"),
    ("exec", "try_sleep", "boolean hash"),
    ("exec", "umask", "boolean hash integer"),
    ("exec", "unless", "boolean hash integer"),
    ("file", "backup", "hash integer"),
    ("file", "content", "boolean hash integer"),
    ("file", "ignore", "boolean hash integer"),
    ("file", "max_files", "boolean hash"),
    ("file", "path", "boolean hash integer"),
    ("file", "recurselimit", "boolean hash"),
    ("file", "source", "boolean hash integer"),
    ("file", "staging_location", "boolean hash integer"),
    ("package", "enable_only", "hash integer"),
    ("package", "install_options", "boolean hash integer"),
    ("resources", "purge", "hash integer"),
    ("resources", "unless_system_user", "hash"),
    ("resources", "unless_uid", "boolean hash"),
    ("schedule", "range", "boolean hash integer"),
    ("schedule", "repeat", "boolean hash"),
    ("schedule", "weekday", "boolean hash integer"),
    ("service", "path", "boolean hash integer"),
    ("tidy", "age", "boolean hash integer"),
    ("tidy", "matches", "boolean hash integer"),
    ("tidy", "max_files", "boolean hash"),
    ("tidy", "path", "boolean hash integer"),
    ("tidy", "recurse", "hash"),
    ("tidy", "size", "boolean hash integer"),
    ("user", "expiry", "boolean hash integer"),
    ("user", "groups", "boolean integer"),
    ("user", "password_max_age", "boolean hash"),
    ("user", "password_min_age", "boolean hash"),
    ("user", "password_warn_days", "boolean hash"),
    ("user", "purge_ssh_keys", "hash integer"),
];

/// The kinds of values that an attribute of a type of the agent refuses.
pub(crate) fn refused(kind: &str, attribute: &str) -> KindSet {
    let row = REFUSED.iter().find(|(known, name, _)| *known == kind && *name == attribute);
    let words = row.map(|(.., words)| words.split(' ')).into_iter().flatten();
    words.fold(KindSet::NONE, |kinds, word| {
        kinds.and(match word {
            "hash" => KindSet::HASH,
            "integer" => KindSet::INTEGER,
            "boolean" => KindSet::BOOLEAN,
            _ => KindSet::NONE,
        })
    })
}
