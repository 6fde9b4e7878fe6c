//! Node pools, as `nomad node pool apply` reads them and a server accepts them.
//!
//! The rules are those of <https://developer.hashicorp.com/nomad/docs/other-specifications/node-pool>.

use hieratic_budget::Budget;
use hieratic_hcl_eval::{Context, File, Problem, Problems, Range, Span};
use hieratic_hcl_types::quoted;

use crate::decode::Decoder;
use crate::record::{Data, Record};
use crate::schema::NODE_POOL_FILE;

/// The longest name.
const MAX_NAME: usize = 128;

/// The longest description, in bytes.
const MAX_DESCRIPTION: usize = 256;

/// Checks the file of a node pool. Its expressions have neither variables nor functions.
///
/// ```
/// use hieratic_budget::Budget;
/// use hieratic_nomad_job::check_node_pool;
///
/// let source = "node_pool \"gpu\" {\n  descripton = \"GPUs\"\n}\n";
/// let problems = check_node_pool("gpu.hcl", source, &Budget::default());
/// let first = problems.iter().next().unwrap().to_string();
/// assert!(first.ends_with(r#"An argument named "descripton" is not expected here. Did you mean "description"?"#));
/// ```
pub fn check_node_pool(path: &str, source: impl Into<Vec<u8>>, budget: &Budget) -> Problems {
    let file = File::native(path, source);
    let mut problems = file.problems().clone();
    if problems.has_errors() {
        return problems;
    }
    let context = Context::new().with_budget(budget);
    let mut decoder = Decoder::new(&context, false);
    let record = decoder.body(&file.body(), &NODE_POOL_FILE);
    problems.append(decoder.take_problems());
    if !problems.has_errors()
        && let Some(pool) = record.record("NodePool")
    {
        let at = |span: Span| Range::new(file.source().clone(), span);
        problems.append(rules(pool, &at));
    }
    problems
}

/// The rules of a server.
fn rules(pool: &Record, at: &dyn Fn(Span) -> Range) -> Problems {
    let mut problems = Problems::default();
    let mut report = |of: &Record, field: &str, summary: &'static str, detail: String| {
        let problem = Problem::error(summary, detail);
        let place = of.get(field).and_then(|datum| datum.place);
        problems.push(match place {
            Some(span) => problem.at_range(at(span)),
            None => problem,
        });
    };
    if let Some(name) = pool.text("Name") {
        let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
        if name.is_empty() || name.len() > MAX_NAME || !name.chars().all(is_allowed) {
            let detail =
                format!("The name {} may only have letters, digits, - and _, and at most {MAX_NAME}.", quoted(name));
            report(pool, "Name", "Invalid name of a node pool", detail);
        } else if matches!(&**name, "all" | "default") {
            let detail = format!("The node pool {} is built in and cannot be changed.", quoted(name));
            report(pool, "Name", "Invalid name of a node pool", detail);
        }
    }
    if pool.text("Description").is_some_and(|text| text.len() > MAX_DESCRIPTION) {
        let detail = format!("A description may have at most {MAX_DESCRIPTION} bytes.");
        report(pool, "Description", "Description too long", detail);
    }
    if let Some(Data::Record(scheduler)) = pool.get("SchedulerConfiguration").map(|datum| &datum.value)
        && let Some(algorithm) = scheduler.text("SchedulerAlgorithm")
        && !matches!(&**algorithm, "" | "binpack" | "spread")
    {
        let detail = format!("The algorithm {} does not exist: write \"binpack\" or \"spread\".", quoted(algorithm));
        report(scheduler, "SchedulerAlgorithm", "Invalid scheduler algorithm", detail);
    }
    problems
}
