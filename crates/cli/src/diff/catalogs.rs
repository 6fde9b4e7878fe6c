//! The catalogs of a comparison.

use std::sync::Arc;

use hieratic::{Compiler, Environment, Error, Limits, Mask, ProgramOutputs, RubyAnswers};
use hieratic_changes::{CatalogReport, compare_catalogs};
use hieratic_comparison::{Nodes, Sides};

use super::DiffArguments;
use crate::place;

/// Compiles the catalogs of all nodes on both sides and compares them.
pub(super) fn compared(
    environments: [&Environment; 2],
    sides: &Sides,
    nodes: &Nodes,
    limits: Limits,
    arguments: &DiffArguments,
    mask: &Mask,
) -> Result<CatalogReport, Error> {
    let DiffArguments { inputs, place, fleet, .. } = arguments;
    let permissions = place::permissions(place);
    let mut subjects = nodes.subjects.clone();
    let facts = subjects.iter_mut().flat_map(|subject| std::iter::once(&mut subject.base).chain(&mut subject.head));
    inputs.set_server_facts(facts, permissions)?;
    let inputs = inputs.read(permissions, &fleet.puppetdb)?;
    let (outputs, answers): (Arc<ProgramOutputs>, Arc<RubyAnswers>) = Default::default();
    let compiler = |environment| {
        let compiler =
            Compiler::limited(environment, limits).sharing_programs(outputs.clone()).sharing_answers(answers.clone());
        inputs.given_to(compiler)
    };
    let [base, head] = environments.map(compiler);
    let classified = |node: &str| inputs.classification(node);
    Ok(compare_catalogs([&base, &head], Some(sides.trees()), &subjects, &classified, mask))
}
