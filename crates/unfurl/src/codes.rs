//! The codes of errors of expressions. Each has a page in `docs/errors`.

hieratic_diagnostics::codes! {
    UNFURL_EVALUATION = "unfurl-evaluation", "An expression cannot be evaluated";
    UNFURL_SYNTAX = "unfurl-syntax", "An expression is not valid";
}
