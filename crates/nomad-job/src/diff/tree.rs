//! The difference of two jobs as a tree: of the job, its groups and their tasks.

use std::collections::BTreeMap;

use super::block::{Block, Change, FieldDiff, ObjectDiff, compare, fields, parts};
use super::view::{self, GroupView};
use crate::Job;

/// The difference of two jobs.
pub(super) struct JobDiff {
    pub(super) change: Change,
    pub(super) id: String,
    pub(super) fields: Vec<FieldDiff>,
    pub(super) objects: Vec<ObjectDiff>,
    pub(super) groups: Vec<GroupDiff>,
}

/// The difference of a group.
pub(super) struct GroupDiff {
    pub(super) change: Change,
    pub(super) name: String,
    pub(super) fields: Vec<FieldDiff>,
    pub(super) objects: Vec<ObjectDiff>,
    pub(super) tasks: Vec<TaskDiff>,
}

/// The difference of a task.
pub(super) struct TaskDiff {
    pub(super) change: Change,
    pub(super) name: String,
    pub(super) fields: Vec<FieldDiff>,
    pub(super) objects: Vec<ObjectDiff>,
}

/// Compares two jobs of one identifier.
pub(super) fn compare_jobs(old: &Job, new: &Job) -> Option<JobDiff> {
    let (old, new) = (old.record(), new.record());
    let id = new.text("ID")?;
    if old.text("ID") != Some(id) {
        return None;
    }
    let (old, new) = (view::job(old), view::job(new));
    let fields = fields(&old.fields, &new.fields, false);
    let objects: Vec<ObjectDiff> = old.parts.iter().zip(&new.parts).flat_map(|(old, new)| parts(old, new)).collect();
    let groups: Vec<GroupDiff> = by_name(&old.groups, &new.groups, |group| &group.name)
        .into_iter()
        .map(|(name, old, new)| group(name, old, new))
        .collect();
    let is_same = fields.is_empty()
        && objects.iter().all(|object| object.change == Change::None)
        && groups.iter().all(|group| group.change == Change::None);
    let change = if is_same { Change::None } else { Change::Edited };
    Some(JobDiff { change, id: id.to_string(), fields, objects, groups })
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

fn group(name: &str, old: Option<&GroupView>, new: Option<&GroupView>) -> GroupDiff {
    let change = match (old, new) {
        (Some(old), Some(new)) if old.block == new.block && old.tasks == new.tasks => Change::None,
        (old, new) => Change::from_presence(old.is_some(), new.is_some()),
    };
    let object = changes(old.map(|group| &group.block), new.map(|group| &group.block));
    let tasks = |group: Option<&'_ GroupView>| group.map(|group| group.tasks.clone()).unwrap_or_default();
    let (old, new) = (tasks(old), tasks(new));
    let tasks = by_name(&old, &new, |task| &task.key).into_iter().map(|(name, old, new)| task(name, old, new));
    GroupDiff { change, name: name.to_owned(), fields: object.fields, objects: object.objects, tasks: tasks.collect() }
}

fn task(name: &str, old: Option<&Block>, new: Option<&Block>) -> TaskDiff {
    let change = if old == new { Change::None } else { Change::from_presence(old.is_some(), new.is_some()) };
    let object = changes(old, new);
    TaskDiff { change, name: name.to_owned(), fields: object.fields, objects: object.objects }
}

/// Compares a group or a task, with only those of its fields that differ.
fn changes(old: Option<&Block>, new: Option<&Block>) -> ObjectDiff {
    let mut object = compare(old, new).unwrap_or_default();
    object.fields.retain(|field| field.change != Change::None);
    object
}
