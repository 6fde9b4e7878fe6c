//! The codes of the errors of environments, facts and settings. Each has a page in `docs/errors`.

use hieratic_diagnostics::Code;
pub use hieratic_hiera::codes as hiera;

hieratic_diagnostics::codes! {
    CATALOG_REQUEST = "catalog-request", "A request for a catalog cannot be used";
    CLASSIFIER = "classifier", "A classification cannot be used";
    ENVIRONMENT_MISSING = "environment-missing", "An environment does not exist";
    ENVIRONMENT_OUTSIDE = "environment-outside", "The folder of an environment leads out of the repository";
    EXPORTED = "exported", "Exported resources cannot be read";
    FACTS_FORMAT = "facts-format", "Facts are not a hash";
    FACTS_IDENTITY = "facts-identity", "Facts of a node lack its identity";
    FACTS_NAME = "facts-name", "A fact has a name that cannot be a variable";
    FACTS_SYNTAX = "facts-syntax", "A facts file cannot be read";
    FACTS_UNREADABLE = "facts-unreadable", "A facts file cannot be opened";
    FUNCTION = "function", "A backend function failed";
    PUPPETDB_ANSWERS = "puppetdb-answers", "Recorded answers of PuppetDB cannot be used";
    USAGE = "usage", "Arguments are missing or wrong";
    VARIABLES = "variables", "Variables of a file cannot be read";
}

/// Returns all codes of this library and of its languages, without those of the rules of `check`.
///
/// ```
/// assert!(hieratic::codes::all().any(|code| code == hieratic::Node::NOT_FOUND));
/// ```
pub fn all() -> impl Iterator<Item = Code> {
    let groups: [&[&[Code]]; _] = [
        &[hieratic_hiera::codes::ALL, ALL],
        #[cfg(feature = "code")]
        &[hieratic_puppet_syntax::codes::ALL, hieratic_puppet_validator::codes::ALL, hieratic_puppet_eval::codes::ALL],
        &[hieratic_directives::codes::ALL],
        #[cfg(feature = "expressions")]
        &[hieratic_jinja::codes::ALL, hieratic_unfurl::codes::ALL],
        #[cfg(feature = "hcl")]
        &[hieratic_nomad_pack::codes::ALL, hieratic_hcl_syntax::codes::ALL, hieratic_nomad_job::codes::ALL],
    ];
    groups.into_iter().flatten().copied().flatten().copied()
}
