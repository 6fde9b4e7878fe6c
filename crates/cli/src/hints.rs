//! Help lines that name flags. The libraries that report the errors do not know the flags.

use hieratic_diagnostics::{Diagnose, Diagnostic};

use crate::report::Reporter;

/// The hints on messages of HCL. `files` is how the verb lets functions read files.
fn on_hcl(diagnostic: Diagnostic, files: &str) -> Diagnostic {
    if diagnostic.notes.iter().any(|note| note.contains("filesystem function disabled")) {
        return diagnostic.help(files);
    }
    if files == NOT_DENIED && diagnostic.notes.iter().any(|note| EXTENSIONS.iter().any(|text| note.contains(text))) {
        return diagnostic.help("Nomad does not support it; --extensions enables it");
    }
    if files == NOT_DENIED && diagnostic.notes.iter().any(|note| note.contains("functions can only read files in ")) {
        return diagnostic.help(ALLOW_FOLDER);
    }
    if files == NOT_DENIED && diagnostic.notes.iter().any(|note| note.contains("no file exists at ")) {
        return diagnostic.help(GIVE_BASE);
    }
    let unset = diagnostic.message.strip_prefix("Unset variable \"").and_then(|rest| rest.strip_suffix('"'));
    match unset {
        Some(name) => {
            let help = format!("set it with -var {name}=VALUE, in a file given with -var-file, or as NOMAD_VAR_{name}");
            diagnostic.help(help)
        }
        None => diagnostic,
    }
}

/// Writes the messages of HCL, with the hints.
pub(crate) fn report_hcl(reporter: &Reporter, problems: &dyn Diagnose, files: &str) {
    reporter.diagnostics(problems.diagnose().into_iter().map(|diagnostic| on_hcl(diagnostic, files)));
}

/// The flag that lets templates and expressions read files.
pub(crate) const ALLOW_FILES: &str = "pass --allow-outside to allow functions to read files of its folder, or trust the repository with `hieratic trust`";

/// The messages about extensions if their flag is missing.
const EXTENSIONS: [&str; 2] =
    ["Optional attribute modifier is only for type constraints", "There is no function named \"templatefile\""];

/// The flag that lets a job read files outside of its repository.
const ALLOW_FOLDER: &str =
    "pass --allow-files FOLDER to allow functions to read files of that folder, or --allow-files for all files";

/// The folders that relative paths are resolved against.
const GIVE_BASE: &str =
    "relative paths start at the working folder or the folder of the job; --base FOLDER changes that";

/// The flag that prevents a job from reading files.
pub(crate) const NOT_DENIED: &str = "remove --deny-files";

#[cfg(test)]
mod tests {
    use super::*;
    use hieratic_diagnostics::Severity;

    #[test]
    fn hints_name_only_flags_that_help() {
        let hints = |message: &str, note: &str| {
            on_hcl(
                Diagnostic::new(Severity::Error, hieratic::hcl_eval::syntax::codes::HCL, message).note(note),
                NOT_DENIED,
            )
            .help
        };
        assert_eq!(hints("Error in function call", "Call failed: filesystem function disabled."), [NOT_DENIED]);
        assert!(hints("Unset variable \"a\"", "")[0].starts_with("set it with -var a=VALUE"));
        assert!(hints("Invalid block", "").is_empty());
    }
}
