//! `secret createkeys`.

use std::path::Path;
use std::process::ExitCode;

use hieratic::Error;
use hieratic::eyaml::{KeyOptions, create_keys};

use super::args::CreatekeysArguments;
use super::faults::{fault, from, input_error};
use super::input;
use super::settings::Settings;
use crate::files::{self, Change, Claim};
use crate::report::Reporter;

/// Generates a key pair and writes it. It asks before it replaces another one.
pub(super) fn run(arguments: &CreatekeysArguments, reporter: &Reporter) -> Result<ExitCode, Error> {
    let settings = Settings::new(&arguments.keys)?;
    let known = KeyOptions::default();
    let bits = match settings.text("pkcs7_keysize") {
        Some(text) => Some(text.parse().map_err(|_| input_error(format!("'{text}' is not a number of bits")))?),
        None => None,
    };
    let options = KeyOptions {
        subject: arguments.subject.clone().or_else(|| settings.text("pkcs7_subject")).unwrap_or(known.subject),
        bits: arguments.keysize.or(bits).unwrap_or(known.bits),
        digest: arguments.digest.clone().or_else(|| settings.text("pkcs7_digest")).unwrap_or(known.digest),
    };
    let (private, public) = (settings.private_key(), settings.public_key());
    for (file, setting) in [(&private, "pkcs7_private_key"), (&public, "pkcs7_public_key")] {
        if settings.text(setting).is_none() && leads_away(Path::new(file)) {
            return Err(input_error(format!("{file} was not written: a link leads out of the current folder"))
                .help(format!("name the file itself: --{}", setting.replace('_', "-"))));
        }
    }
    for file in [&private, &public] {
        if Path::new(file).exists() && !input::confirmed(&format!("Are you sure you want to overwrite \"{file}\"?")) {
            return Err(input_error(format!("{file} exists and was not overwritten"))
                .help("values encrypted with it would become unreadable: name other files, or remove it"));
        }
    }
    let keys = create_keys(&options).map_err(|error| fault(&error))?;
    for file in [&private, &public] {
        if let Some(folder) =
            Path::new(file).parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir())
        {
            std::fs::create_dir_all(folder)
                .map_err(|error| input_error(format!("Cannot create key directory: {}: {error}", folder.display())))?;
        }
    }
    let claim = |file: &str| Claim::acquire(Path::new(file), reporter).map_err(from);
    let (of_private, of_public) = (claim(&private)?, claim(&public)?);
    // Both or none: a key without its other half opens nothing.
    files::replace(&[
        Change { is_private: true, ..Change::new(&of_private, keys.private.as_bytes()) },
        Change::new(&of_public, keys.public.as_bytes()),
    ])
    .map_err(from)?;
    if !arguments.keys.quiet {
        reporter.log_line(&format!("Keys created: {private} and {public}"), "", false);
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns whether links lead a path out of the current folder. The user has not named the default paths, and the
/// repository may contain such links.
fn leads_away(path: &Path) -> bool {
    let Ok(current) = hieratic::sandbox::real_path(Path::new(".")) else { return true };
    let there = path.ancestors().find(|part| part.symlink_metadata().is_ok());
    match there.filter(|part| !part.as_os_str().is_empty()).map(Path::canonicalize) {
        Some(Ok(whole)) => !whole.starts_with(&current),
        // A link to nothing.
        Some(Err(_)) => true,
        None => false,
    }
}
