//! The values that plugins define. They are evaluated last, in the order of the structures.

use std::sync::Arc;

use hieratic_hcl_eval::{Problem, Problems};

use super::{Decoder, assign::ValueBudget, maps::MapItem};
use crate::record::{Data, Datum, Record};

impl<'a> Decoder<'a> {
    /// Leaves an expression for later.
    pub(super) fn defer(&mut self, item: MapItem<'a>) -> Data {
        // Each takes at least a byte of a source that is shorter than 4 GiB.
        let number = self.pending.len() as u32;
        self.pending.push(item);
        Data::Pending(number)
    }

    /// Evaluates the pending expressions of the job, then of the others, each once.
    pub(crate) fn evaluate_pending<'r>(
        &self,
        job: &'r mut Record,
        others: impl Iterator<Item = &'r mut Datum>,
    ) -> Problems {
        let mut settled = PendingResults {
            results: vec![None; self.pending.len()],
            budget: ValueBudget::new(self.gaps),
            problems: Problems::default(),
            warnings: Problems::default(),
        };
        for datum in job.data_mut().chain(others) {
            self.evaluate_datum(datum, &mut settled);
        }
        // The reference prints only the first problem and the number of the others, so warnings must not follow errors.
        if !settled.problems.has_errors() {
            settled.problems.append(settled.warnings);
        }
        settled.problems
    }

    fn evaluate_datum(&self, datum: &mut Datum, settled: &mut PendingResults) {
        match &mut datum.value {
            Data::Pending(number) => datum.value = self.evaluate(*number as usize, settled),
            Data::List(items) => items.iter_mut().for_each(|item| self.evaluate_datum(item, settled)),
            Data::Map(entries) => {
                // An entry whose value is null is removed.
                let mut was_pending = Vec::with_capacity(entries.len());
                for (_, value) in entries.iter_mut() {
                    was_pending.push(matches!(value.value, Data::Pending(_)));
                    self.evaluate_datum(value, settled);
                }
                let mut was_pending = was_pending.into_iter();
                entries.retain(|(_, value)| !(was_pending.next() == Some(true) && value.value == Data::Null));
            }
            Data::Record(record) => {
                Arc::make_mut(record).data_mut().for_each(|value| self.evaluate_datum(value, settled));
            }
            _ => {}
        }
    }

    fn evaluate(&self, number: usize, settled: &mut PendingResults) -> Data {
        let Some(item) = self.pending.get(number) else { return Data::Null };
        if let Some(known) = &settled.results[number] {
            return known.clone();
        }
        let (value, problems) = item.value(self.context);
        let follows = problems.has_errors();
        settled.problems.append(problems);
        let data = settled.budget.any(&value).unwrap_or_else(|failure| {
            let problem = Problem::error("unsuitable value type", format!("Unsuitable value: {failure}"));
            let problem = problem.at_range(item.start_range()).with_follows(follows);
            settled.problems.push(Problem { context: Some(item.range()), ..problem });
            Data::Null
        });
        if settled.budget.has_lost_keys() {
            let detail = "For plugins, Nomad converts a map whose values are maps or objects to a list and drops its keys. Variables \
                          of types such as map(object({...})) are such maps. Objects keep their keys, for example the result of \
                          { for name, value in var.x : name => value }.";
            let problem = Problem::error("Lost keys of a map", detail).as_warning();
            let problem = problem.at_range(item.start_range());
            settled.warnings.push(Problem { context: Some(item.range()), ..problem });
        }
        settled.results[number] = Some(data.clone());
        data
    }
}

/// The results so far: values that tasks inherit occur several times.
struct PendingResults {
    results: Vec<Option<Data>>,
    budget: ValueBudget,
    /// The problems that the reference reports, too.
    problems: Problems,
    /// The problems that the reference does not report.
    warnings: Problems,
}
