//! Comments that [ignore](crate::Ignores) an unknown code, or a code without a finding on the line.

use hieratic::value::collections::HashSet;
use hieratic_diagnostics::Source;

use crate::comments::{IgnoredCode, IgnoredLines, Ignores};
use crate::finding::Finding;
use crate::options::Options;
use crate::rules::{self, Rule, unused_ignore};

/// The rules whose findings end the check of a file: what else is wrong with it is not known.
const OF_SYNTAX: &[&Rule] = &[
    &rules::UNREADABLE,
    &rules::MANIFEST,
    &rules::DATA_SYNTAX,
    &rules::HCL_SYNTAX,
    &rules::TEMPLATE_SYNTAX,
    &rules::CONFLICT_MARKER,
];

/// A file with comments that ignore findings.
#[derive(Clone, Debug)]
pub(crate) struct Commented {
    /// The text.
    pub(crate) source: Source,
    /// Whether it was checked together with everything that it depends on.
    pub(crate) is_whole: bool,
}

/// Removes the findings that comments ignore, and adds findings about these comments. Returns the number of ignored
/// findings.
pub(crate) fn apply(findings: &mut Vec<Finding>, commented: &[Commented], options: &Options) -> usize {
    let mut used: HashSet<(String, u32, String)> = HashSet::default();
    let mut broken: HashSet<String> = HashSet::default();
    let before = findings.len();
    let mut lines = IgnoredLines::default();
    findings.retain(|finding| {
        if OF_SYNTAX.iter().any(|rule| rule.id() == finding.rule.id()) && finding.is_error() {
            broken.insert(finding.file().to_owned());
        }
        match lines.accepted(finding) {
            Some((line, code)) => {
                used.insert((finding.file().to_owned(), line, code));
                false
            }
            None => true,
        }
    });
    let ignored = before - findings.len();
    for Commented { source, is_whole } in commented {
        let is_judged = *is_whole && !broken.contains(source.name());
        for IgnoredCode { line, span, code } in Ignores::in_text(source) {
            if !is_known(code) {
                // Words after the codes are an explanation.
                let before = source.text()[..span.range().start].trim_end();
                if before.ends_with(',') || before.ends_with("ignore") {
                    findings.push(unused_ignore::unknown(source, span, code));
                }
            } else if is_judged
                && rules::selected_by(code).iter().any(|rule| is_judged_whole(rule, options))
                && !used.contains(&(source.name().to_owned(), line, code.to_owned()))
            {
                findings.push(unused_ignore::without_finding(source, span, code));
            }
        }
    }
    ignored
}

/// Returns whether a code belongs to a rule, or is a more specific one of a language.
fn is_known(code: &str) -> bool {
    !rules::selected_by(code).is_empty() || hieratic::codes::all().any(|known| known == code)
}

/// Returns whether the check makes all findings of a rule. Secrets are only checked as far as their keys are available.
fn is_judged_whole(rule: &Rule, options: &Options) -> bool {
    options.runs(rule) && rule.id() != rules::UNDECRYPTABLE_SECRET.id()
}
