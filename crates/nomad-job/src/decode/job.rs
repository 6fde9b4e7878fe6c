//! The `job` block.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/job>.

use hieratic_hcl_eval::{Block, Problem, Schema, dynamic};

use super::Decoder;
use crate::normalize::Extras;
use crate::record::{Datum, Record};
use crate::schema::{JOB, SECRET, TASK, VAULT};

/// Decodes the first of these blocks as the job, and reports missing or additional blocks.
pub(crate) fn decode_job<'a>(decoder: &mut Decoder<'a>, blocks: &[Block<'a>]) -> Option<(Record, Extras)> {
    let Some((block, others)) = blocks.split_first() else {
        decoder.problems.push(Problem::error("Missing job block", "A job block is required"));
        return None;
    };
    let decoded = decoder.job(block);
    others.iter().for_each(|other| decoder.duplicate(other, block));
    Some(decoded)
}

impl<'a> Decoder<'a> {
    fn job(&mut self, block: &Block<'a>) -> (Record, Extras) {
        let body = dynamic::expand(block.body.clone(), self.context);
        let (meta, body) = self.map_argument(&body, "meta");
        let schema = Schema::new(&[], &[("vault", &[]), ("secret", &["name"]), ("task", &["name"])]);
        let (content, rest, problems) = body.partial_content(&schema);
        self.problems.append(problems);
        let mut extras = self.extras(&content.blocks);
        extras.name = block.labels.first().cloned().zip(block.label_ranges.first().map(|range| range.span));

        let mut record = self.body(&rest, &JOB);
        if let Some(Datum { value, place }) = meta {
            record.set("Meta", value, place);
        }
        (record, extras)
    }

    /// Decodes the parts of the job that are not its fields.
    fn extras(&mut self, blocks: &[Block<'a>]) -> Extras {
        let mut extras = Extras::default();
        let mut vault: Option<&Block<'a>> = None;
        for block in blocks {
            match (&*block.kind, vault) {
                ("vault", Some(before)) => self.duplicate(block, before),
                ("vault", None) => {
                    vault = Some(block);
                    let place = Some(block.def_range.span);
                    extras.vault = Some(Self::shared(self.body(&block.body, &VAULT), place));
                }
                ("task", _) => extras.tasks.push(self.block(block, &TASK)),
                _ => extras.secrets.push(self.block(block, &SECRET)),
            }
        }
        extras
    }

    fn duplicate(&mut self, block: &Block<'a>, before: &Block<'a>) {
        let (kind, before) = (&block.kind, &before.def_range);
        let detail = format!("Only one block of type \"{kind}\" is allowed. Previous definition was at {before}.");
        let problem = Problem::error(format!("Duplicate {kind} block"), detail);
        self.problems.push(problem.at_range(block.def_range.clone()));
    }
}
