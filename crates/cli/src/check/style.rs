//! The rules of style, and the file `.puppet-lint.rc`.

use std::path::Path;

use hieratic::Error;
use hieratic_diagnostics::Severity;
use hieratic_lint::{Options, Report, RuleSet, StyleOptions, rules};

use super::flags::{CheckArguments, StyleRules};
use crate::files;
use crate::usage::usage;

/// The file with the options of puppet-lint.
const OPTIONS: &str = ".puppet-lint.rc";

/// The rules that a flag or a setting asks for, with the options of the nearest `.puppet-lint.rc`: in the folder of the
/// first path, or above it in the repository.
pub(super) fn options(arguments: &CheckArguments, folder: &Path) -> Result<Option<StyleOptions>, Error> {
    let Some(rules) = arguments.style else { return Ok(None) };
    let set = match rules {
        StyleRules::PuppetLint => RuleSet::PuppetLint,
        StyleRules::VoxPupuli => RuleSet::VoxPupuli,
    };
    // If the working folder was removed, there is no file above it.
    let folder = std::env::current_dir().unwrap_or_default().join(folder);
    let folder = hieratic::sandbox::plain(&folder);
    let root = arguments.from_settings.root.clone().unwrap_or_else(|| folder.clone());
    let mut folders = folder.ancestors().take_while(|above| above.starts_with(&root));
    let file = folders.find_map(|above| Some(above.join(OPTIONS)).filter(|file| file.is_file()));
    let options = match file {
        None => StyleOptions::new(set, folder, None),
        Some(file) => {
            let name = crate::output::relative_file(&file);
            let text = files::read_text(&file).map_err(|error| {
                usage(format!("{name} cannot be read: {error}")).help("it has the options of puppet-lint")
            })?;
            let above = file.parent().map_or(folder, Path::to_path_buf);
            StyleOptions::new(set, above, Some((&name, &text)))
        }
    };
    Ok(Some(options.with_fixes(arguments.fix)))
}

/// Returns whether `.puppet-lint.rc` makes warnings of style fail the check.
pub(super) fn fails(report: &Report, options: &Options) -> bool {
    let is_warning = |severity: Severity| matches!(severity, Severity::Warning | Severity::Error);
    options.style.as_ref().is_some_and(StyleOptions::fails_on_warnings)
        && report
            .findings
            .iter()
            .any(|finding| finding.rule.id() == rules::STYLE.id() && is_warning(finding.severity()))
}
