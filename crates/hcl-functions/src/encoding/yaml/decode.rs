//! YAML as values: sequences are tuples, mappings are objects.

use hieratic_hcl_types::{Text, Type, Value, convert, quoted};
use hieratic_value::collections::{HashMap, HashSet};
use hieratic_yaml::events::{Event, Events, Kind, Marks, Problem, Scalar, Stage};

use super::resolve;
use crate::MAX_DEPTH;

/// The maximum number of values of a document with its aliases expanded: a few lines can expand to billions.
const MAX_VALUES: usize = 10_000_000;

/// Decodes a YAML document.
///
/// The reference parses twice, first for the type and then for the value: errors of the second pass are reported last.
pub(super) fn decode(source: &str) -> Result<Value, String> {
    let source = if source.is_empty() { "\n" } else { source.strip_prefix('\u{feff}').unwrap_or(source) };
    let mut decoder = Decoder { events: Events::new(source.as_bytes()), anchors: HashMap::default(), late: None };
    loop {
        let event = decoder.events.next().map_err(|problem| syntax_error(&problem))?;
        match event.kind {
            Kind::Other => {}
            Kind::DocumentStart => break,
            _ => return Err(EventPosition::new(&event).message("missing start of document")),
        }
    }
    let value = decoder.document()?;
    let event = decoder.events.next().map_err(|problem| syntax_error(&problem))?;
    if !matches!(event.kind, Kind::DocumentEnd) {
        return Err(EventPosition::new(&event).message("unexpected extra content after value"));
    }
    let event = decoder.events.next().map_err(|problem| syntax_error(&problem))?;
    if !matches!(event.kind, Kind::StreamEnd) {
        return Err(EventPosition::new(&event).message("unexpected extra content after value"));
    }
    decoder.late.map_or(Ok(value), Err)
}

/// The position of an event. The reference counts lines from zero, and omits the position on the first line.
#[derive(Clone, Copy)]
struct EventPosition {
    line: u32,
    column: u32,
}

impl EventPosition {
    fn new(event: &Event<'_>) -> Self {
        Self { line: event.at.line - 1, column: event.at.column }
    }

    fn message(self, message: impl std::fmt::Display) -> String {
        if self.line == 0 {
            return message.to_string();
        }
        format!("on line {}, column {}: {message}", self.line, self.column)
    }
}

fn syntax_error(problem: &Problem) -> String {
    let message = if problem.problem.is_empty() { "invalid YAML syntax" } else { problem.problem.as_str() };
    let (at, context) = (problem.at, problem.reported);
    if problem.stage == Stage::Reader {
        return message.to_owned();
    }
    let place = match (at.line > 1, problem.stage) {
        // A scanner error is reported one line further in that count, and without its column.
        (true, Stage::Scanner) => EventPosition { line: at.line, column: 1 },
        (true, _) => EventPosition { line: at.line - 1, column: at.column },
        (false, _) => EventPosition { line: context.line - 1, column: context.column },
    };
    place.message(message)
}

/// The value of an anchor, for its aliases.
struct AnchorValue {
    value: Value,
    /// Of how many values it consists.
    size: usize,
}

/// A sequence or mapping that is open.
struct OpenCollection {
    anchor: Option<String>,
    place: EventPosition,
    content: Content,
    size: usize,
}

enum Content {
    Sequence(Vec<Value>),
    Mapping { entries: Vec<(Text, Value)>, key: Option<Key> },
}

enum Key {
    Name(Text),
    /// The merge key `<<`, with its position.
    Merge(EventPosition),
}

struct Decoder<'s> {
    events: Events<'s>,
    anchors: HashMap<String, AnchorValue>,
    /// The first of those errors that are reported only if there is no other.
    late: Option<String>,
}

impl Decoder<'_> {
    fn document(&mut self) -> Result<Value, String> {
        let mut open: Vec<OpenCollection> = Vec::new();
        let mut pending: HashSet<String> = HashSet::default();
        let mut total = 0usize;
        loop {
            let event = self.events.next().map_err(|problem| syntax_error(&problem))?;
            let place = EventPosition::new(&event);
            if let Some(OpenCollection { content: Content::Mapping { key: key @ None, .. }, .. }) = open.last_mut()
                && !matches!(event.kind, Kind::MappingEnd)
            {
                *key = Some(mapping_key(&event, place)?);
                continue;
            }
            let (value, size, anchor) = match event.kind {
                Kind::Scalar(scalar) => {
                    let anchor = scalar.marks.anchor.as_deref().map(str::to_owned);
                    let value = scalar_value(&scalar, place, &mut self.late)?;
                    (value, 1, anchor)
                }
                Kind::Alias(name) => {
                    if pending.contains(name.as_ref()) {
                        let name = quoted(&name);
                        return Err(
                            place.message(format!("cannot refer to anchor {name} from inside its own definition"))
                        );
                    }
                    let Some(anchored) = self.anchors.get(name.as_ref()) else {
                        return Err(place.message(format!("reference to undefined anchor {}", quoted(&name))));
                    };
                    (anchored.value.clone(), anchored.size, None)
                }
                Kind::SequenceStart(marks) => {
                    let content = Content::Sequence(Vec::new());
                    open.push(opened(&marks, "sequence", "seq", content, place, open.len())?);
                    pending.extend(open.last().and_then(|open| open.anchor.clone()));
                    continue;
                }
                Kind::MappingStart(marks) => {
                    let content = Content::Mapping { entries: Vec::new(), key: None };
                    open.push(opened(&marks, "mapping", "map", content, place, open.len())?);
                    pending.extend(open.last().and_then(|open| open.anchor.clone()));
                    continue;
                }
                Kind::SequenceEnd | Kind::MappingEnd => match open.pop() {
                    Some(OpenCollection { anchor, content, size, .. }) => {
                        if let Some(anchor) = &anchor
                            && !open.iter().any(|outer| outer.anchor.as_ref() == Some(anchor))
                        {
                            pending.remove(anchor);
                        }
                        let value = match content {
                            Content::Sequence(items) => Value::tuple(items),
                            Content::Mapping { entries, .. } => Value::object(entries),
                        };
                        (value, size + 1, anchor)
                    }
                    None => return Err(place.message("unexpected end of a collection")),
                },
                Kind::StreamEnd => return Err(place.message("expecting value but found end of stream")),
                _ => return Err(place.message("only a single document is allowed")),
            };
            total = total.saturating_add(size);
            if total > MAX_VALUES {
                return Err(format!("the document consists of more than {MAX_VALUES} values"));
            }
            if let Some(anchor) = anchor {
                self.anchors.insert(anchor, AnchorValue { value: value.clone(), size });
            }
            let Some(outer) = open.last_mut() else { return Ok(value) };
            outer.size = outer.size.saturating_add(size);
            match &mut outer.content {
                Content::Sequence(items) => items.push(value),
                Content::Mapping { entries, key } => match key.take() {
                    Some(Key::Name(name)) => entries.push((name, value)),
                    Some(Key::Merge(at)) => merge(entries, &value, at)?,
                    // The key was read before.
                    None => return Err(outer.place.message("mapping without a key")),
                },
            }
        }
    }
}

fn opened(
    marks: &Marks<'_>,
    problem: &str,
    kind: &str,
    content: Content,
    place: EventPosition,
    depth: usize,
) -> Result<OpenCollection, String> {
    if let Some(tag) = marks.tag.as_deref().filter(|tag| tag.strip_prefix("tag:yaml.org,2002:") != Some(kind)) {
        return Err(place.message(format!("can't interpret {problem} as {tag}")));
    }
    if depth >= MAX_DEPTH {
        return Err(place.message(format!("sequences and mappings nest deeper than {MAX_DEPTH} levels")));
    }
    Ok(OpenCollection { anchor: marks.anchor.as_deref().map(str::to_owned), place, content, size: 0 })
}

fn scalar_value(scalar: &Scalar<'_>, place: EventPosition, late: &mut Option<String>) -> Result<Value, String> {
    let tag = scalar.marks.tag.as_deref().unwrap_or_default();
    let resolved = resolve::scalar(tag, &scalar.text, in_quotes(scalar)).map_err(|message| place.message(message));
    if !scalar.block || !tag.is_empty() {
        return resolved;
    }
    // A block scalar is a string regardless of its content, so a number in it is converted as it prints.
    match resolved {
        Ok(value) => Ok(convert(&value, &Type::String).unwrap_or(value)),
        Err(message) => {
            late.get_or_insert(message);
            Ok(Value::string(scalar.text.as_ref()))
        }
    }
}

fn in_quotes(scalar: &Scalar<'_>) -> bool {
    !scalar.plain && !scalar.block
}

fn mapping_key(event: &Event<'_>, place: EventPosition) -> Result<Key, String> {
    let Kind::Scalar(scalar) = &event.kind else {
        return Err(place.message("only strings are allowed as mapping keys"));
    };
    let tag = scalar.marks.tag.as_deref().unwrap_or_default();
    if tag == "tag:yaml.org,2002:merge" || (tag.is_empty() && scalar.text == "<<") {
        return Ok(Key::Merge(place));
    }
    // This error is reported without a position.
    let key = resolve::scalar(tag, &scalar.text, in_quotes(scalar))?;
    match convert(&key, &Type::String) {
        Ok(Value::String(name)) => Ok(Key::Name(name)),
        Ok(_) => Err(place.message("mapping key cannot be null")),
        Err(_) => Err(place.message("only strings are allowed as mapping keys")),
    }
}

/// Adds the entries of a mapping, or of each in a sequence of mappings.
fn merge(entries: &mut Vec<(Text, Value)>, value: &Value, at: EventPosition) -> Result<(), String> {
    let kind = |value: &Value| value.ty().friendly_name();
    match value {
        Value::Object(object) => entries.extend_from_slice(object.entries()),
        Value::Tuple(items) => {
            for item in items.iter() {
                let Value::Object(object) = item else {
                    return Err(at.message(format!("cannot merge {} (from sequence) into mapping", kind(item))));
                };
                entries.extend_from_slice(object.entries());
            }
        }
        other => return Err(at.message(format!("cannot merge {} into mapping", kind(other)))),
    }
    Ok(())
}
