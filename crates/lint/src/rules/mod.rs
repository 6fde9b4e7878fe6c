//! The rules of the linter: a module for each, named by its id, and a row of the table below.
//!
//! The documentation at the top of a module is the page of its rule, `docs/findings/ID.md`.

mod argument_type;
mod attribute_type;
mod attribute_value;
pub(crate) mod broken_promise;
pub(crate) mod catalog;
mod cluster_file;
mod cluster_file_remark;
pub(crate) mod conflict_marker;
mod constant_condition;
mod context;
pub(crate) mod data_function;
pub(crate) mod data_no_hash;
pub(crate) mod data_syntax;
mod default_type;
pub(crate) mod dependency_cycle;
pub(crate) mod directive;
pub(crate) mod duplicate_key;
mod duplicate_resource;
pub(crate) mod empty_interpolation;
mod epp_parameter;
mod epp_variable;
pub(crate) mod failing_lookup;
mod foreign_key;
mod hcl_syntax;
pub(crate) mod hierarchy;
pub(crate) mod hierarchy_warning;
mod idle_options;
mod incomplete_case;
pub(crate) mod interpolation;
pub(crate) mod invalid_promise;
mod job;
mod job_address;
mod job_check_port;
mod job_constraint;
mod job_deprecated;
mod job_driver;
mod job_driver_option;
mod job_driver_value;
mod job_lint;
mod job_main_task;
mod job_name_length;
mod job_port;
mod job_remark;
mod job_runtime_name;
mod job_shutdown_delay;
mod job_static_port;
mod job_template;
mod job_unquoted_word;
mod job_version;
mod job_volume_mount;
pub(crate) mod legacy_fact;
mod lookup_cycle;
pub(crate) mod lookup_options;
mod lost_knockout;
pub(crate) mod manifest;
mod misplaced_return;
mod missing_attribute;
pub(crate) mod missing_datadir;
mod missing_file;
pub(crate) mod module_metadata;
mod module_version;
pub(crate) mod not_judged;
pub(crate) mod not_seen;
mod operand_type;
pub(crate) mod outside_repository;
mod page;
pub(crate) mod parameter_type;
pub(crate) mod puppetfile;
mod reassigned_variable;
pub(crate) mod redundant_value;
mod regsubst_encoding;
mod removed_function;
pub(crate) mod removed_ruby;
mod repeated_attribute;
mod repeated_secret;
pub(crate) mod repeats_default;
mod return_type;
pub(crate) mod secret_not_decrypted;
mod secret_unchecked;
pub(crate) mod sensitive_interpolation;
pub(crate) mod shadowed_value;
mod shadowed_variable;
mod string_arithmetic;
pub(crate) mod style;
pub(crate) mod template_syntax;
pub(crate) mod unanswered_key;
pub(crate) mod unchecked_promise;
pub(crate) mod undecryptable_secret;
mod undefined_fact;
mod undefined_function;
mod undefined_key;
mod undefined_resource;
mod undefined_resource_type;
mod undefined_type;
mod unknown_attribute;
pub(crate) mod unknown_class;
pub(crate) mod unknown_filter;
pub(crate) mod unknown_interpolation_function;
pub(crate) mod unknown_key;
pub(crate) mod unknown_parameter;
pub(crate) mod unknown_variable;
pub(crate) mod unmatched_options;
mod unreachable_code;
mod unreachable_file;
mod unreached_file;
mod unread_level;
pub(crate) mod unreadable;
mod unset_variable;
pub(crate) mod unused_ignore;
mod unused_key;
mod unused_result;
mod unused_variable;

use hieratic_diagnostics::{Code, Severity};

pub(crate) use context::{ProgramContext, RuleContext, UnjudgedKey};
use page::page_of;

use crate::walks::Walk;

/// A function that looks for breaches of a rule, or of several that share a walk, in an environment.
pub(crate) type Check = fn(&RuleContext<'_>);

/// The time and the input of a rule's check. A rule may have several kinds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// While paths are walked and configurations are read: the reader calls the functions of the rule.
    Reading,
    /// While a single file is read: its reader, in `texts`, `modules` or `workspace`, calls the functions of the rule.
    Text,
    /// In each manifest and template of EPP that is not refused.
    Program(fn(&ProgramContext<'_>)),
    /// In an environment.
    Environment(Check),
    /// In an environment, by a walk that several rules share.
    Shared(Walk),
    /// In an environment, with `--hygiene`.
    Hygiene(Check),
    /// In an environment, by trying lookups, after all others.
    Lookups(Check),
}

/// A rule: its code, which never changes, and the severity of its findings.
#[derive(Debug)]
pub struct Rule {
    /// The id, and a line about it.
    pub code: Code,
    /// A paragraph about it.
    pub explanation: &'static str,
    /// The severity of its findings, unless a finding has another one.
    pub severity: Severity,
    /// Its page, in `docs/findings`: the finding, why it matters, how to fix it, and an example.
    pub page: &'static str,
    /// When it is checked, in order.
    pub(crate) kinds: &'static [Kind],
}

impl Rule {
    /// Returns whether it is about hygiene, which [`Options::hygiene`](crate::Options::hygiene) enables.
    pub fn is_hygiene(&self) -> bool {
        let is_hygiene = |kind: &Kind| match kind {
            Kind::Hygiene(_) => true,
            Kind::Shared(walk) => walk.is_hygiene(),
            Kind::Reading | Kind::Text | Kind::Program(_) | Kind::Environment(_) | Kind::Lookups(_) => false,
        };
        self.kinds.iter().any(is_hygiene)
    }

    /// Returns the id.
    pub const fn id(&self) -> &'static str {
        self.code.id()
    }

    /// Returns whether a code selects this rule: its id, or the name of its group.
    pub fn is_selected_by(&self, code: &str) -> bool {
        self.id() == code || group(code).is_some_and(|group| group.rules.iter().any(|rule| rule.id() == self.id()))
    }
}

/// A row is the name of a rule, its module, its id, the severity of its findings, its kinds, a title, and a paragraph.
macro_rules! rules {
    ($(
        $name:ident = $module:ident, $id:literal, $severity:ident, [$($kind:expr),+],
            $title:literal, $explanation:literal;
    )*) => {
        $(#[doc = $title] pub static $name: Rule = Rule {
            code: Code::new($id, $title),
            explanation: $explanation,
            severity: Severity::$severity,
            page: page_of!(concat!(stringify!($module), ".rs")),
            kinds: {
                use Kind::*;
                &[$($kind),+]
            },
        };)*

        /// All rules.
        pub static ALL: &[&Rule] = &[$(&$name),*];
    };
}

rules! {
    UNREADABLE = unreadable, "unreadable", Error, [Reading],
        "A file cannot be read",
        "The file does not exist, is not readable, or is not UTF-8.";
    OUTSIDE = outside_repository, "outside-repository", Warning, [Reading],
        "A link or a relative path leads out of the repository",
        "Files outside of the repository were not checked. Findings that depend on them are not reported.";
    NOT_SEEN = not_seen, "not-seen", Note, [Reading],
        "Some data, modules or functions are missing here",
        "The repository refers to data, modules or functions that are elsewhere. Findings that depend on them are not reported.";
    NOT_JUDGED = not_judged, "not-judged", Note, [Reading],
        "Something was not judged",
        "Files, folders, jobs or environments below the paths were not judged, for the named reason. With --strict-coverage, that is an error.";
    MANIFEST = manifest, "manifest", Error, [Text],
        "A manifest or EPP template is not valid",
        "The parser or the validator of the Puppet language refuses or questions the code, as `puppet parser validate` does.";
    STYLE = style, "style", Warning, [Text],
        "Code breaks a rule of puppet-lint",
        "The layout, the quotes or the form of a manifest breaks a rule of puppet-lint or of a plugin of Vox Pupuli.";
    DATA_SYNTAX = data_syntax, "data-syntax", Error, [Text],
        "A YAML, JSON or HOCON file cannot be read",
        "The file violates its format. Every lookup that needs it fails.";
    HCL_SYNTAX = hcl_syntax, "hcl-syntax", Error, [Text],
        "An HCL file cannot be read",
        "A job, variable file or other file of HCL breaks the grammar of HCL.";
    CLUSTER_FILE = cluster_file, "cluster-file", Error, [Text],
        "Nomad, Consul or Vault refuses a file",
        "An agent's configuration, a policy, a volume or another specification has something that the program refuses.";
    CLUSTER_FILE_REMARK = cluster_file_remark, "cluster-file-remark", Warning, [Text],
        "Nomad, Consul or Vault ignores a part of a file",
        "An argument or block of an agent's configuration, a policy or a specification has no effect, or is deprecated.";
    JOB = job, "job", Error, [Text],
        "A Nomad job is not valid",
        "A job has an unknown argument or block, a value of the wrong type, or something that a server would reject or warn about.";
    JOB_REMARK = job_remark, "job-remark", Warning, [Text],
        "A server would accept a Nomad job with a remark",
        "The job is valid, but a server warns that something in it is probably unintended.";
    JOB_DEPRECATED = job_deprecated, "job-deprecated", Warning, [Text],
        "A Nomad job uses something deprecated",
        "The argument or block still works, and will be removed or is ignored.";
    JOB_SHUTDOWN_DELAY = job_shutdown_delay, "job-shutdown-delay", Note, [Text],
        "A service has no shutdown_delay",
        "Tasks are stopped while clients still know the service. Requests may fail during every deployment.";
    JOB_PORT = job_port, "job-port", Warning, [Text],
        "A Nomad job names a port that no network has",
        "A service, a check or the name of a variable such as NOMAD_PORT_http refers to a port that no network of the group has.";
    JOB_UNQUOTED_WORD = job_unquoted_word, "job-unquoted-word", Warning, [Text],
        "A word in a Nomad job lacks its quotes",
        "An undefined name is left to the client, as a string such as \"${docker}\".";
    JOB_DRIVER = job_driver, "job-driver", Warning, [Text],
        "A Nomad job names a driver that resembles another one",
        "No driver of this name is known, and one with nearly the same name is. The task is never placed.";
    JOB_DRIVER_OPTION = job_driver_option, "job-driver-option", Warning, [Text],
        "A driver does not have an option of a Nomad job",
        "The driver has no such option, or takes another type of value. The task fails when it starts.";
    JOB_TEMPLATE = job_template, "job-template", Warning, [Text],
        "A template in a Nomad job cannot be parsed",
        "The Go template has an action that is not closed, has no condition, or names an undefined variable. The task never starts.";
    JOB_RUNTIME_NAME = job_runtime_name, "job-runtime-name", Warning, [Text],
        "A Nomad job names a variable that tasks do not have",
        "The name resembles that of a variable that Nomad sets, such as NOMAD_PORT_http.";
    JOB_MAIN_TASK = job_main_task, "job-main-task", Error, [Text],
        "A group of a Nomad job has only lifecycle tasks",
        "All tasks of the group run before or after other tasks, but the group has no other tasks.";
    JOB_DRIVER_VALUE = job_driver_value, "job-driver-value", Warning, [Text],
        "A driver refuses a value in a Nomad job",
        "The value or combination of options has the right type, and the driver refuses it. The task fails when it starts.";
    JOB_CONSTRAINT = job_constraint, "job-constraint", Warning, [Text],
        "Constraints of a Nomad job exclude each other",
        "No node satisfies the constraints that apply to a task, so it is never placed.";
    JOB_STATIC_PORT = job_static_port, "job-static-port", Note, [Text],
        "Several allocations of a Nomad job need the same port",
        "Each allocation needs a separate node, because its port is always the same.";
    JOB_CHECK_PORT = job_check_port, "job-check-port", Warning, [Text],
        "A check of a Nomad job connects to the wrong network",
        "The port of the check is a number, and without an address_mode it is a port of the node.";
    JOB_ADDRESS = job_address, "job-address", Warning, [Text],
        "A Nomad job has a string that is not an address",
        "A name server, or an address that a proxy listens at, has to be an IP address.";
    JOB_NAME_LENGTH = job_name_length, "job-name-length", Warning, [Text],
        "A name in a Nomad job is too long",
        "The system that the task runs on does not accept the name.";
    JOB_VOLUME_MOUNT = job_volume_mount, "job-volume-mount", Warning, [Text],
        "A mount in a Nomad job has no effect or fails",
        "The mount names no volume, the driver cannot mount volumes, or a CSI volume has an unknown mode.";
    JOB_VERSION = job_version, "job-version", Warning, [Text],
        "A Nomad job needs another version of Nomad",
        "The chosen version lacks a block, an argument, a function or an option of a driver.";
    TEMPLATE_SYNTAX = template_syntax, "template-syntax", Error, [Text],
        "A Jinja2 or ERB template cannot be read",
        "The code in the template is not valid Jinja2 or Ruby.";
    UNKNOWN_FILTER = unknown_filter, "unknown-filter", Warning, [Text],
        "A Jinja2 template misspells a filter or a test",
        "Neither Jinja2 nor Ansible has the filter or test, and one with nearly the same name exists.";
    EPP_PARAMETER = epp_parameter, "epp-parameter", Error, [Shared(Walk::Analysis)],
        "A call of an EPP template passes other parameters than it has",
        "The template does not declare a parameter that is passed, or needs one that is not.";
    EPP_VARIABLE = epp_variable, "epp-variable", Warning, [Program(epp_variable::check)],
        "An EPP template misspells a parameter",
        "The template reads a variable that it does not have, whose name is nearly that of a parameter.";
    CONFLICT_MARKER = conflict_marker, "conflict-marker", Error, [Text],
        "A merge conflict is not resolved",
        "The file has the marks of a merge conflict. Nothing else in it is checked.";
    UNUSED_IGNORE = unused_ignore, "unused-ignore", Warning, [Reading],
        "A comment ignores nothing",
        "A comment `hieratic: ignore` names an unknown code, or one without a finding here.";
    PUPPETFILE = puppetfile, "puppetfile", Error, [Text],
        "A Puppetfile is not valid",
        "The file is not Ruby, lists a module twice, or has a version or an option that r10k does not know.";
    MODULE_METADATA = module_metadata, "module-metadata", Warning, [Text],
        "The metadata of a module is not complete",
        "A metadata.json lacks a field, or a version, a range, a license or a supported system in it is not valid.";
    MODULE_VERSION = module_version, "module-version", Warning, [Environment(module_version::check)],
        "Versions of modules do not agree",
        "The Puppetfile lists another version than is installed, or one that another module does not allow, or lacks a module that another one needs.";
    DIRECTIVE = directive, "directive", Error, [Text],
        "A merge directive does not work",
        "A document with merge directives has a missing reference, includes itself, or violates the syntax of directives.";
    HIERARCHY = hierarchy, "hierarchy", Error, [Reading],
        "A hiera.yaml is not valid",
        "The configuration is invalid. All lookups in its layer fail.";
    HIERARCHY_WARNING = hierarchy_warning, "hierarchy-warning", Warning, [Reading],
        "A hiera.yaml is questionable",
        "The configuration works, but is deprecated or probably a mistake.";
    DATA_FUNCTION = data_function, "data-function", Error, [Reading],
        "A level names a function that does not exist",
        "The function of the level is not built in, not an executable that hieratic.yaml names, and not one of a module.";
    MISSING_DATADIR = missing_datadir, "missing-datadir", Warning, [Reading],
        "The folder of a level does not exist",
        "The datadir of the level does not exist. The level silently never matches.";
    DATA_NO_HASH = data_no_hash, "data-no-hash", Error, [Text],
        "A data file contains no keys",
        "The top-level value of a data file is not a hash. No key can be found in it.";
    DUPLICATE_KEY = duplicate_key, "duplicate-key", Error, [Text],
        "A key is duplicated",
        "If a key is duplicated in a map, the last value is used. The others are silently ignored.";
    FOREIGN_KEY = foreign_key, "foreign-key", Warning, [Environment(foreign_key::check)],
        "A module has data outside of its namespace",
        "A module's data only answers keys that start with the module's name. This key never matches.";
    FAILING_LOOKUP = failing_lookup, "failing-lookup", Error, [Shared(Walk::Values), Shared(Walk::Interpolations), Lookups(failing_lookup::check)],
        "Lookups of a key fail",
        "The values of the key cannot be merged, sorted or converted as lookup_options require, a part is not data, or a path does not exist.";
    UNANSWERED_KEY = unanswered_key, "unanswered-key", Warning, [Environment(unanswered_key::check), Shared(Walk::Values)],
        "No lookup finds a key",
        "Neither class parameters nor lookups use a key in this form: '::a::b', 'a:b', or a key that is not a string.";
    LOOKUP_OPTIONS = lookup_options, "lookup-options", Error, [Shared(Walk::Options)],
        "lookup_options are not valid",
        "The options of a key cannot be used: unknown merge strategy, invalid type or invalid pattern.";
    UNMATCHED_OPTIONS = unmatched_options, "unmatched-options", Warning, [Shared(Walk::Options)],
        "lookup_options match no key",
        "No data has the key, and no class has such a parameter: the options never apply.";
    INTERPOLATION = interpolation, "interpolation", Error, [Reading, Shared(Walk::Interpolations)],
        "An interpolation is malformed",
        "The text between %{ and } is neither a variable nor a function call.";
    UNKNOWN_FUNCTION = unknown_interpolation_function, "unknown-interpolation-function", Error, [Shared(Walk::Interpolations)],
        "An interpolation calls a function that does not exist",
        "The functions are lookup, hiera, alias, literal and scope; any other fails when the key is looked up.";
    LEGACY_FACT = legacy_fact, "legacy-fact", Warning, [Program(legacy_fact::check_program), Environment(legacy_fact::check)],
        "Data, a hierarchy or code names a legacy fact",
        "Puppet 8 and OpenVox 8 omit legacy facts. Interpolations of them are empty, and code reads undef.";
    REMOVED_FUNCTION = removed_function, "removed-function", Warning, [Program(removed_function::check)],
        "A function is gone after an upgrade",
        "The release of stdlib for the target version lacks the function. Every catalog that reaches the call fails.";
    REGSUBST_ENCODING = regsubst_encoding, "regsubst-encoding", Warning, [Program(regsubst_encoding::check)],
        "regsubst is given an encoding",
        "The argument has no effect, and OpenVox 9 refuses it.";
    STRING_ARITHMETIC = string_arithmetic, "string-arithmetic", Warning, [Program(string_arithmetic::check)],
        "A number in quotes is calculated with",
        "Puppet 7 converts the string to a number with a warning. Since Puppet 8, that is an error.";
    REMOVED_RUBY = removed_ruby, "removed-ruby", Warning, [Text],
        "A template calls Ruby that is gone after an upgrade",
        "The Ruby of the target version lacks a method or a constant that the code of the template names.";
    UNKNOWN_VARIABLE = unknown_variable, "unknown-variable", Warning, [Shared(Walk::Interpolations)],
        "An interpolation uses a variable that is never set",
        "No known node has the variable. It is empty, or an error with strict variables.";
    EMPTY_INTERPOLATION = empty_interpolation, "empty-interpolation", Warning, [Shared(Walk::Interpolations)],
        "An interpolation is empty for some nodes",
        "The variable or key is missing or empty for nodes that read the file, and has no default.";
    SENSITIVE_INTERPOLATION = sensitive_interpolation, "sensitive-interpolation", Warning, [Shared(Walk::Interpolations)],
        "A Sensitive value is interpolated into a string",
        "The string contains 'Sensitive [value redacted]' instead of the value, which is probably unintended.";
    UNKNOWN_KEY = unknown_key, "unknown-key", Warning, [Shared(Walk::Interpolations)],
        "An interpolation looks up a key that no data has",
        "No data file has the key. lookup() returns an empty string and alias() nothing.";
    LOOKUP_CYCLE = lookup_cycle, "lookup-cycle", Error, [Environment(lookup_cycle::check)],
        "Keys look each other up in a circle",
        "A value refers to itself through lookup() or alias(). Every lookup of it fails.";
    LOST_KNOCKOUT = lost_knockout, "lost-knockout", Warning, [Environment(lost_knockout::check)],
        "A knockout is lost",
        "A merge removes an element, but a lower level restores it. Knockouts only apply to the next level.";
    PARAMETER_TYPE = parameter_type, "parameter-type", Error, [Shared(Walk::Parameters)],
        "A value does not match the type of its parameter",
        "A class takes the key as its parameter, and the value is not of the type that it declares.";
    DEFAULT_TYPE = default_type, "default-type", Error, [Environment(default_type::check)],
        "A default does not match the type of its parameter",
        "The default of a class's parameter is not of the type that the parameter declares.";
    UNKNOWN_PARAMETER = unknown_parameter, "unknown-parameter", Warning, [Shared(Walk::Parameters)],
        "A key names a parameter that its class does not have",
        "The class exists but has no such parameter, and no code looks up the key.";
    UNDECRYPTABLE_SECRET = undecryptable_secret, "undecryptable-secret", Error, [Shared(Walk::Secrets)],
        "A secret cannot be decrypted",
        "The keys that the level names do not open the value, or the value is damaged.";
    SECRET_NOT_DECRYPTED = secret_not_decrypted, "secret-not-decrypted", Warning, [Shared(Walk::Secrets)],
        "A secret is in a file that is not decrypted",
        "The value is encrypted, but the level that reads the file does not decrypt: code gets the ciphertext.";
    SECRET_UNCHECKED = secret_unchecked, "secret-unchecked", Note, [Environment(secret_unchecked::check)],
        "Secrets could not be checked",
        "The private key of the level does not exist here. Its secrets could not be checked.";
    UNREACHABLE_FILE = unreachable_file, "unreachable-file", Warning, [Environment(unreachable_file::check)],
        "No level can reach a data file",
        "The file is in a data folder, but no path or pattern of the hierarchy can match it for any facts.";
    UNREACHED_FILE = unreached_file, "unreached-file", Warning, [Environment(unreached_file::check)],
        "No node reads a data file",
        "A path of the hierarchy can match the file, but does not for any node of the fleet.";
    UNKNOWN_CLASS = unknown_class, "unknown-class", Error, [Shared(Walk::Analysis)],
        "Code includes a class that does not exist",
        "The module of the class is installed and has no such class. Every catalog that reaches the line fails.";
    UNDEFINED_FUNCTION = undefined_function, "undefined-function", Error, [Shared(Walk::Analysis)],
        "A function does not exist",
        "The code calls a function that neither the language nor a module has.";
    UNDEFINED_RESOURCE_TYPE = undefined_resource_type, "undefined-resource-type", Error, [Shared(Walk::Analysis)],
        "A resource type does not exist",
        "The code declares resources of a type that neither the agent nor a module has.";
    UNDEFINED_TYPE = undefined_type, "undefined-type", Error, [Shared(Walk::Analysis)],
        "A data type does not exist",
        "The code names a type that the language, the agent and the modules do not have.";
    UNSET_VARIABLE = unset_variable, "unset-variable", Warning, [Shared(Walk::Analysis)],
        "Nothing sets a variable",
        "The code reads a variable that neither its scope, nor a class that it inherits from, nor the top scope sets.";
    UNDEFINED_FACT = undefined_fact, "undefined-fact", Warning, [Shared(Walk::Analysis)],
        "A part of a fact does not exist",
        "The code reads a member of a structured fact, or of `$trusted`, that no node has.";
    REASSIGNED_VARIABLE = reassigned_variable, "reassigned-variable", Error, [Shared(Walk::Analysis)],
        "A variable is set a second time",
        "The code sets a variable that is a parameter, is already set, or is reserved.";
    UNKNOWN_ATTRIBUTE = unknown_attribute, "unknown-attribute", Error, [Shared(Walk::Analysis)],
        "A resource has no such attribute",
        "A resource, a class or a template gets a parameter that it does not have.";
    MISSING_ATTRIBUTE = missing_attribute, "missing-attribute", Error, [Shared(Walk::Analysis)],
        "A resource lacks an attribute",
        "A resource of a defined type, or a template, is not given a parameter that has no default.";
    REPEATED_ATTRIBUTE = repeated_attribute, "repeated-attribute", Error, [Shared(Walk::Analysis)],
        "An attribute is set twice",
        "A resource sets the same attribute twice.";
    ATTRIBUTE_TYPE = attribute_type, "attribute-type", Error, [Shared(Walk::Analysis)],
        "A value does not match the type of its parameter",
        "A class, a defined type or a template is given a value that its parameter does not accept.";
    ATTRIBUTE_VALUE = attribute_value, "attribute-value", Error, [Shared(Walk::Analysis)],
        "A resource type does not allow a value",
        "An attribute of a resource type of the agent has a value that the agent refuses.";
    DUPLICATE_RESOURCE = duplicate_resource, "duplicate-resource", Error, [Shared(Walk::Analysis)],
        "A resource is declared twice",
        "The same code declares a resource a second time.";
    UNDEFINED_RESOURCE = undefined_resource, "undefined-resource", Warning, [Shared(Walk::Analysis)],
        "A reference names a resource that nothing declares",
        "A relationship names a resource that no code of the environment declares.";
    MISSING_FILE = missing_file, "missing-file", Error, [Shared(Walk::Analysis)],
        "A file of a module does not exist",
        "The code names a template or a file that its module does not have.";
    ARGUMENT_TYPE = argument_type, "argument-type", Error, [Shared(Walk::Analysis)],
        "A function does not accept its arguments",
        "A call has too many or too few arguments, arguments of wrong types, or a block that the function does not take.";
    OPERAND_TYPE = operand_type, "operand-type", Error, [Shared(Walk::Analysis)],
        "An operator does not accept its operands",
        "Arithmetic with a value that is not a number, a comparison of values of different kinds, or an element of a value without elements.";
    MISPLACED_RETURN = misplaced_return, "misplaced-return", Error, [Shared(Walk::Analysis)],
        "next, break or return has nothing to leave",
        "The code calls `break` outside of a block, or `next` or `return` where no function, class or block is around.";
    RETURN_TYPE = return_type, "return-type", Error, [Shared(Walk::Analysis)],
        "A function returns a value of another type",
        "The last statement of a function is never of the type that the function declares.";
    CONSTANT_CONDITION = constant_condition, "constant-condition", Warning, [Shared(Walk::Analysis)],
        "A condition always has the same result",
        "A comparison never holds, an option never applies, or a condition is always true.";
    UNREACHABLE_CODE = unreachable_code, "unreachable-code", Warning, [Shared(Walk::Analysis)],
        "Code is never run",
        "Statements follow one that ends the evaluation.";
    UNUSED_RESULT = unused_result, "unused-result", Warning, [Shared(Walk::Analysis)],
        "A result is not used",
        "A statement calls a function that only computes its result.";
    INCOMPLETE_CASE = incomplete_case, "incomplete-case", Warning, [Shared(Walk::Analysis)],
        "A value of an Enum has no branch",
        "A selector or a case without a default does not name all values of an `Enum`.";
    CATALOG = catalog, "catalog", Error, [Shared(Walk::Catalogs)],
        "The catalog of a node does not compile",
        "A server refuses to compile the catalog, so the agent applies nothing, or a cached catalog.";
    DEPENDENCY_CYCLE = dependency_cycle, "dependency-cycle", Error, [Shared(Walk::Catalogs)],
        "Resources wait for each other",
        "The relationships of a catalog form a cycle. The agent applies none of its resources.";
    UNUSED_KEY = unused_key, "unused-key", Note, [Environment(unused_key::check)],
        "A key is never looked up",
        "The key is not a class parameter, and no code, template or data refers to it.";
    UNUSED_VARIABLE = unused_variable, "unused-variable", Note, [Program(unused_variable::check)],
        "A variable is never read",
        "A local variable, or a parameter of a block, is set, and nothing that can see it reads it.";
    SHADOWED_VARIABLE = shadowed_variable, "shadowed-variable", Note, [Program(shadowed_variable::check)],
        "A variable of a block hides one outside of it",
        "A block sets a variable, or has a parameter, with the name of a variable around it.";
    SHADOWED_VALUE = shadowed_value, "shadowed-value", Note, [Shared(Walk::Removable)],
        "Every node overrides a value",
        "Every node that reads the file finds the key in a level above. The value is never used.";
    REDUNDANT_VALUE = redundant_value, "redundant-value", Note, [Shared(Walk::Removable)],
        "A value repeats a lower level",
        "Every node that uses the value would get the same value from a level below.";
    REPEATS_DEFAULT = repeats_default, "repeats-default", Note, [Shared(Walk::Removable)],
        "A value repeats the default of its parameter",
        "Without the value, the class uses its default, which is the same.";
    UNDEFINED_KEY = undefined_key, "undefined-key", Warning, [Environment(undefined_key::check)],
        "Code looks up a key that no level has",
        "The lookup has no default, and no data of any node has the key. Every catalog that reaches the call fails.";
    UNREAD_LEVEL = unread_level, "unread-level", Note, [Hygiene(unread_level::check)],
        "No node reads a level",
        "The level has no files, or none that a node of the fleet reads.";
    IDLE_OPTIONS = idle_options, "idle-options", Note, [Hygiene(idle_options::check)],
        "lookup_options change nothing",
        "Every key is merged and converted in the same way without these options.";
    REPEATED_SECRET = repeated_secret, "repeated-secret", Note, [Hygiene(repeated_secret::check)],
        "A secret is in several places",
        "Several encrypted values have the same content. Renewing the secret means finding all of them.";
    BROKEN_PROMISE = broken_promise, "broken-promise", Error, [Shared(Walk::Promises)],
        "A promise of the repository is broken",
        "A file in the folder promises states what has to hold for the values of nodes, and it does not.";
    INVALID_PROMISE = invalid_promise, "invalid-promise", Error, [Shared(Walk::Promises)],
        "A promise cannot be read",
        "A file in the folder promises is not valid, or its code fails, so the promise was not checked.";
    UNCHECKED_PROMISE = unchecked_promise, "unchecked-promise", Note, [Shared(Walk::Promises)],
        "Promises were not checked",
        "Some promises are about nodes and their facts. Without nodes, they cannot be checked.";
}

/// Several rules under one name, by which they are selected and ignored.
#[derive(Debug)]
pub struct Group {
    /// The name, and a line about it.
    pub code: Code,
    /// The rules.
    pub rules: &'static [&'static Rule],
    /// Its page in `docs/findings`.
    pub page: &'static str,
}

/// All groups.
pub static GROUPS: &[Group] = &[Group {
    code: Code::new("job-lint", "A Nomad job is questionable"),
    rules: &[
        &JOB_PORT,
        &JOB_UNQUOTED_WORD,
        &JOB_DRIVER,
        &JOB_DRIVER_OPTION,
        &JOB_TEMPLATE,
        &JOB_RUNTIME_NAME,
        &JOB_MAIN_TASK,
        &JOB_DRIVER_VALUE,
        &JOB_CONSTRAINT,
        &JOB_STATIC_PORT,
        &JOB_CHECK_PORT,
        &JOB_ADDRESS,
        &JOB_NAME_LENGTH,
        &JOB_VOLUME_MOUNT,
        &JOB_VERSION,
    ],
    page: page_of!("job_lint.rs"),
}];

/// Returns the rules of hygiene.
pub fn hygiene() -> impl Iterator<Item = &'static Rule> {
    ALL.iter().copied().filter(|rule| rule.is_hygiene())
}

/// Returns the rule of an id.
pub fn find(id: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.id() == id)
}

/// Returns the group of a name.
pub fn group(name: &str) -> Option<&'static Group> {
    GROUPS.iter().find(|group| group.code.id() == name)
}

/// Returns the ids of all rules, and the names of all groups.
pub fn codes() -> impl Iterator<Item = Code> {
    ALL.iter().map(|rule| rule.code).chain(GROUPS.iter().map(|group| group.code))
}

/// Returns the rules that a code means: the one of this id, or those of the group of this name.
pub fn selected_by(code: &str) -> Vec<&'static Rule> {
    match (find(code), group(code)) {
        (Some(rule), _) => vec![rule],
        (None, Some(group)) => group.rules.to_vec(),
        (None, None) => Vec::new(),
    }
}
