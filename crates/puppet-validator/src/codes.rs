//! The codes of errors of validating Puppet code. Their names are those of the reference's issues. Each has a page in
//! `docs/errors`.

hieratic_diagnostics::codes! {
    APPENDS_DELETES_NO_LONGER_SUPPORTED = "appends-deletes-no-longer-supported", "`+=` and `-=` do not exist";
    CAPTURES_REST_NOT_LAST = "captures-rest-not-last", "A rest parameter is not the last parameter";
    CAPTURES_REST_NOT_SUPPORTED = "captures-rest-not-supported", "A rest parameter is not allowed here";
    CLASS_NOT_VIRTUALIZABLE = "class-not-virtualizable", "A class cannot be virtual or exported";
    COMPUTED_PARAMETER_TYPE = "computed-parameter-type", "The type of a parameter is computed";
    CROSS_SCOPE_ASSIGNMENT = "cross-scope-assignment", "A variable of another scope is assigned";
    DUPLICATE_DEFAULT = "duplicate-default", "A selector or case has two defaults";
    DUPLICATE_KEY = "duplicate-key", "A key is duplicated";
    DUPLICATE_PARAMETER = "duplicate-parameter", "A parameter is declared twice";
    EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING = "expression-not-supported-when-compiling", "An apply block contains another";
    EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING = "expression-not-supported-when-scripting", "A plan contains a catalog expression";
    FUTURE_RESERVED_WORD = "future-reserved-word", "A word will be reserved";
    IDEM_EXPRESSION_NOT_LAST = "idem-expression-not-last", "An expression has no effect";
    IDEM_NOT_ALLOWED_LAST = "idem-not-allowed-last", "The last expression of a definition has no effect";
    ILLEGAL_ASSIGNMENT = "illegal-assignment", "The target of an assignment is not a variable";
    ILLEGAL_ASSIGNMENT_CONTEXT = "illegal-assignment-context", "An assignment is not allowed here";
    ILLEGAL_ATTRIBUTE_APPEND = "illegal-attribute-append", "`+>` is used outside of an override";
    ILLEGAL_BASE64 = "illegal-base64", "A heredoc with the syntax base64 is not valid";
    ILLEGAL_CLASSREF = "illegal-classref", "A name of a type is not valid";
    ILLEGAL_DEFINITION_LOCATION = "illegal-definition-location", "A definition is in the wrong file";
    ILLEGAL_EPP = "illegal-epp", "A heredoc with the syntax epp is not valid";
    ILLEGAL_EPP_PARAMETERS = "illegal-epp-parameters", "EPP parameters are not at the start";
    ILLEGAL_EXPRESSION = "illegal-expression", "An expression is not allowed here";
    ILLEGAL_HOSTNAME_CHARS = "illegal-hostname-chars", "The name of a node has invalid characters";
    ILLEGAL_HOSTNAME_INTERPOLATION = "illegal-hostname-interpolation", "The name of a node contains a variable";
    ILLEGAL_INDEXED_ASSIGNMENT = "illegal-indexed-assignment", "An element of a value is assigned";
    ILLEGAL_JSON = "illegal-json", "A heredoc with the syntax json is not valid";
    ILLEGAL_NODE_INHERITANCE = "illegal-node-inheritance", "A node inherits from another";
    ILLEGAL_NUMERIC_ASSIGNMENT = "illegal-numeric-assignment", "A match variable is assigned";
    ILLEGAL_NUMERIC_PARAMETER = "illegal-numeric-parameter", "The name of a parameter is a number";
    ILLEGAL_NUMERIC_VAR_NAME = "illegal-numeric-var-name", "A number with a leading zero is used as a variable";
    ILLEGAL_PARAM_NAME = "illegal-param-name", "The name of a parameter is not valid";
    ILLEGAL_PP = "illegal-pp", "A heredoc with the syntax pp is not valid";
    ILLEGAL_QUERY_EXPRESSION = "illegal-query-expression", "A query contains an invalid expression";
    ILLEGAL_TOP_CONSTRUCT_LOCATION = "illegal-top-construct-location", "A file of a module contains code outside of its definition";
    ILLEGAL_TYPE_MAPPING = "illegal-type-mapping", "A type mapping is not valid";
    ILLEGAL_VAR_NAME = "illegal-var-name", "The name of a variable is not valid";
    MULTIPLE_ATTRIBUTES_UNFOLD = "multiple-attributes-unfold", "A resource unfolds two hashes";
    NOT_ABSOLUTE_TOP_LEVEL = "not-absolute-top-level", "A definition is not at the top level of a file";
    NOT_RVALUE = "not-rvalue", "An expression has no value";
    NOT_TOP_LEVEL = "not-top-level", "A definition is nested";
    NOT_VIRTUALIZEABLE = "not-virtualizeable", "Resource defaults cannot be virtual or exported";
    RESERVED_PARAMETER = "reserved-parameter", "The name of a parameter is reserved";
    RESERVED_TYPE_NAME = "reserved-type-name", "The name of a type is reserved";
    RESERVED_WORD = "reserved-word", "A word is reserved";
    UNSUPPORTED_EXPRESSION = "unsupported-expression", "An expression is not supported";
}
