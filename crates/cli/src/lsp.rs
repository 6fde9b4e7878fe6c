//! `hieratic lsp`: the language server for editors, over standard input and output.

use std::collections::BTreeMap;
use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use hieratic::{Facts, Permissions, SearchPath, Settings};
use hieratic_lint::JobValues;
use hieratic_lsp::{FolderSettings, Inventory, NodeMemory, ServerOptions, serve};
use hieratic_puppetdb::Client;

use crate::args::{LimitArguments, MessageArguments, VersionArguments, datadirs};
use crate::config::Config;
use crate::puppetdb::PuppetDbArguments;
use crate::report::Reporter;
use crate::{codes, files};
use hieratic::sandbox::SlashPath as _;

/// The flags of `lsp`.
#[derive(Args, Debug)]
pub(crate) struct LspArguments {
    /// Files of facts, or folders with one file per node: hovers show the answers of the node that you choose (repeatable)
    #[arg(long, value_name = "FILE|FOLDER", action = clap::ArgAction::Append)]
    pub(crate) facts: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) puppetdb: PuppetDbArguments,
    /// Module folders, separated by colons
    #[arg(long, value_name = "FOLDERS")]
    pub(crate) modulepath: Option<SearchPath>,
    /// Replace a datadir of hiera.yaml by a folder here: /srv/hiera=data (repeatable)
    #[arg(long, value_name = "DATADIR=FOLDER", action = clap::ArgAction::Append, value_parser = crate::args::datadir)]
    pub(crate) datadir: Vec<String>,
    /// Report keys that are never looked up
    #[arg(long)]
    unused: bool,
    /// Use standard input and output, which is the only way; editors pass it
    #[arg(long)]
    stdio: bool,
    #[command(flatten)]
    pub(crate) puppet: VersionArguments,
    #[command(flatten)]
    limits: LimitArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// Runs the verb.
pub(crate) fn run(arguments: &LspArguments) -> ExitCode {
    let reporter = Reporter::new(arguments.messages.message_format, arguments.messages.color);
    let Some(options) = options(arguments, &reporter) else { return ExitCode::FAILURE };
    match serve(options, BufReader::new(std::io::stdin()), std::io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let help = "editors start this command: see docs/editors.md".to_owned();
            reporter.plain_error(codes::LSP, &error.to_string(), &[help]);
            ExitCode::FAILURE
        }
    }
}

/// Returns the options of the server. Faults of the flags are reported.
pub(crate) fn options(arguments: &LspArguments, reporter: &Reporter) -> Option<ServerOptions> {
    // An editor opens any repository that was checked out, so trust that was given for other verbs does not apply.
    let permissions = Permissions { confined: true, ..Permissions::default() };
    let settings = Settings {
        puppet_version: arguments.puppet.version(),
        modulepath: arguments.modulepath.clone(),
        datadirs: datadirs(&arguments.datadir),
        permissions,
        limits: arguments.limits.limits(),
        ..Settings::default()
    };
    let check = hieratic_lint::Options {
        strict: settings.language().strict,
        settings,
        unused: arguments.unused,
        ..hieratic_lint::Options::default()
    };
    // A path without a name leads nowhere.
    let facts = arguments.facts.iter().filter_map(|path| std::path::absolute(path).ok()).collect();
    // Asked later: an editor starts whether PuppetDB answers or not.
    let client = match arguments.puppetdb.settings().map(|settings| Client::new(&settings)).transpose() {
        Ok(client) => client,
        Err(error) => {
            reporter.plain_error(
                codes::LSP,
                &error.to_string(),
                &error.help_text().map(str::to_owned).into_iter().collect::<Vec<_>>(),
            );
            return None;
        }
    };
    let inventory = client.map(|client| Arc::new(PuppetDbNodes(client)) as Arc<dyn Inventory>);
    let settings = Arc::new(SettingsFiles);
    Some(ServerOptions { check, facts, memory: Arc::new(ChosenNodes), inventory, settings })
}

/// The settings in `hieratic.toml`.
struct SettingsFiles;

impl FolderSettings for SettingsFiles {
    fn jobs(&self, folder: &Path) -> Result<JobValues, String> {
        let config = Config::for_folder(folder).map_err(|error| error.message)?;
        let nomad_version = config.nomad_version().unwrap_or_default();
        Ok(JobValues { sets: config.jobs(), nomad_version, ..JobValues::default() })
    }
}

/// The nodes of a PuppetDB.
struct PuppetDbNodes(Client);

impl Inventory for PuppetDbNodes {
    fn names(&self) -> Result<Vec<String>, String> {
        self.0.names().map_err(|error| error.to_string())
    }

    fn facts(&self, node: &str) -> Result<Option<Facts>, String> {
        let found = self.0.facts(node).map_err(|error| error.to_string())?;
        Ok(found.map(|(facts, _)| facts))
    }
}

/// The nodes that were chosen, in one file for all folders.
struct ChosenNodes;

impl ChosenNodes {
    fn file() -> Option<PathBuf> {
        Some(crate::places::state()?.join("nodes.json"))
    }

    fn all() -> BTreeMap<String, String> {
        let text = Self::file().and_then(|file| std::fs::read_to_string(file).ok());
        text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }
}

impl NodeMemory for ChosenNodes {
    fn node(&self, folder: &Path) -> Option<String> {
        Self::all().remove(&folder.to_slashes())
    }

    fn choose(&self, folder: &Path, node: Option<&str>) {
        let Some(file) = Self::file() else { return };
        let mut all = Self::all();
        let folder = folder.to_slashes();
        match node {
            Some(node) => all.insert(folder, node.to_owned()),
            None => all.remove(&folder),
        };
        // If the choice cannot be saved, it lasts as long as the server: nothing else depends on it.
        let Ok(text) = serde_json::to_string_pretty(&all) else { return };
        let folders = file.parent().map_or(Ok(()), std::fs::create_dir_all);
        let _ = folders.and_then(|()| files::whole(&file, |mut file| file.write_all(text.as_bytes())));
    }
}
