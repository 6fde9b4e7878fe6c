//! The codes of errors of evaluation. Each has a page in `docs/errors`.

hieratic_diagnostics::codes! {
    EVALUATION = "evaluation", "Code cannot be evaluated";
}
