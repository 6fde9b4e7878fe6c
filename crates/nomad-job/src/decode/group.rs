//! Groups, which pass `vault` and `secret` on to their tasks.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/group>.

use hieratic_hcl_eval::{Body, Schema};

use super::Decoder;
use crate::normalize::records_mut;
use crate::record::{Data, Datum, Record};
use crate::schema::{SECRET, Struct, VAULT};

impl<'a> Decoder<'a> {
    pub(super) fn group(&mut self, body: &Body<'a>, shape: &'static Struct) -> Record {
        let before = self.take_problems();
        let (meta, body) = self.map_argument(body, "meta");
        let inherited = Schema::new(&[], &[("secret", &["name"]), ("vault", &[])]);
        let (content, rest, problems) = body.partial_content(&inherited);
        self.problems.append(problems);
        let found = std::mem::replace(&mut self.problems, before);
        if !found.is_empty() {
            self.problems.append(found);
            return Record::new(shape);
        }

        let (mut vault, mut secrets) = (None, Vec::new());
        // The reference drops errors in these blocks, and accepts the job.
        self.silently(|decoder| {
            for block in &content.blocks {
                match &*block.kind {
                    // Of several the last counts.
                    "vault" => {
                        let place = Some(block.def_range.span);
                        vault = Some(Self::shared(decoder.body(&block.body, &VAULT), place));
                    }
                    _ => secrets.push(decoder.block(block, &SECRET)),
                }
            }
        });

        let mut record = self.fields(&rest, shape);
        if let Some(Datum { value, place }) = meta {
            record.set("Meta", value, place);
        }
        for task in records_mut(record.get_mut("Tasks")) {
            inherit(task, vault.as_ref(), &secrets);
        }
        self.group_scaling(&mut record, &rest);
        record
    }
}

/// Adds the values that a task inherits from its group.
fn inherit(task: &mut Record, vault: Option<&Datum>, secrets: &[Datum]) {
    if let (None, Some(vault)) = (task.get("Vault"), vault) {
        task.set("Vault", vault.value.clone(), vault.place);
    }
    if !secrets.is_empty() {
        // As in the reference, a task with its own secrets gets them twice, and not the secrets of the group.
        let value = task.list("Secrets");
        let all = if value.is_empty() { secrets.to_vec() } else { [value, value].concat() };
        task.set("Secrets", Data::List(all), None);
    }
}
