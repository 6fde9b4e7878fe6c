//! Descriptions of data types and attributes of resources, in our own words. Descriptions of functions are in their
//! tables.
//!
//! See the references of
//! [types](https://www.puppet.com/docs/puppet/8/lang_data_type.html) and
//! [resource types](https://www.puppet.com/docs/puppet/8/type.html).

/// The values that a data type describes.
pub(super) fn kind(name: &str) -> Option<&'static str> {
    TYPES.iter().find(|(known, _)| *known == name).map(|(_, docs)| *docs)
}

/// The purpose of an attribute.
pub(super) fn attribute(of: &str, name: &str) -> Option<&'static str> {
    ATTRIBUTES.iter().find(|(kind, known, _)| *kind == of && *known == name).map(|(.., docs)| *docs)
}

/// The data type, and the values that it describes.
#[rustfmt::skip]
const TYPES: &[(&str, &str)] = &[
    ("Any", "Every value."),
    ("Array", "Lists: `Array[element, least, most]`."),
    ("Binary", "Bytes."),
    ("Boolean", "true and false."),
    ("Callable", "Blocks and functions: `Callable[argument, ...]`."),
    ("CatalogEntry", "Resources and classes."),
    ("Class", "Classes: `Class[name]`."),
    ("Collection", "Lists and hashes."),
    ("Data", "Values that JSON can write: strings, numbers, booleans, undef, and lists and hashes of them."),
    ("Default", "The value `default`."),
    ("Deferred", "A call that the agent makes."),
    ("Enum", "One of several strings: `Enum['a', 'b']`."),
    ("Error", "Errors."),
    ("Float", "Numbers with a fraction: `Float[least, most]`."),
    ("Hash", "Keys with values: `Hash[key, value, least, most]`."),
    ("Init", "The values that a type can be created from."),
    ("Integer", "Whole numbers: `Integer[least, most]`."),
    ("Iterable", "Values that can be iterated over."),
    ("Iterator", "An iteration in progress."),
    ("NotUndef", "Everything but undef: `NotUndef[type]`."),
    ("Numeric", "Numbers."),
    ("Object", "Objects."),
    ("Optional", "A type, or undef: `Optional[type]`."),
    ("Pattern", "Strings that match one of several regular expressions: `Pattern[/^a/]`."),
    ("Regexp", "Regular expressions."),
    ("Resource", "Resources: `Resource['file', '/x']`, or `File['/x']`."),
    ("RichData", "Data, and values such as times, versions and secrets."),
    ("Scalar", "Single values: strings, numbers, booleans, regular expressions, versions, times."),
    ("ScalarData", "Strings, numbers and booleans."),
    ("SemVer", "Semantic versions: `SemVer['>=1.0.0']`."),
    ("SemVerRange", "Ranges of semantic versions."),
    ("Sensitive", "Secrets, which logs and reports do not show: `Sensitive[type]`."),
    ("String", "Strings: `String[least, most]` characters."),
    ("Struct", "Hashes with known keys: `Struct[{a => Integer, Optional[b] => String}]`."),
    ("Timespan", "Lengths of time."),
    ("Timestamp", "Points in time."),
    ("Tuple", "Lists with a type for each element: `Tuple[String, Integer]`."),
    ("Type", "Types: `Type[type]`."),
    ("Undef", "The value `undef`."),
    ("URI", "Addresses."),
    ("Variant", "One of several types: `Variant[Integer, String]`."),
];

/// The resource type, the attribute, and its purpose.
#[rustfmt::skip]
const ATTRIBUTES: &[(&str, &str, &str)] = &[
    ("file", "ensure", "Whether there is a file, a directory, a link, or nothing: file, directory, link, present, absent."),
    ("file", "path", "The path; by default the title."),
    ("file", "content", "The content as a string."),
    ("file", "source", "Where the content comes from: puppet:///modules/name/file, a path, or an address. The first of a list that is there counts."),
    ("file", "target", "The target of a link."),
    ("file", "owner", "The user that it belongs to."),
    ("file", "group", "The group that it belongs to."),
    ("file", "mode", "The permissions, as a string of octal digits or as chmod writes them."),
    ("file", "recurse", "Whether the content of a directory is managed: true, false or remote."),
    ("file", "recurselimit", "How deep directories are managed."),
    ("file", "purge", "Whether unmanaged files in a directory are removed."),
    ("file", "force", "Whether directories may be removed or replaced."),
    ("file", "replace", "Whether a file that is there gets other content."),
    ("file", "backup", "Where the old content is kept."),
    ("file", "links", "Whether links are followed or managed: follow, manage."),
    ("file", "checksum", "How contents are compared."),
    ("file", "show_diff", "Whether reports show what changes."),
    ("file", "validate_cmd", "A command that must accept the new content; % is its file."),
    ("file", "selinux_ignore_defaults", "Whether the default context of SELinux does not count."),
    ("package", "ensure", "present, absent, latest, held, or a version."),
    ("package", "name", "The name of the package; by default the title."),
    ("package", "provider", "The tool that installs it: apt, dnf, gem, pip and others."),
    ("package", "source", "The file or address of the package."),
    ("package", "install_options", "Further options of the installer."),
    ("package", "uninstall_options", "Further options of the removal."),
    ("package", "responsefile", "A file with answers to questions."),
    ("package", "configfiles", "Whether changed files of configuration are kept or replaced."),
    ("package", "mark", "Whether the package is held: hold, none."),
    ("service", "ensure", "running or stopped."),
    ("service", "enable", "Whether it starts with the machine: true, false, mask and others."),
    ("service", "name", "The name of the service; by default the title."),
    ("service", "hasrestart", "Whether the service has a command that restarts it."),
    ("service", "hasstatus", "Whether the service has a command that shows its status."),
    ("service", "restart", "The command that restarts it."),
    ("service", "start", "The command that starts it."),
    ("service", "stop", "The command that stops it."),
    ("service", "status", "The command that succeeds while it is running."),
    ("service", "pattern", "A pattern for its entry in the list of processes."),
    ("service", "provider", "The tool that manages it: systemd, init and others."),
    ("exec", "command", "The command; by default the title."),
    ("exec", "path", "Where commands are looked for."),
    ("exec", "creates", "A file that must not be there for the command to run."),
    ("exec", "onlyif", "Commands that must succeed for the command to run."),
    ("exec", "unless", "Commands of which none may succeed for the command to run."),
    ("exec", "refreshonly", "Whether the command runs only if it is notified."),
    ("exec", "refresh", "The command that runs instead if it is notified."),
    ("exec", "cwd", "The folder in which the command runs."),
    ("exec", "environment", "Variables of the environment: NAME=value."),
    ("exec", "user", "The user that runs the command."),
    ("exec", "group", "The group that runs the command."),
    ("exec", "umask", "The mask of permissions for files that the command creates."),
    ("exec", "timeout", "After how many seconds the command is ended."),
    ("exec", "tries", "How many times the command is tried."),
    ("exec", "try_sleep", "How many seconds are between tries."),
    ("exec", "returns", "Which exit codes count as success."),
    ("exec", "logoutput", "Whether output is logged: true, false, on_failure."),
    ("exec", "provider", "How the command runs: posix, shell, windows."),
    ("user", "ensure", "present, absent or role."),
    ("user", "uid", "The number of the user."),
    ("user", "gid", "The primary group, by number or name."),
    ("user", "groups", "Further groups."),
    ("user", "membership", "Whether the groups are all: inclusive, minimum."),
    ("user", "home", "The home folder."),
    ("user", "managehome", "Whether the home folder is made and removed with the user."),
    ("user", "shell", "The shell."),
    ("user", "comment", "The full name, or another note."),
    ("user", "password", "The hash of the password."),
    ("user", "system", "Whether it is a user of the system, with a low number."),
    ("user", "expiry", "When the account ends: YYYY-MM-DD, or absent."),
    ("user", "purge_ssh_keys", "Whether keys that nothing manages are removed."),
    ("user", "forcelocal", "Whether local users are managed where a directory has them, too."),
    ("group", "ensure", "present or absent."),
    ("group", "gid", "The number of the group."),
    ("group", "members", "The members of the group."),
    ("group", "system", "Whether it is a group of the system, with a low number."),
    ("cron", "command", "The command."),
    ("cron", "user", "The user whose table has the entry."),
    ("cron", "minute", "The minutes: 0 to 59."),
    ("cron", "hour", "The hours: 0 to 23."),
    ("cron", "monthday", "The days of the month: 1 to 31."),
    ("cron", "month", "The months: 1 to 12, or names."),
    ("cron", "weekday", "The days of the week: 0 to 7, or names."),
    ("cron", "environment", "Variables of the environment: NAME=value."),
    ("cron", "special", "A name instead of times, such as daily or reboot."),
    ("cron", "ensure", "present or absent."),
    ("notify", "message", "The message; by default the title."),
    ("notify", "withpath", "Whether the message tells the resource."),
    ("tidy", "path", "The file or folder."),
    ("tidy", "age", "How old files must be to be removed."),
    ("tidy", "size", "How large files must be to be removed."),
    ("tidy", "recurse", "Whether folders are looked into."),
    ("tidy", "matches", "Patterns for the names of files."),
    ("mount", "ensure", "mounted, unmounted, present or absent."),
    ("mount", "device", "The device or remote folder to mount."),
    ("mount", "fstype", "The file system."),
    ("mount", "options", "The options, separated by commas."),
    ("host", "ip", "The address."),
    ("host", "host_aliases", "Further names."),
    ("ssh_authorized_key", "user", "The user whose file has the key."),
    ("ssh_authorized_key", "type", "The kind of the key, such as ssh-ed25519."),
    ("ssh_authorized_key", "key", "The public key."),
    ("schedule", "period", "How often: hourly, daily, weekly, monthly, never."),
    ("schedule", "range", "The times of the day: 2 - 4."),
    ("schedule", "repeat", "How many times in a period."),
    ("resources", "purge", "Whether resources that nothing manages are removed."),
    ("stage", "before", "The stages that come after."),
];

#[cfg(test)]
mod tests {
    use hieratic::puppet_eval;

    use super::*;

    #[test]
    fn every_attribute_exists() {
        for (kind, name, _) in ATTRIBUTES {
            let mut known = puppet_eval::resource_attributes(kind).into_iter().flatten().peekable();
            let is_elsewhere = known.peek().is_none();
            let is_known =
                known.any(|known| known == *name) || puppet_eval::metaparameters().any(|known| known == *name);
            assert!(is_elsewhere || is_known, "{kind} has no {name}");
        }
    }
}
