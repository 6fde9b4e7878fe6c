//! The resource types that the language brings along, with their attributes.
//!
//! Checked against Puppet 7.23; see the [type reference](https://www.puppet.com/docs/puppet/8/type.html).

/// A resource type.
pub(crate) struct ResourceKind {
    /// The name.
    pub name: &'static str,
    /// Its attributes, without those that every resource has.
    pub attributes: &'static str,
}

/// Attributes that every resource has.
pub(crate) const METAPARAMETERS: &str = "noop schedule audit loglevel alias tag require subscribe before notify stage";

/// The type of a name in lower case.
pub(crate) fn find(name: &str) -> Option<&'static ResourceKind> {
    KINDS.iter().find(|kind| kind.name == name)
}

impl ResourceKind {
    /// Whether resources of the type have an attribute.
    pub fn has(&self, attribute: &str) -> bool {
        attribute == "name" || listed(self.attributes, attribute) || listed(METAPARAMETERS, attribute)
    }
}

/// Whether a word is in a list of words.
pub(crate) fn listed(list: &str, word: &str) -> bool {
    list.split(' ').any(|one| one == word)
}

/// Resource types that the agent package brings in modules; their attributes are not checked.
const IN_MODULES: &str = "augeas cron host mount mountpoint nagios_command nagios_contact nagios_host nagios_service \
                          selboolean selmodule ssh_authorized_key sshkey yumrepo zfs zone zpool";

/// Whether the type is one of those that come in modules with the agent.
pub(crate) fn comes_in_module(name: &str) -> bool {
    listed(IN_MODULES, name)
}

#[rustfmt::skip]
static KINDS: &[ResourceKind] = &[
    ResourceKind { name: "exec", attributes: "command creates cwd environment group logoutput onlyif path provider refresh refreshonly returns timeout tries try_sleep umask unless user" },
    ResourceKind { name: "file", attributes: "backup checksum checksum_value content ctime ensure force group ignore links max_files mode mtime owner path provider purge recurse recurselimit replace selinux_ignore_defaults selrange selrole seltype seluser show_diff source source_permissions sourceselect staging_location target type validate_cmd validate_replacement" },
    ResourceKind { name: "filebucket", attributes: "name path port server" },
    ResourceKind { name: "group", attributes: "allowdupe attribute_membership attributes auth_membership ensure forcelocal gid ia_load_module members name provider system" },
    ResourceKind { name: "notify", attributes: "message name withpath" },
    ResourceKind { name: "package", attributes: "adminfile allow_virtual allowcdrom category command configfiles description enable_only ensure flavor install_only install_options instance mark name package_settings platform provider reinstall_on_refresh responsefile root source status uninstall_options vendor" },
    ResourceKind { name: "resources", attributes: "name purge unless_system_user unless_uid" },
    ResourceKind { name: "schedule", attributes: "name period periodmatch range repeat weekday" },
    ResourceKind { name: "service", attributes: "binary control enable ensure flags hasrestart hasstatus logonaccount logonpassword manifest name path pattern provider restart start status stop timeout" },
    ResourceKind { name: "stage", attributes: "name" },
    ResourceKind { name: "tidy", attributes: "age backup matches max_files path recurse rmdirs size type" },
    ResourceKind { name: "user", attributes: "allowdupe attribute_membership attributes auth_membership auths comment ensure expiry forcelocal gid groups home ia_load_module iterations key_membership keys loginclass managehome membership name password password_max_age password_min_age password_warn_days profile_membership profiles project provider purge_ssh_keys role_membership roles salt shell system uid" },
];
