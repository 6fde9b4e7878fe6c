//! Hover on data: the value of a key or an interpolation for a node, and its origin.

use hieratic::budget::Budget;
use hieratic::hiera::inspect::{Interpolated, InterpolationKind};
use hieratic::lookup::Key;
use hieratic::ruby_regexp::Regexp;
use hieratic::{Node, Query};
use hieratic_diagnostics::Span;
use hieratic_lint::View;

use super::cursor::{Cursor, at};
use super::markdown::{self, code};
use crate::document::Document;
use crate::outline::DefinitionKind;
use crate::snapshot::{NodeContext, Snapshot};

/// Returns the hover at an offset of a data file, and the span that it describes.
pub(crate) fn hover(snapshot: &Snapshot, document: &Document, offset: usize) -> Option<(String, Span)> {
    let (view, file) = snapshot.data_of(&document.path)?;
    let cursor = at(document, offset)?;
    let context = snapshot.node_for(view, Some(file));
    match cursor {
        Cursor::Interpolation(kind, span) => Some((interpolation(view, context.as_ref()?, &kind), span)),
        Cursor::Key(key, span) => Some((key_hover(snapshot, view, context.as_ref(), &key), span)),
        Cursor::Inside(key, path, span) => {
            inside(snapshot, view, context.as_ref(), &key, &path).map(|text| (text, span))
        }
        Cursor::Options(key, span) => Some((options(view, context.as_ref(), &key), span)),
        Cursor::Alias(..) => None,
    }
}

/// Returns the hover of a key.
pub(crate) fn key_hover(snapshot: &Snapshot, view: &View, context: Option<&NodeContext>, key: &str) -> String {
    let mut text = heading(snapshot, view, key);
    if let Some(context) = context {
        text.push_str(&value_of(context, key));
    }
    text
}

/// The name of a key, with the type and the documentation of the parameter that it is for.
fn heading(snapshot: &Snapshot, view: &View, key: &str) -> String {
    let mut text = format!("**{key}**");
    let Some((info, parameter)) = view.parameter(key) else { return text + "\n" };
    let Some((class, name)) = key.rsplit_once("::") else { return text + "\n" };
    if let Some(kind) = &parameter.kind {
        text.push_str(&format!(" {}", code(kind)));
    }
    text.push_str(&format!("\n\nParameter of the class `{class}`"));
    if let Some((default, _)) = &parameter.default {
        text.push_str(&format!(", by default {}", code(default)));
    }
    text.push('\n');
    let path = std::path::absolute(info.source.name()).unwrap_or_default();
    let outline = snapshot.outline_of(&path);
    let docs =
        outline.find(DefinitionKind::Class, class).and_then(|class| class.documentation().parameters.remove(name));
    if let Some(docs) = docs.filter(|docs| !docs.is_empty()) {
        text.push_str(&format!("\n{docs}\n"));
    }
    text
}

/// The value of a key for a node, and where it comes from.
fn value_of(context: &NodeContext, key: &str) -> String {
    let quoted = hieratic::lookup::quoted_key(key);
    let why = context.node.why(&Query::new(&quoted));
    let who = context.described();
    let mut text = String::from("\n---\n\n");
    match &why.answer {
        Ok(answer) => {
            text.push_str(&markdown::block(&markdown::shown(context, &answer.value, why.hides)));
            text.push_str(&format!("\n\nFor {who}: {}.\n", markdown::merge(context, &why)));
        }
        Err(error) if error.code() == Node::NOT_FOUND => {
            text.push_str(&format!("Without a value for {who}.\n"));
        }
        Err(error) => text.push_str(&format!("Without a value for {who}: {}\n", markdown::fault(context, error))),
    }
    for layer in &why.layers {
        let status = markdown::describe_status(context, layer);
        text.push_str(&line(context, layer, &status, why.hides));
    }
    for layer in &why.hidden {
        text.push_str(&line(context, layer, "not asked", why.hides));
    }
    text
}

fn line(context: &NodeContext, layer: &hieratic::explain::WhyLayer, status: &str, hides: bool) -> String {
    let place = match (&layer.place, &layer.location) {
        (Some(origin), _) => markdown::place(context, origin),
        (None, Some(location)) => location.clone(),
        (None, None) => layer.layer.clone(),
    };
    let value = markdown::short(&markdown::shown(context, &layer.value, hides));
    let status = if status.is_empty() { String::new() } else { format!(" — {status}") };
    format!("\n- {} {}: {}{status}", layer.level, code(&place), code(&value))
}

/// Returns the hover of a value under a key: the same part of the answer.
fn inside(
    snapshot: &Snapshot,
    view: &View,
    context: Option<&NodeContext>,
    key: &str,
    path: &[String],
) -> Option<String> {
    let context = context?;
    let dug: Vec<String> = path.iter().skip(1).cloned().collect();
    if dug.is_empty() {
        return Some(key_hover(snapshot, view, Some(context), key));
    }
    // Elements of lists lie elsewhere once lists are merged.
    if dug.iter().any(|part| part.bytes().all(|byte| byte.is_ascii_digit())) {
        return Some(key_hover(snapshot, view, Some(context), key));
    }
    let quoted = hieratic::lookup::quoted_key(key);
    let why = context.node.why(&Query::new(&quoted));
    let answer = why.answer.as_ref().ok()?;
    let mut value = markdown::shown(context, &answer.value, why.hides);
    for part in &dug {
        let Some(inner) = value.as_hash().and_then(|hash| hash.get(part.as_str())).cloned() else {
            return Some(format!("**{}**\n\nNot in the answer for {}.", path.join("."), context.described()));
        };
        value = inner;
    }
    let merge = markdown::merge(context, &why);
    Some(format!("**{}**\n\n{}\n\nFor {}: {merge}.", path.join("."), markdown::block(&value), context.described()))
}

/// Returns the hover of an interpolation.
pub(crate) fn interpolation(view: &View, context: &NodeContext, kind: &InterpolationKind) -> String {
    let who = context.described();
    match kind {
        InterpolationKind::Variable(name) => match context.interpolated(name) {
            Interpolated::Value(value) => {
                format!("**{name}**\n\n{}\n\nFor {who}.", markdown::block(&context.redactor.value(&value)))
            }
            Interpolated::Missing if context.name.is_none() => {
                format!("**{name}**\n\nNot known: choose a node with facts (`hieratic.chooseNode`).")
            }
            Interpolated::Missing => format!("**{name}**\n\nNot set for {who}: the interpolation is empty."),
        },
        InterpolationKind::Lookup(key) | InterpolationKind::Alias { key, .. } => {
            let root = Key::parse(key).map(|key| key.root().to_string()).unwrap_or_else(|_| key.clone());
            let mut text = format!("**{key}**\n");
            if let Some((_, parameter)) = view.parameter(&root)
                && let Some(kind) = &parameter.kind
            {
                text = format!("**{key}** {}\n", code(kind));
            }
            text + &value_of_expression(context, key)
        }
        InterpolationKind::Literal(text) => format!("The text {}", code(text)),
        InterpolationKind::Empty => "Nothing: the interpolation is empty.".to_owned(),
        InterpolationKind::UnknownFunction(name) => format!("Unknown interpolation function {}.", code(name)),
        InterpolationKind::Malformed(text) => format!("{} is neither a variable nor a call.", code(text)),
    }
}

/// The value of a key that may dig into it.
fn value_of_expression(context: &NodeContext, key: &str) -> String {
    let who = context.described();
    match context.node.lookup_traced(&Query::new(key)) {
        Ok(answer) => {
            let value = markdown::shown(context, &answer.value, false);
            let at = answer.value.origin().map(|origin| format!(", from {}", code(&markdown::place(context, origin))));
            format!("\n{}\n\nFor {who}{}.", markdown::block(&value), at.unwrap_or_default())
        }
        Err(error) => format!("\nWithout a value for {who}: {}", markdown::fault(context, &error)),
    }
}

/// Returns the hover of an entry of `lookup_options`.
fn options(view: &View, context: Option<&NodeContext>, key: &str) -> String {
    let matches = match key.strip_prefix('^') {
        None => usize::from(view.files().iter().any(|file| file.entries().any(|(name, _)| name == key))),
        Some(_) => {
            let Ok(pattern) = Regexp::new(key) else { return format!("**{key}**\n\nThe pattern cannot be read.") };
            let mut names: Vec<&str> =
                view.files().iter().flat_map(|file| file.entries().map(|(name, _)| name)).collect();
            names.sort_unstable();
            names.dedup();
            let budget = Budget::default();
            names.iter().filter(|name| pattern.is_match_within(name, &budget).unwrap_or(false)).count()
        }
    };
    let mut text = format!("**{key}** in `lookup_options`\n\nMatches {matches} keys of the data.");
    if let (Some(context), false) = (context, key.starts_with('^')) {
        text.push_str(&value_of(context, key));
    }
    text
}
