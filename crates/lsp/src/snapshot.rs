//! [`Snapshot`]: an immutable snapshot of the server state, used to answer one request while editing continues.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hieratic::hiera::inspect::Interpolated;
use hieratic::sandbox::{Disk, Files, Memory, Mounted, Patched};
use hieratic::value::collections::HashMap;
use hieratic::{Environment, Facts, Node, Redactor};
use hieratic_diagnostics::Span;
use hieratic_lint::{BufferCheck, DataFile, Finding, JobSet, Omission, StyleOptions, View};
use lsp_server::{ErrorCode, ResponseError};
use lsp_types::{Location, Url};

use crate::client::{Client, error_response};
use crate::client_capabilities::ClientCapabilities;
use crate::code::ruby_index::RubyIndexCache;
use crate::data::mentions::MentionCache;
use crate::document::{Document, Language};
use crate::node_choice::NodeChoice;
use crate::node_files::{NodeFiles, NodeFilesCache};
use crate::outline::Outline;
use crate::paths::uri_of;
use crate::progress::RequestProgress;
use crate::publish::Publisher;

/// The result of the last check of a folder.
pub(crate) struct Analysis {
    /// Identifies the check.
    pub(crate) serial: u64,
    /// The state of editing that was checked.
    pub(crate) generation: u64,
    /// The documents that were open.
    pub(crate) documents: Arc<HashMap<PathBuf, Arc<Document>>>,
    /// The number of files that were checked.
    pub(crate) files: usize,
    /// The parts that were not judged.
    pub(crate) omissions: Vec<Omission>,
    /// The environments in the folder.
    pub(crate) views: Vec<View>,
    /// Checks single documents.
    pub(crate) buffer_check: BufferCheck,
    /// The definitions of manifests.
    pub(crate) outline: Arc<Outline>,
    /// The findings by file.
    pub(crate) findings: HashMap<PathBuf, Arc<[Finding]>>,
    /// The environments with the edits since the check, by their folders. They are created on demand and cached for one
    /// generation.
    pub(crate) edited: Mutex<(u64, HashMap<PathBuf, Environment>)>,
    /// The keys that environments mention, collected on demand.
    pub(crate) mentions: OnceLock<Arc<crate::data::mentions::KeyMentions>>,
}

/// A folder that the client has opened.
#[derive(Clone)]
pub(crate) struct Root {
    pub(crate) folder: PathBuf,
    /// Nothing before the first check.
    pub(crate) analysis: Option<Arc<Analysis>>,
}

/// Everything that is known at one moment.
#[derive(Clone)]
pub(crate) struct Snapshot {
    pub(crate) documents: Arc<HashMap<PathBuf, Arc<Document>>>,
    pub(crate) roots: Arc<Vec<Root>>,
    pub(crate) client: Client,
    pub(crate) publisher: Arc<Publisher>,
    /// The features that the client supports.
    pub(crate) capabilities: ClientCapabilities,
    pub(crate) chosen: Arc<NodeChoice>,
    /// The files with the values of variables of jobs, in their order.
    pub(crate) variables: Arc<Vec<PathBuf>>,
    /// The entries of `[[jobs]]` in the settings.
    pub(crate) job_sets: Arc<Vec<JobSet>>,
    /// The files that nodes read, as far as they are known.
    pub(crate) node_files: NodeFilesCache,
    /// The keys that files of data mention.
    pub(crate) file_mentions: MentionCache,
    /// The names that modules declare in Ruby, as far as they are known.
    pub(crate) ruby: RubyIndexCache,
    /// The number of changes of Ruby files so far.
    pub(crate) ruby_changes: u64,
    pub(crate) generation: u64,
    pub(crate) version: hieratic::PuppetVersion,
    pub(crate) limits: hieratic::Limits,
    /// The rules of style that are checked.
    pub(crate) style: Option<Arc<StyleOptions>>,
    /// Whether the client has cancelled the request.
    pub(crate) cancelled: Arc<AtomicBool>,
    /// The progress of the request that is being answered.
    pub(crate) progress: RequestProgress,
}

impl Snapshot {
    /// Returns an error if the client has cancelled the request.
    pub(crate) fn check_cancelled(&self) -> Result<(), ResponseError> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(error_response(ErrorCode::RequestCanceled, "the client cancelled the request"));
        }
        Ok(())
    }

    /// The document that is open at an address.
    pub(crate) fn open(&self, uri: &Url) -> Result<Arc<Document>, ResponseError> {
        let path = crate::paths::path_of(uri)
            .ok_or_else(|| error_response(ErrorCode::InvalidParams, format!("{uri} is not the address of a file")))?;
        self.document(&path).ok_or_else(|| error_response(ErrorCode::InvalidParams, format!("{uri} cannot be read")))
    }

    /// A document: as it is edited, or as it is saved below one of the folders.
    pub(crate) fn document(&self, path: &Path) -> Option<Arc<Document>> {
        if let Some(open) = self.documents.get(path) {
            return Some(open.clone());
        }
        let text = self.files_around(path)?.read_text(path).ok()?;
        let language = Language::from_path(path, "");
        Some(Arc::new(Document::new(path.to_owned(), uri_of(path)?, None, language, text, self.capabilities.encoding)))
    }

    /// The files of the folder that a path is in, as they are edited.
    pub(crate) fn files_around(&self, path: &Path) -> Option<Files> {
        let root = self.root_of(path)?;
        Some(Mounted::over(Some(&self.mount_edits(root)), Files::below([&root.folder])))
    }

    /// The innermost folder that a path is in.
    pub(crate) fn root_of(&self, path: &Path) -> Option<&Root> {
        let inside = self.roots.iter().filter(|root| path.starts_with(&root.folder));
        inside.max_by_key(|root| root.folder.as_os_str().len())
    }

    /// Returns the result of the last check of the folder that contains a path.
    pub(crate) fn analysis_of(&self, path: &Path) -> Option<&Arc<Analysis>> {
        self.root_of(path)?.analysis.as_ref()
    }

    /// The environment that a file belongs to: the one that reads it as data, or the innermost around it, or the only one.
    pub(crate) fn view_of(&self, path: &Path) -> Option<&View> {
        let views = &self.analysis_of(path)?.views;
        let outer = || {
            let inside = views.iter().filter(|view| path.starts_with(view.root()));
            inside.max_by_key(|view| view.root().as_os_str().len())
        };
        views.iter().find(|view| view.file(path).is_some()).or_else(outer).or(match views.as_slice() {
            [only] => Some(only),
            _ => None,
        })
    }

    /// A file of data with its environment, if it is one.
    pub(crate) fn data_of(&self, path: &Path) -> Option<(&View, &Arc<DataFile>)> {
        let view = self.view_of(path)?;
        Some((view, view.file(path)?))
    }

    /// Returns the definitions of the folder that contains a path.
    pub(crate) fn outline_of(&self, path: &Path) -> Arc<Outline> {
        self.analysis_of(path).map(|analysis| analysis.outline.clone()).unwrap_or_default()
    }

    /// Returns the files of a folder: those on disk, overlaid with the unsaved ones.
    pub(crate) fn mount_edits(&self, root: &Root) -> Mounted {
        let folder = &root.folder;
        let edited = self.documents.values().filter_map(|document| {
            Some((document.path.strip_prefix(folder).ok()?.to_path_buf(), document.text.as_bytes().to_vec()))
        });
        let texts: Memory = edited.collect();
        let names: Vec<PathBuf> = texts.paths().map(Path::to_path_buf).collect();
        Mounted::new(folder, Patched::new(Arc::new(Disk::new(folder)), Arc::new(texts), names))
    }

    /// An environment as it is edited at this moment, which may be later than its last check.
    pub(crate) fn environment(&self, view: &View) -> Environment {
        let Some(root) = self.root_of(view.root()) else { return view.environment().clone() };
        match &root.analysis {
            Some(analysis) if analysis.generation == self.generation => view.environment().clone(),
            Some(analysis) => {
                let mut edited = analysis.edited.lock().unwrap_or_else(PoisonError::into_inner);
                if edited.0 != self.generation {
                    *edited = (self.generation, HashMap::default());
                }
                let patched = || view.environment().patched(&self.mount_edits(root));
                edited.1.entry(view.root().to_owned()).or_insert_with(patched).clone()
            }
            None => view.environment().clone(),
        }
    }

    /// The node whose answers are shown for a file: the one that was chosen, or one that reads the file, or one of which nothing is known.
    /// Nodes of files of facts come before those that paths of data describe.
    pub(crate) fn node_for(&self, view: &View, file: Option<&DataFile>) -> Option<NodeContext> {
        let environment = self.environment(view);
        let facts = match (&self.chosen.facts, self.sample_node(view, file), file) {
            (Some(facts), ..) => facts.clone(),
            (None, Some(facts), _) => facts.clone(),
            (None, None, Some(file)) => view.node_that_reads(file)?.0,
            (None, None, None) => Facts::named(hieratic_lint::SYNTHETIC),
        };
        let node = environment.node(&facts).ok()?;
        let redactor = Redactor::new(environment.secrets(), false);
        let name = self.chosen.name.clone();
        let name = name.or_else(|| facts.node().filter(|name| *name != hieratic_lint::SYNTHETIC).map(str::to_owned));
        // The name of a synthetic node is not a fact: only a path is known of it.
        let name = name.filter(|_| self.chosen.facts.is_some() || !self.chosen.nodes.is_empty());
        Some(NodeContext { node, redactor, name, facts, environment })
    }

    /// A node of the files of facts: the first one that reads a file or, without a file, the first one.
    fn sample_node(&self, view: &View, file: Option<&DataFile>) -> Option<&Facts> {
        if self.chosen.facts.is_some() {
            return None;
        }
        match file {
            None => self.chosen.nodes.first(),
            Some(_) if self.chosen.nodes.is_empty() => None,
            Some(file) => {
                let files = NodeFiles::of(self, view, &OnceCell::new());
                let index = files.reading(file.path()).next().map(|(index, _)| index)?;
                self.chosen.nodes.get(index)
            }
        }
    }

    /// Returns a location of the protocol for a span of a file.
    pub(crate) fn location(&self, path: &Path, span: Span) -> Option<Location> {
        let document = self.document(path)?;
        Some(Location { uri: document.uri.clone(), range: document.range(span) })
    }

    /// Returns the location of a line and column, both counted from 1, the column in characters.
    pub(crate) fn location_at(&self, path: &Path, line: u32, column: u32) -> Option<Location> {
        let document = self.document(path)?;
        let range = document.lines.line(&document.text, line.saturating_sub(1) as usize);
        let text = document.slice(range.clone());
        let at = text.char_indices().nth(column.saturating_sub(1) as usize).map_or(text.len(), |(at, _)| at);
        let word = text[at..].find([' ', ':', ',', '\t']).map_or(text.len(), |end| at + end);
        Some(Location {
            uri: document.uri.clone(),
            range: document.range(range.start + at..range.start + word.max(at)),
        })
    }
}

/// The part of the name of synthetic nodes that all variables made of it contain.
const NO_NAME: &str = "node.invalid";

/// The node whose answers are shown, with its environment.
pub(crate) struct NodeContext {
    pub(crate) node: Node,
    /// Redacts secrets in the answers.
    pub(crate) redactor: Redactor,
    /// The name of the node, if the user chose it.
    pub(crate) name: Option<String>,
    pub(crate) facts: Facts,
    pub(crate) environment: Environment,
}

impl NodeContext {
    /// Returns the value of a variable. The name of a synthetic node is not a value.
    pub(crate) fn interpolated(&self, name: &str) -> Interpolated {
        match self.node.interpolated(name) {
            Interpolated::Value(value) if self.name.is_none() && value.to_text().contains(NO_NAME) => {
                Interpolated::Missing
            }
            found => found,
        }
    }

    /// Describes the node, for use in a sentence.
    pub(crate) fn described(&self) -> String {
        match (&self.name, self.facts.node()) {
            (Some(name), _) => format!("the node {name}"),
            (None, Some(name)) if name != hieratic_lint::SYNTHETIC => format!("a node {name}"),
            (None, _) => "a node that reads this file".to_owned(),
        }
    }
}
