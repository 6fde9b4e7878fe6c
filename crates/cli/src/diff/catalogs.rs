//! The catalogs of a comparison.

use std::sync::Arc;

use hieratic::catalog::ProgramOutputs;
use hieratic::code::RubyMemo;
use hieratic::{Compiler, Environment, Error, Limits};
use hieratic_impact::{CatalogOptions, CatalogReport, Diff, Ignore, Rule, compare_catalogs};
use hieratic_report::{Nodes, Sides};

use super::Comparison;
use super::flags::{DiffArguments, IgnoreArguments};
use crate::target;
use crate::usage::usage;

/// Compiles the catalogs of all nodes on both sides and compares them.
pub(super) fn compare(
    environments: Diff<&Environment>,
    sides: &Sides,
    nodes: &Nodes,
    limits: Limits,
    comparison: &Comparison<'_>,
) -> Result<CatalogReport, Error> {
    let Comparison { arguments, ignore, bar, reporter, .. } = comparison;
    let DiffArguments { inputs, place, fleet, .. } = arguments;
    let permissions = target::permissions(place);
    let mut subjects = nodes.subjects.clone();
    let facts = subjects.iter_mut().flat_map(|subject| std::iter::once(&mut subject.base).chain(&mut subject.head));
    inputs.set_server_facts(facts, environments.head.puppet_version(), permissions)?;
    let inputs = inputs.read(permissions, &fleet.puppetdb)?;
    let (outputs, answers): (Arc<ProgramOutputs>, Arc<RubyMemo>) = Default::default();
    let compiler = |environment| {
        let compiler =
            Compiler::limited(environment, limits).sharing_programs(outputs.clone()).sharing_answers(answers.clone());
        inputs.given_to(compiler)
    };
    let compilers = environments.map(compiler);
    let classified = |node: &str| inputs.classification(node);
    let (trees, redactor) = (Some(sides.trees()), reporter.redactor());
    let catalogs = CatalogOptions { classified: &classified, ignore, redactor, progress: *bar };
    Ok(compare_catalogs(compilers.as_ref(), trees, &subjects, &catalogs))
}

/// Returns the rules for ignored changes of catalogs.
///
/// # Errors
/// A flag about catalogs without `--catalogs`.
pub(super) fn ignore_rules(arguments: &DiffArguments) -> Result<Ignore, Error> {
    let IgnoreArguments { ignore, ignore_attr, ignore_tags } = &arguments.ignore;
    if !arguments.catalogs {
        if arguments.inputs.any() {
            return Err(usage("--enc, --exported, --puppetdb-answers and --server-facts are for catalogs")
                .help("add --catalogs"));
        }
        if !ignore.is_empty() || !ignore_attr.is_empty() || !ignore_tags.is_empty() {
            return Err(usage("--ignore, --ignore-attr and --ignore-tags are for catalogs").help("add --catalogs"));
        }
    }
    let rule = |text: &String| {
        let wrong = |message: String| usage(format!("'{text}' names no resources to ignore")).help(message);
        text.parse::<Rule>().map_err(wrong)
    };
    let rules = ignore.iter().map(rule).collect::<Result<Vec<Rule>, Error>>()?;
    Ok(Ignore { rules, attributes: ignore_attr.clone(), tags: ignore_tags.clone() })
}
