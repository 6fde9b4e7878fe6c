//! Environment variables with values for job variables.

use hieratic::Error;

use crate::usage::usage;

/// The prefix of these variables. See <https://developer.hashicorp.com/nomad/docs/job-specification/hcl2/variables>.
const PREFIX: &str = "NOMAD_VAR_";

/// Returns the variables, and the one with the given name.
///
/// # Errors
/// The value of a variable is not Unicode: without it, the job would be a different one.
pub(crate) fn variables(besides: Option<&str>) -> Result<Vec<(String, String)>, Error> {
    let mut found = Vec::new();
    for (name, value) in std::env::vars_os() {
        // A name that is not Unicode cannot be that of a job's variable.
        let Ok(name) = name.into_string() else { continue };
        if !name.starts_with(PREFIX) && besides != Some(name.as_str()) {
            continue;
        }
        match value.into_string() {
            Ok(value) => found.push((name, value)),
            Err(_) => {
                let message = format!("the environment variable {name} is not Unicode");
                return Err(usage(message).help("set it to text in UTF-8, or unset it"));
            }
        }
    }
    Ok(found)
}
