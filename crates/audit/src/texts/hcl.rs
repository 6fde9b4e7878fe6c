//! Jobs, variable files and other files of HCL.

use hieratic::HclTeller;
use hieratic_diagnostics::Source;
use hieratic_hcl_syntax::{Source as HclSource, parse_config};

use crate::finding::Finding;
use crate::rules;

/// What keeps a file from being read.
pub(crate) fn check(source: &Source) -> Vec<Finding> {
    let parsed = parse_config(HclSource::new(source.name(), source.text()));
    let told = HclTeller::default().tell_all(&parsed.diagnostics);
    told.into_iter().map(|problem| Finding::of(&rules::HCL_SYNTAX, problem)).collect()
}
