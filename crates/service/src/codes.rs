//! The code of errors of starting the service. It has a page in `docs/errors`. Answers have the codes of lookups.

hieratic::diagnostics::codes! {
    SERVE = "serve", "The service cannot start";
}
