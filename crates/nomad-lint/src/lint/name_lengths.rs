//! Names that are too long for the systems that Nomad uses.

use hieratic_hcl_types::quoted;
use hieratic_nomad_job::Job;
use hieratic_nomad_job::record::Data;

use super::remark;
use crate::block::Block;
use crate::finding::Finding;
use crate::rule::Rule;

/// Nomad writes the output of a task through the pipe `.NAME.stdout.fifo`, and names of files have at most 255 bytes.
const MAX_TASK: usize = 255 - ".".len() - ".stdout.fifo".len();

/// The maximum length of a host name in Linux.
const MAX_HOST: usize = 64;

/// Reports a task whose name is too long for its files, and a container whose host name is too long.
pub(super) fn check(job: &Job, task: &Block<'_>, found: &mut Vec<Finding>) {
    let name = task.text("Name");
    if name.len() > MAX_TASK {
        let message = format!(
            "the name of the task has {} bytes, and its files cannot be named after it; at most {MAX_TASK} are possible",
            name.len()
        );
        let field = task.at("Name");
        found.push(remark(Rule::NameLength, message, field.path(), field.range()));
    }
    if !matches!(task.text("Driver"), "docker" | "podman") {
        return;
    }
    let host = task.map("Config").iter().find(|(key, _)| &**key == "hostname").map(|(_, datum)| datum);
    if let Some((datum, Data::Text(host))) = host.map(|datum| (datum, &datum.value))
        && host.len() > MAX_HOST
        && !host.contains("${")
    {
        let message = format!("the host name {} has more than {MAX_HOST} letters", quoted(host));
        let path = format!("{}[\"hostname\"]", task.at("Config").path());
        found.push(remark(Rule::NameLength, message, path, job.place(datum)));
    }
}
