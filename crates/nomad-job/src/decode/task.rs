//! Tasks.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/task>.

use std::sync::Arc;

use hieratic_hcl_eval::{Body, Problem, Problems, Schema, Span};

use super::Decoder;
use crate::record::{Data, Datum, Record};
use crate::schema::{Kind, Scalar, Struct};

impl<'a> Decoder<'a> {
    pub(super) fn task(&mut self, body: &Body<'a>, shape: &'static Struct) -> Record {
        let (env, body) = self.map_argument(body, "env");
        let (meta, body) = self.map_argument(&body, "meta");
        let (content, rest, problems) = body.partial_content(&Schema::new(&[], &[("scaling", &["name"])]));
        self.problems.append(problems);
        let policies = self.scaling_policies(content.blocks);
        let mut record = self.fields(&rest, shape);
        for (name, value) in [("Env", env), ("Meta", meta)] {
            if let Some(Datum { value, place }) = value {
                record.set(name, value, place);
            }
        }
        if !policies.is_empty() {
            record.set("ScalingPolicies", Data::List(policies), None);
        }
        record
    }

    /// Takes a map that may be written as an argument from a body.
    ///
    /// If it is not an argument, the body is returned unchanged, and the map is decoded as a block. An argument allows
    /// keys that are not valid in a block: `meta = { "a.b" = 1 }`.
    pub(super) fn map_argument(&mut self, body: &Body<'a>, name: &'static str) -> (Option<Datum>, Body<'a>) {
        let (mut content, rest, problems) = body.partial_content(&Schema::new(&[name], &[]));
        let attribute = match content.attributes.pop() {
            Some(attribute) if !problems.has_errors() => attribute,
            // Errors are met again when the block is looked for.
            _ => return (None, body.clone()),
        };
        self.problems.append(problems);
        let (blocks, _, _) = rest.partial_content(&Schema::new(&[], &[(name, &[])]));
        if let Some(block) = blocks.blocks.first() {
            let detail = format!(
                "{name} may not be defined more than once. Another definition is defined at {}.",
                attribute.range
            );
            let problem = Problem::error(format!("Duplicate {name} block"), detail);
            self.problems.push(problem.at_range(block.def_range.clone()));
            return (None, rest);
        }
        let place = Some(attribute.expression.range().span);
        let value = match self.expression(Kind::Map(Scalar::Text), &attribute.expression) {
            // The map is empty, but present: only `null` removes it.
            None => Data::Map(Vec::new()),
            Some(value) => value,
        };
        (Some(Datum { value, place }), rest)
    }

    /// Decodes a part whose messages the reference drops.
    pub(super) fn silently<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::take(&mut self.problems);
        let result = read(self);
        self.problems = before;
        result
    }

    /// Takes the messages so far.
    pub(crate) fn take_problems(&mut self) -> Problems {
        std::mem::take(&mut self.problems)
    }

    /// A block with a label as a shared record.
    pub(super) fn shared(record: Record, place: Option<Span>) -> Datum {
        Datum { value: Data::Record(Arc::new(record)), place }
    }
}
