//! Renames variables of code, in the scopes in which they are visible.
//!
//! A rename is refused if something that cannot be changed may use the variable by its name: an ERB template, a string,
//! data.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use hieratic::puppet_eval::is_function;
use hieratic::puppet_validator::{Role, ScopeKind, Use, Variables, variables};
use hieratic_diagnostics::Span;
use hieratic_lint::View;
use hieratic_puppet_syntax::TokenKind;
use hieratic_puppet_syntax::ast::{Expr, Node, Program, Variable};
use hieratic_puppet_syntax::visit::each_expression;
use lsp_server::ResponseError;
use lsp_types::{TextEdit, WorkspaceEdit};

use super::references::files;
use super::symbol_at::{CodeWords, Symbol};
use crate::client::failed;
use crate::document::{Document, Language};
use crate::edits::{Edits, workspace_edit};
use crate::outline::plain;
use crate::snapshot::Snapshot;

/// Names that the language gives to variables itself.
const TAKEN: [&str; 9] = [
    "facts",
    "trusted",
    "server_facts",
    "title",
    "name",
    "environment",
    "module_name",
    "caller_module_name",
    "settings",
];

/// Functions that read variables by names in templates in Ruby.
const TEMPLATES: [&str; 2] = ["template", "inline_template"];
/// Functions that read variables by names in strings, or in code that strings are.
const STRINGS: [&str; 6] = ["inline_template", "inline_epp", "getvar", "defined", "template", "epp"];

/// Returns the variable at an offset: the span of its name, and the name.
pub(crate) fn at(document: &Document, offset: usize) -> Result<(Span, String), ResponseError> {
    let program = program(document)?;
    let found = variables(program);
    let target = target(document, &found, offset)?;
    Ok((target.span, target.name.to_owned()))
}

/// Returns the edit that renames the variable at an offset.
pub(crate) fn rename(
    snapshot: &Snapshot,
    document: &Document,
    offset: usize,
    to: &str,
) -> Result<WorkspaceEdit, ResponseError> {
    let program = program(document)?;
    let found = variables(program);
    let target = target(document, &found, offset)?;
    let to = to.trim_start_matches('$');
    is_free(document, &found, &target, to)?;
    let seen = DynamicReads::new(program, &target);
    let view = snapshot.view_of(&document.path);
    let files = match view {
        Some(view) => texts(snapshot, view)?,
        None => Vec::new(),
    };
    seen.refuse(&target, view, &files)?;
    let mut edits: BTreeMap<PathBuf, (Arc<Document>, Vec<TextEdit>)> = BTreeMap::new();
    let own = snapshot.document(&document.path).ok_or_else(|| failed("the file cannot be read"))?;
    if own.text != document.text {
        return Err(failed("the file changed meanwhile; try again"));
    }
    let changed = |document: &Document, span: Span| TextEdit { range: document.range(span), new_text: to.to_owned() };
    let mut local = Vec::new();
    for one in found.uses.iter().filter(|one| one.name == target.name && one.scope == Some(target.scope)) {
        local.push(changed(document, name_span(document, one)?));
    }
    edits.insert(document.path.clone(), (own, local));
    if let (Some(class), Some(_)) = (target.class, view) {
        inherited(&target, class, to, &files)?;
        let full = format!("{class}::{}", target.name);
        for document in &files {
            snapshot.check_cancelled()?;
            let spans = qualified(document, &full)?;
            if !spans.is_empty() {
                let entry = edits.entry(document.path.clone()).or_insert_with(|| (document.clone(), Vec::new()));
                entry.1.extend(spans.into_iter().map(|span| changed(document, span)));
            }
        }
    }
    Ok(workspace_edit(snapshot, edits.into_values().map(|(document, edits)| Edits::new(document, edits)).collect()))
}

/// A variable that can be renamed.
struct LocalVariable<'t> {
    name: &'t str,
    /// The span of the name.
    span: Span,
    /// The scope that has it.
    scope: usize,
    /// The span whose scopes are searched: the definition, or the whole file.
    around: Span,
    /// The class whose variable it is, which other files can name.
    class: Option<&'t str>,
}

fn program(document: &Document) -> Result<&Program, ResponseError> {
    let parsed = document.parsed();
    parsed.program.as_ref().ok_or_else(|| failed("the code has errors; fix them first"))
}

/// Returns the span of the name of a variable, without its dollar sign and braces.
fn name_span(document: &Document, one: &Use<'_>) -> Result<Span, ResponseError> {
    let (start, end) = (one.span.first(), one.span.behind());
    let text = document.slice(start..end);
    let begin = text.find(|c: char| c.is_ascii_alphanumeric() || c == '_').unwrap_or(text.len());
    let is_plain = text[..begin].chars().all(|c| c == '$' || c == '{' || c.is_whitespace());
    let name = text.get(begin..begin + one.name.len());
    let rest = text.get(begin + one.name.len()..).unwrap_or_default();
    let is_whole = rest.chars().all(|c| c == '}' || c.is_whitespace());
    if name == Some(one.name) && is_plain && is_whole {
        return Ok(Span::new(start + begin, start + begin + one.name.len()));
    }
    let line = document.lines.line_of(start) + 1;
    Err(failed(format!("'${}' is written in a way that cannot be changed in line {line}", one.name)))
}

/// The error about a symbol that has another name.
pub(crate) fn not_renamable() -> ResponseError {
    failed("only keys of the data, parameters of classes, and variables can be renamed")
}

fn target<'t>(document: &Document, found: &Variables<'t>, offset: usize) -> Result<LocalVariable<'t>, ResponseError> {
    let touched = found.uses.iter().find_map(|one| {
        let span = name_span(document, one).ok()?;
        let touches = one.span.touches(offset);
        touches.then_some((one, span))
    });
    let (one, span) = touched.ok_or_else(not_renamable)?;
    let name = one.name;
    let refused = |reason: &str| Err(failed(format!("'${name}' was not renamed: {reason}")));
    let Some(scope) = one.scope else {
        return refused("it is not set here; it may be a fact, or a variable of another scope");
    };
    if TAKEN.contains(&name) {
        return refused("the language gives the variable its name");
    }
    let mut outermost = scope;
    while let Some(parent) = found.scopes[outermost].parent {
        outermost = parent;
    }
    let (inner, outer) = (found.scopes[scope], found.scopes[outermost]);
    let is_parameter =
        found.uses.iter().any(|one| one.role == Role::Parameter && one.scope == Some(scope) && one.name == name);
    let is_template = document.language == Language::Epp;
    match (inner.kind, is_parameter) {
        (ScopeKind::Program, false) if !is_template => return refused("every file can see variables of the top scope"),
        (ScopeKind::Program, true) => return refused("calls pass the parameters of a template by their names"),
        (ScopeKind::Node, _) => return refused("every class of the node can see it"),
        (ScopeKind::Define | ScopeKind::Plan, true) => {
            return refused("the parameter is passed by its name, which is not rewritten");
        }
        (ScopeKind::Class, true) => return refused("the parameter is a key of the data, and the data cannot be read"),
        _ => {}
    }
    let enclosing = match outer.kind {
        ScopeKind::Program => Span::new(0, document.text.len()),
        _ => outer.span,
    };
    let uncertain = found.uses.iter().find(|one| {
        one.name == name && !one.is_certain && one.scope.is_some() && {
            let at = one.span.first();
            enclosing.first() <= at && at < enclosing.behind()
        }
    });
    if let Some(one) = uncertain {
        let line = document.lines.line_of(one.span.first()) + 1;
        return refused(&format!("line {line} may read another variable of this name"));
    }
    let class = (inner.kind == ScopeKind::Class).then_some(outer.name);
    Ok(LocalVariable { name, span, scope, around: enclosing, class })
}

/// Checks that the new name is not used in the scope.
fn is_free(
    document: &Document,
    found: &Variables<'_>,
    target: &LocalVariable<'_>,
    to: &str,
) -> Result<(), ResponseError> {
    let mut letters = to.bytes();
    let is_name = letters.next().is_some_and(|first| first.is_ascii_lowercase() || first == b'_')
        && letters.all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'_');
    if !is_name || TAKEN.contains(&to) {
        return Err(failed(format!("'{to}' cannot be the name of a variable")));
    }
    let inside = |one: &&Use<'_>| target.around.contains(one.span.first());
    match found.uses.iter().filter(inside).find(|one| one.name == to) {
        Some(one) => {
            let line = document.lines.line_of(one.span.first()) + 1;
            Err(failed(format!("'${}' was not renamed: line {line} has a variable '${to}'", target.name)))
        }
        None => Ok(()),
    }
}

/// The manifests, templates and Ruby files of an environment and its modules.
fn texts(snapshot: &Snapshot, view: &View) -> Result<Vec<Arc<Document>>, ResponseError> {
    let mut found = Vec::new();
    for path in files(snapshot, view, &["manifests", "functions", "types", "plans", "templates", "lib"]) {
        snapshot.check_cancelled()?;
        let is_code = Language::from_path(&path, "").is_code();
        let is_ruby = path.extension().is_some_and(|extension| extension == "rb");
        let is_template = path.components().any(|part| part.as_os_str() == "templates");
        if !is_code && !is_ruby && !is_template {
            continue;
        }
        match snapshot.document(&path) {
            Some(document) => found.push(document),
            None if is_code => {
                return Err(failed(format!("{} cannot be read, and may name the variable", path.display())));
            }
            // A template or a file of Ruby that is not text names no variables.
            None => {}
        }
    }
    Ok(found)
}

/// The ways in which a definition's variables may be read by name.
#[derive(Default)]
struct DynamicReads {
    /// Whether a name is computed.
    computes: bool,
    /// Whether the code renders ERB templates, or reads strings as names or code.
    templates: bool,
    strings: bool,
    /// Functions of modules, which Ruby may define, by the last part of their names.
    functions: Vec<String>,
    /// The strings of the definition that have the name in them.
    named: bool,
}

impl DynamicReads {
    fn new(program: &Program, target: &LocalVariable<'_>) -> DynamicReads {
        let mut seen = DynamicReads::default();
        let called = |seen: &mut DynamicReads, name: &str| {
            let name = plain(name);
            seen.templates |= TEMPLATES.contains(&name);
            seen.strings |= STRINGS.contains(&name);
            if !is_function(name) {
                seen.functions.push(name.rsplit("::").next().unwrap_or(name).to_owned());
            }
        };
        each_expression(&program.body, &mut |expr: &Expr| {
            if !target.around.contains(expr.span.first()) {
                return;
            }
            match &expr.node {
                Node::Variable(Variable::Computed(_)) => seen.computes = true,
                Node::Literal(value) => seen.named |= value.as_str().is_some_and(|text| has_word(text, target.name)),
                Node::Name(name) => seen.named |= &**name == target.name,
                Node::Call(call) => match &call.functor.node {
                    Node::Name(name) => called(&mut seen, name),
                    Node::Reference(_) | Node::Access { .. } => {}
                    _ => seen.computes = true,
                },
                Node::Method(method) => called(&mut seen, &method.name),
                _ => {}
            }
        });
        seen
    }

    /// The reason against a rename, if there is one.
    fn refuse(
        &self,
        target: &LocalVariable<'_>,
        view: Option<&View>,
        files: &[Arc<Document>],
    ) -> Result<(), ResponseError> {
        let name = target.name;
        let refused = |reason: String| Err(failed(format!("'${name}' was not renamed: {reason}")));
        if self.computes {
            return refused("the code around computes names of variables".to_owned());
        }
        if self.named && (self.strings || !self.functions.is_empty()) {
            return refused("a string around has its name, and a function may read it as one".to_owned());
        }
        if view.is_none() && (self.templates || !self.functions.is_empty()) {
            return refused("templates and functions that cannot be read may see it".to_owned());
        }
        let full = target.class.map(|class| format!("{class}::{name}"));
        for document in files.iter().filter(|document| !document.language.is_code()) {
            let is_ruby = document.path.extension().is_some_and(|extension| extension == "rb");
            let stem = document.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let may_see = if is_ruby {
                self.functions.iter().any(|function| function == stem)
            } else {
                self.templates || !self.functions.is_empty()
            };
            let sees = may_see && sees(&document.text, name);
            if sees || full.as_ref().is_some_and(|full| has_word(&document.text, full)) {
                return refused(format!("{} may see it", document.path.display()));
            }
        }
        let Some(view) = view else { return Ok(()) };
        let configurations = view.configurations().map(|(path, _)| path);
        let data = view.files().iter().map(|file| file.path().to_owned()).chain(configurations);
        for path in data {
            let Ok(text) = view.environment().capabilities().files_of(&path).read_text(&path) else {
                return refused(format!("{} cannot be read", path.display()));
            };
            // Lookups, and classes that are declared, read data with the variables around.
            if interpolates(&text, name) || full.as_ref().is_some_and(|full| interpolates(&text, full)) {
                return refused(format!("{} interpolates it", path.display()));
            }
        }
        Ok(())
    }
}

/// Returns whether a template or a Ruby function may read a variable: `@name`, `scope['name']`, `lookupvar(:name)`.
fn sees(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        matches!(before, Some('@' | '\'' | '"' | ':')) && !after.is_some_and(is_letter)
    })
}

/// Returns whether data interpolates a variable.
fn interpolates(text: &str, name: &str) -> bool {
    text.contains("%{") && {
        let parts = text.split("%{").skip(1).filter_map(|rest| Some(rest.split_once('}')?.0));
        parts.into_iter().any(|inside| has_word(inside, name))
    }
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns whether a string contains a name as a whole word.
fn has_word(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(is_letter) && !after.is_some_and(is_letter)
    })
}

/// Refuses what classes that inherit from the class may see.
fn inherited(target: &LocalVariable<'_>, class: &str, to: &str, files: &[Arc<Document>]) -> Result<(), ResponseError> {
    let mut edges: Vec<(String, String, &Document, bool)> = Vec::new();
    let inherit = |document: &&Arc<Document>| document.language.is_code() && document.text.contains("inherits");
    for document in files.iter().filter(inherit) {
        let unknown = || failed(format!("{} has errors, and may inherit the variable", document.path.display()));
        let program = document.parsed().program.as_ref().ok_or_else(unknown)?;
        let found = variables(program);
        for scope in found.scopes.iter().filter(|scope| scope.kind == ScopeKind::Class) {
            if let Some(parent) = scope.inherits {
                let code = document.slice(scope.span);
                let names = [target.name, to].iter().any(|name| has_word(code, name)) || code.contains("template");
                edges.push((plain(scope.name).to_lowercase(), plain(parent).to_lowercase(), document, names));
            }
        }
    }
    let mut open = vec![plain(class).to_lowercase()];
    let mut known = hieratic::value::collections::HashSet::default();
    while let Some(parent) = open.pop() {
        for (child, _, document, names) in edges.iter().filter(|(_, of, ..)| *of == parent) {
            if *names {
                let path = document.path.display();
                return Err(failed(format!("'${}' was not renamed: {path} may inherit it", target.name)));
            }
            if known.insert(child.clone()) {
                open.push(child.clone());
            }
        }
    }
    Ok(())
}

/// Returns the spans in a file that name a variable of a class, without the name of the class.
fn qualified(document: &Document, full: &str) -> Result<Vec<Span>, ResponseError> {
    if !document.language.is_code() || !has_word(&document.text, full) {
        return Ok(Vec::new());
    }
    let name = full.rsplit("::").next().unwrap_or(full);
    let mut found = Vec::new();
    let mut rest: Vec<usize> = document.text.match_indices(full).map(|(at, _)| at).collect();
    rest.retain(|at| has_word(document.text.get(at.saturating_sub(1)..at + full.len() + 1).unwrap_or(full), full));
    let words = CodeWords::new(document);
    for index in 0..words.len() {
        let is_it = match words.symbol(index) {
            Some(Symbol::Variable(name_span)) => plain(&name_span) == full,
            _ => false,
        };
        if is_it {
            let span = words.extent(index);
            let text = document.slice(span);
            let Some(at) = text.rfind(full) else { continue };
            let end = span.first() + at + full.len();
            rest.retain(|place| *place != span.first() + at);
            found.push(Span::new(end - name.len(), end));
        }
    }
    let is_comment = |at: &usize| {
        document.tokens().iter().any(|token| {
            let span = token.span.range();
            token.kind == TokenKind::Comment && span.contains(at)
        })
    };
    match rest.iter().find(|at| !is_comment(at)) {
        Some(at) => {
            let (path, line) = (document.path.display(), document.lines.line_of(*at) + 1);
            Err(failed(format!("'{full}' was not renamed: {path}:{line} has its name, which cannot be changed")))
        }
        None => Ok(found),
    }
}
