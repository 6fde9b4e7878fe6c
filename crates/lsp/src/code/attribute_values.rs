//! The values that the agent's resource types list for their attributes, and those of metaparameters.
//!
//! They are recorded from Puppet 7.23: `Puppet::Type.type(:file).attrclass(:ensure).value_collection`. Of several
//! spellings of true and false, the table has one.

/// The values of an attribute; empty if any value is allowed, or none is known.
pub(super) fn find(of: &str, name: &str) -> &'static [&'static str] {
    match name {
        "noop" => &["true", "false"],
        "loglevel" => &["debug", "info", "notice", "warning", "err", "alert", "emerg", "crit", "verbose"],
        _ => {
            VALUES.iter().find(|(known, attribute, _)| *known == of && *attribute == name).map_or(&[], |(.., all)| all)
        }
    }
}

/// The resource type, the attribute, and its values.
#[rustfmt::skip]
const VALUES: &[(&str, &str, &[&str])] = &[
    ("exec", "logoutput", &["true", "false", "on_failure"]),
    ("exec", "refreshonly", &["true", "false"]),
    ("file", "ensure", &["absent", "file", "present", "directory", "link"]),
    ("file", "recurse", &["true", "false", "remote"]),
    ("file", "replace", &["true", "false"]),
    ("file", "force", &["true", "false"]),
    ("file", "links", &["follow", "manage"]),
    ("file", "purge", &["true", "false"]),
    ("file", "sourceselect", &["first", "all"]),
    ("file", "show_diff", &["true", "false"]),
    ("file", "checksum", &["sha256", "sha256lite", "md5", "md5lite", "sha1", "sha1lite", "sha512", "sha384", "sha224", "mtime", "ctime", "none"]),
    ("file", "source_permissions", &["use", "use_when_creating", "ignore"]),
    ("file", "selinux_ignore_defaults", &["true", "false"]),
    ("group", "ensure", &["present", "absent"]),
    ("group", "auth_membership", &["true", "false"]),
    ("group", "allowdupe", &["true", "false"]),
    ("group", "attribute_membership", &["inclusive", "minimum"]),
    ("group", "system", &["true", "false"]),
    ("group", "forcelocal", &["true", "false"]),
    ("notify", "withpath", &["true", "false"]),
    ("package", "ensure", &["present", "installed", "absent", "purged", "disabled", "latest"]),
    ("package", "mark", &["hold", "none"]),
    ("package", "configfiles", &["keep", "replace"]),
    ("package", "allowcdrom", &["true", "false"]),
    ("package", "enable_only", &["true", "false"]),
    ("package", "install_only", &["true", "false"]),
    ("package", "allow_virtual", &["true", "false"]),
    ("package", "reinstall_on_refresh", &["true", "false"]),
    ("resources", "purge", &["true", "false"]),
    ("resources", "unless_system_user", &["true", "false"]),
    ("schedule", "periodmatch", &["number", "distance"]),
    ("schedule", "period", &["hourly", "daily", "weekly", "monthly", "never"]),
    ("service", "ensure", &["stopped", "running"]),
    ("service", "enable", &["true", "false", "manual", "mask", "delayed"]),
    ("service", "hasstatus", &["true", "false"]),
    ("service", "hasrestart", &["true", "false"]),
    ("tidy", "recurse", &["true", "false", "inf"]),
    ("tidy", "type", &["atime", "mtime", "ctime"]),
    ("tidy", "rmdirs", &["true", "false"]),
    ("user", "ensure", &["present", "absent", "role"]),
    ("user", "expiry", &["absent"]),
    ("user", "membership", &["inclusive", "minimum"]),
    ("user", "system", &["true", "false"]),
    ("user", "allowdupe", &["true", "false"]),
    ("user", "managehome", &["true", "false"]),
    ("user", "role_membership", &["inclusive", "minimum"]),
    ("user", "auth_membership", &["inclusive", "minimum"]),
    ("user", "profile_membership", &["inclusive", "minimum"]),
    ("user", "key_membership", &["inclusive", "minimum"]),
    ("user", "attribute_membership", &["inclusive", "minimum"]),
    ("user", "forcelocal", &["true", "false"]),
    ("user", "purge_ssh_keys", &["true", "false"]),
];

#[cfg(test)]
mod tests {
    use hieratic::puppet_eval;

    use super::*;

    #[test]
    fn every_attribute_exists_once() {
        for (of, name, values) in VALUES {
            let mut known = puppet_eval::resource_attributes(of).into_iter().flatten();
            assert!(known.any(|known| known == *name), "{of} has no {name}");
            assert!(values.len() == values.iter().collect::<std::collections::BTreeSet<_>>().len(), "{of} {name}");
            assert_eq!(VALUES.iter().filter(|(other, attribute, _)| other == of && attribute == name).count(), 1);
        }
        assert_eq!(find("file", "ensure"), ["absent", "file", "present", "directory", "link"]);
        assert!(find("file", "path").is_empty());
    }
}
