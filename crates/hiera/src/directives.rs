//! Data files with merge directives: `data_hash: yaml_data` with `options: {directives: true}`.
//!
//! The file is read as Puppet reads YAML, and its directives are expanded as in Unfurl. The result is the data of the
//! level: interpolation and merging between levels follow.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic_budget::Budget;
use hieratic_diagnostics::Source;
use hieratic_directives::{
    self as directives, Document, Expanded, Failure, File, LocalFiles, Options, ReadFault, Reading, expand,
};
use hieratic_json::{OtherFile, Position, Positions};
use hieratic_sandbox::{Capabilities, Files};
use hieratic_value::Value;
use hieratic_yaml as yaml;
use hieratic_yaml_edit::tree::{Content, Node};

use crate::Error;
use crate::codes;
use crate::error::Place;
use crate::source::{Format, syntax_error};
use hieratic_sandbox::SlashPath as _;

/// Reads a file and expands its directives; `included` gets the files that it includes.
pub(crate) fn read(
    bytes: &[u8],
    path: &Arc<Path>,
    positions: bool,
    capabilities: &Capabilities,
    included: &mut Vec<PathBuf>,
) -> Result<(Value, Option<Positions>), Error> {
    let name = path.to_slashes();
    // Syntax errors are reported as for any other file, and so are files without a hash.
    let plain = yaml::parse(bytes, &yaml::Options { symbols: true, regexps: false, file: &name });
    let source = || Source::new(name.as_str(), bytes);
    let plain = plain.map_err(|error| syntax_error(&error, Format::Directives, path, &source()))?;
    if !matches!(plain, Value::Hash(_)) {
        return Ok((plain, None));
    }
    let text = String::from_utf8_lossy(bytes);
    let folder = path.parent().unwrap_or(Path::new("."));
    let refused = |failure: Failure| directive_error(&failure, path);
    let document = Document::parse_as(&text, &name, folder, Reading::Ruby).map_err(refused)?;
    let mut files = RecordingFiles { files: LocalFiles::below(tree_of(folder, &capabilities.data)), included };
    let budget = Budget::new(capabilities.limits);
    // Levels are merged by the rules of the lookup, which know no strategies.
    let options = Options { environment: capabilities.variables.clone(), is_final: true, budget, ..Options::default() };
    let expanded = expand(&document, &mut files, &options).map_err(refused)?;
    let positions = positions.then(|| positions_of(expanded.root(), &expanded, &name));
    Ok((expanded.to_value(), positions))
}

/// The folder that a data file may include from: the nearest around it with a `hiera.yaml`, else its own.
fn tree_of<'f>(folder: &'f Path, files: &Files) -> &'f Path {
    folder.ancestors().find(|folder| files.is_file(&folder.join("hiera.yaml"))).unwrap_or(folder)
}

/// Files that are noted down, because the data is stale when they change.
struct RecordingFiles<'n> {
    files: LocalFiles,
    included: &'n mut Vec<PathBuf>,
}

impl directives::Files for RecordingFiles<'_> {
    fn read(&mut self, name: &str, folder: &Path) -> Result<File, ReadFault> {
        let read = directives::Files::read(&mut self.files, name, folder);
        self.included.push(match &read {
            Ok(file) => PathBuf::from(&file.identity),
            // It may be created later.
            Err(_) => folder.join(name),
        });
        read
    }
}

fn directive_error(failure: &Failure, path: &Arc<Path>) -> Error {
    let first = failure.diagnostics().first();
    let label = first.and_then(|diagnostic| diagnostic.labels.first());
    let place = match label {
        Some(label) => Place::of(Path::new(label.source.name()), &label.source, label.span),
        None => Place::file(path),
    };
    let error = Error::lookup(codes::DATA_DIRECTIVES, format!("({}): {}", path.display(), failure.message())).at(place);
    // The message only names the missing file; the label gives the reason.
    let reason = label.map(|label| &label.text).filter(|text| !text.is_empty());
    match first.and_then(|diagnostic| diagnostic.help.first()).or(reason) {
        Some(help) => error.help(help),
        None => error,
    }
}

/// Returns the positions of the values, some of which may come from included files.
fn positions_of(node: &Node, expanded: &Expanded, main: &str) -> Positions {
    let origin = expanded.origin(node);
    let at = origin.as_ref().map_or(Position::START, |origin| Position { line: origin.line, column: origin.column });
    let positions = match node.content() {
        Content::Scalar(_) => Positions::scalar(at),
        Content::List(items) => {
            Positions::array(at, items.iter().map(|item| positions_of(item.node(), expanded, main)))
        }
        Content::Map(map) => Positions::hash(
            at,
            map.entries().iter().map(|entry| {
                let value = positions_of(entry.node(), expanded, main);
                (value.at(), value)
            }),
        ),
    };
    match origin {
        Some(origin) if origin.file != main => match expanded.source(node) {
            Some(source) => {
                positions.in_file(OtherFile { path: Path::new(&origin.file).into(), source: source.clone() })
            }
            None => positions,
        },
        _ => positions,
    }
}
