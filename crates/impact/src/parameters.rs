//! [`compare_parameters`]: the changed declarations of class parameters.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hieratic::Environment;
use hieratic::diagnostics::{Source, Span};
use hieratic_puppet_syntax::ast::{Node, Program};
use hieratic_puppet_syntax::{Options, parse};

use crate::diff::Diff;
use hieratic::sandbox::SlashPath as _;

/// The declaration of a class parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The type as source code.
    pub kind: Option<String>,
    /// The default as source code.
    pub default: Option<String>,
    /// The manifest.
    pub file: PathBuf,
    /// Its line, counted from 1.
    pub line: u32,
}

/// A parameter with a changed declaration, or on one side only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterDelta {
    /// The key of the parameter in data: `class::parameter`.
    pub key: String,
    /// The declarations.
    pub declarations: Diff<Option<Declaration>>,
}

/// Returns the parameters whose declarations differ, by key. `changed` are the changed files, with absolute paths.
///
/// Only manifests that an environment loads are compared: its own and those of its modules. A manifest that cannot be
/// parsed on a side is left out, because its declarations are unknown.
pub fn compare_parameters<'p>(
    environments: Diff<&Environment>,
    changed: impl Iterator<Item = &'p PathBuf>,
) -> Vec<ParameterDelta> {
    let mut all: BTreeMap<String, Diff<Option<Declaration>>> = BTreeMap::new();
    let folders = environments.map(code_folders);
    for path in changed.filter(|path| is_manifest(path)) {
        let loaded = environments.zip(folders.as_ref());
        let declared = loaded.map(|(environment, folders)| {
            if folders.iter().any(|folder| path.starts_with(folder)) {
                declared(environment, path)
            } else {
                Some(Vec::new())
            }
        });
        let Some(Diff { base, head }) = declared.both() else { continue };
        for (key, declared) in base {
            all.entry(key).or_default().base = Some(declared);
        }
        for (key, declared) in head {
            all.entry(key).or_default().head = Some(declared);
        }
    }
    let is_other = |declarations: &Diff<Option<Declaration>>| match declarations.as_ref().map(Option::as_ref).both() {
        Some(both) => !both.map(|declared| (&declared.kind, &declared.default)).is_same(),
        None => true,
    };
    let changed = all.into_iter().filter(|(_, declarations)| is_other(declarations));
    changed.map(|(key, declarations)| ParameterDelta { key, declarations }).collect()
}

fn is_manifest(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "pp")
        && path.components().any(|part| part.as_os_str() == "manifests")
}

/// The folders, or the file, that an environment loads classes from.
fn code_folders(environment: &Environment) -> Vec<PathBuf> {
    environment.modulepath().chain([environment.manifest().to_path_buf()]).collect()
}

/// The parameters of the classes in a manifest: `None` if it cannot be parsed, empty if it does not exist.
fn declared(environment: &Environment, path: &Path) -> Option<Vec<(String, Declaration)>> {
    let files = &environment.capabilities().code;
    if !files.is_file(path) {
        return Some(Vec::new());
    }
    let text = files.read_text(path).ok()?;
    let source = Source::new(path.to_slashes(), text);
    let program = parse(&source, &Options::default()).program?;
    Some(of_program(&program, path))
}

fn of_program(program: &Program, path: &Path) -> Vec<(String, Declaration)> {
    let source = &program.source;
    let text = |span: Span| source.slice(span).to_owned();
    let mut found = Vec::new();
    let mut open = vec![&program.body];
    while let Some(expr) = open.pop() {
        match &expr.node {
            Node::Block(statements) => open.extend(statements),
            Node::Class(class) => {
                for parameter in &class.parameters {
                    let key = format!("{}::{}", class.name.to_lowercase(), parameter.name);
                    found.push((
                        key,
                        Declaration {
                            kind: parameter.kind.as_ref().map(|kind| text(kind.span)),
                            default: parameter.default.as_ref().map(|default| text(default.span)),
                            file: path.to_owned(),
                            line: source.start(parameter.span).line,
                        },
                    ));
                }
                open.push(&class.body);
            }
            _ => {}
        }
    }
    found
}
