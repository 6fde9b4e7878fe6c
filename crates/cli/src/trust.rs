//! `hieratic trust`: manages the repositories that may run programs and read files outside of themselves.
//!
//! Trust is given once, by the path of a repository, and stored in the user's settings
//! (`$XDG_CONFIG_HOME/hieratic/config.toml`, by default `~/.config/hieratic/config.toml`; on Windows,
//! `%APPDATA%\hieratic\config.toml`):
//!
//! ```toml
//! trusted = ["/home/me/control-repo"]
//! ```
//!
//! A settings file inside the repository is not the user's, and is ignored.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use hieratic::layers::repository_of;
use hieratic::{Error, ErrorKind, Permissions};
use toml_edit::{Array, DocumentMut, Item, Value};

use crate::access::Access;
use crate::args::{MessageArguments, PermissionArguments};
use crate::codes;
use crate::config::user_file;
use crate::files::{self, Change, Claim, WriteError};
use crate::report::Reporter;

/// The flags of `trust`.
#[derive(Args, Debug)]
pub(crate) struct TrustArguments {
    /// A folder of the repository (default: the current folder)
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Stop trusting the repository
    #[arg(long)]
    remove: bool,
    /// List the trusted repositories
    #[arg(long, conflicts_with_all = ["folder", "remove"])]
    list: bool,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// Runs the verb.
pub(crate) fn run(arguments: &TrustArguments) -> ExitCode {
    let reporter = Reporter::new(arguments.messages.message_format, arguments.messages.color);
    match change(arguments, &reporter) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            reporter.error("", &error);
            ExitCode::FAILURE
        }
    }
}

/// Returns the capabilities of the repository that contains a folder, from flags and from trust, as far as the verb
/// supports them.
pub(crate) fn permissions(access: Access, arguments: PermissionArguments, folder: Option<&Path>) -> Permissions {
    let flags = Permissions {
        programs: arguments.allow_programs,
        outside: arguments.access.allow_outside,
        network: arguments.access.allow_network,
        confined: false,
    };
    let is_trusted = folder.and_then(root).is_some_and(|root| {
        let file = user_file().filter(|file| !file.starts_with(&root));
        file.is_some_and(|file| Settings::read(&file).is_ok_and(|settings| settings.trusts(&root)))
    });
    access.permissions(if is_trusted { Permissions::all() } else { flags })
}

fn change(arguments: &TrustArguments, reporter: &Reporter) -> Result<(), Error> {
    let file = user_file().ok_or_else(|| fault("no home folder for settings").help("set HOME or XDG_CONFIG_HOME"))?;
    if arguments.list {
        let settings = Settings::read(&file)?;
        let lines: String = settings.trusted().iter().map(|root| format!("{root}\n")).collect();
        reporter.print_text(lines.as_bytes());
        return Ok(());
    }
    let folder = arguments.folder.clone().unwrap_or_else(|| PathBuf::from("."));
    let root = root(&folder).ok_or_else(|| {
        fault(format!("{} is not a folder", folder.display())).help("name a folder of the repository to trust")
    })?;
    let shown = root.display();
    let Some(name) = root.to_str() else {
        return Err(fault(format!("the path {shown} is not valid UTF-8")).help("rename the folder"));
    };
    // Without the lock, two runs at once would lose an entry.
    let claim = claimed(&file, reporter)?;
    let mut settings = Settings::read(&file)?;
    let changes = if arguments.remove { settings.remove(name) } else { settings.add(name) };
    if changes {
        settings.write(&claim)?;
    }
    let message = match (arguments.remove, changes) {
        (false, true) => {
            format!("Trusting {shown}: it can now run programs, read files outside of it, and use the network")
        }
        (false, false) => format!("{shown} is already trusted"),
        (true, true) => format!("{shown} is no longer trusted"),
        (true, false) => format!("{shown} was not trusted"),
    };
    reporter.print_text(format!("{message}\n").as_bytes());
    Ok(())
}

/// The repository that a folder is in, or the folder itself, without links.
fn root(folder: &Path) -> Option<PathBuf> {
    let folder = hieratic::sandbox::real_path(folder).ok()?;
    Some(repository_of(&folder).unwrap_or(folder))
}

/// The user's settings file. Editing it keeps everything else in it.
struct Settings(DocumentMut);

const TRUSTED: &str = "trusted";

impl Settings {
    /// Reads the file; a missing file is empty.
    fn read(file: &Path) -> Result<Settings, Error> {
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(files::unreadable(file, &error)),
        };
        let document: DocumentMut = text
            .parse()
            .map_err(|error| fault(format!("{} is not valid TOML: {error}", file.display())).help("fix the file"))?;
        match document.get(TRUSTED) {
            None => {}
            Some(Item::Value(Value::Array(all))) if all.iter().all(Value::is_str) => {}
            Some(_) => {
                return Err(fault(format!("`{TRUSTED}` in {} is not a list of paths", file.display()))
                    .help(format!("write {TRUSTED} = [\"/path/of/a/repository\"]")));
            }
        }
        Ok(Settings(document))
    }

    fn trusted(&self) -> Vec<&str> {
        let all = self.0.get(TRUSTED).and_then(Item::as_array);
        all.into_iter().flatten().filter_map(Value::as_str).collect()
    }

    fn trusts(&self, root: &Path) -> bool {
        self.trusted().iter().any(|trusted| Path::new(trusted) == root)
    }

    /// Adds a repository; whether it was not there.
    fn add(&mut self, root: &str) -> bool {
        let is_new = !self.trusts(root.as_ref());
        if is_new {
            let all = self.0.entry(TRUSTED).or_insert(Item::Value(Value::Array(Array::new())));
            if let Some(all) = all.as_array_mut() {
                all.push(root);
            }
        }
        is_new
    }

    /// Removes a repository; whether it was there.
    fn remove(&mut self, root: &str) -> bool {
        let Some(all) = self.0.get_mut(TRUSTED).and_then(Item::as_array_mut) else { return false };
        let before = all.len();
        all.retain(|trusted| trusted.as_str() != Some(root));
        all.len() < before
    }

    fn write(&self, claim: &Claim) -> Result<(), Error> {
        let text = self.0.to_string();
        files::replace(&[Change { is_private: true, ..Change::new(claim, text.as_bytes()) }]).map_err(refusal_to_error)
    }
}

/// Claims the settings, in a folder that is made if need be.
fn claimed(file: &Path, reporter: &Reporter) -> Result<Claim, Error> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(|error| {
            fault(format!("{} cannot be written: {error}", file.display())).help("check the permissions of its folder")
        })?;
    }
    Claim::acquire(file, reporter).map_err(refusal_to_error)
}

fn refusal_to_error(refusal: WriteError) -> Error {
    fault(refusal.message).help(refusal.help)
}

fn fault(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Fatal, codes::TRUST, message)
}
