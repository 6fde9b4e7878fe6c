//! The code of failures that are about no place in a job. It has a page in `docs/findings`, since a check has a rule of that name.

hieratic_diagnostics::codes! {
    JOB = "job", "A Nomad job is not valid";
}
