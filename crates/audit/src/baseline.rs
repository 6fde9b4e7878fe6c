//! [`Baseline`]: findings that are known and accepted.

use rustc_hash::FxHashSet;
use serde_json::{Value as Json, json};

use crate::finding::Finding;

/// The version of the file's format.
const VERSION: u64 = 1;

/// Findings that are known and accepted: only what is new is told.
///
/// ```
/// use hieratic_audit::Baseline;
///
/// let written = Baseline::write(&[]);
/// assert!(Baseline::read(&written).is_ok());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    fingerprints: FxHashSet<String>,
}

impl Baseline {
    /// Reads what [`Baseline::write`] wrote.
    ///
    /// # Errors
    ///
    /// What is wrong with the text: it is no JSON, or no baseline of this version.
    pub fn read(text: &str) -> Result<Baseline, String> {
        let json: Json = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if json["version"].as_u64() != Some(VERSION) {
            return Err(format!("expected baseline version {VERSION}"));
        }
        let findings = json["findings"].as_array().ok_or_else(|| "it has no list of findings".to_owned())?;
        let fingerprint = |finding: &Json| finding["fingerprint"].as_str().map(String::from);
        let fingerprints = findings
            .iter()
            .map(|finding| fingerprint(finding).ok_or_else(|| format!("a finding without a fingerprint: {finding}")));
        Ok(Baseline { fingerprints: fingerprints.collect::<Result<_, _>>()? })
    }

    /// The text of a baseline that accepts these findings, one to a line, so that versions of it can be compared.
    pub fn write(findings: &[Finding]) -> String {
        let mut lines: Vec<String> = findings
            .iter()
            .map(|finding| {
                let line = json!({
                    "fingerprint": finding.fingerprint,
                    "code": finding.rule.id(),
                    "file": finding.file(),
                    "message": finding.diagnostic.message,
                });
                format!("    {line}")
            })
            .collect();
        lines.sort();
        format!("{{\n  \"version\": {VERSION},\n  \"findings\": [\n{}\n  ]\n}}\n", lines.join(",\n"))
    }

    /// Whether a finding is known.
    pub fn knows(&self, finding: &Finding) -> bool {
        self.fingerprints.contains(&finding.fingerprint)
    }

    /// How many of the known findings are not among these any more.
    pub fn gone(&self, findings: &[Finding]) -> usize {
        let there: FxHashSet<&str> = findings.iter().map(|finding| finding.fingerprint.as_str()).collect();
        self.fingerprints.iter().filter(|known| !there.contains(known.as_str())).count()
    }
}
