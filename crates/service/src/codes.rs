//! The error code for starting the service. It has a page in `docs/errors`. Responses have the codes of lookups.

hieratic::diagnostics::codes! {
    SERVE = "serve", "The service cannot start";
}
