//! The flags of `eval`.

use std::path::PathBuf;

use clap::Args;
use hieratic::Error;

use crate::args::{CodeArguments, MessageArguments, PlaceArguments, RevealArguments, TreeArguments};
use crate::revision::RevisionArguments;
use crate::row_output::RowsArguments;
use crate::usage::usage;
use crate::vault::VaultArguments;

/// The flags of `eval`.
#[derive(Args, Debug)]
pub(crate) struct EvalArguments {
    /// The file to evaluate (default: standard input)
    #[arg(value_name = "FILE", conflicts_with = "code")]
    pub(crate) file: Option<PathBuf>,
    /// Code to use instead of a file
    #[arg(long, short = 'e', value_name = "CODE", allow_hyphen_values = true)]
    pub(crate) code: Option<String>,
    /// The language: puppet, unfurl or hcl (default: hcl for .hcl, .nomad, .tfvars and .nomadvars, otherwise puppet)
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) language: Option<String>,
    /// The output format: puppet, yaml, json, s or report
    #[arg(long = "format", alias = "render-as", value_name = "FORMAT")]
    pub(crate) render_as: Option<String>,
    /// The kind of code. Unfurl: expr, map (a value that contains expressions) or template. HCL: expr, template, body or
    /// json_expr
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<String>,
    /// For Puppet: print the catalog of the code instead of its value, as JSON
    #[arg(long, conflicts_with_all = ["language", "jsonl"])]
    pub(crate) catalog: bool,
    /// Read JSON requests from standard input, one per line, and answer each with a report
    #[arg(long, conflicts_with_all = ["file", "code", "render_as", "fleet"])]
    pub(crate) jsonl: bool,
    /// Write the rows to a file instead of standard output (with --nodes or --puppetdb)
    #[arg(long, value_name = "FILE", requires = "fleet")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) many: RowsArguments,
    #[command(flatten)]
    pub(crate) tree: TreeArguments,
    #[command(flatten)]
    pub(crate) vault: VaultArguments,
    #[command(flatten)]
    pub(crate) revision: RevisionArguments,
    #[command(flatten)]
    pub(crate) code_may: CodeArguments,
    #[command(flatten)]
    pub(crate) place: PlaceArguments,
    #[command(flatten)]
    pub(crate) reveal: RevealArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// Splits the value of `--var`.
pub(super) fn name_and_value<'a>(assignment: &'a str, flag: &str) -> Result<(&'a str, &'a str), Error> {
    assignment.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(|| {
        usage(format!("expected NAME=VALUE, got '{assignment}'")).help(format!("write {flag} {assignment}=VALUE"))
    })
}
