//! The error code of HCL. It has a page in `docs/errors`.

hieratic_diagnostics::codes! {
    HCL = "hcl", "An HCL expression, template or job is not valid";
}
