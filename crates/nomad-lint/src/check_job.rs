//! Validates a job that may have unknown values.
//!
//! The rules need jobs without unknown values. A job with unknown values is therefore checked several times, with
//! different values that the rules distinguish or that a finding suggests. A finding that does not occur every time
//! depends on the unknown values and is dropped.

use std::collections::BTreeSet;
use std::sync::Arc;

use hieratic_nomad_job::record::{Data, Datum, Text};
use hieratic_nomad_job::schema::Scalar;
use hieratic_nomad_job::{GapFiller, Job};
use hieratic_value::collections::HashSet;

use crate::finding::Finding;
use crate::lint::{lint_blocks, lint_texts};
use crate::nomad_version::NomadVersion;
use crate::rule::Rule;
use crate::validate;

/// The strings that at least one rule distinguishes from others.
const STRINGS: &[&str] = &[
    "x",
    "service",
    "batch",
    "system",
    "sysbatch",
    "host",
    "csi",
    "http",
    "tcp",
    "grpc",
    "http2",
    "script",
    "consul",
    "nomad",
    "vault",
    "signal",
    "noop",
    "restart",
    "fail",
    "delay",
    "default",
    "auto",
    "driver",
    "alloc",
    "checks",
    "manual",
    "=",
    "version",
    "semver",
    "regexp",
    "is_set",
    "set_contains",
    "distinct_hosts",
    "distinct_property",
    "constant",
    "exponential",
    "fibonacci",
    "horizontal",
    "prestart",
    "poststart",
    "node",
    "1",
    "60",
    "/x",
    "local/x",
    "* * * * *",
    "@daily",
    "UTC",
    "0644",
    "10.0.0.0/8",
    "true",
    "",
    "require_healthy",
    "ignore_warnings",
    "ignore",
    "private",
    "docker",
    "exec",
    "${attr.x}",
    "single-node-writer",
    "single-node-reader-only",
    "multi-node-multi-writer",
    "multi-node-single-writer",
    "file-system",
    "block-device",
    "optional",
    "required",
    "file",
    "dir",
    "require",
    "bridge",
    "md5:d41d8cd98f00b204e9800998ecf8427e",
    "*",
    "connect-proxy:x",
];

/// The numbers at the limits of rules. Durations are in nanoseconds.
const NUMBERS: &[i64] = &[
    1,
    0,
    2,
    3,
    10,
    50,
    100,
    300,
    8080,
    65_536,
    100_000,
    -1,
    1_000_000_000,
    5_000_000_000,
    30_000_000_000,
    600_000_000_000,
    86_400_000_000_000,
    1_000_000_000_000_000_000,
];

/// The maximum number of strings of the job itself that are tried.
const MAX_OWN_STRINGS: usize = 200;

/// In how many jobs each value is another one.
const MIXED: usize = 8;

/// Returns all findings of [`validate`] and [`lint`](crate::lint()). For a job with [unknown
/// values](hieratic_nomad_job::Options::partial), returns only those that do not depend on them. Parts that a server adds
/// to a job are not reported as missing.
///
/// ```
/// use hieratic_nomad_job::{Job, Options};
/// use hieratic_nomad_lint::{NomadVersion, check_job};
///
/// let source = "variable \"n\" {}\njob \"web\" {\n  type = \"sevice\"\n  priority = var.n\n  group \"g\" {\n    count = var.n\n    \
///               task \"t\" { driver = \"docker\" }\n  }\n}\n";
/// let job = Job::parse(source, &Options { partial: true, ..Options::default() })?;
/// let found: Vec<String> = check_job(&job, NomadVersion::NEWEST).into_iter().map(|finding| finding.message).collect();
/// assert_eq!(found, ["Invalid job type: \"sevice\""]);
/// # Ok::<(), hieratic_nomad_job::Failure>(())
/// ```
pub fn check_job(job: &Job, version: NomadVersion) -> Vec<Finding> {
    // Findings about a single string do not depend on other values.
    let of_texts = lint_texts(job, version);
    let mut found = if job.has_gaps() { certain_findings(job, version) } else { all_findings(job, version) };
    found.extend(of_texts);
    found
}

/// The findings of a job without unknown values.
fn all_findings(job: &Job, version: NomadVersion) -> Vec<Finding> {
    let mut found = validate(job);
    found.retain(|finding| finding.rule != Rule::AddedByServer);
    found.extend(lint_blocks(job, version));
    found
}

/// The findings that do not depend on the unknown values.
fn certain_findings(job: &Job, version: NomadVersion) -> Vec<Finding> {
    let mut found = all_findings(&job.fill_gaps(&mut SampleValues::absent()), version);
    let doubt = |found: &mut Vec<Finding>, mut values: SampleValues<'_>| {
        if !found.is_empty() {
            let others: HashSet<_> =
                all_findings(&job.fill_gaps(&mut values), version).iter().map(finding_identity).collect();
            found.retain(|finding| others.contains(&finding_identity(finding)));
        }
    };
    for (at, text) in STRINGS.iter().enumerate() {
        doubt(&mut found, SampleValues::same(at, text, text));
    }
    for at in 0..MIXED {
        doubt(&mut found, SampleValues::mixed(at));
    }
    if found.is_empty() {
        return found;
    }
    // A finding may name what one of the values has to be for it to be false.
    let mut own = BTreeSet::new();
    collect_strings(job, &mut own);
    let is_named = |text: &str, found: &[Finding]| found.iter().any(|finding| finding.message.contains(text));
    let own: Vec<Text> = own.into_iter().filter(|text| is_named(text, &found)).take(MAX_OWN_STRINGS).collect();
    for (at, text) in own.iter().enumerate() {
        for other in [text, "host", "x"] {
            doubt(&mut found, SampleValues::same(at, text, other));
        }
    }
    found
}

/// The identity of a finding across jobs. It excludes the path, because the indices of blocks differ.
fn finding_identity(finding: &Finding) -> (String, Option<(u32, u32)>) {
    let place = finding.place.as_ref().map(|range| (range.span.start, range.span.end));
    (finding.message.clone(), place)
}

/// Collects the strings of a job that other values may refer to.
fn collect_strings(job: &Job, texts: &mut BTreeSet<Text>) {
    let mut waiting: Vec<&Datum> = job.record().entries().map(|(_, datum)| datum).collect();
    while let Some(datum) = waiting.pop() {
        match &datum.value {
            Data::Text(text) if !text.is_empty() => {
                texts.insert(text.clone());
            }
            Data::List(items) => waiting.extend(items),
            Data::Map(entries) => {
                texts.extend(entries.iter().map(|(key, _)| key.clone()));
                waiting.extend(entries.iter().map(|(_, value)| value));
            }
            Data::Record(record) => waiting.extend(record.entries().map(|(_, datum)| datum)),
            _ => {}
        }
    }
}

/// Values for one of the jobs.
struct SampleValues<'t> {
    /// The index of the next number and kind.
    at: usize,
    /// The number of values generated so far.
    count: usize,
    form: ValueForm<'t>,
}

enum ValueForm<'t> {
    /// Nothing is there.
    Absent,
    /// All labels are the first string, all other strings the second.
    Same(&'t str, &'t str),
    /// Each value is another one.
    Mixed,
}

impl<'t> SampleValues<'t> {
    fn absent() -> Self {
        Self { at: 0, count: 0, form: ValueForm::Absent }
    }

    fn same(at: usize, label: &'t str, text: &'t str) -> Self {
        Self { at, count: 0, form: ValueForm::Same(label, text) }
    }

    fn mixed(at: usize) -> Self {
        Self { at, count: 0, form: ValueForm::Mixed }
    }

    /// The place in a table of that length.
    fn next(&mut self, length: usize) -> usize {
        self.count += 1;
        match self.form {
            ValueForm::Mixed => (self.at * 7 + self.count * 5) % length.max(1),
            _ => self.at % length.max(1),
        }
    }

    fn text(&mut self) -> Text {
        match self.form {
            ValueForm::Absent => "x".into(),
            ValueForm::Same(_, text) => text.into(),
            // The first of these jobs has no text twice.
            ValueForm::Mixed if self.at == 0 => {
                self.count += 1;
                format!("x{}", self.count).into()
            }
            ValueForm::Mixed => STRINGS.get(self.next(STRINGS.len())).copied().unwrap_or("x").into(),
        }
    }

    fn number(&mut self) -> i64 {
        let at = self.next(NUMBERS.len());
        NUMBERS.get(at).copied().unwrap_or(1)
    }
}

impl GapFiller for SampleValues<'_> {
    fn scalar(&mut self, of: Scalar) -> Data {
        if matches!(self.form, ValueForm::Absent) {
            return Data::Null;
        }
        match of {
            Scalar::Text | Scalar::Named(_) => Data::Text(self.text()),
            Scalar::Bool => Data::Bool(self.next(2) == 0),
            Scalar::Integer | Scalar::Duration => Data::Int(self.number()),
            Scalar::Int(bits) => {
                let most = i64::MAX >> (64 - u32::from(bits));
                Data::Int(self.number().clamp(-most - 1, most))
            }
            Scalar::Uint(bits) => {
                let most = u64::MAX >> (64 - u32::from(bits));
                Data::Uint(u64::try_from(self.number()).unwrap_or_default().min(most))
            }
        }
    }

    fn any(&mut self) -> Data {
        let text = Data::Text(self.text());
        let key = self.label();
        match self.next(6) {
            0 => Data::List(vec![Datum::derived(text)]),
            1 => Data::Int(self.number()),
            2 => Data::Bool(self.next(2) == 0),
            3 => Data::Map(vec![(key, Datum::derived(text))]),
            4 => {
                let map = Data::Map(vec![(key, Datum::derived(text))]);
                Data::List(vec![Datum::derived(map)])
            }
            _ => text,
        }
    }

    fn label(&mut self) -> Text {
        match self.form {
            ValueForm::Same(label, _) => Arc::from(label),
            _ => self.text(),
        }
    }

    fn has_more(&mut self) -> bool {
        !matches!(self.form, ValueForm::Absent)
    }
}
