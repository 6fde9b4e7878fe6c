//! [`Code`]: the classes in manifests with their parameters, and all qualified names.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use hieratic::sandbox::Files;
use hieratic::value::collections::{HashMap, HashSet};
use hieratic_diagnostics::{Source, Span};
use hieratic_puppet_analysis::{FileSummary, Index, summarize};
use hieratic_puppet_syntax::ast::{Class, Expr, Node, Program};
use hieratic_puppet_syntax::visit::each_expression;
use regex::Regex;

use super::lookup_calls::{self, LookupCall, LookupCalls};
use crate::analysis::{facts_of, top_variables_of};

use crate::tree::{Ignored, Skipped, WalkedFile, files_below};

/// The definitions and names in manifests.
#[derive(Debug, Default)]
pub(crate) struct Code {
    /// The classes, by name.
    pub(crate) classes: HashMap<String, Arc<ClassInfo>>,
    /// Every word that could be the name of a key.
    pub(crate) names: HashSet<Arc<str>>,
    /// Whether some code computes the names of the keys that it looks up.
    pub(crate) computes_names: bool,
    /// The calls that look keys up.
    pub(crate) lookup_calls: LookupCalls,
    /// The modules of classes that manifests declare.
    pub(crate) declared: HashSet<Arc<str>>,
    /// The classes that manifests include by names that are written out.
    pub(crate) inclusions: Vec<Inclusion>,
    /// The definitions and declarations of all manifests, for their analysis.
    pub(crate) index: Arc<Index>,
    /// The manifests that can be parsed.
    pub(crate) sources: Vec<Source>,
    /// The summary of each of them.
    pub(crate) summaries: Vec<(PathBuf, Arc<FileSummary>)>,
    /// The manifests that cannot.
    pub(crate) unread: Vec<PathBuf>,
    /// The facts that modules add.
    pub(crate) facts: HashSet<Arc<str>>,
    /// The variables that some code reads as those of the top scope.
    pub(crate) top_variables: HashSet<Arc<str>>,
    /// All files of code.
    pub(crate) paths: Vec<PathBuf>,
    /// The files that are no manifests.
    pub(crate) others: Vec<Arc<CodePart>>,
}

/// A class that a manifest includes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Inclusion {
    /// Its name.
    pub(crate) class: String,
    /// The manifest.
    pub(crate) source: Source,
    /// The span of the name of the class.
    pub(crate) span: Span,
    /// Whether it may set parameters of the class.
    pub(crate) may_give: bool,
}

/// A class.
#[derive(Debug, PartialEq)]
pub struct ClassInfo {
    /// The manifest.
    pub source: Source,
    /// The byte offset of its start.
    pub start: usize,
    /// Whether it inherits from another class.
    pub inherits: bool,
    /// Its parameters.
    pub parameters: Vec<ParameterInfo>,
}

/// A parameter of a class.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterInfo {
    /// The name.
    pub name: String,
    /// The span of its declaration.
    pub span: Span,
    /// The type as source code.
    pub kind: Option<String>,
    /// The source code and the span of its default, if it is a constant.
    pub default: Option<(String, Span)>,
    /// Whether it has a default, constant or computed.
    pub has_default: bool,
}

/// The definitions and names in one file.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct CodePart {
    classes: Vec<(String, Arc<ClassInfo>)>,
    names: Vec<Arc<str>>,
    computes_names: bool,
    requests: Vec<LookupCall>,
    declared: Vec<Arc<str>>,
    inclusions: Vec<Inclusion>,
    /// The manifest with its summary, if it can be parsed.
    summary: Option<(Source, Arc<FileSummary>)>,
    /// The facts that it adds.
    facts: Vec<Arc<str>>,
    /// The variables that it reads as those of the top scope.
    top_variables: Vec<Arc<str>>,
}

/// Words with `::` in them, and words in quotes.
static NAMES: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"[a-z_]\w*(?:::\w+)+|["'](?P<word>[A-Za-z_](?:[\w.-]|::)*)["']"#).ok());
/// Calls of lookup functions whose first argument is not a literal.
static COMPUTED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"\b(?:lookup|hiera(?:_array|_hash|_include)?)\s*\(?\s*(?:\$|"[^"\n]*\$)"#).ok());

impl CodePart {
    /// The modules of the classes that it declares.
    pub(crate) fn declared(&self) -> impl Iterator<Item = &str> {
        self.declared.iter().map(|module| &**module)
    }

    /// Collects the definitions and names in a manifest.
    pub(crate) fn of_program(program: &Program) -> CodePart {
        let text = program.source.text();
        let mut part = CodePart {
            requests: lookup_calls::of_program(program),
            inclusions: inclusions(program),
            summary: Some((program.source.clone(), Arc::new(summarize(program)))),
            ..CodePart::naming(text)
        };
        let mut declared: Vec<String> = part.inclusions.iter().map(|inclusion| inclusion.class.clone()).collect();
        let mut open = vec![&program.body];
        while let Some(expr) = open.pop() {
            match &expr.node {
                Node::Block(statements) => open.extend(statements),
                Node::Class(class) => {
                    declared.extend(class.parent.as_ref().map(|parent| without_root(parent).to_lowercase()));
                    let start = expr.span.first();
                    part.classes.push((class.name.to_lowercase(), Arc::new(info(class, start, &program.source))));
                    open.push(&class.body);
                }
                _ => {}
            }
        }
        part.declared = modules_of(&declared);
        part
    }

    /// The modules of the classes, resource types, types and functions that it names.
    pub(crate) fn named_modules(&self) -> BTreeSet<&str> {
        let summaries = self.summary.iter().map(|(_, summary)| summary);
        let of_summary = summaries.flat_map(|summary| &summary.named_modules).map(|module| &**module);
        self.declared().chain(of_summary).collect()
    }

    /// The modules of the names that it defines.
    pub(crate) fn defined_modules(&self) -> impl Iterator<Item = &str> {
        let definitions = self.summary.iter().flat_map(|(_, summary)| &summary.definitions);
        definitions.map(|one| module_of(&one.name))
    }

    /// Collects the names in a file that is not a manifest, and its probable lookups.
    pub(crate) fn of_text(text: &str) -> CodePart {
        CodePart { requests: lookup_calls::of_text(text), ..CodePart::naming(text) }
    }

    /// Adds what the path of the file says about it.
    pub(crate) fn at(self, path: &Path, text: &str) -> CodePart {
        CodePart { facts: facts_of(path, text), ..self }
    }

    fn naming(text: &str) -> CodePart {
        let name = |captures: regex::Captures<'_>| {
            captures.name("word").or(captures.get(0)).map(|found| Arc::from(found.as_str()))
        };
        let mut names: Vec<Arc<str>> =
            NAMES.as_ref().map_or(Vec::new(), |names| names.captures_iter(text).filter_map(name).collect());
        // `lookup('key.part')` looks up `key`.
        let roots = names.iter().filter_map(|name| Some(Arc::from(name.split_once('.')?.0)));
        names.extend(roots.collect::<Vec<_>>());
        names.sort_unstable();
        names.dedup();
        let computes_names = COMPUTED.as_ref().is_some_and(|computed| computed.is_match(text));
        CodePart { names, computes_names, top_variables: top_variables_of(text), ..CodePart::default() }
    }
}

impl FromIterator<(PathBuf, Arc<CodePart>)> for Code {
    fn from_iter<I: IntoIterator<Item = (PathBuf, Arc<CodePart>)>>(parts: I) -> Code {
        let mut code = Code::default();
        let mut index = Index::default();
        for (path, part) in parts {
            code.add_analyzed(&mut index, &path, &part);
            code.paths.push(path);
            for (name, class) in &part.classes {
                // The reference refuses a second class of a name; the first is as good as any.
                code.classes.entry(name.clone()).or_insert_with(|| class.clone());
            }
            code.names.extend(part.names.iter().cloned());
            code.computes_names |= part.computes_names;
            code.lookup_calls.add(part.requests.iter().cloned());
            code.declared.extend(part.declared.iter().cloned());
            code.inclusions.extend(part.inclusions.iter().cloned());
        }
        code.index = Arc::new(index);
        code
    }
}

impl Code {
    fn add_analyzed(&mut self, index: &mut Index, path: &Path, part: &Arc<CodePart>) {
        self.facts.extend(part.facts.iter().cloned());
        self.top_variables.extend(part.top_variables.iter().cloned());
        match &part.summary {
            Some((source, summary)) => {
                index.add(summary);
                self.sources.push(source.clone());
                self.summaries.push((path.to_owned(), summary.clone()));
            }
            None if path.extension().is_some_and(|end| end == "pp") => self.unread.push(path.to_owned()),
            None => self.others.push(part.clone()),
        }
    }
}

/// A name without the `::` before it.
fn without_root(name: &str) -> &str {
    name.strip_prefix("::").unwrap_or(name)
}

/// The module of a definition.
fn module_of(name: &str) -> &str {
    name.split("::").next().unwrap_or(name)
}

/// The modules of these classes.
fn modules_of(classes: &[String]) -> Vec<Arc<str>> {
    let mut modules: Vec<Arc<str>> = classes.iter().map(|class| module_of(class).into()).collect();
    modules.sort_unstable();
    modules.dedup();
    modules
}

/// The classes that a manifest includes, declares or inherits from.
fn inclusions(program: &Program) -> Vec<Inclusion> {
    let mut found = Vec::new();
    let mut add = |name: &str, span: Span, may_give: bool| {
        let class = without_root(name).to_lowercase();
        found.push(Inclusion { class, source: program.source.clone(), span, may_give });
    };
    each_expression(&program.body, &mut |expr| match &expr.node {
        Node::Call(call) => {
            let is_inclusion = |name: &str| matches!(name, "include" | "contain" | "require");
            if matches!(&call.functor.node, Node::Name(name) if is_inclusion(name)) {
                call.arguments
                    .iter()
                    .flat_map(listed)
                    .filter_map(written)
                    .for_each(|(name, span)| add(name, span, false));
            }
        }
        Node::Resource(resource) if matches!(&resource.kind.node, Node::Name(kind) if &**kind == "class") => {
            let titles = resource.bodies.iter().flat_map(|body| listed(&body.title));
            titles.filter_map(written).for_each(|(name, span)| add(name, span, true));
        }
        _ => {}
    });
    found
}

/// The elements of a list that is written out, or the expression itself.
fn listed(expr: &Expr) -> &[Expr] {
    match &expr.node {
        Node::List(elements) => elements,
        _ => std::slice::from_ref(expr),
    }
}

/// The name that an expression is, if it is written out.
fn written(expr: &Expr) -> Option<(&str, Span)> {
    match &expr.node {
        Node::Name(name) => Some((name, expr.span)),
        Node::Literal(value) => value.as_str().map(|name| (name, expr.span)),
        _ => None,
    }
}

fn info(class: &Class, start: usize, source: &Source) -> ClassInfo {
    let text = |extent: Span| {
        let span = extent;
        source.slice(span).to_owned()
    };
    let parameters = class.parameters.iter().map(|parameter| ParameterInfo {
        name: parameter.name.to_string(),
        span: parameter.span,
        kind: parameter.kind.as_ref().map(|kind| text(kind.span)),
        has_default: parameter.default.is_some(),
        default: parameter
            .default
            .as_ref()
            .filter(|default| is_constant(default))
            .map(|default| (text(default.span), default.span)),
    });
    ClassInfo { source: source.clone(), start, inherits: class.parent.is_some(), parameters: parameters.collect() }
}

/// Returns whether an expression is a constant.
fn is_constant(expr: &Expr) -> bool {
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        match &expr.node {
            Node::Literal(_) | Node::Integer { .. } | Node::Name(_) => {}
            Node::Minus(inner) | Node::Parenthesized(inner) => open.push(inner),
            Node::List(elements) => open.extend(elements),
            Node::Hash(entries) => open.extend(entries.iter().flat_map(|entry| [&entry.key, &entry.value])),
            _ => return false,
        }
    }
    true
}

/// The manifests below a folder; and what of it was passed over.
pub(crate) fn manifests_below(folder: &Path, readable: &Files) -> (Vec<(PathBuf, bool)>, Vec<Skipped>) {
    let below = files_below(readable, folder, Ignored::Nothing);
    let is_manifest = |walked: &WalkedFile| !walked.is_link && walked.path.extension().is_some_and(|end| end == "pp");
    let found = below.found.into_iter().filter(is_manifest).map(|walked| (walked.path, true)).collect();
    (found, below.skipped)
}

/// The files below the folders of modules and environments that hold code or name keys, with whether each is a
/// manifest; and what of them was passed over.
pub(crate) fn files(root: &Path, readable: &Files) -> (Vec<(PathBuf, bool)>, Vec<Skipped>) {
    let (mut found, mut skipped) = (Vec::new(), Vec::new());
    for folder in ["manifests", "functions", "types", "plans", "templates", "lib", "site"] {
        let below = files_below(readable, &root.join(folder), Ignored::Nothing);
        skipped.extend(below.skipped);
        for WalkedFile { path, .. } in below.found.into_iter().filter(|walked| !walked.is_link) {
            match path.extension().and_then(|extension| extension.to_str()) {
                Some("pp") => found.push((path, true)),
                Some("epp" | "erb" | "rb") => found.push((path, false)),
                _ => {}
            }
        }
    }
    let facts = files_below(readable, &root.join("facts.d"), Ignored::Nothing);
    skipped.extend(facts.skipped);
    found.extend(facts.found.into_iter().filter(|walked| !walked.is_link).map(|walked| (walked.path, false)));
    (found, skipped)
}
