//! `--fix`: cures what has one safe cure.

use std::collections::BTreeMap;
use std::path::Path;

use hieratic::Error;
use hieratic_lint::{Finding, Fix};

use crate::files::{self, Change, Claim};
use crate::report::Reporter;
use crate::usage::usage;

/// Applies the fixes of findings to their files, to all files or to none, and removes the fixed findings. Returns their
/// number.
pub(super) fn apply(findings: &mut Vec<Finding>, reporter: &Reporter) -> Result<usize, Error> {
    let mut by_file: BTreeMap<String, Vec<Fix>> = BTreeMap::new();
    for fix in findings.iter().flat_map(Finding::fixes) {
        by_file.entry(fix.source.name().to_owned()).or_default().push(fix.clone());
    }
    let mut claims = Vec::new();
    for (name, mut fixes) in by_file {
        let file = Path::new(&name);
        let claim = Claim::acquire(file, reporter)?;
        let text = files::read_text(file).map_err(|error| {
            usage(format!("{name} cannot be read: {error}")).help("run the check again and fix what remains")
        })?;
        if fixes.iter().any(|fix| fix.source.text() != text) {
            let message = format!("{name} changed during the check");
            return Err(usage(message).help("run the check again: nothing was fixed"));
        }
        fixes.sort_by_key(|fix| fix.span.start);
        fixes.dedup_by(|next, fix| next.span.start < fix.span.end || next.span == fix.span);
        claims.push((claim, replace_parts(&text, &fixes)));
    }
    let changes: Vec<Change<'_>> = claims.iter().map(|(claim, text)| Change::new(claim, text.as_bytes())).collect();
    files::replace(&changes)?;
    let before = findings.len();
    findings.retain(|finding| finding.fixes().is_empty());
    Ok(before - findings.len())
}

/// Replaces parts of a string, which are sorted and do not overlap.
fn replace_parts(text: &str, fixes: &[Fix]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for fix in fixes {
        out.push_str(&text[done..fix.span.first()]);
        out.push_str(&fix.text);
        done = fix.span.behind();
    }
    out.push_str(&text[done..]);
    out
}
