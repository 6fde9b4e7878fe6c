//! `--fix`: applies the safe fixes of findings.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use hieratic::Error;
use hieratic::value::ErasedSort as _;
use hieratic_lint::{Finding, Fix, Options, restyle};

use crate::files::{self, Change, Claim};
use crate::report::Reporter;
use crate::usage::usage;

/// Applies the fixes of findings to their files, to all files or to none, and removes the fixed findings. Returns their
/// number.
pub(super) fn apply(findings: &mut Vec<Finding>, options: &Options, reporter: &Reporter) -> Result<usize, Error> {
    let mut by_file: BTreeMap<String, FileFixes> = BTreeMap::new();
    for fix in findings.iter().flat_map(Finding::fixes) {
        by_file.entry(fix.source.name().to_owned()).or_default().edits.push(fix.clone());
    }
    for finding in findings.iter().filter(|finding| finding.is_restyled()) {
        by_file.entry(finding.file().to_owned()).or_default().is_restyled = true;
    }
    let mut claims = Vec::new();
    let mut restyled = BTreeSet::new();
    for (name, mut fixes) in by_file {
        let file = Path::new(&name);
        let claim = Claim::acquire(file, reporter)?;
        let text = files::read_text(file).map_err(|error| {
            usage(format!("{name} cannot be read: {error}")).help("run the check again and fix what remains")
        })?;
        if fixes.edits.iter().any(|fix| fix.source.text() != text) {
            let message = format!("{name} changed during the check");
            return Err(usage(message).help("run the check again: nothing was fixed"));
        }
        let mut fixed = fixes.apply_edits(&text);
        if let Some(style) = options.style.as_ref().filter(|_| fixes.is_restyled)
            && let Some(text) = restyle(file, &fixed, style, &options.settings.limits)
        {
            fixed = text;
            restyled.insert(name.clone());
        }
        claims.push((claim, fixed));
    }
    let changes: Vec<Change<'_>> = claims.iter().map(|(claim, text)| Change::new(claim, text.as_bytes())).collect();
    files::replace(&changes)?;
    let before = findings.len();
    let is_fixed =
        |finding: &Finding| !finding.fixes().is_empty() || finding.is_restyled() && restyled.contains(finding.file());
    findings.retain(|finding| !is_fixed(finding));
    Ok(before - findings.len())
}

/// The fixes of a file.
#[derive(Default)]
struct FileFixes {
    edits: Vec<Fix>,
    /// Whether its style is to be fixed, after the edits.
    is_restyled: bool,
}

impl FileFixes {
    /// The text with all edits.
    fn apply_edits(&mut self, text: &str) -> String {
        self.edits.sort_erased_by_key(|fix| fix.span.start);
        self.edits.dedup_by(|next, fix| next.span.start < fix.span.end || next.span == fix.span);
        replace_parts(text, &self.edits)
    }
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
