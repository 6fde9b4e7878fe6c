//! The flags for external data about nodes: classifiers, exported resources of other catalogs, and answers of PuppetDB.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use hieratic::catalog::{Classification, DatabaseAnswers, Exported};
use hieratic::sandbox::Files;
use hieratic::{Error, Facts, Hash, Permissions, PuppetVersion, Value};
use hieratic_lint::CatalogInputs;
use hieratic_puppetdb::Client;

use crate::files;
use crate::puppetdb::PuppetDbArguments;
use hieratic::sandbox::SlashPath as _;

/// The flags that `catalog`, `check --catalogs` and `diff --catalogs` have in common.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct InputArguments {
    /// The output of the external node classifier, as YAML; a folder has one file per node: NODE.yaml
    #[arg(long, value_name = "FILE|FOLDER")]
    pub(crate) enc: Option<PathBuf>,
    /// Collect the exported resources of the catalogs in a folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) exported: Option<PathBuf>,
    /// Recorded answers for puppetdb_query: a JSON list of objects with query and answer
    #[arg(long, value_name = "FILE")]
    pub(crate) puppetdb_answers: Option<PathBuf>,
    /// A JSON or YAML file with the server facts: servername, serverip (default: name and addresses of this machine)
    #[arg(long, value_name = "FILE")]
    pub(crate) server_facts: Option<PathBuf>,
}

impl InputArguments {
    /// Returns whether any flag is set.
    pub(crate) fn any(&self) -> bool {
        let InputArguments { enc, exported, puppetdb_answers, server_facts } = self;
        [enc, exported, puppetdb_answers, server_facts].into_iter().any(Option::is_some)
    }

    /// Reads the files and the PuppetDB that the flags name.
    pub(crate) fn read(&self, permissions: Permissions, puppetdb: &PuppetDbArguments) -> Result<CatalogInputs, Error> {
        let mut inputs = self.read_classifications(permissions)?;
        if let Some(folder) = &self.exported {
            inputs.exported = Some(Exported::read(folder, &permissions.files_below(folder))?);
        }
        if let Some(file) = &self.puppetdb_answers {
            let bytes = permissions.files_named(file).read(file).map_err(|error| files::unreadable(file, &error))?;
            inputs.answers = Some(DatabaseAnswers::parse(&file.to_slashes(), &bytes)?);
        }
        if let Some(settings) = puppetdb.settings() {
            inputs.database = Some(Arc::new(Client::new(&settings)?));
        }
        Ok(inputs)
    }

    /// Reads the output of classifiers. Every file of a folder is read, even if there is no such node.
    fn read_classifications(&self, permissions: Permissions) -> Result<CatalogInputs, Error> {
        let mut inputs = CatalogInputs::default();
        let Some(path) = &self.enc else { return Ok(inputs) };
        let parsed = |file: &Path, from: &Files| {
            let bytes = from.read(file).map_err(|error| files::unreadable(file, &error))?;
            Classification::parse(&file.to_slashes(), &bytes)
        };
        let below = permissions.files_below(path);
        if !below.is_folder(path) {
            inputs.of_others = parsed(path, &permissions.files_named(path))?;
            return Ok(inputs);
        }
        for entry in below.list(path).map_err(|error| files::unreadable(path, &error))? {
            let Some(node) = [".yaml", ".yml"].iter().find_map(|end| entry.name.strip_suffix(end)) else { continue };
            inputs.classifications.insert(node.to_owned(), parsed(&path.join(&entry.name), &below)?);
        }
        Ok(inputs)
    }

    /// Adds the server's facts to nodes: those of a file, and the name of the server, which by default is this machine,
    /// as in the reference.
    pub(crate) fn set_server_facts<'f>(
        &self,
        nodes: impl IntoIterator<Item = &'f mut Facts>,
        version: PuppetVersion,
        permissions: Permissions,
    ) -> Result<(), Error> {
        let mut server = of_this_machine(version);
        if let Some(file) = &self.server_facts {
            let given = Facts::load(file, &permissions.files_named(file)).map_err(|error| name_flag(error, file))?;
            server = server.into_map().into_iter().chain(given.into_map()).collect();
        }
        nodes.into_iter().for_each(|facts| serve(facts, &server));
        Ok(())
    }
}

/// Names the flag in the error of a file that holds something else than facts.
fn name_flag(error: Error, file: &Path) -> Error {
    if error.code() != hieratic::codes::FACTS_FORMAT {
        return error;
    }
    let message = format!("{} given via the --server-facts flag is no hash of facts", file.display());
    Error::new(error.kind(), error.code(), message)
        .at(hieratic::hiera::Place::file(file))
        .help("the file must contain one hash: servername, serverip, serverversion and so on")
}

/// The server facts if the server is this machine. Lookups of later versions see its version in any case.
pub(crate) fn of_this_machine(version: PuppetVersion) -> Hash {
    let version = (!version.looks_up_with_server_facts()).then(|| ("serverversion", version.recorded().into()));
    let name = crate::target::host_name().map(|name| ("servername", Value::from(name)));
    // Its addresses are those of the network, which is not asked: `--server-facts` gives them.
    version.into_iter().chain(name).collect()
}

/// Adds the server's facts to a node, as the variables that code sees in catalogs. A fact of the same name wins.
pub(crate) fn serve(facts: &mut Facts, server: &Hash) {
    facts.set_server_facts(server.clone());
    for (name, value) in server {
        if let Value::String(name) = name
            && &**name != "environment"
            && !facts.facts().contains(name)
            && !facts.variables().contains(name)
        {
            facts.set_variable(name, value.clone());
        }
    }
}
