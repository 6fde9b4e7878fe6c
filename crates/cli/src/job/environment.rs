//! Variables of the environment that give values to those of jobs.

use hieratic::Error;

use crate::usage::usage;

/// What the names of these variables begin with. See <https://developer.hashicorp.com/nomad/docs/job-specification/hcl2/variables>.
const PREFIX: &str = "NOMAD_VAR_";

/// The variables, and one that is asked for by its name.
///
/// # Errors
/// The value of one of them is no Unicode: the job would be another one without it.
pub(crate) fn variables(besides: Option<&str>) -> Result<Vec<(String, String)>, Error> {
    let mut found = Vec::new();
    for (name, value) in std::env::vars_os() {
        // A name that is no Unicode is not that of a variable of a job.
        let Ok(name) = name.into_string() else { continue };
        if !name.starts_with(PREFIX) && besides != Some(name.as_str()) {
            continue;
        }
        match value.into_string() {
            Ok(value) => found.push((name, value)),
            Err(_) => {
                let message = format!("the environment variable {name} is no Unicode");
                return Err(usage(message).help("set it to text in UTF-8, or unset it"));
            }
        }
    }
    Ok(found)
}
