//! The flags of `lookup`.

use std::path::PathBuf;

use clap::Args;
use hieratic_fleet::Shard;

use crate::args::{LimitArguments, MessageArguments, PlaceArguments};
use crate::puppetdb::PuppetDbArguments;
use crate::revision::RevisionArguments;

/// The flags of `lookup`.
#[derive(Args, Debug)]
pub(crate) struct LookupArguments {
    /// The keys, tried in order: the first with a value is printed
    #[arg(value_name = "KEY")]
    pub(crate) keys: Vec<String>,

    /// Merge the values of all levels: first, unique, hash or deep; overrides lookup_options
    #[arg(long, value_name = "TYPE", allow_hyphen_values = true)]
    pub(crate) merge: Option<String>,
    /// A prefix that marks elements to remove (with --merge deep)
    #[arg(long, value_name = "PREFIX", allow_hyphen_values = true)]
    pub(crate) knock_out_prefix: Option<String>,
    /// Sort merged arrays (with --merge deep)
    #[arg(long)]
    pub(crate) sort_merged_arrays: bool,
    /// Merge hashes in arrays by position (with --merge deep)
    #[arg(long)]
    pub(crate) merge_hash_arrays: bool,
    /// Keep knocked out elements removed on all levels
    #[arg(long)]
    pub(crate) strict_knockout: bool,

    /// Print every step of the lookup
    #[arg(long)]
    pub(crate) explain: bool,
    /// Print every step of the lookup of lookup_options
    #[arg(long)]
    pub(crate) explain_options: bool,
    /// Show on one screen which levels contribute to the value, and why (--format html: a page; json: for tools)
    #[arg(long, conflicts_with_all = ["explain", "explain_options", "origins", "all"])]
    pub(crate) why: bool,
    /// Show everything: all levels and parts, levels without a value, values as YAML (with --why)
    #[arg(long, requires = "why")]
    pub(crate) full: bool,
    /// Show decrypted and Sensitive values in explanations (default: redacted)
    #[arg(long)]
    pub(crate) reveal: bool,
    /// Print the file and line that every part of the value comes from
    #[arg(long, conflicts_with_all = ["explain", "explain_options"])]
    pub(crate) origins: bool,
    /// Look up all keys of the node's hierarchy, or those that match patterns: 'profile::web::*'
    #[arg(long, conflicts_with_all = ["each", "explain", "explain_options"])]
    pub(crate) all: bool,
    /// Print the values of all keys, not only of the first found
    #[arg(long, conflicts_with_all = ["explain", "explain_options"])]
    pub(crate) each: bool,

    /// Answer again each time a file changes that the answer is made of, until you press Ctrl-C
    #[arg(long)]
    pub(crate) watch: bool,

    /// The value to use if no key is found
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub(crate) default: Option<String>,
    /// The Puppet data type that the value must match
    #[arg(long = "type", value_name = "TYPE", allow_hyphen_values = true)]
    pub(crate) value_type: Option<String>,
    /// The output format: yaml, json, s, or tfvars, tfvars.json, env, dotenv, properties, toml
    #[arg(long = "format", alias = "render-as", value_name = "FORMAT", allow_hyphen_values = true)]
    pub(crate) render_as: Option<String>,

    /// Compile the catalog first: variables that manifests set are known
    #[arg(long, short = 'c')]
    pub(crate) compile: bool,
    /// URL template for a line of a file on a forge, as the settings say.
    #[arg(skip)]
    pub(crate) link: Option<String>,

    #[command(flatten)]
    pub(crate) many: NodesArguments,
    #[command(flatten)]
    pub(crate) revision: RevisionArguments,
    #[command(flatten)]
    pub(crate) place: PlaceArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// The flags about one node, which say nothing of many.
const OF_ONE: [&str; 14] = [
    "watch",
    "node",
    "facts",
    "var",
    "trusted_data",
    "explain",
    "explain_options",
    "why",
    "origins",
    "each",
    "compile",
    "default",
    "value_type",
    "merge",
];

/// The flags about many nodes.
#[derive(Args, Debug, Default)]
#[command(group = clap::ArgGroup::new("fleet").args(["nodes", "puppetdb"]).multiple(true).conflicts_with_all(OF_ONE))]
pub(crate) struct NodesArguments {
    /// Answer many nodes, one row per node and key: a folder of facts, a file with one node per line (.ndjson) or row (.parquet, .arrow), or a file of facts (repeatable)
    #[arg(long, value_name = "FACTS", action = clap::ArgAction::Append)]
    pub(crate) nodes: Vec<PathBuf>,
    /// Write the rows to a file: .ndjson, .csv or .parquet (with --nodes or --puppetdb)
    #[arg(long, value_name = "FILE", requires = "fleet")]
    pub(super) output: Option<PathBuf>,
    /// Keep the progress next to the output, and continue an interrupted run (with --output)
    #[arg(long, requires = "output")]
    pub(super) resume: bool,
    /// Only the nodes of part I of N (with --nodes or --puppetdb)
    #[arg(long, value_name = "I/N", requires = "fleet")]
    pub(super) shard: Option<Shard>,
    /// Only nodes for which this expression of the Puppet language is true: 'facts.role == "web"' (with --nodes or --puppetdb)
    #[arg(long = "where", value_name = "EXPRESSION", requires = "fleet")]
    pub(super) filter: Option<String>,
    #[command(flatten)]
    pub(crate) puppetdb: PuppetDbArguments,
}

impl NodesArguments {
    /// Returns whether the lookup is about many nodes.
    pub(super) fn are_given(&self) -> bool {
        !self.nodes.is_empty() || self.puppetdb.url.is_some()
    }
}

impl LookupArguments {
    /// Whether the answer is an explanation or has many values, and comes once.
    pub(crate) fn is_long(&self) -> bool {
        (self.why || self.explain || self.explain_options || self.all) && !self.watch
    }
}
