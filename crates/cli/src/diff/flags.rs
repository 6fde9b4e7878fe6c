//! The flags of `diff`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};

use crate::args::{LimitArguments, MessageArguments, PlaceArguments};
use crate::catalog::inputs::InputArguments;
use crate::fleet::FleetArguments;
use hieratic_lint::JobSet;
use hieratic_report::{Change, Report};

/// The flags of `diff`.
#[derive(Args, Debug)]
pub(crate) struct DiffArguments {
    /// The revisions to compare: BASE (with the working tree), BASE..HEAD, BASE...HEAD or BASE... (since the merge base); default: HEAD with the working tree
    #[arg(value_name = "BASE[..HEAD]")]
    pub(crate) revisions: Option<String>,
    /// Compare with the files of another folder instead of a revision
    #[arg(long, value_name = "FOLDER", conflicts_with = "revisions")]
    pub(crate) against: Option<PathBuf>,
    /// Only keys that one of these patterns matches: 'profile::web::*' (repeatable)
    #[arg(long, value_name = "PATTERN", action = clap::ArgAction::Append)]
    pub(crate) key: Vec<String>,
    #[command(flatten)]
    pub(crate) fleet: FleetArguments,
    /// The facts before the change: a file, or a folder with a file for each node (repeatable); --facts sets the facts after the change
    #[arg(long, value_name = "FILE|FOLDER", action = clap::ArgAction::Append)]
    pub(crate) base_facts: Vec<PathBuf>,
    /// The output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Exit with 1 if something changes
    #[arg(long)]
    pub(crate) exit_code: bool,
    /// Exit with 1 if this holds: 'nodes > 100'; nodes, keys, failures, findings, resources and jobs can be counted (repeatable)
    #[arg(long, value_name = "CONDITION", action = clap::ArgAction::Append)]
    pub(crate) fail_if: Vec<Condition>,
    /// Compile the catalogs of all nodes on both sides and list the resources that change
    #[arg(long)]
    pub(crate) catalogs: bool,
    #[command(flatten)]
    pub(crate) inputs: InputArguments,
    #[command(flatten)]
    pub(crate) ignore: IgnoreArguments,
    /// Exit with status 1 if something was not judged
    #[arg(long)]
    pub(crate) strict_coverage: bool,
    /// Leave out new findings of `check`
    #[arg(long)]
    pub(crate) no_findings: bool,
    /// Compare again whenever a file changes, until you press Ctrl-C
    #[arg(long)]
    pub(crate) watch: bool,
    /// Show no progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Leave out Nomad jobs
    #[arg(long)]
    pub(crate) no_jobs: bool,
    /// The entries of `[[jobs]]` in the settings.
    #[arg(skip)]
    pub(crate) job_sets: Vec<JobSet>,
    /// Show decrypted and Sensitive values (default: redacted)
    #[arg(long)]
    pub(crate) reveal: bool,
    #[command(flatten)]
    pub(crate) place: PlaceArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// The changes of catalogs to ignore.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct IgnoreArguments {
    /// Ignore changes of these resources, or of an attribute of them: 'File[/etc/motd]', 'Nagios_*[*]', 'File[*]::mode' (repeatable)
    #[arg(long, value_name = "RESOURCE", action = clap::ArgAction::Append)]
    pub(crate) ignore: Vec<String>,
    /// Ignore changes of this attribute of all resources (repeatable)
    #[arg(long, value_name = "NAME", action = clap::ArgAction::Append)]
    pub(crate) ignore_attr: Vec<String>,
    /// Ignore changes of resources that have this tag (repeatable)
    #[arg(long, value_name = "TAG", action = clap::ArgAction::Append)]
    pub(crate) ignore_tags: Vec<String>,
}

/// An output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For a terminal
    Text,
    /// For a comment on a pull request
    Markdown,
    /// For tools
    Json,
    /// A page to send around
    Html,
    /// Annotations of GitHub's workflows
    Github,
}

/// When to fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Condition {
    measure: Measure,
    is: Comparator,
    number: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    Nodes,
    Keys,
    Failures,
    Findings,
    Resources,
    Jobs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparator {
    More,
    AtLeast,
    Equal,
    Other,
    AtMost,
    Less,
}

const MEASURES: [(&str, Measure); 6] = [
    ("nodes", Measure::Nodes),
    ("keys", Measure::Keys),
    ("failures", Measure::Failures),
    ("findings", Measure::Findings),
    ("resources", Measure::Resources),
    ("jobs", Measure::Jobs),
];
/// Longer operators come first, because they are matched as prefixes.
const COMPARATORS: [(&str, Comparator); 6] = [
    (">=", Comparator::AtLeast),
    ("<=", Comparator::AtMost),
    ("==", Comparator::Equal),
    ("!=", Comparator::Other),
    (">", Comparator::More),
    ("<", Comparator::Less),
];

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Condition, String> {
        let wrong = || {
            "a condition is nodes, keys, failures, findings, resources or jobs, then >, >=, ==, !=, <= or <, then a number"
                .to_owned()
        };
        let (order, is) = COMPARATORS.into_iter().find(|(order, _)| text.contains(order)).ok_or_else(wrong)?;
        let (measure, number) = text.split_once(order).ok_or_else(wrong)?;
        let (_, measure) = MEASURES.into_iter().find(|(name, _)| *name == measure.trim()).ok_or_else(wrong)?;
        Ok(Condition { measure, is, number: number.trim().parse().map_err(|_| wrong())? })
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = MEASURES.iter().find(|(_, measure)| *measure == self.measure).map_or("", |(name, _)| name);
        let order = COMPARATORS.iter().find(|(_, is)| *is == self.is).map_or("", |(order, _)| order);
        write!(out, "{name} {order} {}", self.number)
    }
}

impl Condition {
    /// Evaluates the condition.
    pub(super) fn holds(&self, report: &Report) -> bool {
        let count = match self.measure {
            Measure::Nodes => report.summary.changed_nodes,
            Measure::Keys => report.summary.changed_keys,
            Measure::Failures => report.summary.failures,
            Measure::Findings => report.changes().filter(|change| matches!(change, Change::Finding(_))).count(),
            Measure::Resources => report.summary.changed_resources,
            Measure::Jobs => report.changes().filter(|change| matches!(change, Change::Job(_))).count(),
        };
        match self.is {
            Comparator::More => count > self.number,
            Comparator::AtLeast => count >= self.number,
            Comparator::Equal => count == self.number,
            Comparator::Other => count != self.number,
            Comparator::AtMost => count <= self.number,
            Comparator::Less => count < self.number,
        }
    }
}
