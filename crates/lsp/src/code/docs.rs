//! Descriptions of functions, data types and attributes of resources, in our own words.
//!
//! See the references of [functions](https://www.puppet.com/docs/puppet/8/function.html),
//! [types](https://www.puppet.com/docs/puppet/8/lang_data_type.html) and
//! [resource types](https://www.puppet.com/docs/puppet/8/type.html).

/// The purpose of a function, and an example with its result.
pub(super) fn function(name: &str) -> Option<(&'static str, &'static str)> {
    FUNCTIONS.iter().find(|(known, ..)| *known == name).map(|(_, docs, example)| (*docs, *example))
}

/// The values that a data type describes.
pub(super) fn kind(name: &str) -> Option<&'static str> {
    TYPES.iter().find(|(known, _)| *known == name).map(|(_, docs)| *docs)
}

/// The purpose of an attribute.
pub(super) fn attribute(of: &str, name: &str) -> Option<&'static str> {
    ATTRIBUTES.iter().find(|(kind, known, _)| *kind == of && *known == name).map(|(.., docs)| *docs)
}

/// The function, its purpose, and an example.
#[rustfmt::skip]
const FUNCTIONS: &[(&str, &str, &str)] = &[
    ("abs", "The number without its sign.", "abs(-4) # 4"),
    ("alert", "Logs a message at the level alert.", "alert('disk full')"),
    ("all", "Whether the block is true for all elements.", "[1, 2].all |$n| { $n > 0 } # true"),
    ("any", "Whether the block is true for an element.", "[1, 2].any |$n| { $n > 1 } # true"),
    ("assert_type", "The value, if it is of the type; an error otherwise.", "assert_type(Integer, 5) # 5"),
    ("break", "Ends the iteration around.", "[1, 2].each |$n| { break() }"),
    ("call", "Calls a function by its name.", "call('join', ['a', 'b'], '-') # 'a-b'"),
    ("camelcase", "The string without underscores, each part with a capital.", "camelcase('hello_friend') # 'HelloFriend'"),
    ("capitalize", "The string with its first letter upper case.", "capitalize('hello') # 'Hello'"),
    ("ceiling", "The next whole number that is not less.", "ceiling(1.2) # 2"),
    ("chomp", "The string without the end of its line.", "chomp(\"a\\n\") # 'a'"),
    ("compare", "How two values compare: -1, 0 or 1.", "compare('a', 'b') # -1"),
    ("contain", "Declares classes and keeps them inside of this one.", "contain profile::base"),
    ("convert_to", "The value, converted to a type.", "'42'.convert_to(Integer) # 42"),
    ("create_resources", "Declares resources of a type from a hash.", "create_resources('user', { 'a' => { 'uid' => 1 } })"),
    ("debug", "Logs a message at the level debug.", "debug('here')"),
    ("defined", "Whether a class, type, variable or resource is known.", "defined('file') # true"),
    ("dig", "The value that a path of keys leads to, or undef.", "{ 'a' => [1, 2] }.dig('a', 1) # 2"),
    ("downcase", "The string in lower case.", "downcase('ABC') # 'abc'"),
    ("each", "Runs the block for each element, and returns its first argument.", "[1, 2].each |$n| { notice($n) }"),
    ("empty", "Whether it has no elements or characters.", "empty([]) # true"),
    ("ensure_packages", "Declares packages that nothing else has declared.", "ensure_packages(['curl'])"),
    ("ensure_resource", "Declares a resource unless it is there already.", "ensure_resource('user', 'a', { 'ensure' => 'present' })"),
    ("epp", "Renders a template of Puppet.", "epp('web/conf.epp', { 'port' => 80 })"),
    ("err", "Logs a message at the level err.", "err('broken')"),
    ("fail", "Ends the compilation with a message.", "fail('not supported')"),
    ("file", "The content of a file of a module.", "file('web/motd')"),
    ("filter", "The elements for which the block is true.", "[1, 2, 3].filter |$n| { $n > 1 } # [2, 3]"),
    ("find_file", "The first file that is there, or undef.", "find_file('web/motd')"),
    ("flatten", "Lists in lists as one list.", "flatten([1, [2, [3]]]) # [1, 2, 3]"),
    ("floor", "The next whole number that is not greater.", "floor(1.8) # 1"),
    ("fqdn_rand", "A pseudorandom number, the same each time for a node.", "fqdn_rand(60, 'cron')"),
    ("generate", "The output of a program; needs a permission.", "generate('/bin/hostname')"),
    ("get", "The value at a path with dots, or a default.", "{ 'a' => [1, 2] }.get('a.1') # 2"),
    ("getvar", "The value of a variable by its name, or a default.", "getvar('facts.os.family')"),
    ("group_by", "The elements, grouped by the result of the block.", "[1, 2, 3].group_by |$n| { $n % 2 }"),
    ("hiera", "The value of a key; `lookup` has replaced it.", "hiera('ntp::servers')"),
    ("include", "Declares classes, each once.", "include profile::base, profile::web"),
    ("index", "The index or key of the first element that fits, or undef.", "['a', 'b'].index('b') # 1"),
    ("info", "Logs a message at the level info.", "info('here')"),
    ("inline_epp", "Renders a template that is given as a string.", "inline_epp('<%= 1 + 1 %>') # '2'"),
    ("inline_template", "Renders a template in Ruby that is given as a string.", "inline_template('<%= 1 + 1 %>') # '2'"),
    ("join", "The elements as one string.", "join(['a', 'b'], ', ') # 'a, b'"),
    ("keys", "The keys of a hash.", "keys({ 'a' => 1 }) # ['a']"),
    ("length", "How many elements or characters there are.", "length('abc') # 3"),
    ("lest", "The value, or the result of the block if it is undef.", "undef.lest || { 5 } # 5"),
    ("lookup", "The value that Hiera has for a key.", "lookup('ntp::servers', Array[String], 'unique', [])"),
    ("lstrip", "The string without space in front.", "lstrip('  a') # 'a'"),
    ("map", "The results of the block for each element.", "[1, 2].map |$n| { $n * 2 } # [2, 4]"),
    ("match", "The parts of a string that a regular expression matches.", "'abc12'.match(/([a-z]+)(\\d+)/) # ['abc12', 'abc', '12']"),
    ("max", "The greatest value.", "max(1, 3, 2) # 3"),
    ("member", "Whether a list has an element.", "member(['a', 'b'], 'a') # true"),
    ("merge", "Hashes as one; the last one wins.", "merge({ 'a' => 1 }, { 'a' => 2 }) # { 'a' => 2 }"),
    ("min", "The least value.", "min(1, 3, 2) # 1"),
    ("module_directory", "The folder of a module, or undef.", "module_directory('web')"),
    ("new", "A value of a type, made of another one.", "Integer.new('0x1f') # 31"),
    ("next", "Continues with the next element.", "[1, 2].map |$n| { next($n) }"),
    ("notice", "Logs a message at the level notice.", "notice(\"port ${port}\")"),
    ("partition", "The elements for which the block is true, and the others.", "[1, 2].partition |$n| { $n > 1 } # [[2], [1]]"),
    ("pick", "The first value that is neither undef nor empty.", "pick(undef, '', 'a') # 'a'"),
    ("realize", "Makes virtual resources real.", "realize(User['a'])"),
    ("reduce", "One value: the block gets the value so far and the next element.", "[1, 2, 3].reduce |$sum, $n| { $sum + $n } # 6"),
    ("regsubst", "The string with the matches of a regular expression replaced.", "regsubst('a.b', '[.]', '-', 'G') # 'a-b'"),
    ("require", "Declares classes, and has them managed before this one.", "require profile::base"),
    ("return", "Ends the function or the class with a value.", "return(5)"),
    ("reverse_each", "The elements from the last to the first.", "[1, 2].reverse_each.map |$n| { $n } # [2, 1]"),
    ("round", "The nearest whole number.", "round(1.5) # 2"),
    ("rstrip", "The string without space behind.", "rstrip('a  ') # 'a'"),
    ("sha256", "The checksum of a string.", "sha256('a')"),
    ("shellquote", "Words, quoted for a shell.", "shellquote('a b') # '\"a b\"'"),
    ("size", "How many elements or characters there are.", "size([1, 2]) # 2"),
    ("slice", "The elements in lists of some length.", "[1, 2, 3].slice(2) # [[1, 2], [3]]"),
    ("sort", "The elements in order.", "sort([3, 1, 2]) # [1, 2, 3]"),
    ("split", "The parts of a string between the separators.", "split('a,b', ',') # ['a', 'b']"),
    ("sprintf", "A string with values in place of its directives.", "sprintf('%05.1f', 1.5) # '001.5'"),
    ("step", "Every so many elements.", "[1, 2, 3, 4].step(2).map |$n| { $n } # [1, 3]"),
    ("strip", "The string without space at both ends.", "strip('  a ') # 'a'"),
    ("tag", "Adds tags to the resource or class around.", "tag('web')"),
    ("tagged", "Whether the resource or class around has tags.", "tagged('web')"),
    ("template", "Renders templates in Ruby.", "template('web/conf.erb')"),
    ("then", "The result of the block for the value, unless that is undef.", "5.then |$n| { $n + 1 } # 6"),
    ("to_json", "The value as JSON.", "to_json({ 'a' => 1 }) # '{\"a\":1}'"),
    ("to_yaml", "The value as YAML.", "to_yaml({ 'a' => 1 })"),
    ("tree_each", "Runs the block for each value inside of values.", "[1, [2]].tree_each |$n| { notice($n) }"),
    ("type", "The type of a value.", "type(5) # Integer[5, 5]"),
    ("unique", "The elements, each once.", "unique([1, 1, 2]) # [1, 2]"),
    ("unwrap", "The content of a Sensitive value.", "Sensitive('a').unwrap # 'a'"),
    ("upcase", "The string in upper case.", "upcase('abc') # 'ABC'"),
    ("values", "The values of a hash.", "values({ 'a' => 1 }) # [1]"),
    ("versioncmp", "How two versions compare: -1, 0 or 1.", "versioncmp('2.10', '2.9') # 1"),
    ("warning", "Logs a message at the level warning.", "warning('old')"),
    ("with", "Calls the block with values.", "with(1, 2) |$a, $b| { $a + $b } # 3"),
];

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
    use hieratic_diagnostics::Source;

    use super::*;

    #[test]
    fn examples_parse_and_every_name_exists() {
        for (_, _, example) in FUNCTIONS {
            let parsed = hieratic_puppet_syntax::parse(&Source::new("example.pp", *example), &Default::default());
            assert!(parsed.program.is_some(), "{example}");
        }
        let names: Vec<&str> = FUNCTIONS.iter().map(|(name, ..)| *name).collect();
        let unknown = names.iter().filter(|name| !hieratic::function_names().any(|known| known == **name));
        assert_eq!(unknown.collect::<Vec<_>>(), [] as [&&str; 0]);
        for (kind, name, _) in ATTRIBUTES {
            let mut known = puppet_eval::resource_attributes(kind).into_iter().flatten().peekable();
            let is_elsewhere = known.peek().is_none();
            let is_known =
                known.any(|known| known == *name) || puppet_eval::metaparameters().any(|known| known == *name);
            assert!(is_elsewhere || is_known, "{kind} has no {name}");
        }
    }
}
