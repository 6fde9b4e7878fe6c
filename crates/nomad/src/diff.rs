//! Two jobs compared, in the form of `nomad job plan`.
//!
//! What is compared is what the job files say. A server fills in defaults before it compares, and adds what its scheduler would do;
//! here a value that only one of the jobs has is added or deleted.
//!
//! Source of the form: <https://developer.hashicorp.com/nomad/commands/job/plan>.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use hieratic_cty::quoted;

use crate::Job;
use crate::record::{Data, Datum, Record};
use crate::schema::Kind;

/// What became of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    None,
    Added,
    Deleted,
    Edited,
}

impl Change {
    fn marker(self) -> &'static str {
        match self {
            Change::None => "",
            Change::Added => "+ ",
            Change::Deleted => "- ",
            Change::Edited => "+/- ",
        }
    }

    fn of(old: bool, new: bool) -> Change {
        match (old, new) {
            (false, true) => Change::Added,
            (true, false) => Change::Deleted,
            _ => Change::Edited,
        }
    }
}

struct Field {
    change: Change,
    name: String,
    old: String,
    new: String,
}

struct Object {
    change: Change,
    name: String,
    parts: Parts,
}

/// The fields and blocks of a block that differ.
#[derive(Default)]
struct Parts {
    fields: Vec<Field>,
    objects: Vec<Object>,
}

/// How the second job differs from the first, as text; nothing if their identifiers differ, for then they are not the same job.
///
/// ```
/// use hieratic_nomad::{Job, Options, diff};
///
/// let job = |count: u32| {
///     let source = format!("job \"a\" {{\n  group \"g\" {{\n    count = {count}\n    task \"t\" {{}}\n  }}\n}}\n");
///     Job::parse(source, &Options::default()).unwrap()
/// };
/// let text = diff(&job(1), &job(3)).unwrap();
/// assert_eq!(text, "+/- Job: \"a\"\n+/- Task Group: \"g\"\n  +/- Count: \"1\" => \"3\"\n      Task: \"t\"\n\n");
/// ```
pub fn diff(old: &Job, new: &Job) -> Option<String> {
    let (old, new) = (old.record(), new.record());
    let id = new.text("ID")?;
    if old.text("ID") != Some(id) {
        return None;
    }
    let parts = Parts::of(Some(old), Some(new), &["ID", "TaskGroups"], false);
    let groups = by_name(old.list("TaskGroups"), new.list("TaskGroups"));
    let change = changed(Some(old), Some(new));
    let mut out = format!("{}Job: {}\n", change.marker(), quoted(id));
    let marker = groups.iter().map(|(_, old, new)| changed(*old, *new).marker().len());
    let (field, longest) = parts.widths();
    let longest = marker.chain([longest]).max().unwrap_or_default();
    if change == Change::Edited {
        let before = out.len();
        parts.write(&mut out, 0, field, longest);
        if out.len() > before {
            out.push('\n');
        }
    }
    for (name, old, new) in groups {
        group(&mut out, name, old, new, longest);
        out.push('\n');
    }
    Some(out)
}

fn group(out: &mut String, name: &str, old: Option<&Record>, new: Option<&Record>, longest: usize) {
    let change = changed(old, new);
    let prefix = longest - change.marker().len();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{}{:prefix$}Task Group: {}", change.marker(), "", quoted(name));
    let parts = Parts::of(old, new, &["Name", "Tasks"], false);
    let list = |record: Option<&Record>| record.map(|record| record.list("Tasks")).unwrap_or_default().to_vec();
    let (old, new) = (list(old), list(new));
    let tasks = by_name(&old, &new);
    let (field, own) = parts.widths();
    let markers = tasks.iter().map(|(_, old, new)| changed(*old, *new).marker().len());
    let longest = markers.chain([own]).max().unwrap_or_default();
    let start = prefix + 2;
    if change == Change::Edited {
        let before = out.len();
        parts.write(out, start, field, longest);
        if out.len() > before {
            out.push('\n');
        }
    }
    for (name, old, new) in tasks {
        task(out, name, old, new, start, longest);
        out.push('\n');
    }
}

fn task(out: &mut String, name: &str, old: Option<&Record>, new: Option<&Record>, start: usize, longest: usize) {
    let change = changed(old, new);
    let prefix = longest - change.marker().len();
    let _ = write!(out, "{:start$}{}{:prefix$}Task: {}", "", change.marker(), "", quoted(name));
    if change == Change::Edited {
        out.push('\n');
        let parts = Parts::of(old, new, &["Name"], false);
        let (field, longest) = parts.widths();
        parts.write(out, start + 2, field, longest);
    }
}

fn changed(old: Option<&Record>, new: Option<&Record>) -> Change {
    match (old, new) {
        (Some(_), Some(_)) if same_records(old, new) => Change::None,
        (old, new) => Change::of(old.is_some(), new.is_some()),
    }
}

type Pair<'r> = (&'r str, Option<&'r Record>, Option<&'r Record>);

/// Structures with a name, those of one name together, sorted by name.
fn by_name<'r>(old: &'r [Datum], new: &'r [Datum]) -> Vec<Pair<'r>> {
    let mut pairs: BTreeMap<&str, (Option<&Record>, Option<&Record>)> = BTreeMap::new();
    for record in records(old) {
        pairs.entry(name_of(record)).or_default().0 = Some(record);
    }
    for record in records(new) {
        pairs.entry(name_of(record)).or_default().1 = Some(record);
    }
    pairs.into_iter().map(|(name, (old, new))| (name, old, new)).collect()
}

fn records(items: &[Datum]) -> impl Iterator<Item = &Record> {
    items.iter().filter_map(|item| match &item.value {
        Data::Record(record) => Some(&**record),
        _ => None,
    })
}

fn name_of(record: &Record) -> &str {
    ["Name", "Label"].iter().find_map(|field| record.text(field)).map_or("", |name| name)
}

impl Parts {
    /// How two structures differ, but for these fields. With its context a structure shows what stays the same in it, too.
    fn of(old: Option<&Record>, new: Option<&Record>, but: &[&str], context: bool) -> Parts {
        let mut parts = Parts { fields: fields(&flat(old, but), &flat(new, but), context), objects: Vec::new() };
        let Some(shape) = new.or(old).map(Record::shape) else { return parts };
        for field in shape.fields.iter().filter(|field| !but.contains(&field.name)) {
            let get = |record: Option<&Record>| {
                record.and_then(|record| record.get(field.name)).map(|datum| datum.value.clone())
            };
            let (old, new) = (get(old).unwrap_or(Data::Null), get(new).unwrap_or(Data::Null));
            if same(&old, &new) {
                continue;
            }
            parts.objects.extend(objects(field.name, field.kind, &old, &new));
        }
        parts
    }

    /// The lengths of the longest name of a field and of the longest marker.
    fn widths(&self) -> (usize, usize) {
        let names = self.fields.iter().map(|field| field.name.len());
        let markers = self.fields.iter().map(|field| field.change);
        let markers = markers.chain(self.objects.iter().map(|object| object.change));
        (names.max().unwrap_or_default(), markers.map(|change| change.marker().len()).max().unwrap_or_default())
    }

    fn write(&self, out: &mut String, start: usize, longest: usize, marker: usize) {
        let count = self.fields.len() + self.objects.len();
        for (at, field) in self.fields.iter().enumerate() {
            let (key, value) = (marker - field.change.marker().len(), longest - field.name.len());
            let _ = write!(out, "{:start$}{}{:key$}{}: {:value$}", "", field.change.marker(), "", field.name, "");
            let _ = match field.change {
                Change::Deleted => write!(out, "{}", quoted(&field.old)),
                Change::Edited => write!(out, "{} => {}", quoted(&field.old), quoted(&field.new)),
                Change::Added | Change::None => write!(out, "{}", quoted(&field.new)),
            };
            if at + 1 < count {
                out.push('\n');
            }
        }
        for (at, object) in self.objects.iter().enumerate() {
            let key = marker - object.change.marker().len();
            let _ = writeln!(out, "{:start$}{}{:key$}{} {{", "", object.change.marker(), "", object.name);
            let (field, own) = object.parts.widths();
            object.parts.write(out, start + key + 2, field, own);
            let end = start + marker;
            let _ = write!(out, "\n{:end$}}}", "");
            if self.fields.len() + at + 1 < count {
                out.push('\n');
            }
        }
    }
}

/// Whether two values are the same, wherever they are written.
fn same(old: &Data, new: &Data) -> bool {
    let mut texts = [BTreeMap::new(), BTreeMap::new()];
    flatten("", old, &mut texts[0]);
    flatten("", new, &mut texts[1]);
    texts[0] == texts[1]
}

/// The blocks of a field that differ.
fn objects(name: &str, kind: Kind, old: &Data, new: &Data) -> Vec<Object> {
    match kind {
        Kind::One(_) => {
            let (old, new) = (record(old), record(new));
            let parts = Parts::of(old, new, &[], true);
            vec![Object { change: Change::of(old.is_some(), new.is_some()), name: name.to_owned(), parts }]
        }
        Kind::Many(_) => many(&singular(name), items(old), items(new)),
        Kind::Keyed(_) => {
            let values = |data: &Data| match data {
                Data::Map(entries) => entries.iter().map(|(_, datum)| datum.clone()).collect(),
                _ => Vec::new(),
            };
            many(&singular(name), &values(old), &values(new))
        }
        Kind::List(_) => vec![set(name, items(old), items(new))],
        Kind::Any => {
            let mut texts = [BTreeMap::new(), BTreeMap::new()];
            flatten("", old, &mut texts[0]);
            flatten("", new, &mut texts[1]);
            let change = Change::of(!texts[0].is_empty(), !texts[1].is_empty());
            let parts = Parts { fields: fields(&texts[0], &texts[1], true), objects: Vec::new() };
            vec![Object { change, name: name.to_owned(), parts }]
        }
        _ => Vec::new(),
    }
}

fn record(data: &Data) -> Option<&Record> {
    match data {
        Data::Record(record) => Some(record),
        _ => None,
    }
}

fn items(data: &Data) -> &[Datum] {
    match data {
        Data::List(items) => items,
        _ => &[],
    }
}

/// Blocks of one kind: those of one name are compared, of the others those that only one side has are told.
fn many(name: &str, old: &[Datum], new: &[Datum]) -> Vec<Object> {
    let object = |old: Option<&Record>, new: Option<&Record>| Object {
        change: changed(old, new),
        name: name.to_owned(),
        parts: Parts::of(old, new, &[], true),
    };
    let is_named = |record: &&Record| !name_of(record).is_empty();
    let mut found = Vec::new();
    let named = |items: &[Datum]| {
        items.iter().filter(|item| record(&item.value).is_some_and(|record| is_named(&record))).cloned().collect()
    };
    let (old_named, new_named): (Vec<Datum>, Vec<Datum>) = (named(old), named(new));
    for (_, old, new) in by_name(&old_named, &new_named) {
        if !same_records(old, new) {
            found.push(object(old, new));
        }
    }
    let bare = |items: &[Datum]| -> BTreeMap<String, Data> {
        let items = items.iter().filter(|item| record(&item.value).is_none_or(|record| !is_named(&record)));
        items.map(|item| (key_of(&item.value), item.value.clone())).collect()
    };
    let (old, new) = (bare(old), bare(new));
    found.extend(old.iter().filter(|(key, _)| !new.contains_key(*key)).map(|(_, data)| object(record(data), None)));
    found.extend(new.iter().filter(|(key, _)| !old.contains_key(*key)).map(|(_, data)| object(None, record(data))));
    found
}

fn same_records(old: Option<&Record>, new: Option<&Record>) -> bool {
    let key = |record: &Record| {
        let mut texts = BTreeMap::new();
        flatten_record("", record, &mut texts);
        texts
    };
    old.map(key) == new.map(key)
}

/// A text that is equal for equal values.
fn key_of(data: &Data) -> String {
    let mut texts = BTreeMap::new();
    flatten("", data, &mut texts);
    texts.into_iter().map(|(name, text)| format!("{}={}\n", quoted(&name), quoted(&text))).collect()
}

/// Texts whose order does not matter.
fn set(name: &str, old: &[Datum], new: &[Datum]) -> Object {
    let texts = |items: &[Datum]| -> BTreeSet<String> {
        items.iter().map(|item| scalar(&item.value).unwrap_or_default()).collect()
    };
    let (old, new) = (texts(old), texts(new));
    let field = |text: &String| {
        let change = match (old.contains(text), new.contains(text)) {
            (true, true) => Change::None,
            (known, _) => Change::of(known, !known),
        };
        Field { change, name: name.to_owned(), old: text.clone(), new: text.clone() }
    };
    let fields: Vec<Field> = old.union(&new).map(field).collect();
    let has = |change| fields.iter().any(|field| field.change == change);
    let change = match (has(Change::Deleted), has(Change::Added)) {
        (false, false) => Change::None,
        (old, new) => Change::of(old, new),
    };
    Object { change, name: name.to_owned(), parts: Parts { fields, objects: Vec::new() } }
}

/// The plain values of a structure by name; those of maps by name and key.
fn flat(record: Option<&Record>, but: &[&str]) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    let entries = record.into_iter().flat_map(Record::entries).filter(|(field, _)| !but.contains(&field.name));
    for (field, datum) in entries {
        match &datum.value {
            Data::Map(entries) if !matches!(field.kind, Kind::Any | Kind::Keyed(_)) => {
                for (key, value) in entries {
                    flatten(&format!("{}[{key}]", field.name), &value.value, &mut texts);
                }
            }
            value => texts.extend(scalar(value).map(|text| (field.name.to_owned(), text))),
        }
    }
    texts
}

/// All values inside of one, by the way to them.
fn flatten(prefix: &str, data: &Data, texts: &mut BTreeMap<String, String>) {
    match data {
        Data::List(items) => {
            for (at, item) in items.iter().enumerate() {
                flatten(&format!("{prefix}[{at}]"), &item.value, texts);
            }
        }
        Data::Map(entries) => {
            for (key, item) in entries {
                let way = if prefix.is_empty() { key.to_string() } else { format!("{prefix}[{key}]") };
                flatten(&way, &item.value, texts);
            }
        }
        Data::Record(record) => flatten_record(prefix, record, texts),
        Data::Null if prefix.is_empty() => {}
        value => {
            texts.insert(prefix.to_owned(), scalar(value).unwrap_or_else(|| "nil".to_owned()));
        }
    }
}

fn flatten_record(prefix: &str, record: &Record, texts: &mut BTreeMap<String, String>) {
    for (field, datum) in record.entries() {
        flatten(&format!("{prefix}.{}", field.name), &datum.value, texts);
    }
}

fn scalar(data: &Data) -> Option<String> {
    Some(match data {
        Data::Bool(value) => value.to_string(),
        Data::Int(value) => value.to_string(),
        Data::Uint(value) => value.to_string(),
        Data::Float(value) => value.to_string(),
        Data::Text(text) => text.to_string(),
        Data::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        _ => return None,
    })
}

/// The values that differ, by name; with their context all of them.
fn fields(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>, context: bool) -> Vec<Field> {
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let field = |name: &String| {
        let text = |texts: &BTreeMap<String, String>| texts.get(name).cloned().unwrap_or_default();
        let (old, new) = (text(old), text(new));
        // An empty text is as good as none.
        let change = if old == new { Change::None } else { Change::of(!old.is_empty(), !new.is_empty()) };
        (context || change != Change::None).then(|| Field { change, name: name.clone(), old, new })
    };
    names.into_iter().filter_map(field).collect()
}

/// The name of one of several blocks.
fn singular(name: &str) -> String {
    match (name, name.strip_suffix("ies")) {
        ("ReservedPorts", _) => "Static Port".to_owned(),
        ("DynamicPorts", _) => "Dynamic Port".to_owned(),
        (_, Some(stem)) => format!("{stem}y"),
        (name, None) => name.strip_suffix('s').unwrap_or(name).to_owned(),
    }
}
