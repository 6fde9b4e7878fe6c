//! `secret edit`.

use std::path::Path;
use std::process::ExitCode;

use hieratic::Error;
use hieratic::eyaml::{Decryptor, EncryptedPart, Encryptor, KeySource, decrypted_parts, encrypted_parts};
use hieratic_diagnostics::{Cursor, Diagnostic, Severity};
use zeroize::Zeroizing;

use super::args::EditArguments;
use super::encrypt::unclosed;
use super::faults::{fault, from, input_error};
use super::session::Session;
use super::settings::Settings;
use super::{editor, input};
use crate::codes;
use crate::files::{self, Change, Claim};
use crate::report::Reporter;

/// The prefix of the lines of the explanation.
const PREFIX: &str = "# |";

const PREAMBLE: &str = "\
# | This is the edit mode of hieratic secret. Lines at the top that begin with '# |' are removed when you save and exit.
# |  - To edit an encrypted value, change what is in the brackets of DEC(<number>)::PKCS7[]!. Do not change the number.
# |  - To add a value, write DEC::PKCS7[the value]! without a number.
";

/// Edits a file.
pub(super) fn run(arguments: &EditArguments, reporter: &Reporter) -> Result<ExitCode, Error> {
    let settings = Settings::new(&arguments.keys)?;
    let path = &arguments.file;
    let Some(editor) = editor::command() else {
        return Err(input_error("Editor not found").help("set the environment variable EDITOR"));
    };
    // The file is locked while it is edited.
    let claim = Claim::acquire(path, reporter).map_err(from)?;
    let before = claim.before().map(|bytes| input::as_text(bytes, path)).transpose()?;
    let original = Original::new(before.unwrap_or("---\n"), arguments, &settings, reporter);
    let session =
        Session::begin().map_err(|error| input_error(format!("no private folder for the plain text: {error}")))?;
    for kept in session.kept() {
        let message = format!("an earlier edit left plain text in {}", kept.display());
        reporter.diagnostic(
            &Diagnostic::new(Severity::Warning, codes::SECRET, message)
                .help("copy what you need and remove the folder"),
        );
    }
    let shown = original.editor_text();
    let preamble = if arguments.no_preamble { "" } else { PREAMBLE };
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("secrets.yaml");
    let private = session
        .write(name, format!("{preamble}{}", shown.as_str()).as_bytes())
        .map_err(|error| input_error(format!("the plain text cannot be written: {error}")))?;
    loop {
        let edited = run_editor(&editor, &private)?;
        if edited.as_str() == shown.as_str() {
            if !arguments.keys.quiet {
                reporter.log_line("No changes detected, exiting", "", false);
            }
            return Ok(ExitCode::SUCCESS);
        }
        match original.encrypted(&edited, &settings) {
            Ok(after) => {
                return match write(&claim, path, &after, reporter) {
                    Ok(()) => Ok(ExitCode::SUCCESS),
                    Err(unwritten) => Err(unwritten.keep_plain_text(session, name)),
                };
            }
            Err(error) => {
                reporter.error("", &error);
                if !input::confirmed("Return to the editor to try again?") {
                    return Err(input_error(format!("{} was not changed", path.display())));
                }
            }
        }
    }
}

/// Returns the edited text, without the explanation at its top.
fn run_editor(editor: &str, private: &Path) -> Result<Zeroizing<String>, Error> {
    let status = editor::run(editor, private)
        .map_err(|error| input_error(format!("the editor '{editor}' cannot be started: {error}")))?
        .ok_or_else(|| input_error("the command was terminated; nothing was changed"))?;
    if !status.success() {
        return Err(
            input_error(format!("Editor did not exit successfully ({status}), aborting")).help("nothing was changed")
        );
    }
    let text = input::text(private).map_err(|_| input_error("File was moved by editor"))?;
    let mut rest = text.as_str();
    while rest.starts_with(PREFIX) {
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
    }
    if rest.is_empty() {
        return Err(input_error("Edited file is blank").help("nothing was changed"));
    }
    Ok(Zeroizing::new(rest.to_owned()))
}

/// A file before it is edited, with its decrypted values in order. They are numbered from 1.
struct Original<'t> {
    text: &'t str,
    values: Vec<(EncryptedPart<'t>, Zeroizing<String>)>,
}

impl<'t> Original<'t> {
    fn new(text: &'t str, arguments: &EditArguments, settings: &Settings, reporter: &Reporter) -> Original<'t> {
        let mut values = Vec::new();
        if arguments.no_decrypt {
            return Original { text, values };
        }
        let decryptor = Decryptor::new(&settings.options(), &KeySource::of_user());
        let mut places = Cursor::new(text.as_bytes());
        for part in encrypted_parts(text) {
            let line = places.position(part.range.start).line;
            let reason = match decryptor.open(part.text) {
                Ok(plain) => match std::str::from_utf8(&plain) {
                    Ok(plain) if plain.contains("]!") => "its plain text contains the end marker of a value".to_owned(),
                    Ok(plain) => {
                        values.push((part, Zeroizing::new(plain.to_owned())));
                        continue;
                    }
                    Err(_) => "its plain text is not valid UTF-8".to_owned(),
                },
                Err(error) => error.to_string(),
            };
            let message = format!("the value on line {line} stays encrypted: {reason}");
            reporter.diagnostic(&Diagnostic::new(Severity::Warning, codes::SECRET, message));
        }
        Original { text, values }
    }

    /// The text for the editor.
    fn editor_text(&self) -> Zeroizing<String> {
        let mut out = Zeroizing::new(String::with_capacity(self.text.len()));
        let mut done = 0;
        for (index, (part, plain)) in self.values.iter().enumerate() {
            out.push_str(&self.text[done..part.range.start]);
            out.push_str(&format!("DEC({})::PKCS7[", index + 1));
            out.push_str(plain);
            out.push_str("]!");
            done = part.range.end;
        }
        out.push_str(&self.text[done..]);
        out
    }

    /// Encrypts the values of the edited text. Unchanged values keep their ciphertext.
    fn encrypted(&self, edited: &str, settings: &Settings) -> Result<String, Error> {
        let parts = decrypted_parts(edited).map_err(|at| unclosed(edited, at))?;
        let mut encryptor = None;
        let mut seen = vec![false; self.values.len()];
        let mut out = String::with_capacity(edited.len());
        let mut done = 0;
        for part in parts {
            if !part.encryptor.eq_ignore_ascii_case("pkcs7") {
                return Err(input_error(format!("the encryptor '{}' is not supported", part.encryptor))
                    .help("write DEC::PKCS7[...]!"));
            }
            let mut layout = part.layout.clone();
            let mut kept = None;
            if let Some(number) = part.number {
                let Some((index, (old, plain))) = number.checked_sub(1).and_then(|at| Some((at, self.values.get(at)?)))
                else {
                    return Err(input_error(format!("no value has the number {number}"))
                        .help("a new value has no number: DEC::PKCS7[the value]!"));
                };
                if std::mem::replace(&mut seen[index], true) {
                    return Err(input_error(format!("the number {number} is duplicated"))
                        .help("delete the number and its parentheses from the copy: DEC::PKCS7[the value]!"));
                }
                if plain.as_str() == part.plain {
                    kept = Some(old.text);
                }
                // A value that moved into or out of a block gets its new layout. All others keep theirs.
                if (part.range.start == 0) == (old.range.start == 0) && is_block(&layout) == is_block(&old.layout) {
                    layout = old.layout.clone();
                } else {
                    kept = None;
                }
            }
            out.push_str(&edited[done..part.range.start]);
            match kept {
                Some(text) => out.push_str(text),
                None => {
                    let encryptor = match &mut encryptor {
                        Some(encryptor) => encryptor,
                        empty => empty.insert(
                            Encryptor::new(&settings.options(), &KeySource::of_user())
                                .map_err(|error| fault(&error))?,
                        ),
                    };
                    let encrypted = encryptor.encrypt(part.plain.as_bytes()).map_err(|error| fault(&error))?;
                    out.push_str(&layout.lay_out(&encrypted));
                }
            }
            done = part.range.end;
        }
        out.push_str(&edited[done..]);
        Ok(out)
    }
}

fn is_block(layout: &hieratic::eyaml::Layout) -> bool {
    matches!(layout, hieratic::eyaml::Layout::Block { .. })
}

/// The error of a failed write, and whether the user's input is saved.
struct WriteError {
    error: Error,
    is_safe: bool,
}

impl WriteError {
    /// Returns the error. If the encrypted text cannot be saved anywhere, the plain text is kept in a file that only
    /// its owner can read.
    fn keep_plain_text(self, session: Session, name: &str) -> Error {
        if self.is_safe {
            return self.error;
        }
        let message = self.error.to_string();
        match session.keep() {
            Ok(folder) => {
                let path = folder.join(name);
                input_error(message).help(format!(
                    "your input is kept as plain text in {}, readable only by you: free disk space, edit again, and remove it",
                    path.display()
                ))
            }
            Err(error) => input_error(format!("{message}; your input could not be kept: {error}")),
        }
    }
}

/// Replaces the file atomically. If another process has changed it meanwhile, the edited version is written next to it;
/// if that fails, to a private folder of the user. It is encrypted in each of them.
fn write(claim: &Claim, path: &Path, after: &str, reporter: &Reporter) -> Result<(), WriteError> {
    let bytes = after.as_bytes();
    let Err(refusal) = files::replace(&[Change::new(claim, bytes)]) else { return Ok(()) };
    if refusal.is_conflict {
        let beside = files::beside(path);
        let written = Claim::acquire(&beside, reporter).and_then(|claim| files::replace(&[Change::new(&claim, bytes)]));
        if written.is_ok() {
            let error = input_error(format!("{} was changed by another process during the edit", path.display()))
                .help(format!("your version, encrypted, is {}", beside.display()));
            return Err(WriteError { error, is_safe: true });
        }
    }
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let (is_safe, help) = match files::keep_safe(&name, bytes) {
        Ok(kept) => (true, format!("your version, encrypted, is {}", kept.display())),
        Err(_) => (false, refusal.help),
    };
    Err(WriteError { error: input_error(refusal.message).help(help), is_safe })
}
