//! [`reasons`]: the explanation of an answer, as data for tools.

use hieratic_hiera::{ChosenBy, Error, Object, ObjectView, Origin, Part, PartStatus, Why, WhyLayer};
use hieratic_value::collections::HashMap;
use hieratic_value::text::REDACTED;
use hieratic_value::{Hash, Value};

use crate::redaction::Redactor;
use hieratic_sandbox::SlashPath as _;

/// Redacts a value of the data. With `hides`, all of it is a secret, because a conversion made it so.
pub fn redacted_object(object: &Object, hides: bool, redactor: &Redactor) -> Value {
    if hides && !redactor.reveals() { REDACTED.into() } else { redactor.answer(object) }
}

/// Returns the parts of a layer's value for display: a value that is secret as a whole is one part.
pub(crate) fn redacted_parts(layer: &WhyLayer, redactor: &Redactor) -> Vec<Part> {
    let mut hidden = HashMap::default();
    if !redactor.reveals() {
        find_secrets(&layer.value, &mut Vec::new(), &mut hidden);
    }
    if hidden.is_empty() {
        return layer.parts.clone();
    }
    let mut parts: Vec<Part> = Vec::with_capacity(layer.parts.len());
    for part in &layer.parts {
        let outer = (0..part.path.len()).find_map(|depth| hidden.get_key_value(&part.path[..depth]));
        let Some((path, value)) = outer else {
            parts.push(part.clone());
            continue;
        };
        match parts.last_mut().filter(|last| last.path == *path) {
            // Which parts of it are in the answer is secret, too.
            Some(last) if last.status != part.status => last.status = PartStatus::Kept,
            Some(_) => {}
            None => parts.push(Part { path: path.clone(), value: value.clone(), status: part.status.clone() }),
        }
    }
    parts
}

/// The outermost arrays and hashes that are secret as a whole, by the paths that lead to them.
fn find_secrets(value: &Object, path: &mut Vec<Value>, found: &mut HashMap<Vec<Value>, Object>) {
    let children: Vec<(Value, Object)> = match value.view() {
        ObjectView::Scalar(_) => return,
        ObjectView::Array(elements) => (0..).map(Value::Integer).zip(elements).collect(),
        ObjectView::Hash(pairs) => pairs,
    };
    if value.is_hidden() {
        found.insert(path.clone(), value.clone());
        return;
    }
    for (step, child) in children {
        path.push(step);
        find_secrets(&child, path, found);
        path.pop();
    }
}

fn hash(pairs: Vec<(&str, Value)>) -> Value {
    pairs.into_iter().collect::<Hash>().into()
}

/// Returns the reasons as a hash, as `hieratic lookup --why --render-as json` prints it.
pub fn reasons(why: &Why, redactor: &Redactor) -> Value {
    let mut pairs: Vec<(&str, Value)> = vec![("key", why.key.as_str().into()), ("found", why.answer.is_ok().into())];
    match &why.answer {
        Ok(answer) => {
            let from = if answer.key.is_some() { "hierarchy" } else { "default" };
            pairs.push(("from", from.into()));
            pairs.push(("value", redacted_object(&answer.value, why.hides, redactor)));
        }
        Err(error) => pairs.push(("error", fault(error, redactor))),
    }
    let options: Hash = why
        .merge
        .options
        .iter()
        .filter(|(key, _)| key.as_str() != Some("strategy"))
        .map(|(key, value)| (key.clone(), redactor.value(value)))
        .collect();
    pairs.push((
        "merge",
        hash(vec![
            ("strategy", why.merge.strategy.into()),
            ("options", options.into()),
            (
                "chosen_by",
                match why.merge.chosen_by {
                    ChosenBy::Nobody => "default",
                    ChosenBy::Caller => "caller",
                    ChosenBy::Options => "lookup_options",
                }
                .into(),
            ),
        ]),
    ));
    if let Some(rule) = &why.rule {
        let mut entry = vec![
            (if rule.is_pattern { "pattern" } else { "key" }, Value::from(rule.text.as_str())),
            ("overridden", rule.overridden.iter().map(|origin| hash(place(Some(origin)))).collect()),
        ];
        entry.extend(place(rule.place.as_ref()));
        pairs.push(("lookup_options", hash(entry)));
    }
    if let Some(to) = &why.convert_to {
        pairs.push(("convert_to", redactor.value(to)));
    }
    let layers = |layers: &[WhyLayer]| layers.iter().map(|one| layer(one, why.hides, redactor)).collect::<Value>();
    pairs.push(("layers", layers(&why.layers)));
    pairs.push(("hidden", layers(&why.hidden)));
    let faulty = why
        .faulty
        .iter()
        .map(|(place, error)| hash(vec![("place", place.as_str().into()), ("error", fault(error, redactor))]));
    pairs.push(("faulty", faulty.collect()));
    pairs.push((
        "rest",
        hash(vec![
            ("places", why.rest.places.into()),
            ("missing", why.rest.missing.into()),
            ("silent", why.rest.silent.into()),
        ]),
    ));
    hash(pairs)
}

fn fault(error: &Error, redactor: &Redactor) -> Value {
    let code = error.code().id();
    hash(vec![("code", code.into()), ("message", redactor.message(&error.to_string()).into_owned().into())])
}

fn layer(layer: &WhyLayer, hides: bool, redactor: &Redactor) -> Value {
    let mut pairs = vec![("layer", Value::from(layer.layer.as_str())), ("level", layer.level.as_str().into())];
    if let Some(location) = &layer.location {
        pairs.push(("location", location.as_str().into()));
    }
    pairs.extend(place(layer.place.as_ref()));
    pairs.push(("value", redacted_object(&layer.value, hides, redactor)));
    if !layer.parts.is_empty() {
        pairs.push(("parts", redacted_parts(layer, redactor).iter().map(|one| part(one, hides, redactor)).collect()));
    }
    hash(pairs)
}

fn part(part: &Part, hides: bool, redactor: &Redactor) -> Value {
    let (status, by): (&str, Vec<&Option<Origin>>) = match &part.status {
        PartStatus::Kept => ("added", Vec::new()),
        PartStatus::Overridden(by) => ("overridden", vec![by]),
        PartStatus::Repeated(by) => ("repeated", vec![by]),
        PartStatus::Removed(by) => ("knocked-out", vec![by]),
        PartStatus::Knockout(removed) => ("knockout", removed.iter().collect()),
        PartStatus::LostKnockout(by) => ("lost-knockout", vec![by]),
        PartStatus::Gone => ("gone", Vec::new()),
    };
    let mut pairs = vec![
        ("path", part.path.iter().map(|segment| redactor.marked(segment)).collect()),
        ("value", redacted_object(&part.value, hides, redactor)),
        ("fate", status.into()),
    ];
    if !by.is_empty() {
        pairs.push(("by", by.into_iter().map(|origin| hash(place(origin.as_ref()))).collect()));
    }
    hash(pairs)
}

fn place(origin: Option<&Origin>) -> Vec<(&'static str, Value)> {
    match origin {
        Some(Origin::File { file, line, column }) => vec![
            ("file", file.to_slashes().into()),
            ("line", Value::Integer((*line).into())),
            ("column", Value::Integer((*column).into())),
        ],
        Some(Origin::Named(name)) => vec![("source", Value::String(name.clone()))],
        None => Vec::new(),
    }
}
