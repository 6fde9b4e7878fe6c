//! What others say of nodes, as flags: classifiers, the exported resources of other catalogs, and answers of PuppetDB.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use hieratic::powers::Files;
use hieratic::{Classification, Compiler, DatabaseAnswers, Error, Exported};
use hieratic_puppetdb::Client;
use rustc_hash::FxHashMap;

use crate::args::PlaceArguments;
use crate::puppetdb::PuppetDbArguments;
use crate::{files, place};

/// The flags that `catalog` and `diff --catalogs` have in common.
#[derive(Args, Clone, Debug)]
pub(crate) struct InputArguments {
    /// What the external node classifier printed for the node, as YAML; a folder has a file for each node: NODE.yaml
    #[arg(long, value_name = "FILE|FOLDER")]
    pub(crate) enc: Option<PathBuf>,
    /// Collect the exported resources of the catalogs in a folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) exported: Option<PathBuf>,
    /// Recorded answers for puppetdb_query: a JSON list of objects with query and answer
    #[arg(long, value_name = "FILE")]
    pub(crate) puppetdb_answers: Option<PathBuf>,
}

/// What classifiers say of nodes.
#[derive(Debug, Default)]
pub(crate) struct Classifications {
    /// For all nodes that are not listed.
    others: Classification,
    known: FxHashMap<String, Classification>,
}

impl Classifications {
    /// What is said of a node.
    pub(crate) fn of(&self, node: &str) -> &Classification {
        self.known.get(node).unwrap_or(&self.others)
    }
}

impl InputArguments {
    /// Whether any flag is given.
    pub(crate) fn any(&self) -> bool {
        self.enc.is_some() || self.exported.is_some() || self.puppetdb_answers.is_some()
    }

    /// What classifiers say. Every file of a folder is read, whether there is a node for it or not.
    pub(crate) fn classifications(&self, place: &PlaceArguments) -> Result<Classifications, Error> {
        let Some(path) = &self.enc else { return Ok(Classifications::default()) };
        let permissions = place::permissions(place);
        let parsed = |file: &Path, from: &Files| {
            let bytes = from.read(file).map_err(|error| files::unreadable(file, &error))?;
            Classification::parse(&file.display().to_string(), &bytes)
        };
        let mut all = Classifications::default();
        let below = permissions.files_below(path);
        if !below.is_folder(path) {
            all.others = parsed(path, &permissions.files_named(path))?;
            return Ok(all);
        }
        for entry in below.list(path).map_err(|error| files::unreadable(path, &error))? {
            let Some(node) = [".yaml", ".yml"].iter().find_map(|end| entry.name.strip_suffix(end)) else { continue };
            all.known.insert(node.to_owned(), parsed(&path.join(&entry.name), &below)?);
        }
        Ok(all)
    }

    /// Gives a compiler what other nodes export, and answers of PuppetDB: those of files, or else those of a PuppetDB that is named.
    pub(crate) fn given_to<'e>(
        &self,
        compiler: Compiler<'e>,
        place: &PlaceArguments,
        puppetdb: &PuppetDbArguments,
    ) -> Result<Compiler<'e>, Error> {
        let permissions = place::permissions(place);
        let mut compiler = compiler;
        if let Some(folder) = &self.exported {
            compiler = compiler.with_exported(Exported::read(folder, &permissions.files_below(folder))?);
        }
        if let Some(file) = &self.puppetdb_answers {
            let bytes = permissions.files_named(file).read(file).map_err(|error| files::unreadable(file, &error))?;
            compiler = compiler.with_answers(DatabaseAnswers::parse(&file.display().to_string(), &bytes)?);
        }
        if let Some(settings) = puppetdb.settings() {
            compiler = compiler.with_database(Arc::new(Client::new(&settings)?));
        }
        Ok(compiler)
    }
}
