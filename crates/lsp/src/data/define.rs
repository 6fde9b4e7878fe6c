//! Definitions of symbols of data, and references to them.

use std::sync::Arc;

use hieratic::hiera::inspect::InterpolationKind;
use hieratic::lookup::Key;
use hieratic::value::ErasedSort as _;
use hieratic_lint::{DataFile, LOOKUP_OPTIONS, View};
use lsp_server::ResponseError;
use lsp_types::Location;

use super::cursor::{Cursor, at};
use super::mentions::KeyMentions;
use crate::document::Document;
use crate::keys::Name;
use crate::snapshot::{Analysis, Snapshot};

/// Returns the definition of the symbol at an offset: of a key, the parameter of its class; of an interpolation, the
/// keys that it looks up; of an alias, its anchor.
pub(crate) fn definition(snapshot: &Snapshot, document: &Document, offset: usize) -> Option<Vec<Location>> {
    let cursor = at(document, offset)?;
    if let Cursor::Alias(name, _) = &cursor {
        let keys = document.keys();
        // The last anchor of the name before the alias counts.
        let mut anchored = keys.nodes().iter().enumerate().filter(|(_, node)| node.span.first() < offset);
        let (index, node) = anchored.rfind(|(_, node)| node.anchor.as_deref() == Some(name))?;
        let span = match &node.name {
            Name::Key(_, span) => *span,
            _ => keys.whole(index),
        };
        let uri = document.uri.clone();
        return Some(vec![Location { uri, range: document.range(span) }]);
    }
    let (view, file) = snapshot.data_of(&document.path)?;
    match cursor {
        Cursor::Key(key, _) | Cursor::Options(key, _) | Cursor::Inside(key, ..) => {
            Some(parameter(snapshot, view, &key).into_iter().collect())
        }
        Cursor::Interpolation(InterpolationKind::Lookup(key) | InterpolationKind::Alias { key, .. }, _) => {
            let key = Key::parse(&key).ok()?.root().to_string();
            // The location that supplies the answer for the node comes first.
            let context = snapshot.node_for(view, Some(file));
            let mut places = keys_of(snapshot, view, &key);
            let origin = context.and_then(|context| {
                let answer =
                    context.node.lookup_traced(&hieratic::Query::new(&hieratic::lookup::quoted_key(&key))).ok()?;
                match answer.value.origin()? {
                    hieratic::lookup::Origin::File { file, .. } => crate::paths::uri_of(file),
                    hieratic::lookup::Origin::Named(_) => None,
                }
            });
            places.sort_erased_by_key(|place| origin.as_ref() != Some(&place.uri));
            Some(places)
        }
        Cursor::Interpolation(..) | Cursor::Alias(..) => None,
    }
}

/// Returns the declaration of the parameter that a key binds.
pub(crate) fn parameter(snapshot: &Snapshot, view: &View, key: &str) -> Option<Location> {
    let (class, parameter) = view.parameter(key)?;
    let path = std::path::absolute(class.source.name()).ok()?;
    snapshot.location(&path, parameter.span)
}

/// The files of data that have a key.
pub(crate) fn files_with<'v>(view: &'v View, key: &'v str) -> impl Iterator<Item = &'v Arc<DataFile>> {
    view.files().iter().filter(move |file| key != LOOKUP_OPTIONS && file.content().0.contains(key))
}

/// Returns every definition of a key in data files.
pub(crate) fn keys_of(snapshot: &Snapshot, view: &View, key: &str) -> Vec<Location> {
    files_with(view, key)
        .filter_map(|file| {
            let span = file.key_span(key);
            match snapshot.documents.get(file.path()) {
                // The file may have changed since it was checked.
                Some(document) => {
                    let (.., span, _) = document.keys().top().find(|(_, name, ..)| *name == key)?;
                    Some(Location { uri: document.uri.clone(), range: document.range(span) })
                }
                None => snapshot.location(file.path(), span),
            }
        })
        .collect()
}

/// Returns every reference to a key: in data files, their interpolations and options, and in code.
pub(crate) fn references(
    snapshot: &Snapshot,
    view: &View,
    analysis: &Analysis,
    key: &str,
    declaration: bool,
) -> Result<Vec<Location>, ResponseError> {
    let mut places = keys_of(snapshot, view, key);
    snapshot.check_cancelled()?;
    let mentioned = mentioned(snapshot, analysis);
    places.extend(mentioned.lookups(key).iter().filter_map(|(path, span)| snapshot.location(path, *span)));
    if declaration {
        places.extend(parameter(snapshot, view, key));
    }
    places.extend(crate::code::references::key_references(snapshot, view, key)?);
    Ok(places)
}

/// Returns the keys that the data of a folder mentions.
pub(crate) fn mentioned(snapshot: &Snapshot, analysis: &Analysis) -> Arc<KeyMentions> {
    let collect = || Arc::new(KeyMentions::collect(&analysis.views, &snapshot.file_mentions));
    analysis.mentions.get_or_init(collect).clone()
}

/// Returns the key at an offset, in any role.
pub(crate) fn key_at(document: &Document, offset: usize) -> Option<String> {
    match at(document, offset)? {
        Cursor::Key(key, _) | Cursor::Inside(key, ..) => Some(key),
        Cursor::Options(key, _) if !key.starts_with('^') => Some(key),
        Cursor::Interpolation(InterpolationKind::Lookup(key) | InterpolationKind::Alias { key, .. }, _) => {
            Some(Key::parse(&key).ok()?.root().to_string())
        }
        _ => None,
    }
}
