//! `--nodes` of `eval` and `job`: the results for many nodes, one row of NDJSON per node, in the order of the nodes.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use hieratic::{Environment, Error, Facts};
use hieratic_fleet::{NodeError, NodeResult, NodeSelection, Shard, each};
use hieratic_lint::Progress as _;

use crate::args::PlaceArguments;
use crate::files;
use crate::fleet::{Filter, Stream, report_unanswered};
use crate::output::{self, counted};
use crate::progress::Bar;
use crate::puppetdb::PuppetDbArguments;
use crate::report::Reporter;
use crate::streams::ANSWERS;
use crate::target::Target;
use crate::usage::usage;
use hieratic::sandbox::SlashPath as _;

/// Flags about one node or about how its answer is printed, which say nothing of many.
const OF_ONE: [&str; 3] = ["node", "facts", "render_as"];

/// The flags that choose the nodes.
#[derive(Args, Clone, Debug, Default)]
#[command(group = clap::ArgGroup::new("fleet").args(["nodes", "puppetdb"]).multiple(true).conflicts_with_all(OF_ONE))]
pub(crate) struct RowsArguments {
    /// Answer many nodes, one row per node: a folder of facts, a file with one node per line (.ndjson) or row (.parquet, .arrow), or a file of facts (repeatable)
    #[arg(long, value_name = "FACTS", action = clap::ArgAction::Append)]
    nodes: Vec<PathBuf>,
    /// Only the nodes of part I of N (with --nodes or --puppetdb)
    #[arg(long, value_name = "I/N", requires = "fleet")]
    shard: Option<Shard>,
    /// Only nodes for which this expression of the Puppet language is true: 'facts.role == "web"' (with --nodes or --puppetdb)
    #[arg(long = "where", value_name = "EXPRESSION", requires = "fleet")]
    filter: Option<String>,
    #[command(flatten)]
    pub(crate) puppetdb: PuppetDbArguments,
}

impl RowsArguments {
    /// Returns whether the verb is about many nodes.
    pub(crate) fn are_given(&self) -> bool {
        !self.nodes.is_empty() || self.puppetdb.url.is_some()
    }
}

/// The answer of a node: a value as JSON, or a failure.
pub(crate) type Answer = Result<String, Failure>;

/// A failed answer, with the position in the code if it is known. Secrets are already redacted.
#[derive(Debug, Default)]
pub(crate) struct Failure {
    pub(crate) message: String,
    pub(crate) line: Option<u32>,
    pub(crate) column: Option<u32>,
}

/// A verb that answers many nodes.
pub(crate) struct Rows<'r> {
    /// The column of the answer.
    pub(crate) column: &'static str,
    pub(crate) arguments: &'r RowsArguments,
    /// The file to write to instead of standard output.
    pub(crate) output: Option<&'r Path>,
    pub(crate) place: &'r PlaceArguments,
    pub(crate) environment: Option<&'r Environment>,
    pub(crate) reporter: &'r Reporter,
}

/// Computes the answers of a node. If there are several, each has the name of its subject.
pub(crate) type Work<'w> = dyn Fn(&Facts) -> Vec<(Option<String>, Answer)> + Sync + 'w;

/// The counts of a run.
#[derive(Default)]
struct RowCounts {
    rows: usize,
    failed: usize,
    faults: Vec<NodeError>,
    unanswered: usize,
}

/// The maximum number of nodes without facts whose errors are reported.
const MAX_FAULTS: usize = 20;

impl Rows<'_> {
    /// Writes one or several rows for each node. If there are several, each has the name of its subject.
    pub(crate) fn write(&self, work: &Work<'_>) -> Result<ExitCode, Error> {
        if let Some(path) = self.output
            && !matches!(path.extension().and_then(|end| end.to_str()), Some("ndjson" | "jsonl"))
        {
            return Err(
                usage(format!("{} cannot be written: rows are NDJSON", path.display())).help("name the file .ndjson")
            );
        }
        // Errors in these flags would repeat for every node.
        Target::new(self.place).set_flags(&mut Facts::named("localhost"))?;
        let filter = Filter::new(self.arguments.filter.as_deref())?;
        let mut nodes = Stream::open(&self.arguments.nodes, &self.arguments.puppetdb, self.place)?;
        let bar = Bar::new(false);
        let written = match self.output {
            None => self.rows(&mut nodes, &filter, work, output::Answers, &bar),
            Some(path) => {
                files::whole(path, |file| self.rows(&mut nodes, &filter, work, io::BufWriter::new(file), &bar))
            }
        };
        bar.finish();
        if let Some(error) = nodes.broken.take() {
            return Err(error);
        }
        let counts = written.map_err(|error| {
            let target = self.output.map_or("standard output".to_owned(), |path| path.to_slashes());
            let advice = match self.output {
                Some(path) => files::advice_to_write(path, &error),
                None => "write to a file with --output".to_owned(),
            };
            usage(format!("{target} cannot be written: {error}")).help(advice)
        })?;
        if counts.rows == 0 && counts.unanswered == 0 {
            return Err(filter.none_left("check --where and --shard, and the facts"));
        }
        filter.warn(self.reporter);
        self.report_failures(&counts);
        Ok(if counts.failed + counts.unanswered > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }

    fn rows<W: Write + Send>(
        &self,
        nodes: &mut Stream,
        filter: &Filter,
        work: &Work<'_>,
        mut out: W,
        bar: &Bar,
    ) -> io::Result<RowCounts> {
        let choice = NodeSelection {
            chosen: &|facts| filter.selects(self.environment, facts).map_err(|error| error.to_string()),
            shard: self.arguments.shard.unwrap_or_default(),
        };
        let target = Target::new(self.place);
        let one = |node: &str, facts: &Facts| {
            let mut facts = facts.clone();
            target.set_flags(&mut facts).map_err(|error| error.to_string())?;
            let (mut text, mut failed, answers) = (String::new(), 0, work(&facts));
            let rows = answers.len();
            for (file, answer) in answers {
                failed += usize::from(answer.is_err());
                self.row(node, file, &answer, &mut text);
            }
            Ok((text, rows, failed))
        };
        let mut counts = RowCounts::default();
        each(nodes.by_ref(), &choice, &one, &mut |part: Vec<NodeResult<(String, usize, usize)>>| {
            bar.begin("nodes", part.len());
            for result in part {
                match result {
                    Ok(Some((_, (text, rows, failed)))) => {
                        out.write_all(text.as_bytes())?;
                        counts.rows += rows;
                        counts.failed += failed;
                    }
                    Ok(None) => {}
                    Err(problem) => {
                        counts.unanswered += 1;
                        if counts.faults.len() < MAX_FAULTS {
                            counts.faults.push(problem);
                        }
                    }
                }
                bar.step();
            }
            // The reader of the output has gone.
            if self.output.is_none() && ANSWERS.is_gone() { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(()) }
        })
        .or_else(|error| match error.kind() {
            // The stream records the lost output, and `main` checks it.
            io::ErrorKind::BrokenPipe if self.output.is_none() => Ok(()),
            _ => Err(error),
        })?;
        if nodes.broken.is_some() {
            // Without its last nodes, a fleet is not complete: rows are not written as if it were.
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        out.flush()?;
        Ok(counts)
    }

    /// A row as a line of JSON.
    fn row(&self, node: &str, file: Option<String>, answer: &Answer, out: &mut String) {
        let text = |text: &str| serde_json::Value::from(text).to_string();
        let _ = write!(out, "{{\"node\":{}", text(node));
        if let Some(file) = file {
            let _ = write!(out, ",\"file\":{}", text(&file));
        }
        match answer {
            Ok(json) => {
                let _ = write!(out, ",\"{}\":{json}", self.column);
            }
            Err(Failure { message, line, column }) => {
                let _ = write!(out, ",\"error\":{}", text(message));
                for (name, number) in [("line", line), ("column", column)] {
                    if let Some(number) = number {
                        let _ = write!(out, ",\"{name}\":{number}");
                    }
                }
            }
        }
        out.push_str("}\n");
    }

    /// Reports the nodes without a row, and the number of rows without a value.
    fn report_failures(&self, counts: &RowCounts) {
        report_unanswered(&counts.faults, counts.unanswered, self.reporter);
        if counts.failed > 0 {
            let rows = counted(counts.failed, "row");
            let have = if counts.failed == 1 { "has" } else { "have" };
            self.reporter.log_line("", &format!("{rows} {have} an error instead of a {}", self.column), false);
        }
        if self.place.verbose {
            self.reporter.log_line("", &counted(counts.rows, "row"), false);
        }
    }
}
