//! The code of errors without a position. Its page is in `docs/findings`, because `check` has a rule with this name.

hieratic_diagnostics::codes! {
    JOB = "job", "A Nomad job is not valid";
}
