//! Jobs, variable files and other files of HCL.

use hieratic::hcl_diagnostic;
use hieratic_diagnostics::Source;
use hieratic_hcl_syntax::{Source as HclSource, parse_config};

use crate::finding::Finding;
use crate::rules;

/// What keeps a file from being read.
pub(crate) fn check(source: &Source) -> Vec<Finding> {
    let parsed = parse_config(HclSource::new(source.name(), source.text()));
    parsed.diagnostics.iter().map(|problem| Finding::of(&rules::HCL_SYNTAX, hcl_diagnostic(problem))).collect()
}
