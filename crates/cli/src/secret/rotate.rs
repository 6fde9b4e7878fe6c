//! `secret rotate`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hieratic::eyaml::{Decryptor, Encryptor, KeySource, reencrypt};
use hieratic::value::ErasedSort as _;
use hieratic::{Error, Hash, Value};
use hieratic_diagnostics::{Diagnostic, Severity, Source};
use hieratic_lint::Progress;

use super::args::RotateArguments;
use super::faults::{fault, input_error};
use super::settings::Settings;
use crate::codes;
use crate::files::{self, Change, Claim, WriteError};
use crate::output;
use crate::progress::Bar;
use crate::report::Reporter;
use hieratic::sandbox::SlashPath as _;

/// A file whose values are encrypted with the new key.
struct RotatedFile {
    path: PathBuf,
    before: Vec<u8>,
    after: String,
    values: usize,
}

/// Encrypts all values to the new keys: first all in memory, and only if each could be opened into the files.
pub(super) fn run(arguments: &RotateArguments, reporter: &Reporter) -> Result<ExitCode, Error> {
    let settings = Settings::new(&arguments.keys)?;
    let old = Decryptor::new(&settings.options(), &KeySource::of_user());
    let public = Value::from(arguments.new_public_key.as_str());
    let options: Hash = [("pkcs7_public_key", public.clone())].into_iter().collect();
    let new = Encryptor::new(&options, &KeySource::of_user()).map_err(|error| fault(&error))?;
    let new_private = arguments.new_private_key.as_deref().map(|private| {
        let options = [("pkcs7_public_key", public), ("pkcs7_private_key", private.into())];
        Decryptor::new(&options.into_iter().collect(), &KeySource::of_user())
    });
    let mut changed = Vec::new();
    let (mut already, mut failed) = (0, false);
    let paths = files_of(&arguments.paths)?;
    let bar = Bar::new(false);
    bar.begin("files", paths.len());
    for path in paths {
        bar.step();
        let before = files::read(&path).map_err(|error| files::unreadable(&path, &error))?;
        // A file that is not text contains no values.
        let Ok(text) = std::str::from_utf8(&before) else { continue };
        match reencrypt(text, &old, &new, new_private.as_ref()) {
            Ok(done) => {
                already += done.already;
                if done.changed > 0 {
                    changed.push(RotatedFile { path, after: done.text, values: done.changed, before });
                }
            }
            Err(faults) => {
                failed = true;
                let source = Source::new(path.to_slashes(), text);
                for unchangeable in faults {
                    let message = format!("the value cannot be decrypted: {}", unchangeable.error);
                    let diagnostic = Diagnostic::new(Severity::Error, codes::SECRET, message);
                    let place = source.position(unchangeable.range.start);
                    let diagnostic = diagnostic
                        .location(source.name().to_owned(), Some(place.line), Some(place.column))
                        .help("name the keys that it was encrypted with: --pkcs7-private-key and --pkcs7-public-key");
                    bar.aside(|| reporter.diagnostic(&diagnostic));
                }
            }
        }
    }
    bar.finish();
    if failed {
        return Err(input_error("some values cannot be decrypted; nothing was changed"));
    }
    let (values, count) = (changed.iter().map(|file| file.values).sum::<usize>(), changed.len());
    if !arguments.dry_run {
        for file in &changed {
            write(file, reporter)?;
        }
    }
    if !arguments.keys.quiet {
        let verb = if arguments.dry_run { "would be encrypted" } else { "encrypted" };
        let rest = if already > 0 { format!("; {already} already used the new keys") } else { String::new() };
        let (values, count) = (output::counted(values, "value"), output::counted(count, "file"));
        reporter.log_line(&format!("{values} in {count} {verb} to the new keys{rest}"), "", false);
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes a file, unless another process has changed it in the meantime.
fn write(file: &RotatedFile, reporter: &Reporter) -> Result<(), Error> {
    let goes_on = |refusal: WriteError| {
        let help = format!("{}; earlier files use the new keys: run the command again to continue", refusal.help);
        input_error(refusal.message).help(help)
    };
    let claim = Claim::acquire(&file.path, reporter).map_err(goes_on)?;
    if claim.before() != Some(file.before.as_slice()) {
        let message = format!("{} was changed by another process and was not written", file.path.display());
        return Err(input_error(message).help("run the command again"));
    }
    files::replace(&[Change::new(&claim, file.after.as_bytes())]).map_err(goes_on)
}

/// The files, and those of the folders that may hold values; links are not followed within folders.
fn files_of(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for path in paths {
        let kind = std::fs::metadata(path).map_err(|error| files::unreadable(path, &error))?;
        if kind.is_dir() { collect(path, &mut files)? } else { files.push(path.clone()) }
    }
    files.sort_erased();
    files.dedup();
    Ok(files)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let unreadable = |error: std::io::Error| files::unreadable(&folder, &error);
        for entry in std::fs::read_dir(&folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let kind = entry.file_type().map_err(unreadable)?;
            let path = entry.path();
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            let extension = path.extension().and_then(|extension| extension.to_str());
            if kind.is_dir() && !hidden {
                folders.push(path);
            } else if kind.is_file() && !hidden && matches!(extension, Some("yaml" | "yml" | "eyaml" | "json")) {
                files.push(path);
            }
        }
    }
    Ok(())
}
