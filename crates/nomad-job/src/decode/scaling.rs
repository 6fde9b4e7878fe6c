//! Scaling policies, of groups and of tasks.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/scaling>.

use hieratic_hcl_eval::{AttributeSchema, Block, Body, Problem, Schema};

use super::Decoder;
use crate::normalize::record_mut;
use crate::record::{Data, Datum, Record};
use crate::schema::SCALING_POLICY;

impl<'a> Decoder<'a> {
    /// The policies of a task: one for its processors, one for its memory.
    pub(super) fn scaling_policies(&mut self, blocks: Vec<Block<'a>>) -> Vec<Datum> {
        let mut policies = Vec::new();
        let mut seen: Vec<(&str, &Block<'a>)> = Vec::new();
        for block in blocks.iter().filter(|block| !block.is_unknown) {
            let label = block.labels.first().map(|label| label.to_lowercase()).unwrap_or_default();
            let (name, kind) = match label.as_str() {
                "cpu" => ("cpu", "vertical_cpu"),
                "mem" => ("mem", "vertical_mem"),
                _ => {
                    let detail = "scaling policy name must be \"cpu\" or \"mem\"";
                    let place = block.label_ranges.first().unwrap_or(&block.def_range);
                    self.problems.push(Problem::error("Invalid scaling policy name", detail).at_range(place.clone()));
                    continue;
                }
            };
            if let Some((_, before)) = seen.iter().find(|(value, _)| *value == name) {
                let before = &before.def_range;
                let detail = format!("Only one scaling {name} block is allowed. Another was defined at {before}.");
                let problem = Problem::error(format!("Duplicate scaling \"{name}\" block"), detail);
                self.problems.push(problem.at_range(block.def_range.clone()));
                continue;
            }
            seen.push((name, block));

            let mut policy = self.body(&block.body, &SCALING_POLICY);
            match policy.text("Type").filter(|value| !value.is_empty()) {
                None if policy.is_unknown("Type") => {}
                None => policy.set("Type", kind.into(), None),
                Some(value) if **value == *kind => {}
                Some(value) => {
                    // The two are in the reference's order.
                    let value = hieratic_hcl_types::quoted(value);
                    let detail = format!("Invalid policy type, expected {value} but found \"{kind}\"");
                    let problem = Problem::error("Invalid scaling policy type", detail);
                    self.problems.push(problem.at_range(block.def_range.clone()));
                    continue;
                }
            }
            policies.push(Self::shared(policy, Some(block.def_range.span)));
        }
        policies
    }

    /// Completes and checks the policy of a group.
    pub(super) fn group_scaling(&mut self, group: &mut Record, body: &Body<'a>) {
        let Some(policy) = record_mut(group.get_mut("Scaling")) else { return };
        if policy.is_unknown("Type") {
            return;
        }
        if policy.text("Type").is_none_or(|kind| kind.is_empty()) {
            policy.set("Type", Data::from("horizontal"), None);
        }
        let kind = policy.text("Type").cloned().unwrap_or_default();
        let horizontal = &*kind == "horizontal";
        if horizontal && policy.get("Max").is_some() {
            return;
        }
        let (content, _, problems) = body.partial_content(&Schema::new(&[], &[("scaling", &[])]));
        let Some(block) = content.blocks.first() else {
            self.problems.append(problems);
            return;
        };
        let (content, _, problems) = block.body.partial_content(&Schema {
            attributes: vec![AttributeSchema::required("max"), AttributeSchema::optional("type")],
            blocks: Vec::new(),
        });
        self.problems.append(problems);
        if let (false, Some(attribute)) = (horizontal, content.attribute("type")) {
            let kind = hieratic_hcl_types::quoted(&kind);
            let detail = format!("task group scaling policy had invalid type: {kind}");
            let problem = Problem::error("Invalid group scaling type", detail);
            self.problems.push(problem.at_range(attribute.expression.range()));
        }
    }
}
