//! [`reasons`]: how an answer came about, as data for tools.

use hieratic_hiera::{ChosenBy, Error, Fate, Object, Origin, Part, Why, WhyLayer};
use hieratic_value::text::REDACTED;
use hieratic_value::{Hash, Value};

use crate::masking::Mask;

/// A value of the data as it may be shown; a conversion may hide all of it.
pub fn shown_object(object: &Object, hides: bool, mask: &Mask) -> Value {
    match (mask.reveals(), hides) {
        (true, _) => mask.value(&object.to_value()),
        (false, true) => REDACTED.into(),
        (false, false) => mask.value(&object.masked()),
    }
}

fn hash(pairs: Vec<(&str, Value)>) -> Value {
    pairs.into_iter().collect::<Hash>().into()
}

/// The reasons as a hash, as `hieratic lookup --why --render-as json` prints it.
pub fn reasons(why: &Why, mask: &Mask) -> Value {
    let mut pairs: Vec<(&str, Value)> = vec![("key", why.key.as_str().into()), ("found", why.answer.is_ok().into())];
    match &why.answer {
        Ok(answer) => {
            let from = if answer.key.is_some() { "hierarchy" } else { "default" };
            pairs.push(("from", from.into()));
            pairs.push(("value", shown_object(&answer.value, why.hides, mask)));
        }
        Err(error) => pairs.push(("error", fault(error, mask))),
    }
    let options: Hash = why
        .merge
        .options
        .iter()
        .filter(|(key, _)| key.as_str() != Some("strategy"))
        .map(|(key, value)| (key.clone(), mask.value(value)))
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
        pairs.push(("convert_to", mask.value(to)));
    }
    let layers = |layers: &[WhyLayer]| layers.iter().map(|one| layer(one, why.hides, mask)).collect::<Value>();
    pairs.push(("layers", layers(&why.layers)));
    pairs.push(("hidden", layers(&why.hidden)));
    let faulty = why
        .faulty
        .iter()
        .map(|(place, error)| hash(vec![("place", place.as_str().into()), ("error", fault(error, mask))]));
    pairs.push(("faulty", faulty.collect()));
    let count = |count: usize| Value::Integer(i64::try_from(count).unwrap_or(i64::MAX));
    pairs.push((
        "rest",
        hash(vec![
            ("places", count(why.rest.places)),
            ("missing", count(why.rest.missing)),
            ("silent", count(why.rest.silent)),
        ]),
    ));
    hash(pairs)
}

fn fault(error: &Error, mask: &Mask) -> Value {
    let code = error.code().id();
    hash(vec![("code", code.into()), ("message", mask.message(&error.to_string()).into_owned().into())])
}

fn layer(layer: &WhyLayer, hides: bool, mask: &Mask) -> Value {
    let mut pairs = vec![("layer", Value::from(layer.layer.as_str())), ("level", layer.level.as_str().into())];
    if let Some(location) = &layer.location {
        pairs.push(("location", location.as_str().into()));
    }
    pairs.extend(place(layer.place.as_ref()));
    pairs.push(("value", shown_object(&layer.value, hides, mask)));
    if !layer.parts.is_empty() {
        pairs.push(("parts", layer.parts.iter().map(|one| part(one, hides, mask)).collect()));
    }
    hash(pairs)
}

fn part(part: &Part, hides: bool, mask: &Mask) -> Value {
    let (fate, by): (&str, Vec<&Option<Origin>>) = match &part.fate {
        Fate::Kept => ("added", Vec::new()),
        Fate::Overridden(by) => ("overridden", vec![by]),
        Fate::Repeated(by) => ("repeated", vec![by]),
        Fate::Removed(by) => ("knocked-out", vec![by]),
        Fate::Knockout(removed) => ("knockout", removed.iter().collect()),
        Fate::LostKnockout(by) => ("lost-knockout", vec![by]),
        Fate::Gone => ("gone", Vec::new()),
    };
    let mut pairs = vec![
        ("path", part.path.iter().map(|segment| mask.value(segment)).collect()),
        ("value", shown_object(&part.value, hides, mask)),
        ("fate", fate.into()),
    ];
    if !by.is_empty() {
        pairs.push(("by", by.into_iter().map(|origin| hash(place(origin.as_ref()))).collect()));
    }
    hash(pairs)
}

fn place(origin: Option<&Origin>) -> Vec<(&'static str, Value)> {
    match origin {
        Some(Origin::File { file, line, column }) => vec![
            ("file", file.display().to_string().into()),
            ("line", Value::Integer((*line).into())),
            ("column", Value::Integer((*column).into())),
        ],
        Some(Origin::Named(name)) => vec![("source", Value::String(name.clone()))],
        None => Vec::new(),
    }
}
