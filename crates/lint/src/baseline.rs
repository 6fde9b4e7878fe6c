//! [`Baseline`]: the accepted findings of a team.

use std::path::Path;

use hieratic::value::ErasedSort as _;
use hieratic::value::collections::{HashMap, HashSet};
use serde_json::{Value as Json, json};

use crate::finding::{Finding, file_from};

/// The version of the file's format.
const VERSION: u64 = 1;

/// Findings that a team has accepted: only new findings are reported.
///
/// ```
/// use hieratic_lint::Baseline;
///
/// let written = Baseline::write(&[], None);
/// assert!(Baseline::read(&written).is_ok());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    /// The findings, by their fingerprints.
    known: HashMap<String, AcceptedFinding>,
}

/// A finding that is known.
#[derive(Clone, Debug)]
struct AcceptedFinding {
    code: String,
    /// The file, from the root of the repository.
    file: String,
}

impl Baseline {
    /// Reads the output of [`Baseline::write`].
    ///
    /// # Errors
    ///
    /// The string is not JSON, or is not a baseline of this version.
    pub fn read(text: &str) -> Result<Baseline, String> {
        let json: Json = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if json["version"].as_u64() != Some(VERSION) {
            return Err(format!("expected baseline version {VERSION}"));
        }
        let findings = json["findings"].as_array().ok_or_else(|| "it has no list of findings".to_owned())?;
        // Only the fingerprint identifies a finding. The other fields serve to count the findings that have gone.
        let text = |finding: &Json, name: &str| finding[name].as_str().unwrap_or_default().to_owned();
        let known = findings.iter().map(|finding| match finding["fingerprint"].as_str() {
            Some(fingerprint) => Ok((
                fingerprint.to_owned(),
                AcceptedFinding { code: text(finding, "code"), file: text(finding, "file") },
            )),
            None => Err(format!("a finding without a fingerprint: {finding}")),
        });
        Ok(Baseline { known: known.collect::<Result<_, _>>()? })
    }

    /// Returns a baseline that accepts these findings, one per line, so that its revisions can be compared. Paths are
    /// relative to `root`, if it is set.
    pub fn write(findings: &[Finding], root: Option<&Path>) -> String {
        let mut lines: Vec<String> = findings
            .iter()
            .map(|finding| {
                let line = json!({
                    "fingerprint": finding.fingerprint,
                    "code": finding.rule.id(),
                    "file": file_from(root, finding.file()),
                    "message": finding.diagnostic.message,
                });
                format!("    {line}")
            })
            .collect();
        lines.sort_erased();
        format!("{{\n  \"version\": {VERSION},\n  \"findings\": [\n{}\n  ]\n}}\n", lines.join(",\n"))
    }

    /// Returns whether the baseline accepts a finding.
    pub fn accepts(&self, finding: &Finding) -> bool {
        self.known.contains_key(&finding.fingerprint)
    }

    /// Counts the accepted findings that no longer occur in `findings`. `is_checked` returns whether the check could
    /// have found one, by its code and its file relative to the root; others are not counted.
    pub fn gone(&self, findings: &[Finding], is_checked: &dyn Fn(&str, &str) -> bool) -> usize {
        let there: HashSet<&str> = findings.iter().map(|finding| finding.fingerprint.as_str()).collect();
        let is_gone = |(fingerprint, known): &(&String, &AcceptedFinding)| {
            !there.contains(fingerprint.as_str()) && is_checked(&known.code, &known.file)
        };
        self.known.iter().filter(is_gone).count()
    }
}
