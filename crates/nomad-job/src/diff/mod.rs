//! Compares two jobs, in the form of `nomad job plan`.
//!
//! Both jobs are compared with the defaults that a server fills in ([`view`]). Its other additions are missing:
//! side-cars, implied constraints, and the actions of its scheduler.
//!
//! Source of the form: <https://developer.hashicorp.com/nomad/commands/job/plan>.

mod block;
mod connect;
mod read;
mod service;
mod task;
mod view;

use std::collections::BTreeMap;
use std::fmt::Write;

use hieratic_hcl_types::quoted;

use crate::Job;
use block::{Block, Change, FieldDiff, ObjectDiff, compare, fields, parts};
use view::GroupView;

/// Formats the difference between two jobs; `None` if their identifiers differ, because then they are different jobs.
///
/// ```
/// use hieratic_nomad_job::{Job, Options, diff};
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
    let (old, new) = (view::job(old), view::job(new));
    let fields = fields(&old.fields, &new.fields, false);
    let objects: Vec<ObjectDiff> = old.parts.iter().zip(&new.parts).flat_map(|(old, new)| parts(old, new)).collect();
    let groups = by_name(&old.groups, &new.groups, |group| &group.name);
    let is_same = fields.is_empty()
        && objects.iter().all(|object| object.change == Change::None)
        && groups.iter().all(|(_, old, new)| group_change(*old, *new) == Change::None);
    let change = if is_same { Change::None } else { Change::Edited };
    let mut out = format!("{}Job: {}\n", change.marker(), quoted(id));
    let markers = groups.iter().map(|(_, old, new)| group_change(*old, *new).marker().len());
    let (field, longest) = widths(&fields, &objects);
    let longest = markers.chain([longest]).max().unwrap_or_default();
    if change == Change::Edited {
        let before = out.len();
        write(&mut out, &fields, &objects, 0, field, longest);
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

fn group_change(old: Option<&GroupView>, new: Option<&GroupView>) -> Change {
    match (old, new) {
        (Some(old), Some(new)) if old.block == new.block && old.tasks == new.tasks => Change::None,
        (old, new) => Change::from_presence(old.is_some(), new.is_some()),
    }
}

fn task_change(old: Option<&Block>, new: Option<&Block>) -> Change {
    if old == new { Change::None } else { Change::from_presence(old.is_some(), new.is_some()) }
}

type Pair<'v, T> = (&'v str, Option<&'v T>, Option<&'v T>);

/// Pairs the items of both jobs by name, sorted by name.
fn by_name<'v, T>(old: &'v [T], new: &'v [T], name: impl Fn(&T) -> &str) -> Vec<Pair<'v, T>> {
    let mut pairs: BTreeMap<&'v str, (Option<&'v T>, Option<&'v T>)> = BTreeMap::new();
    for item in old {
        pairs.entry(name(item)).or_default().0 = Some(item);
    }
    for item in new {
        pairs.entry(name(item)).or_default().1 = Some(item);
    }
    pairs.into_iter().map(|(name, (old, new))| (name, old, new)).collect()
}

fn group(out: &mut String, name: &str, old: Option<&GroupView>, new: Option<&GroupView>, longest: usize) {
    let change = group_change(old, new);
    let prefix = longest - change.marker().len();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{}{:prefix$}Task Group: {}", change.marker(), "", quoted(name));
    let object = match (old, new) {
        (Some(old), Some(new)) => terse(&old.block, &new.block),
        _ => ObjectDiff::default(),
    };
    let tasks = |group: Option<&'_ GroupView>| group.map(|group| group.tasks.clone()).unwrap_or_default();
    let (old, new) = (tasks(old), tasks(new));
    let tasks = by_name(&old, &new, |task| &task.key);
    let (field, own) = widths(&object.fields, &object.objects);
    let markers = tasks.iter().map(|(_, old, new)| task_change(*old, *new).marker().len());
    let longest = markers.chain([own]).max().unwrap_or_default();
    let start = prefix + 2;
    if change == Change::Edited {
        let before = out.len();
        write(out, &object.fields, &object.objects, start, field, longest);
        if out.len() > before {
            out.push('\n');
        }
    }
    for (name, old, new) in tasks {
        task(out, name, old, new, start, longest);
        out.push('\n');
    }
}

fn task(out: &mut String, name: &str, old: Option<&Block>, new: Option<&Block>, start: usize, longest: usize) {
    let change = task_change(old, new);
    let prefix = longest - change.marker().len();
    let _ = write!(out, "{:start$}{}{:prefix$}Task: {}", "", change.marker(), "", quoted(name));
    if let (Change::Edited, Some(old), Some(new)) = (change, old, new) {
        out.push('\n');
        let object = terse(old, new);
        let (field, longest) = widths(&object.fields, &object.objects);
        write(out, &object.fields, &object.objects, start + 2, field, longest);
    }
}

/// Compares a group or a task, with only those of its fields that differ.
fn terse(old: &Block, new: &Block) -> ObjectDiff {
    let mut object = compare(Some(old), Some(new)).unwrap_or_default();
    object.fields.retain(|field| field.change != Change::None);
    object
}

/// The lengths of the longest name of a field and of the longest marker.
fn widths(fields: &[FieldDiff], objects: &[ObjectDiff]) -> (usize, usize) {
    let names = fields.iter().map(|field| field.name.len());
    let markers = fields.iter().map(|field| field.change).chain(objects.iter().map(|object| object.change));
    (names.max().unwrap_or_default(), markers.map(|change| change.marker().len()).max().unwrap_or_default())
}

fn write(out: &mut String, fields: &[FieldDiff], objects: &[ObjectDiff], start: usize, longest: usize, marker: usize) {
    let count = fields.len() + objects.len();
    for (at, field) in fields.iter().enumerate() {
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
    for (at, object) in objects.iter().enumerate() {
        let key = marker - object.change.marker().len();
        let _ = writeln!(out, "{:start$}{}{:key$}{} {{", "", object.change.marker(), "", object.name);
        let (field, own) = widths(&object.fields, &object.objects);
        write(out, &object.fields, &object.objects, start + key + 2, field, own);
        let end = start + marker;
        let _ = write!(out, "\n{:end$}}}", "");
        if fields.len() + at + 1 < count {
            out.push('\n');
        }
    }
}
