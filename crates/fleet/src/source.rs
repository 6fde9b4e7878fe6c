//! [`Sources`]: an iterator over the facts of nodes.

use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use hieratic::facts::{FactsFolder, node_of_file};
use hieratic::value::collections::HashSet;
use hieratic::value::ids::Fingerprint;
use hieratic::{Error, ErrorKind, Facts, Permissions, codes};

use crate::facts::facts_of_line;
use crate::tables::{Nodes, Table};
use hieratic::sandbox::SlashPath as _;

/// The facts of a node, or their location. They are read by the thread that processes the node.
#[derive(Clone, Debug)]
pub struct Source(pub(crate) SourceKind);

#[derive(Clone, Debug)]
pub(crate) enum SourceKind {
    Facts(Box<Facts>),
    /// A row of a table, counted from 1.
    Row {
        file: PathBuf,
        number: usize,
        facts: Box<Facts>,
    },
    /// A file of a folder with one file for each node.
    InFolder(FactsFolder, PathBuf),
    /// A file with the facts of one node.
    File(PathBuf, Permissions),
    /// A line of a file with a node on each line.
    Line {
        file: PathBuf,
        number: usize,
        text: Vec<u8>,
    },
}

impl From<Facts> for Source {
    fn from(facts: Facts) -> Source {
        Source(SourceKind::Facts(Box::new(facts)))
    }
}

/// The error of reading a node's facts, with the file and the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeError {
    /// The position: a path, or a path with a line.
    pub place: String,
    /// The reason.
    pub message: String,
}

impl NodeError {
    /// Creates the error for a further place of a node, whose facts are not used.
    pub fn repeated(place: impl Into<String>, name: &str) -> NodeError {
        NodeError { place: place.into(), message: format!("the node {name} came before; its other facts are used") }
    }
}

impl fmt::Display for NodeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for NodeError {}

/// The longest line of a file of facts, in bytes.
const MAX_LINE: u64 = 64 << 20;

impl Source {
    /// Returns the display name of the input: a path, a path with a line, or a path with a row.
    pub(crate) fn place(&self) -> String {
        match &self.0 {
            SourceKind::Facts(facts) => facts.node().unwrap_or("a node").to_owned(),
            SourceKind::Row { file, number, .. } => format!("{}: row {number}", file.display()),
            SourceKind::InFolder(_, file) | SourceKind::File(file, _) => file.to_slashes(),
            SourceKind::Line { file, number, .. } => format!("{}:{number}", file.display()),
        }
    }

    /// The facts.
    pub(crate) fn facts(self) -> Result<Facts, NodeError> {
        let is_line = matches!(self.0, SourceKind::Line { .. });
        let place = self.place();
        // The error of a line has its place in its message.
        self.read().map_err(|error| match error.to_string() {
            message if is_line => NodeError { message: message[place.len() + 2..].to_owned(), place },
            message => NodeError { place, message },
        })
    }

    /// Reads the facts; the error has advice if there is any.
    pub(crate) fn read(self) -> Result<Facts, Error> {
        let place = self.place();
        match self.0 {
            SourceKind::Facts(facts) | SourceKind::Row { facts, .. } => Ok(*facts),
            SourceKind::InFolder(folder, file) => folder.node(&file),
            SourceKind::File(file, permissions) => node_of_file(&file, &permissions.files_named(&file)),
            SourceKind::Line { text, .. } => facts_of_line(&text).map_err(|message| {
                Error::new(ErrorKind::Fatal, codes::FACTS_UNREADABLE, format!("{place}: {message}"))
                    .help("each line is the JSON object of a node: {\"certname\": \"web01\", \"facts\": {...}}")
            }),
        }
    }
}

/// The names of nodes so far.
#[derive(Default)]
pub(crate) struct SeenNames(HashSet<Fingerprint>);

impl SeenNames {
    /// Returns whether a name is new.
    pub(crate) fn is_new(&mut self, name: &str) -> bool {
        self.0.insert(Fingerprint::new(name))
    }
}

/// Returns whether a file has one node on each line.
fn is_lines(path: &Path) -> bool {
    path.extension().and_then(|end| end.to_str()).is_some_and(|end| matches!(end, "ndjson" | "jsonl"))
}

/// Returns whether a file has the facts of many nodes, by its extension.
pub fn is_of_many(path: &Path) -> bool {
    is_lines(path) || Table::from_path(path).is_some()
}

/// An iterator over the nodes of files and folders, which are read lazily.
pub struct Sources {
    paths: std::vec::IntoIter<PathBuf>,
    permissions: Permissions,
    open: Option<OpenSource>,
}

enum OpenSource {
    Folder(FactsFolder, std::vec::IntoIter<PathBuf>),
    Lines { file: PathBuf, lines: Lines, number: usize },
    Table { file: PathBuf, nodes: Nodes, number: usize },
}

type Lines = BufReader<Box<dyn Read + Send>>;

impl Sources {
    /// Creates the iterator. A folder has one file for each node, a file that ends in `.ndjson` or `.jsonl` one node on
    /// each line, one in `.parquet`, `.arrow`, `.arrows` or `.feather` one in each row, and any other file the facts of
    /// one node.
    pub fn of(paths: Vec<PathBuf>, permissions: Permissions) -> Sources {
        Sources { paths: paths.into_iter(), permissions, open: None }
    }

    fn begin(&mut self, path: PathBuf) -> Option<Result<Source, NodeError>> {
        let problem = |message: String| NodeError { place: path.to_slashes(), message };
        let files = self.permissions.files_named(&path);
        if files.is_folder(&path) {
            let folder = FactsFolder::new(&path, &self.permissions);
            match folder.all() {
                Ok(files) => self.open = Some(OpenSource::Folder(folder, files.into_iter())),
                Err(error) => return Some(Err(problem(format!("cannot be read: {error}")))),
            }
            return None;
        }
        if let Some(table) = Table::from_path(&path) {
            let opened = files.random_access(&path).map_err(|error| format!("cannot be read: {error}"));
            match opened.and_then(|file| table.nodes(file)) {
                Ok(nodes) => self.open = Some(OpenSource::Table { file: path, nodes, number: 0 }),
                Err(message) => return Some(Err(problem(message))),
            }
            return None;
        }
        if !is_lines(&path) {
            return Some(Ok(Source(SourceKind::File(path, self.permissions))));
        }
        match files.reader(&path) {
            Ok(file) => self.open = Some(OpenSource::Lines { file: path, lines: BufReader::new(file), number: 0 }),
            Err(error) => return Some(Err(problem(format!("cannot be read: {error}")))),
        }
        None
    }
}

impl Iterator for Sources {
    type Item = Result<Source, NodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match &mut self.open {
                Some(OpenSource::Folder(folder, files)) => match files.next() {
                    Some(file) => return Some(Ok(Source(SourceKind::InFolder(folder.clone(), file)))),
                    None => self.open = None,
                },
                Some(OpenSource::Lines { file, lines, number }) => match next_line(lines, number) {
                    Ok(Some(text)) => {
                        return Some(Ok(Source(SourceKind::Line { file: file.clone(), number: *number, text })));
                    }
                    Ok(None) => self.open = None,
                    Err(message) => {
                        let place = format!("{}:{number}", file.display());
                        self.open = None;
                        return Some(Err(NodeError { place, message }));
                    }
                },
                Some(OpenSource::Table { file, nodes, number }) => match nodes.next() {
                    Some(Ok(facts)) => {
                        *number += 1;
                        let facts = Box::new(facts);
                        return Some(Ok(Source(SourceKind::Row { file: file.clone(), number: *number, facts })));
                    }
                    Some(Err(message)) => {
                        return Some(Err(NodeError { place: file.to_slashes(), message }));
                    }
                    None => self.open = None,
                },
                None => {
                    let path = self.paths.next()?;
                    if let Some(source) = self.begin(path) {
                        return Some(source);
                    }
                }
            }
        }
    }
}

/// Returns the next line that is not blank, and counts lines.
fn next_line(lines: &mut Lines, number: &mut usize) -> Result<Option<Vec<u8>>, String> {
    loop {
        let mut line = Vec::new();
        let read = lines.by_ref().take(MAX_LINE).read_until(b'\n', &mut line);
        *number += 1;
        match read {
            Ok(0) => return Ok(None),
            Ok(length) if length as u64 == MAX_LINE && line.last() != Some(&b'\n') => {
                return Err(format!("the line is longer than {MAX_LINE} bytes"));
            }
            Ok(_) if line.trim_ascii().is_empty() => {}
            Ok(_) => return Ok(Some(line)),
            Err(error) => return Err(format!("cannot be read: {error}")),
        }
    }
}
