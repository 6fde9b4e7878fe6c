//! The difference as the member `Diff` of `nomad job plan -json-output`.

use hieratic_json::write::{Escapes, quote};

use super::block::{Change, FieldDiff, ObjectDiff};
use super::tree::{GroupDiff, JobDiff, TaskDiff};

/// Returns the JSON on one line.
pub(super) fn json(job: &JobDiff) -> String {
    let mut out = String::new();
    begin(job.change, "ID", &job.id, &mut out);
    parts(&job.fields, &job.objects, &mut out);
    out.push_str(",\"TaskGroups\":");
    list(&job.groups, &mut out, group);
    out.push('}');
    out
}

fn group(group: &GroupDiff, out: &mut String) {
    begin(group.change, "Name", &group.name, out);
    parts(&group.fields, &group.objects, out);
    out.push_str(",\"Tasks\":");
    list(&group.tasks, out, task);
    // Only a scheduler knows the number of allocations.
    out.push_str(",\"Updates\":null}");
}

fn task(task: &TaskDiff, out: &mut String) {
    begin(task.change, "Name", &task.name, out);
    parts(&task.fields, &task.objects, out);
    out.push_str(",\"Annotations\":null}");
}

fn object(object: &ObjectDiff, out: &mut String) {
    begin(object.change, "Name", object.name, out);
    parts(&object.fields, &object.objects, out);
    out.push('}');
}

fn field(field: &FieldDiff, out: &mut String) {
    begin(field.change, "Name", &field.name, out);
    for (name, value) in [("Old", &field.old), ("New", &field.new)] {
        out.push_str(&format!(",\"{name}\":"));
        quote(out, value, Escapes::Html);
    }
    out.push_str(",\"Annotations\":null}");
}

fn begin(change: Change, key: &str, name: &str, out: &mut String) {
    out.push_str(&format!("{{\"Type\":\"{}\",\"{key}\":", change.name()));
    quote(out, name, Escapes::Html);
}

fn parts(fields: &[FieldDiff], objects: &[ObjectDiff], out: &mut String) {
    out.push_str(",\"Fields\":");
    list(fields, out, field);
    out.push_str(",\"Objects\":");
    list(objects, out, object);
}

/// Writes a list; one without elements is null, as in the reference.
fn list<T>(items: &[T], out: &mut String, write: impl Fn(&T, &mut String)) {
    if items.is_empty() {
        out.push_str("null");
        return;
    }
    for (at, item) in items.iter().enumerate() {
        out.push(if at == 0 { '[' } else { ',' });
        write(item, out);
    }
    out.push(']');
}
