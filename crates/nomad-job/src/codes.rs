//! The code of failures without a position. Its page is in `docs/findings`, because `check` has a rule of that name.

hieratic_diagnostics::codes! {
    JOB = "job", "A Nomad job is not valid";
}
