//! [`Outline`]: the definitions of manifests, with the spans of names and parameters.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use hieratic::value::ErasedSort as _;
use hieratic::value::collections::HashMap;
use hieratic_diagnostics::{Source, Span};
use hieratic_puppet_syntax::ast::{Expr, Node, Parameter as Declared, Program};
use hieratic_puppet_syntax::documentation::{comment_above, older_parameter, tag_of_parameter};
use hieratic_puppet_syntax::visit::each_expression;

use crate::code::class_graph::{self, DefinitionUse};

/// The kind of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum DefinitionKind {
    Class,
    Define,
    Function,
    Plan,
    TypeAlias,
}

impl DefinitionKind {
    /// The word that begins such a definition.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            DefinitionKind::Class => "class",
            DefinitionKind::Define => "define",
            DefinitionKind::Function => "function",
            DefinitionKind::Plan => "plan",
            DefinitionKind::TypeAlias => "type",
        }
    }
}

/// A definition.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) kind: DefinitionKind,
    /// The name in full, in lower case, without `::` in front; that of a type alias as written.
    pub(crate) name: String,
    /// The file.
    pub(crate) path: Arc<Path>,
    /// The text of the file.
    pub(crate) source: Source,
    /// All of it.
    pub(crate) span: Span,
    /// The name.
    pub(crate) name_span: Span,
    pub(crate) parameters: Vec<Parameter>,
    /// The return type of a function, or the target of a type alias.
    pub(crate) returns: Option<String>,
    /// The class that a class inherits from.
    pub(crate) parent: Option<String>,
}

/// A parameter of a definition.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    /// The text of its type.
    pub(crate) kind: Option<String>,
    /// The text of its default.
    pub(crate) default: Option<String>,
    /// Whether the parameter takes all remaining arguments.
    pub(crate) rest: bool,
    /// All of it.
    pub(crate) span: Span,
}

impl Parameter {
    /// Formats the parameter as a declaration.
    pub(crate) fn declared(&self) -> String {
        let kind = self.kind.as_ref().map(|kind| format!("{kind} ")).unwrap_or_default();
        let rest = if self.rest { "*" } else { "" };
        let default = self.default.as_ref().map(|default| format!(" = {default}")).unwrap_or_default();
        format!("{kind}{rest}${}{default}", self.name)
    }
}

impl Definition {
    /// The first line of it, with its parameters.
    pub(crate) fn signature(&self) -> String {
        let word = self.kind.word();
        if self.kind == DefinitionKind::TypeAlias {
            return format!("{word} {} = {}", self.name, self.returns.as_deref().unwrap_or("Any"));
        }
        let parent = self.parent.as_ref().map(|parent| format!(" inherits {parent}")).unwrap_or_default();
        let returns = self.returns.as_ref().map(|kind| format!(" >> {kind}")).unwrap_or_default();
        if self.parameters.is_empty() {
            return format!(
                "{word} {}{}{parent}{returns}",
                self.name,
                if self.kind == DefinitionKind::Function { "()" } else { "" }
            );
        }
        let parameters: Vec<String> = self.parameters.iter().map(|one| format!("  {},\n", one.declared())).collect();
        format!("{word} {} (\n{}){parent}{returns}", self.name, parameters.concat())
    }

    /// Returns the documentation in the comment above the definition.
    pub(crate) fn documentation(&self) -> Documentation {
        Documentation::above(self.source.text(), self.span.first())
    }
}

/// The documentation of a definition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Documentation {
    /// The documentation without its tags.
    pub(crate) text: String,
    /// The documentation of parameters by name.
    pub(crate) parameters: HashMap<String, String>,
    /// Examples with their titles.
    pub(crate) examples: Vec<(String, String)>,
}

impl Documentation {
    /// Parses the comment directly above an offset: in the form of puppet-strings (`@param`, `@summary`, `@example`),
    /// or the older one (`[*name*]`).
    pub(crate) fn above(text: &str, place: usize) -> Documentation {
        let mut documentation = Documentation::default();
        let mut of: Option<String> = None;
        let mut is_tag = false;
        let mut is_example = false;
        for line in comment_above(text, place) {
            let line = line.strip_prefix(' ').unwrap_or(line).trim_end();
            let words = line.trim_start();
            is_example &= line.starts_with(' ') || words.is_empty();
            if let Some((name, rest)) = tag_of_parameter(words).or_else(|| older_parameter(words)) {
                documentation.parameters.insert(name.clone(), rest);
                (of, is_tag) = (Some(name), true);
            } else if let Some(summary) = words.strip_prefix("@summary") {
                documentation.text.push_str(summary.trim());
                documentation.text.push('\n');
                (of, is_tag) = (None, false);
            } else if let Some(title) = words.strip_prefix("@example") {
                documentation.examples.push((title.trim().to_owned(), String::new()));
                (of, is_tag, is_example) = (None, true, true);
                continue;
            } else if words.starts_with('@') {
                (of, is_tag) = (None, true);
            } else if is_example && (line.starts_with(' ') || words.is_empty()) {
                if let Some((_, example)) = documentation.examples.last_mut() {
                    example.push_str(line.strip_prefix("  ").unwrap_or(line));
                    example.push('\n');
                }
                continue;
            } else if let Some(name) = &of {
                if words.is_empty() || words.starts_with('=') {
                    of = None;
                    is_tag = false;
                } else if let Some(text) = documentation.parameters.get_mut(name) {
                    text.push(if text.is_empty() { '\0' } else { ' ' });
                    text.push_str(words);
                }
            } else if !is_tag || !line.starts_with(' ') {
                is_tag = false;
                documentation.text.push_str(line);
                documentation.text.push('\n');
            }
        }
        for (_, example) in &mut documentation.examples {
            *example = example.trim_matches('\n').to_owned();
        }
        documentation.examples.retain(|(_, example)| !example.is_empty());
        documentation.text = documentation.text.trim().to_owned();
        for text in documentation.parameters.values_mut() {
            *text = text.trim_start_matches('\0').trim().to_owned();
        }
        documentation
    }
}

/// Returns the definitions of a program. Nested ones come after those that contain them.
pub(crate) fn definitions(path: &Path, program: &Program) -> Vec<Definition> {
    let mut found = Vec::new();
    let path: Arc<Path> = path.into();
    let mut open = vec![&program.body];
    while let Some(expr) = open.pop() {
        let make = |kind, name: &str, span: Span, parameters: &[Declared]| {
            definition(kind, name, span, parameters, &path, &program.source)
        };
        match &expr.node {
            Node::Block(statements) => open.extend(statements.iter().rev()),
            Node::Class(class) => {
                let parent = class.parent.as_ref().map(|parent| plain(parent).to_lowercase());
                found.push(Definition {
                    parent,
                    ..make(DefinitionKind::Class, &class.name, class.span, &class.parameters)
                });
                open.push(&class.body);
            }
            Node::Define(define) => {
                found.push(make(DefinitionKind::Define, &define.name, define.span, &define.parameters));
                open.push(&define.body);
            }
            Node::Function(function) | Node::Plan(function) => {
                let kind =
                    if matches!(&expr.node, Node::Plan(_)) { DefinitionKind::Plan } else { DefinitionKind::Function };
                let returns = function.returns.as_ref().map(|kind| written(&program.source, kind));
                found.push(Definition { returns, ..make(kind, &function.name, function.span, &function.parameters) });
            }
            Node::TypeAlias(alias) => {
                let returns = Some(written(&program.source, &alias.kind));
                found.push(Definition { returns, ..make(DefinitionKind::TypeAlias, &alias.name, alias.span, &[]) });
            }
            _ => {}
        }
    }
    found
}

fn definition(
    kind: DefinitionKind,
    name: &str,
    span: Span,
    parameters: &[Declared],
    path: &Arc<Path>,
    source: &Source,
) -> Definition {
    let text = source.slice(span);
    let last = name.rsplit("::").next().unwrap_or(name);
    // The name is the first word after the keyword. Nested classes are written without the name of the outer class.
    let word = kind.word().len();
    let rest = text.get(word..).unwrap_or_default();
    let begin = word + (rest.len() - rest.trim_start().len());
    let length = text.get(begin..).and_then(|rest| rest.find(|c: char| !(c.is_alphanumeric() || "_:".contains(c))));
    let length = length.unwrap_or(last.len());
    let name_span = Span::new(span.first() + begin, span.first() + begin + length);
    let name = match kind {
        DefinitionKind::TypeAlias => plain(name).to_owned(),
        _ => plain(name).to_lowercase(),
    };
    Definition {
        kind,
        name,
        path: path.clone(),
        source: source.clone(),
        span,
        name_span,
        parameters: declared_parameters(parameters, source),
        returns: None,
        parent: None,
    }
}

fn declared_parameters(parameters: &[Declared], source: &Source) -> Vec<Parameter> {
    let parameter = |one: &Declared| Parameter {
        name: one.name.to_string(),
        kind: one.kind.as_ref().map(|kind| written(source, kind)),
        default: one.default.as_ref().map(|default| written(source, default)),
        rest: one.captures_rest,
        span: one.span,
    };
    parameters.iter().map(parameter).collect()
}

/// Returns the parameters that an EPP template declares.
pub(crate) fn template_parameters(program: &Program) -> Vec<Parameter> {
    let mut found = Vec::new();
    let mut open = vec![&program.body];
    while let Some(expr) = open.pop() {
        match &expr.node {
            Node::Block(statements) => open.extend(statements),
            Node::Epp(epp) => {
                found.extend(declared_parameters(epp.parameters.as_deref().unwrap_or_default(), &program.source))
            }
            _ => {}
        }
    }
    found
}

fn written(source: &Source, expr: &Expr) -> String {
    let span = expr.span;
    source.slice(span).to_owned()
}

/// A name without `::` in front.
pub(crate) fn plain(name: &str) -> &str {
    name.strip_prefix("::").unwrap_or(name)
}

/// A resource that a manifest declares with a literal title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResourceTitle {
    /// The type, in lower case.
    pub(crate) resource_type: String,
    pub(crate) title: String,
    /// The span of the title.
    pub(crate) span: Span,
    /// The span of the title with its attributes.
    pub(crate) body: Span,
}

/// Returns the resources of a program that have literal titles.
pub(crate) fn resource_titles(program: &Program) -> Vec<ResourceTitle> {
    let mut found = Vec::new();
    each_expression(&program.body, &mut |expr| {
        let Node::Resource(resource) = &expr.node else { return };
        let Node::Name(resource_type) = &resource.kind.node else { return };
        for body in &resource.bodies {
            let titles = match &body.title.node {
                Node::List(elements) => elements.as_slice(),
                _ => std::slice::from_ref(&body.title),
            };
            let declared = titles.iter().filter_map(|title| Some((literal(title)?, title.span)));
            found.extend(declared.map(|(title, span)| ResourceTitle {
                resource_type: plain(resource_type).to_lowercase(),
                title: title.to_owned(),
                span,
                body: body.span,
            }));
        }
    });
    found.sort_erased_by(|one, other| (&one.resource_type, &one.title).cmp(&(&other.resource_type, &other.title)));
    found
}

/// The string that an expression is.
pub(crate) fn literal(expr: &Expr) -> Option<&str> {
    match &expr.node {
        Node::Literal(value) => value.as_str(),
        Node::Name(name) => Some(name),
        _ => None,
    }
}

/// The definitions and resources of a manifest.
#[derive(Debug, Default)]
pub(crate) struct FileOutline {
    pub(crate) definitions: Vec<Definition>,
    pub(crate) titles: Vec<ResourceTitle>,
    /// The classes and resource types that it uses.
    pub(crate) uses: Vec<DefinitionUse>,
}

impl FileOutline {
    pub(crate) fn new(path: &Path, program: &Program) -> FileOutline {
        FileOutline {
            definitions: definitions(path, program),
            titles: resource_titles(program),
            uses: class_graph::uses(program),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.definitions.is_empty() && self.titles.is_empty() && self.uses.is_empty()
    }
}

/// The definitions and resources of all manifests of a folder.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    files: HashMap<PathBuf, Arc<FileOutline>>,
    /// Definitions by their names in lower case: the file, and which of its definitions.
    names: OnceLock<HashMap<String, Vec<(PathBuf, usize)>>>,
}

impl Outline {
    /// Creates an outline from those of the files.
    pub(crate) fn new(files: HashMap<PathBuf, Arc<FileOutline>>) -> Outline {
        Outline { files, names: OnceLock::new() }
    }

    /// The outlines of files, in no order.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&Path, &FileOutline)> {
        self.files.iter().map(|(path, file)| (path.as_path(), &**file))
    }

    /// The outline of a file.
    pub(crate) fn file(&self, path: &Path) -> Option<&FileOutline> {
        self.files.get(path).map(|file| &**file)
    }

    /// Everything, by file in no order.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Definition> {
        self.files.values().flat_map(|file| file.definitions.iter())
    }

    /// The literal titles of the resources of a type, by file in no order.
    pub(crate) fn titles<'o>(&'o self, resource_type: &str) -> impl Iterator<Item = &'o str> {
        let titles = self.files.values().flat_map(|file| file.titles.iter());
        titles.filter(move |one| one.resource_type == resource_type).map(|one| one.title.as_str())
    }

    /// Returns the resources of a type with a literal title, each with its file, sorted by file.
    pub(crate) fn resources<'o>(&'o self, resource_type: &str, title: &str) -> Vec<(&'o Path, &'o ResourceTitle)> {
        let mut found: Vec<_> = self
            .files()
            .flat_map(|(path, file)| file.titles.iter().map(move |one| (path, one)))
            .filter(|(_, one)| one.resource_type == resource_type && one.title == title)
            .collect();
        found.sort_erased_by_key(|(path, one)| (*path, one.span.start));
        found
    }

    /// The definitions with a name, however its letters are written.
    pub(crate) fn named<'o>(&'o self, name: &str) -> impl Iterator<Item = &'o Definition> {
        let names = self.names.get_or_init(|| {
            let mut names: HashMap<String, Vec<(PathBuf, usize)>> = HashMap::default();
            let mut files: Vec<_> = self.files.iter().collect();
            files.sort_erased_by_key(|(path, _)| *path);
            for (path, file) in files {
                for (index, one) in file.definitions.iter().enumerate() {
                    names.entry(one.name.to_lowercase()).or_default().push((path.clone(), index));
                }
            }
            names
        });
        let places = names.get(&plain(name).to_lowercase());
        places.into_iter().flatten().filter_map(|(path, index)| self.files.get(path)?.definitions.get(*index))
    }

    /// The class, defined type, function, plan or alias with a name.
    pub(crate) fn find(&self, kind: DefinitionKind, name: &str) -> Option<&Definition> {
        self.named(name).find(|one| one.kind == kind)
    }
}

#[cfg(test)]
mod tests {
    use hieratic_puppet_syntax::parse;

    use super::*;

    fn parse_definitions(text: &str) -> Vec<Definition> {
        let parsed = parse(&Source::new("a.pp", text), &Default::default());
        definitions("/a.pp".as_ref(), &parsed.program.unwrap())
    }

    #[test]
    fn definitions_have_names_and_parameters() {
        let text = "# @summary Serves.\n#\n# @param port The port\n#   of it.\nclass Web (Integer $port = 80, $x) inherits base { define d($y) {} }\nfunction web::f(*$all) >> String { 'a' }\ntype Web::T = Integer[1]\n";
        let found = parse_definitions(&text.replace("Web (", "web ("));
        let names: Vec<_> = found.iter().map(|one| (one.kind, one.name.as_str())).collect();
        assert_eq!(
            names,
            [
                (DefinitionKind::Class, "web"),
                (DefinitionKind::Define, "web::d"),
                (DefinitionKind::Function, "web::f"),
                (DefinitionKind::TypeAlias, "Web::T")
            ]
        );
        assert_eq!(found[0].signature(), "class web (\n  Integer $port = 80,\n  $x,\n) inherits base");
        assert_eq!(found[2].signature(), "function web::f (\n  *$all,\n) >> String");
        assert_eq!(found[3].signature(), "type Web::T = Integer[1]");
        for one in &found {
            assert!(one.name.to_lowercase().ends_with(&one.source.text()[one.name_span.range()].to_lowercase()));
        }
        let documentation = found[0].documentation();
        assert_eq!(
            (documentation.text.as_str(), documentation.parameters["port"].as_str()),
            ("Serves.", "The port of it.")
        );
    }

    #[test]
    fn examples_are_kept_as_they_are_written() {
        let text = "# Adds.\n#\n# @example Two numbers\n#   add(1,\n#     2)\n#\n# @param a A.\n#\n# More.\nfunction add($a) {}";
        let documentation = Documentation::above(text, text.find("function").unwrap());
        assert_eq!(documentation.examples, [("Two numbers".to_owned(), "add(1,\n  2)".to_owned())]);
        assert_eq!((documentation.text.as_str(), documentation.parameters["a"].as_str()), ("Adds.\n\nMore.", "A."));
    }

    #[test]
    fn older_comments_are_read() {
        let documentation =
            Documentation::above("# == Class: a\n#\n# [*b*]\n#   The port.\n#\n# More.\nclass a {}", 51);
        assert_eq!(documentation.parameters.get("b").map(String::as_str), Some("The port."));
    }
}
