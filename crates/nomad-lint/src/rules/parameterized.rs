//! Jobs that are launched with parameters.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/parameterized>.

use hieratic_hcl_types::quoted;

use super::Scope;
use crate::block::Block;
use crate::go::text::list;
use crate::report::Report;

/// Checks a `parameterized` block.
pub(super) fn check(scope: &Scope<'_>, block: &Block<'_>, report: &mut Report) {
    if !scope.kind.ends() {
        report.add(block.path(), "Parameterized job can only be used with \"batch\" or \"sysbatch\" scheduler");
    }
    report.bare_list(|report| {
        match block.text("Payload") {
            "" | "optional" | "required" | "forbidden" => {}
            other => report.add(block.at("Payload"), format!("Unknown payload requirement: {}", quoted(other))),
        }
        let optional: Vec<&str> = block.texts("MetaOptional").collect();
        let mut both: Vec<&str> = block.texts("MetaRequired").filter(|key| optional.contains(key)).collect();
        both.sort_unstable();
        both.dedup();
        if !both.is_empty() {
            let message = format!(
                "Required and optional meta keys should be disjoint. Following keys exist in both: {}",
                list(&both)
            );
            report.add(block.at("MetaOptional"), message);
        }
    });
}
