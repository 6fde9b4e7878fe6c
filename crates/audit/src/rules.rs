//! The rules: what is looked for. Every rule has a page in `docs/findings`.

use hieratic_diagnostics::{Code, Severity};

/// A rule: its code, which stays, and how bad a breach is.
#[derive(Debug)]
pub struct Rule {
    /// The id, a line about it, and a paragraph.
    pub code: Code,
    /// How bad it is, unless the finding says otherwise.
    pub severity: Severity,
    /// Its page in `docs/findings`: what it reports, why that matters, how to fix it, and an example.
    pub page: &'static str,
}

impl Rule {
    const fn new(code: Code, severity: Severity, page: &'static str) -> Rule {
        Rule { code, severity, page }
    }

    /// The id.
    pub const fn id(&self) -> &'static str {
        self.code.id()
    }
}

macro_rules! rules {
    ($($name:ident = $id:literal, $severity:ident, $title:literal, $explanation:literal;)*) => {
        $(#[doc = $title] pub static $name: Rule = Rule::new(
            Code::new($id, $title, $explanation),
            Severity::$severity,
            include_str!(concat!("../../../docs/findings/", $id, ".md")),
        );)*

        /// All rules.
        pub static ALL: &[&Rule] = &[$(&$name),*];
    };
}

rules! {
    UNREADABLE = "unreadable", Error, "A file cannot be read",
        "The file does not exist, may not be read, or is not UTF-8.";
    OUTSIDE = "outside-repository", Warning, "A link or a relative path leads out of the repository",
        "What lies outside of the repository was not looked at, so that what depends on it is not judged.";
    NOT_SEEN = "not-seen", Note, "Some things are not here to be looked at",
        "Data, modules or functions that the repository names lie elsewhere, so that what depends on them is not judged.";
    MANIFEST = "manifest", Error, "A manifest or EPP template is not valid",
        "The parser or the validator of the Puppet language refuses or questions the code, as `puppet parser validate` does.";
    DATA_SYNTAX = "data-syntax", Error, "A YAML, JSON or HOCON file cannot be read",
        "The text is not what its format allows, so that every lookup that needs the file fails.";
    HCL_SYNTAX = "hcl-syntax", Error, "An HCL file cannot be read",
        "A job, variable file or other file of HCL breaks the grammar of HCL.";
    JOB = "job", Error, "A Nomad job is not valid",
        "A job has an argument or block that there is not, a value of another type, or what a server would refuse or question.";
    JOB_LINT = "job-lint", Warning, "A Nomad job is questionable",
        "Nomad takes the job, but something in it can hardly be meant: a port that no network has, an option that the driver lacks.";
    TEMPLATE_SYNTAX = "template-syntax", Error, "A Jinja2 template cannot be read",
        "The text between the braces is no Jinja2.";
    DIRECTIVE = "directive", Error, "A merge directive does not work",
        "A document with merge directives refers to what is not there, includes itself, or breaks their grammar.";
    HIERARCHY = "hierarchy", Error, "A hiera.yaml is not valid",
        "The configuration says what it may not say, so that no lookup in its layer works.";
    HIERARCHY_WARNING = "hierarchy-warning", Warning, "A hiera.yaml is questionable",
        "The configuration works, but in a way that is deprecated or probably not meant.";
    DATA_FUNCTION = "data-function", Error, "A level names a function that is not there",
        "The function of the level is not built in, not an executable that hieratic.yaml names, and not one of a module.";
    MISSING_DATADIR = "missing-datadir", Warning, "The folder of a level does not exist",
        "The level's datadir is not there, so the level never finds anything.";
    DATA_NO_HASH = "data-no-hash", Error, "A data file holds no keys",
        "The top of a data file is not a hash, so that no key can be found in it.";
    DUPLICATE_KEY = "duplicate-key", Error, "A key is written twice",
        "Of a key that comes twice in a map the last one counts, and the other is lost without a word.";
    FOREIGN_KEY = "foreign-key", Warning, "A module has data outside of its namespace",
        "A module's data is asked only for keys that begin with the module's name: this one can never match.";
    LOOKUP_OPTIONS = "lookup-options", Error, "lookup_options are not valid",
        "The options of a key cannot be used: an unknown merge, a type that is none, a pattern that cannot be read.";
    UNMATCHED_OPTIONS = "unmatched-options", Warning, "lookup_options match no key",
        "No data has the key, and no class has such a parameter: the options never apply.";
    INTERPOLATION = "interpolation", Error, "An interpolation is malformed",
        "The text between %{ and } is no variable and no call as the lookup reads it.";
    UNKNOWN_FUNCTION = "unknown-interpolation-function", Error, "An interpolation calls a function that does not exist",
        "The functions are lookup, hiera, alias, literal and scope; any other fails when the key is looked up.";
    LEGACY_FACT = "legacy-fact", Warning, "Data or a hierarchy names a legacy fact",
        "Puppet 8 and OpenVox 8 leave legacy facts out, so that what names one is empty there.";
    UNKNOWN_VARIABLE = "unknown-variable", Warning, "An interpolation names a variable that nothing sets",
        "No node that is known has the variable, so that it is empty, or an error with strict variables.";
    EMPTY_INTERPOLATION = "empty-interpolation", Warning, "An interpolation is empty for some nodes",
        "The variable or key is missing or empty for nodes that read the file, and nothing takes its place.";
    UNKNOWN_KEY = "unknown-key", Warning, "An interpolation looks up a key that no data has",
        "No file has the key, so that lookup() gives the empty text and alias() nothing.";
    LOOKUP_CYCLE = "lookup-cycle", Error, "Keys look each other up in a circle",
        "A value leads back to itself through lookup() or alias(), and every lookup of it fails.";
    LOST_KNOCKOUT = "lost-knockout", Warning, "A knockout is lost",
        "A merge removes an element, and a level further down brings it back: knockouts act on the next level only.";
    PARAMETER_TYPE = "parameter-type", Error, "A value does not fit the type of its parameter",
        "A class takes the key as its parameter, and the value is not of the type that it declares.";
    DEFAULT_TYPE = "default-type", Error, "A default does not fit the type of its parameter",
        "The default of a class's parameter is not of the type that the parameter declares.";
    UNKNOWN_PARAMETER = "unknown-parameter", Warning, "A key names a parameter that its class does not have",
        "The class exists, but has no such parameter, and no code looks the key up by its name.";
    UNDECRYPTABLE_SECRET = "undecryptable-secret", Error, "A secret cannot be decrypted",
        "The keys that the level names do not open the value, or the value is damaged.";
    SECRET_NOT_DECRYPTED = "secret-not-decrypted", Warning, "A secret is in a file that nothing decrypts",
        "The value is encrypted, but the level that reads the file does not decrypt: code gets the ciphertext.";
    SECRET_UNCHECKED = "secret-unchecked", Note, "Secrets could not be checked",
        "The private key that the level names is not here, so whether its secrets can be decrypted is not known.";
    UNREACHABLE_FILE = "unreachable-file", Warning, "No level can reach a data file",
        "The file lies among the data, but no path or pattern of the hierarchy can lead to it, whatever the facts.";
    UNREACHED_FILE = "unreached-file", Warning, "No node reads a data file",
        "A path of the hierarchy could lead to the file, but does so for none of the nodes, which are said to be all.";
    UNUSED_KEY = "unused-key", Note, "Nobody looks a key up",
        "The key is no parameter of a class, and no code, template or data names it.";
}

/// The rule of an id.
pub fn find(id: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.id() == id)
}
