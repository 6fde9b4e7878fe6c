//! The code of errors of HCL1. It has a page in `docs/errors`.

hieratic_diagnostics::codes! {
    HCL1 = "hcl1", "A file of HCL1 is not valid";
}
