//! The codes of errors of merge directives. Each has a page in `docs/errors`.

hieratic_diagnostics::codes! {
    DIRECTIVE_AS_DATA = "directive-as-data", "A directive cannot be restored as data";
    EMPTY_DIRECTIVE = "empty-directive", "A directive names nothing";
    ENCRYPTED_DOCUMENT = "encrypted-document", "An included document is encrypted";
    HIDDEN_VARIABLE = "hidden-variable", "A condition reads a hidden environment variable";
    IGNORED_TEXT = "ignored-text", "Text next to a directive is ignored";
    IMPORTED_PYTHON = "imported-python", "An included document is Python";
    INCLUDE_FAILED = "include-failed", "An included document cannot be read";
    INCLUDE_KEY = "include-key", "A key of an include is not known";
    INCLUDE_VALUE = "include-value", "An include names no file";
    INVALID_ESCAPE = "invalid-escape", "An escaped key is not valid";
    INVALID_YAML = "invalid-yaml", "A document is not valid YAML";
    MERGE_FORBIDDEN = "merge-forbidden", "A directive is used where merging is forbidden";
    MISSPELLED_DIRECTIVE = "misspelled-directive", "A key looks like a directive";
    MISSING_INCLUDE = "missing-include", "A directive refers to something that does not exist";
    NO_MAP = "no-map", "A document is not a map";
    NOT_A_MAP = "not-a-map", "A directive refers to a value that is not a map";
    NOT_RESTORABLE = "not-restorable", "A document cannot be restored";
    RECURSIVE_INCLUDE = "recursive-include", "A directive includes itself";
    TOO_DEEP = "too-deep", "An expanded document nests too deep";
    TOO_LARGE = "too-large", "An expanded document is too large";
    TOO_MANY_STEPS = "too-many-steps", "Directives refer to each other too often";
    UNKNOWN_STRATEGY = "unknown-strategy", "A merge strategy is not known";
}
