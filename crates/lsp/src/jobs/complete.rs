//! Completion in jobs: blocks, arguments, values, variables and functions.

use hieratic::nomad_job::schema::{Field, Kind, Scalar, Source};
use hieratic_hcl_syntax::{Block, Body};
use lsp_types::{CompletionItem, CompletionItemKind, CompletionTextEdit, InsertTextFormat, TextEdit};

use super::structure::{around, configured_driver, described, inner, structure};
use super::variables::{JobValueKind, declarations};
use super::{attribute_values, docs, functions, ports, template_functions};
use crate::document::Document;
use crate::snapshot::Snapshot;

const BOOLEANS: &[&str] = &["true", "false"];

/// Returns the completions at an offset.
pub(crate) fn complete(snapshot: &Snapshot, document: &Document, offset: usize) -> Vec<CompletionItem> {
    let line = document.lines.line(&document.text, document.lines.line_of(offset));
    // In a block that begins on the same line, only what is in the block counts.
    let head = open_block(document.before(offset)).unwrap_or(0);
    let before = document.before(offset).get(head..).unwrap_or_default();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
    let typed_at = before.len() - before.chars().rev().take_while(|c| is_part(*c)).map(char::len_utf8).sum::<usize>();
    let (front, typed) = before.split_at(typed_at);
    // The line being typed is not valid HCL yet, and would break the parsing of the blocks around it.
    let at = offset.clamp(line.start + head, line.end);
    let rest = document.slice(at..line.end);
    let kept = if head > 0 { rest.find('}').map_or(line.end, |length| at + length) } else { line.end };
    let blank = " ".repeat(kept - line.start - head);
    let (start, end) = (document.slice(0..line.start + head), document.slice(kept..document.text.len()));
    let text = format!("{start}{blank}{end}");
    let parsed = hieratic_hcl_syntax::parse_config(hieratic_hcl_syntax::Source::new("", text.as_bytes()));
    let way = around(&parsed.tree, offset);
    if let Some(action) = template_functions::open_action(document, &way, offset) {
        return template_functions::complete(&action);
    }
    if is_in_heredoc(document, offset) {
        let is_interpolated = before.rfind("${").is_some_and(|open| !before[open..].contains('}'));
        return if is_interpolated { expressions(document, typed) } else { Vec::new() };
    }
    if let Some(string) = open_string(before) {
        // Inside of an interpolation, everything is an expression.
        if string.rfind("${").is_some_and(|open| !string[open..].contains('}')) {
            return expressions(document, typed);
        }
        return strings(document, offset, &way, before, string);
    }
    if let Some((name, _)) = front.split_once('=').filter(|(name, _)| is_argument(name)) {
        let mut found = values(document, &way, name.trim(), typed);
        found.extend(expressions(document, typed));
        return found;
    }
    if !front.trim().is_empty() {
        return if front.contains('=') { expressions(document, typed) } else { Vec::new() };
    }
    let mut found = items(snapshot, document, &way);
    found.retain(|item| item.label.starts_with(typed));
    found
}

/// The end of the brace of the innermost block that begins in a part of a line and does not end there.
fn open_block(line: &str) -> Option<usize> {
    let mut open: Vec<(usize, bool)> = Vec::new();
    let (mut in_string, mut before) = (false, ' ');
    let mut letters = line.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' if in_string => drop(letters.next()),
            '"' => in_string = !in_string,
            _ if in_string => {}
            '#' => return None,
            // The brace of an object follows a sign, that of a block a name or a label.
            '{' => open.push((at + 1, before == '"' || before.is_alphanumeric() || matches!(before, '_' | '-'))),
            '}' => drop(open.pop()),
            _ => {}
        }
        if !letter.is_whitespace() {
            before = letter;
        }
    }
    open.last().filter(|(_, is_block)| *is_block).map(|(at, _)| *at)
}

/// The name of the argument whose value begins at the end of a part of a line.
fn argument_name(line: &str) -> Option<&str> {
    let (name, _) = line.rsplit_once('=')?;
    name.trim_end().rsplit(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).next()
}

fn is_argument(name: &str) -> bool {
    let name = name.trim();
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
}

/// Returns whether an offset is in the text of a heredoc.
fn is_in_heredoc(document: &Document, offset: usize) -> bool {
    let tree = &document.hcl().tree;
    let way = around(tree, offset);
    let body = way.last().map_or(tree, |block| &block.body);
    body.attributes().iter().any(|one| {
        let span = one.expression.span();
        span.first() < offset && offset < span.behind() && document.slice(span).starts_with("<<")
    })
}

/// The string that is open at the end of a part of a line.
fn open_string(line: &str) -> Option<&str> {
    let mut open: Option<usize> = None;
    let mut letters = line.char_indices();
    while let Some((at, letter)) = letters.next() {
        match (open, letter) {
            (Some(_), '\\') => drop(letters.next()),
            (Some(_), '"') => open = None,
            (None, '"') => open = Some(at + 1),
            (None, '#') => return None,
            _ => {}
        }
    }
    line.get(open?..)
}

/// The values that an argument accepts, in quotes where they are strings.
fn values(document: &Document, way: &[&Block], name: &str, typed: &str) -> Vec<CompletionItem> {
    let block = way.last().map_or("", |block| &*block.kind);
    let known = attribute_values::find(block, name).iter().chain(option_values(document, way, name));
    let listed = known.map(|value| CompletionItem {
        insert_text: Some(if BOOLEANS.contains(value) { (*value).to_owned() } else { format!("\"{value}\"") }),
        ..item(value, CompletionItemKind::ENUM_MEMBER, &format!("{name} of {block}"), None)
    });
    let is_boolean = structure(way).and_then(|of| of.attribute(name)).is_some_and(|(_, field)| is_boolean(field));
    let booleans = if is_boolean { BOOLEANS } else { &[] };
    let booleans = booleans.iter().map(|value| item(value, CompletionItemKind::VALUE, "bool", None));
    listed.chain(booleans).filter(|item| item.label.starts_with(typed)).collect()
}

fn is_boolean(field: &Field) -> bool {
    matches!(field.kind, Kind::Plain(Scalar::Bool) | Kind::Maybe(Scalar::Bool))
}

/// The values of a string: those that its argument lists, or the labels of ports.
fn strings(document: &Document, offset: usize, way: &[&Block], before: &str, string: &str) -> Vec<CompletionItem> {
    let Some(name) = argument_name(&before[..before.len() - string.len()]) else { return Vec::new() };
    let block = way.last().map_or("", |block| &*block.kind);
    let detail = format!("{name} of {block}");
    let listed = attribute_values::find(block, name).iter().chain(option_values(document, way, name));
    let mut labels: Vec<(String, &str)> = listed.map(|value| ((*value).to_owned(), detail.as_str())).collect();
    if ports::names_ports(name) {
        labels.extend(ports::labels(way).into_iter().map(|(label, ..)| (label, "port of the group")));
    }
    labels.retain(|(label, _)| label.starts_with(string));
    let range = document.range(offset - string.len()..offset);
    let symbol = labels.into_iter().map(|(label, detail)| CompletionItem {
        filter_text: Some(label.clone()),
        // Editors disagree whether a sign is part of a word.
        text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text: label.clone() })),
        ..item(&label, CompletionItemKind::ENUM_MEMBER, detail, None)
    });
    symbol.collect()
}

/// Variables and functions that begin with the typed text.
fn expressions(document: &Document, typed: &str) -> Vec<CompletionItem> {
    if let Some((root, _)) = typed.split_once('.') {
        let kind = match root {
            "var" => JobValueKind::Variable,
            "local" => JobValueKind::Local,
            _ => return Vec::new(),
        };
        let declared = declarations(document).into_iter().filter(|one| one.value.kind == kind);
        return declared.map(|one| item(&one.value.name, CompletionItemKind::VARIABLE, root, None)).collect();
    }
    let mut found = functions::complete(typed);
    if typed.starts_with("NOMAD") {
        let names = hieratic::nomad_lint::runtime_names().filter(|name| name.starts_with(typed));
        found.extend(names.map(|name| item(name, CompletionItemKind::VARIABLE, "variable of the running task", None)));
    }
    let roots = [("var", "variables of the job"), ("local", "locals of the job")];
    for (name, docs) in roots.into_iter().filter(|(name, _)| name.starts_with(typed)) {
        found.push(item(name, CompletionItemKind::VARIABLE, docs, None));
    }
    found
}

/// The blocks and arguments that the innermost block can have.
fn items(snapshot: &Snapshot, document: &Document, way: &[&Block]) -> Vec<CompletionItem> {
    let snippets = snapshot.capabilities.snippets;
    let Some(last) = way.last() else {
        let names = [("job", true), ("variable", true), ("variables", false), ("locals", false)];
        let items =
            names.map(|(name, labelled)| block_item(name, "block", docs::documentation("", name), labelled, snippets));
        return items.to_vec();
    };
    let kind = &*last.kind;
    if way.len() == 1 && kind == "variable" {
        let names = ["type", "default", "description"];
        return names.map(|name| attribute_item(name, "argument", docs::documentation(kind, name))).to_vec();
    }
    if let Some((driver, blocks)) = configured_driver(document, way) {
        return driver_options(driver, &blocks, &last.body, snippets);
    }
    let Some(of) = structure(way) else { return Vec::new() };
    let body: &Body = &last.body;
    let mut found = Vec::new();
    for field in of.fields {
        match field.source {
            Source::Attribute { name, .. } if body.attribute(name).is_none() => {
                found.push(attribute_item(name, &described(field), docs::documentation(kind, name)));
            }
            Source::Block(name) => {
                let labelled = inner(field).is_some_and(|of| of.label().is_some());
                let docs = docs::documentation(kind, name);
                found.push(block_item(name, &described(field), docs, labelled, snippets));
            }
            _ => {}
        }
    }
    found
}

pub(super) fn item(label: &str, kind: CompletionItemKind, detail: &str, docs: Option<&str>) -> CompletionItem {
    CompletionItem {
        label: label.to_owned(),
        kind: Some(kind),
        detail: Some(detail.to_owned()),
        documentation: docs.map(|docs| lsp_types::Documentation::String(docs.to_owned())),
        ..CompletionItem::default()
    }
}

/// The options of a driver that its configuration does not have yet; the required ones first.
fn driver_options(driver: &str, blocks: &[&str], body: &Body, snippets: bool) -> Vec<CompletionItem> {
    let options = hieratic::nomad_lint::driver_options(driver, blocks).into_iter().flatten();
    let missing = options.filter(|option| body.attribute(option.name).is_none());
    let proposed = missing.map(|option| {
        let required = if option.is_required { ", required" } else { "" };
        let detail = format!("option of {driver}: {}{required}", option.kind);
        let item = if option.is_block {
            block_item(option.name, &detail, None, false, snippets)
        } else {
            attribute_item(option.name, &detail, None)
        };
        CompletionItem { sort_text: Some(format!("{}{}", u8::from(!option.is_required), option.name)), ..item }
    });
    proposed.collect()
}

/// The values that an option of a driver accepts.
fn option_values(document: &Document, way: &[&Block], name: &str) -> &'static [&'static str] {
    let Some((driver, blocks)) = configured_driver(document, way) else { return &[] };
    let options = hieratic::nomad_lint::driver_options(driver, &blocks).into_iter().flatten();
    options.into_iter().find(|option| option.name == name).map_or(&[], |option| option.values)
}

fn attribute_item(name: &str, detail: &str, docs: Option<&str>) -> CompletionItem {
    CompletionItem { insert_text: Some(format!("{name} = ")), ..item(name, CompletionItemKind::PROPERTY, detail, docs) }
}

fn block_item(name: &str, detail: &str, docs: Option<&str>, labelled: bool, snippets: bool) -> CompletionItem {
    let snippet =
        if labelled { format!("{name} \"${{1:name}}\" {{\n  $0\n}}") } else { format!("{name} {{\n  $0\n}}") };
    CompletionItem {
        insert_text: Some(if snippets { snippet } else { format!("{name} ") }),
        insert_text_format: snippets.then_some(InsertTextFormat::SNIPPET),
        ..item(name, CompletionItemKind::MODULE, detail, docs)
    }
}
