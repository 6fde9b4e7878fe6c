//! `hieratic query`: SQL over the answers of a fleet, in builds with the feature `query`. Other builds run such a build
//! if it is installed next to them.

#[cfg(feature = "query")]
mod answer;
#[cfg(not(feature = "query"))]
mod external;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use hieratic_fleet::Shard;

use crate::args::{LimitArguments, MessageArguments, PlaceArguments, RevealArguments};
use crate::fleet::FleetArguments;
use crate::report::Reporter;
use crate::revision::RevisionArguments;

/// The flags of `query`.
#[derive(Args, Debug)]
#[cfg_attr(not(feature = "query"), allow(dead_code, reason = "the flags are the same in every build"))]
pub(crate) struct QueryArguments {
    /// The query
    #[arg(value_name = "SQL")]
    sql: String,
    /// Only the nodes of part I of N
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Show the plan instead of rows: which keys of which nodes are looked up
    #[arg(long, conflicts_with_all = ["output", "render_as"])]
    explain: bool,
    /// Write the rows to a file: .txt, .ndjson, .csv, .json or .parquet
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The output format: table (the default), ndjson, csv, json or parquet
    #[arg(long = "format", alias = "render-as", value_name = "FORMAT")]
    render_as: Option<String>,

    #[command(flatten)]
    pub(crate) fleet: FleetArguments,
    #[command(flatten)]
    pub(crate) revision: RevisionArguments,
    #[command(flatten)]
    pub(crate) place: PlaceArguments,
    #[command(flatten)]
    reveal: RevealArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// Runs the verb.
pub(crate) fn run(arguments: &QueryArguments) -> ExitCode {
    let reporter =
        Reporter::new(arguments.messages.message_format, arguments.messages.color).revealing(arguments.reveal.reveal);
    #[cfg(feature = "query")]
    return answer::run(arguments, &reporter);
    #[cfg(not(feature = "query"))]
    return external::run(&reporter);
}
