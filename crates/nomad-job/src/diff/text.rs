//! The text of a difference, as `nomad job plan` prints it.

use std::fmt::Write;

use hieratic_hcl_types::quoted;

use super::block::{Change, FieldDiff, ObjectDiff};
use super::tree::{GroupDiff, JobDiff, TaskDiff};

/// Prints a difference; with all parts of added and deleted groups and tasks if it is to be verbose.
pub(super) fn text(job: &JobDiff, verbose: bool) -> String {
    let mut out = format!("{}Job: {}\n", job.change.marker(), quoted(&job.id));
    let markers = job.groups.iter().map(|group| group.change.marker().len());
    let (field, longest) = widths(&job.fields, &job.objects);
    let longest = markers.chain([longest]).max().unwrap_or_default();
    if job.change == Change::Edited || verbose {
        let before = out.len();
        write(&mut out, &job.fields, &job.objects, 0, field, longest);
        if out.len() > before {
            out.push('\n');
        }
    }
    for one in &job.groups {
        group(&mut out, one, longest, verbose);
        out.push('\n');
    }
    out
}

fn group(out: &mut String, group: &GroupDiff, longest: usize, verbose: bool) {
    let marker = group.change.marker();
    let prefix = longest - marker.len();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{marker}{:prefix$}Task Group: {}", "", quoted(&group.name));
    let (field, inner_marker) = widths(&group.fields, &group.objects);
    let markers = group.tasks.iter().map(|task| task.change.marker().len());
    let longest = markers.chain([inner_marker]).max().unwrap_or_default();
    let start = prefix + 2;
    if group.change == Change::Edited || verbose {
        let before = out.len();
        write(out, &group.fields, &group.objects, start, field, longest);
        if out.len() > before {
            out.push('\n');
        }
    }
    for one in &group.tasks {
        task(out, one, start, longest, verbose);
        out.push('\n');
    }
}

fn task(out: &mut String, task: &TaskDiff, start: usize, longest: usize, verbose: bool) {
    let marker = task.change.marker();
    let prefix = longest - marker.len();
    let _ = write!(out, "{:start$}{marker}{:prefix$}Task: {}", "", "", quoted(&task.name));
    let is_shown = match task.change {
        Change::None => false,
        Change::Edited => true,
        Change::Added | Change::Deleted => verbose,
    };
    if is_shown {
        out.push('\n');
        let (field, longest) = widths(&task.fields, &task.objects);
        write(out, &task.fields, &task.objects, start + 2, field, longest);
    }
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
        let (field, inner_marker) = widths(&object.fields, &object.objects);
        write(out, &object.fields, &object.objects, start + key + 2, field, inner_marker);
        let end = start + marker;
        let _ = write!(out, "\n{:end$}}}", "");
        if fields.len() + at + 1 < count {
            out.push('\n');
        }
    }
}
