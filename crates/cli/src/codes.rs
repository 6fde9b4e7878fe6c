//! The codes of errors of the command itself. Each has a page in `docs/errors`.
//!
//! [`all`] lists these and the codes of all libraries, and [`page`] returns the page of a code.

use hieratic::value::ErasedSort as _;
use hieratic_diagnostics::Code;
use hieratic_lint::rules;

// The library reads arguments such as `NAME=VALUE`, too.
pub(crate) use hieratic::codes::USAGE;

hieratic_diagnostics::codes! {
    ANSWER_CHANGES = "answer-changes", "A change of data changes an answer";
    ENC = "enc", "The data of a node is not a classification";
    EXPRESSION_NOWHERE = "expression-nowhere", "An expression has no match";
    FACTER = "facter", "Facts are taken from this machine";
    FACTS_UNKNOWN = "facts-unknown", "No facts are known for a node";
    FAIL_IF = "fail-if", "A condition of --fail-if holds";
    FILE_CHANGED = "file-changed", "A file of a watched answer has changed";
    FMT = "fmt", "A file cannot be formatted";
    INTERRUPTED = "interrupted", "An interrupted change of files was completed or undone";
    LSP = "lsp", "The language server lost its client";
    NO_TYPE = "no-type", "A class parameter gets no type";
    NOT_CHANGED = "not-changed", "A related edit was not made";
    NOT_COMPARED = "not-compared", "A node cannot be compared";
    NOT_COMPILED = "not-compiled", "Catalogs of nodes were not compiled";
    QUERY = "query", "A query cannot be answered";
    QUERY_MISSING = "query-missing", "This build has no SQL";
    QUERY_NAME = "query-name", "A query names something that does not exist";
    QUERY_REFUSED = "query-refused", "Only SELECT statements are allowed";
    QUERY_SYNTAX = "query-syntax", "A query cannot be parsed";
    REFACTOR = "refactor", "A change of data cannot be made";
    RELEASES = "releases", "The newest release is not known";
    REVISION = "revision", "A revision cannot be read";
    RICH_DATA = "rich-data", "A value has no form in JSON";
    SECRET = "secret", "An encrypted value or file cannot be used";
    SECRET_WITHHELD = "secret-withheld", "A secret is not given to another program";
    SETTINGS = "settings", "A settings file is not valid";
    TRUST = "trust", "A repository cannot be trusted";
    UNWRITABLE = "unwritable", "Output cannot be written";
    USED = "used", "The sources of an answer";
    WARNING = "warning", "Data or configuration is questionable";
    WATCH = "watch", "Changes of files are not reported any more";
}

/// All codes: first the rules of `check`, then those of errors by name. A rule's code is that of errors too.
pub(crate) fn all() -> Vec<Code> {
    let of_rules: Vec<Code> = rules::codes().collect();
    #[cfg(not(target_os = "wasi"))]
    let of_service = hieratic_service::codes::ALL;
    #[cfg(target_os = "wasi")]
    let of_service: &[Code] = &[];
    let declared = [hieratic_puppetdb::codes::ALL, of_service, ALL];
    let mut of_errors: Vec<Code> = hieratic::codes::all().chain(declared.into_iter().flatten().copied()).collect();
    of_errors.retain(|code| !of_rules.contains(code));
    of_errors.sort_erased_by_key(Code::id);
    [of_rules, of_errors].concat()
}

/// The page about a code.
pub(crate) fn page(id: &str) -> Option<&'static str> {
    let of_errors = || PAGES.iter().find(|(name, _)| *name == id).map(|(_, page)| *page);
    let of_groups = || rules::group(id).map(|group| group.page);
    rules::find(id).map(|rule| rule.page).or_else(of_groups).or_else(of_errors)
}

// The pages of `docs/errors` by the names of their files, which `build.rs` lists.
include!(concat!(env!("OUT_DIR"), "/pages.rs"));
