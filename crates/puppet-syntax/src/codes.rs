//! The error codes of the parser, by the reference's names of the issues. Each has a page in
//! `docs/errors`.

hieratic_diagnostics::codes! {
    EPP_UNBALANCED_COMMENT = "epp-unbalanced-comment", "A comment of an EPP template is not closed";
    EPP_UNBALANCED_EXPRESSION = "epp-unbalanced-expression", "An EPP template ends in an opening tag";
    EPP_UNBALANCED_TAG = "epp-unbalanced-tag", "An EPP tag is not closed";
    HEREDOC_CODE = "heredoc-code", "Code in a heredoc is questionable";
    HEREDOC_EMPTY_ENDTAG = "heredoc-empty-endtag", "A heredoc has an empty end tag";
    HEREDOC_INVALID_ESCAPE = "heredoc-invalid-escape", "A heredoc names an unknown escape";
    HEREDOC_INVALID_SYNTAX = "heredoc-invalid-syntax", "The head of a heredoc is not valid";
    HEREDOC_MULTIPLE_AT_ESCAPES = "heredoc-multiple-at-escapes", "A heredoc names an escape twice";
    HEREDOC_UNCLOSED_PARENTHESIS = "heredoc-unclosed-parenthesis", "The head of a heredoc is not closed";
    HEREDOC_WITHOUT_END_TAGGED_LINE = "heredoc-without-end-tagged-line", "A heredoc has no last line";
    HEREDOC_WITHOUT_TEXT = "heredoc-without-text", "A heredoc has no text";
    ILLEGAL_ARGUMENT_LIST = "illegal-argument-list", "Arguments are separated from their function";
    ILLEGAL_BOM = "illegal-bom", "A manifest begins with a byte order mark";
    ILLEGAL_CLASS_REFERENCE = "illegal-class-reference", "A reference to a type is incomplete";
    ILLEGAL_DEFINITION_NAME = "illegal-definition-name", "A definition has an invalid name";
    ILLEGAL_FULLY_QUALIFIED_CLASS_REFERENCE = "illegal-fully-qualified-class-reference", "A reference to a top-level type is incomplete";
    ILLEGAL_FULLY_QUALIFIED_NAME = "illegal-fully-qualified-name", "A name is missing after `::`";
    ILLEGAL_NUMBER = "illegal-number", "A number is followed by letters";
    ILLEGAL_RESOURCE_EXPRESSION = "illegal-resource-expression", "An expression is used as the type of a resource";
    ILLEGAL_RESOURCE_FORM = "illegal-resource-form", "A virtual or exported resource has the wrong form";
    ILLEGAL_UNICODE_ESCAPE = "illegal-unicode-escape", "A Unicode escape is not valid";
    INVALID_DECIMAL_NUMBER = "invalid-decimal-number", "A decimal number is not valid";
    INVALID_HEX_NUMBER = "invalid-hex-number", "A hexadecimal number is not valid";
    INVALID_NUMBER = "invalid-number", "A number is not valid";
    INVALID_OCTAL_NUMBER = "invalid-octal-number", "An octal number is not valid";
    INVALID_REGEXP = "invalid-regexp", "A regular expression is not valid";
    INVALID_UNICODE = "invalid-unicode", "A Unicode escape is not a character";
    NESTING_TOO_DEEP = "nesting-too-deep", "Code is nested too deep";
    NUMERIC_OVERFLOW = "numeric-overflow", "An integer is too large";
    RESOURCE_WITHOUT_TITLE = "resource-without-title", "A resource has no title";
    SYNTAX_ERROR = "syntax-error", "Code violates the grammar";
    TOO_LONG = "too-long", "A manifest is too long";
    UNCLOSED_MLCOMMENT = "unclosed-mlcomment", "A comment is not closed";
    UNCLOSED_QUOTE = "unclosed-quote", "A string is not closed";
    UNRECOGNIZED_ESCAPE = "unrecognized-escape", "A string contains an unknown escape";
}
