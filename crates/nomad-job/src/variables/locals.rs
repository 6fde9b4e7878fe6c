//! `locals` blocks.
//!
//! A local may refer to others in any order: each is evaluated after the locals that it refers to. A cycle is an error.
//! Every local that fails is reported, but not those that refer to it.

use hieratic_budget::Exhausted;
use hieratic_hcl_eval::{Attribute, Context, Problem, Problems};
use hieratic_hcl_types::{Text, Value};
use hieratic_value::collections::HashMap;

use super::first_attribute;

/// The maximum nesting depth of the value of a local: locals can build on each other without limit.
const MAX_DEPTH: usize = 1000;

/// Evaluates the locals, and returns the object `local`. The last of several with one name wins.
///
/// The context is that of their expressions, without the object `local`.
pub(crate) fn locals(attributes: &[Attribute<'_>], context: &Context<'_>) -> (Value, Problems) {
    let mut evaluation = Evaluation {
        attributes,
        by_name: HashMap::default(),
        state: vec![State::Waiting; attributes.len()],
        values: HashMap::default(),
        problems: Problems::default(),
    };
    for (at, attribute) in attributes.iter().enumerate() {
        evaluation.by_name.entry(&attribute.name).or_default().push(at);
    }
    for at in 0..attributes.len() {
        evaluation.reach(at, context);
    }
    (Value::object(evaluation.values.into_iter().collect()), evaluation.problems)
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Waiting,
    /// Some that it names are evaluated first.
    Entered,
    Done,
    /// Its evaluation failed, or that of a local that it refers to.
    Failed,
}

struct Evaluation<'e, 'a> {
    attributes: &'e [Attribute<'a>],
    by_name: HashMap<&'e str, Vec<usize>>,
    state: Vec<State>,
    values: HashMap<Text, Value>,
    problems: Problems,
}

impl<'e, 'a> Evaluation<'e, 'a> {
    /// Evaluates a local, after those that it refers to.
    fn reach(&mut self, first: usize, context: &Context<'_>) {
        let budget = context.budget();
        // An explicit stack instead of recursion, because chains of locals may be long.
        let mut path = vec![first];
        while let Some(&at) = path.last() {
            match self.state[at] {
                State::Done | State::Failed => {
                    path.pop();
                }
                State::Waiting => {
                    self.state[at] = State::Entered;
                    let named = self.named(at);
                    // Of locals with one name, each that names them names all.
                    if let Err(limit) = budget.steps(named.len() as u64) {
                        self.stop(at, limit);
                        return;
                    }
                    let waiting = named.into_iter().filter(|other| self.state[*other] == State::Waiting);
                    let waiting: Vec<usize> = waiting.collect();
                    path.extend(waiting.into_iter().rev());
                }
                State::Entered => {
                    path.pop();
                    let named = self.named(at);
                    let spoilt = named.into_iter().any(|other| self.state[other] == State::Failed);
                    let done = !spoilt && self.evaluate(at, context);
                    self.state[at] = if done { State::Done } else { State::Failed };
                }
            }
        }
    }

    /// Ends because a limit is reached.
    fn stop(&mut self, at: usize, limit: Exhausted) {
        let help = limit.help().map_or(String::new(), |help| format!(" To continue, {help}."));
        let problem =
            Problem::error("Limit reached", format!("The locals refer to each other too often: {limit}.{help}"));
        self.problems.push(problem.at_range(self.attributes[at].expression.range()));
        self.state.fill(State::Failed);
    }

    /// The locals that a local names.
    fn named(&self, at: usize) -> Vec<usize> {
        let mut named = Vec::new();
        for traversal in self.attributes[at].expression.variables() {
            if &*traversal.root == "local"
                && let Some(others) = first_attribute(&traversal).and_then(|name| self.by_name.get(name))
            {
                named.extend_from_slice(others);
            }
        }
        named
    }

    /// Evaluates a local, and returns whether it has a value.
    fn evaluate(&mut self, at: usize, context: &Context<'_>) -> bool {
        let attribute = &self.attributes[at];
        let own = context.child().with_variables([("local".into(), self.needed(at))]);
        let (value, problems) = attribute.expression.value(&own);
        let mut failed = problems.has_errors();
        self.problems.append(problems);
        if !failed && !value.is_within_depth(MAX_DEPTH) {
            let detail = format!("The value of a local may be nested up to {MAX_DEPTH} levels deep.");
            let problem = Problem::error("Nesting too deep", detail).at_range(attribute.expression.range());
            self.problems.push(problem);
            failed = true;
        }
        if !failed {
            self.values.insert(attribute.name.clone(), value);
        }
        !failed
    }

    /// The object `local`, reduced to the locals that the expression refers to.
    fn needed(&self, at: usize) -> Value {
        let mut needed = Vec::new();
        for traversal in self.attributes[at].expression.variables() {
            if &*traversal.root != "local" {
                continue;
            }
            let Some(name) = first_attribute(&traversal) else {
                let all = self.values.iter().map(|(name, value)| (name.clone(), value.clone()));
                return Value::object(all.collect());
            };
            needed.extend(self.values.get_key_value(name).map(|(name, value)| (name.clone(), value.clone())));
        }
        Value::object(needed)
    }
}
