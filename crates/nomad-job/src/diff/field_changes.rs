//! The difference as a list of fields.

use super::block::{Change, FieldDiff, ObjectDiff};
use super::tree::{GroupDiff, JobDiff, TaskDiff};

/// A field that differs between two jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldChange {
    /// The path: the names of the group, the task, the blocks and the field.
    pub path: Vec<String>,
    /// The value before the change. `None` if there was none.
    pub old: Option<String>,
    /// The value after the change. `None` if there is none.
    pub new: Option<String>,
}

/// Returns the fields that differ.
pub(super) fn field_changes(job: &JobDiff) -> Vec<FieldChange> {
    let mut list = FieldList::default();
    list.add_parts(&job.fields, &job.objects);
    job.groups.iter().for_each(|group| list.add_group(group));
    list.changes
}

#[derive(Default)]
struct FieldList {
    /// The names that lead to the current part.
    path: Vec<String>,
    changes: Vec<FieldChange>,
}

impl FieldList {
    fn add_group(&mut self, group: &GroupDiff) {
        self.path.push(group.name.clone());
        if !self.add_whole(group.change, "group") {
            self.add_parts(&group.fields, &group.objects);
            group.tasks.iter().for_each(|task| self.add_task(task));
        }
        self.path.pop();
    }

    fn add_task(&mut self, task: &TaskDiff) {
        self.path.push(task.name.clone());
        if !self.add_whole(task.change, "task") {
            self.add_parts(&task.fields, &task.objects);
        }
        self.path.pop();
    }

    /// Adds a group or a task that one side alone has; returns whether it is one.
    fn add_whole(&mut self, change: Change, kind: &str) -> bool {
        let kind = Some(kind.to_owned());
        let (old, new) = match change {
            Change::Added => (None, kind),
            Change::Deleted => (kind, None),
            Change::None | Change::Edited => return false,
        };
        self.changes.push(FieldChange { path: self.path.clone(), old, new });
        true
    }

    fn add_parts(&mut self, fields: &[FieldDiff], objects: &[ObjectDiff]) {
        for field in fields {
            let (old, new) = match field.change {
                Change::None => continue,
                Change::Added => (None, Some(field.new.clone())),
                Change::Deleted => (Some(field.old.clone()), None),
                Change::Edited => (Some(field.old.clone()), Some(field.new.clone())),
            };
            self.path.push(field.name.clone());
            self.changes.push(FieldChange { path: self.path.clone(), old, new });
            self.path.pop();
        }
        for object in objects {
            self.path.push(object.name.to_owned());
            self.add_parts(&object.fields, &object.objects);
            self.path.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Difference, Job, Options};

    fn job(inside: &str) -> Job {
        Job::parse(format!("job \"a\" {{\n{inside}\n}}\n"), &Options::default()).unwrap()
    }

    #[test]
    fn fields_are_listed_with_the_names_that_lead_to_them() {
        let old =
            job("group \"g\" {\n count = 1\n task \"t\" {\n driver = \"docker\"\n config { image = \"a:1\" }\n }\n}");
        let new = job(
            "group \"g\" {\n count = 2\n task \"t\" {\n driver = \"docker\"\n config { image = \"a:2\" }\n }\n task \"u\" {}\n}\ngroup \"h\" {\n task \"v\" {}\n}",
        );
        let list = Difference::between(&old, &new).unwrap().field_changes();
        let shown = list.iter().map(|change| (change.path.join(" "), change.old.as_deref(), change.new.as_deref()));
        assert_eq!(
            shown.collect::<Vec<_>>(),
            [
                ("g Count".to_owned(), Some("1"), Some("2")),
                ("g t Config image".to_owned(), Some("a:1"), Some("a:2")),
                ("g u".to_owned(), None, Some("task")),
                ("h".to_owned(), None, Some("group")),
            ]
        );
    }

    #[test]
    fn equal_jobs_have_no_changes() {
        let one = job("group \"g\" {\n task \"t\" {}\n}");
        assert!(Difference::between(&one, &one).unwrap().field_changes().is_empty());
    }
}
