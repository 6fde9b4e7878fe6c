//! Hover on data: the value of a key or an interpolation for a node, and where it comes from.

use hieratic::hiera::inspect::{Interpolated, InterpolationKind};
use hieratic::powers::Budget;
use hieratic::regexp::Regexp;
use hieratic::{Key, Node, Query};
use hieratic_audit::View;
use hieratic_diagnostics::Span;

use super::cursor::{Cursor, at};
use super::said::{self, code};
use crate::document::Document;
use crate::outline::Kind;
use crate::world::{Asked, World};

/// Returns the hover at an offset of a data file, and the span that it describes.
pub(crate) fn hover(world: &World, document: &Document, offset: usize) -> Option<(String, Span)> {
    let (view, file) = world.data_of(&document.path)?;
    let cursor = at(document, offset)?;
    let asked = world.node_for(view, Some(file));
    match cursor {
        Cursor::Interpolation(kind, span) => Some((interpolation(view, asked.as_ref()?, &kind), span)),
        Cursor::Key(key, span) => Some((of_key(world, view, asked.as_ref(), &key), span)),
        Cursor::Inside(key, path, span) => inside(world, view, asked.as_ref(), &key, &path).map(|text| (text, span)),
        Cursor::Options(key, span) => Some((options(view, asked.as_ref(), &key), span)),
        Cursor::Alias(..) => None,
    }
}

/// Returns the hover of a key.
pub(crate) fn of_key(world: &World, view: &View, asked: Option<&Asked>, key: &str) -> String {
    let mut text = heading(world, view, key);
    if let Some(asked) = asked {
        text.push_str(&value_of(asked, key));
    }
    text
}

/// The name of a key, with the type and the documentation of the parameter that it is for.
fn heading(world: &World, view: &View, key: &str) -> String {
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
    let outline = world.outline_of(&path);
    let said = outline.find(Kind::Class, class).and_then(|class| class.documentation().parameters.remove(name));
    if let Some(said) = said.filter(|said| !said.is_empty()) {
        text.push_str(&format!("\n{said}\n"));
    }
    text
}

/// The value of a key for a node, and where it comes from.
fn value_of(asked: &Asked, key: &str) -> String {
    let quoted = hieratic::quoted_key(key);
    let why = asked.node.why(&Query::new(&quoted));
    let who = asked.described();
    let mut text = String::from("\n---\n\n");
    match &why.answer {
        Ok(answer) => {
            text.push_str(&said::block(&said::shown(asked, &answer.value, why.hides)));
            text.push_str(&format!("\n\nFor {who}: {}.\n", said::merge(asked, &why)));
        }
        Err(error) if error.code() == Node::NOT_FOUND => {
            text.push_str(&format!("Without a value for {who}.\n"));
        }
        Err(error) => text.push_str(&format!("Without a value for {who}: {}\n", said::fault(asked, error))),
    }
    for layer in &why.layers {
        let fate = said::fate(asked, layer);
        text.push_str(&line(asked, layer, &fate, why.hides));
    }
    for layer in &why.hidden {
        text.push_str(&line(asked, layer, "not asked", why.hides));
    }
    text
}

fn line(asked: &Asked, layer: &hieratic::WhyLayer, fate: &str, hides: bool) -> String {
    let place = match (&layer.place, &layer.location) {
        (Some(origin), _) => said::place(asked, origin),
        (None, Some(location)) => location.clone(),
        (None, None) => layer.layer.clone(),
    };
    let value = said::short(&said::shown(asked, &layer.value, hides));
    let fate = if fate.is_empty() { String::new() } else { format!(" — {fate}") };
    format!("\n- {} {}: {}{fate}", layer.level, code(&place), code(&value))
}

/// Returns the hover of a value under a key: the same part of the answer.
fn inside(world: &World, view: &View, asked: Option<&Asked>, key: &str, path: &[String]) -> Option<String> {
    let asked = asked?;
    let dug: Vec<String> = path.iter().skip(1).cloned().collect();
    if dug.is_empty() {
        return Some(of_key(world, view, Some(asked), key));
    }
    // Elements of lists lie elsewhere once lists are merged.
    if dug.iter().any(|part| part.bytes().all(|byte| byte.is_ascii_digit())) {
        return Some(of_key(world, view, Some(asked), key));
    }
    let quoted = hieratic::quoted_key(key);
    let why = asked.node.why(&Query::new(&quoted));
    let answer = why.answer.as_ref().ok()?;
    let mut value = said::shown(asked, &answer.value, why.hides);
    for part in &dug {
        let Some(inner) = value.as_hash().and_then(|hash| hash.get(part.as_str())).cloned() else {
            return Some(format!("**{}**\n\nNot in the answer for {}.", path.join("."), asked.described()));
        };
        value = inner;
    }
    let merge = said::merge(asked, &why);
    Some(format!("**{}**\n\n{}\n\nFor {}: {merge}.", path.join("."), said::block(&value), asked.described()))
}

/// Returns the hover of an interpolation.
pub(crate) fn interpolation(view: &View, asked: &Asked, kind: &InterpolationKind) -> String {
    let who = asked.described();
    match kind {
        InterpolationKind::Variable(name) => match asked.node.interpolated(name) {
            Interpolated::Value(value) => {
                format!("**{name}**\n\n{}\n\nFor {who}.", said::block(&asked.mask.value(&value)))
            }
            Interpolated::Missing if asked.name.is_none() => {
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
            text + &value_of_expression(asked, key)
        }
        InterpolationKind::Literal(text) => format!("The text {}", code(text)),
        InterpolationKind::Empty => "Nothing: the interpolation is empty.".to_owned(),
        InterpolationKind::UnknownFunction(name) => format!("There is no function {} in interpolations.", code(name)),
        InterpolationKind::Malformed(text) => format!("{} is neither a variable nor a call.", code(text)),
    }
}

/// The value of a key that may dig into it.
fn value_of_expression(asked: &Asked, key: &str) -> String {
    let who = asked.described();
    match asked.node.lookup_traced(&Query::new(key)) {
        Ok(answer) => {
            let value = said::shown(asked, &answer.value, false);
            let at = answer.value.origin().map(|origin| format!(", from {}", code(&said::place(asked, origin))));
            format!("\n{}\n\nFor {who}{}.", said::block(&value), at.unwrap_or_default())
        }
        Err(error) => format!("\nWithout a value for {who}: {}", said::fault(asked, &error)),
    }
}

/// Returns the hover of an entry of `lookup_options`.
fn options(view: &View, asked: Option<&Asked>, key: &str) -> String {
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
    if let (Some(asked), false) = (asked, key.starts_with('^')) {
        text.push_str(&value_of(asked, key));
    }
    text
}
