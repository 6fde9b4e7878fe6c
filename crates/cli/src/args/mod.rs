//! The flags of every verb.

mod check;
mod later;
mod place;
mod shared;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::examples;
use crate::report::Reporter;
use crate::revision::RevisionArguments;
use crate::secret::args::SecretArguments;

pub(crate) use check::{CheckArguments, CheckFormat, FailOn};
pub(crate) use later::Later;
pub(crate) use place::{PlaceArguments, VersionArguments, datadir, datadirs};
pub(crate) use shared::{
    AccessArguments, CodeArguments, Color, DocumentArguments, LimitArguments, MessageArguments, MessageFormat,
    PermissionArguments, RevealArguments, TreeArguments, boolean,
};

/// Look up layered configuration data, explain it, and trace it to its source.
#[derive(Debug, Parser)]
#[command(name = "hieratic", version = crate::version::SHORT, long_version = crate::version::LONG, infer_long_args = true, disable_help_subcommand = true, after_help = examples::OVERVIEW,
    arg_required_else_help = true, args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    /// Print the limits of an answer; most verbs change them with --limit NAME=VALUE
    #[arg(long)]
    pub(crate) limits: bool,

    #[command(subcommand)]
    pub(crate) verb: Option<Verb>,
}

impl Arguments {
    /// Whoever tells what becomes known only after the verb has run.
    pub(crate) fn reporter(&self) -> Reporter {
        let messages = match &self.verb {
            None | Some(Verb::Completions { .. } | Verb::Man { .. }) => None,
            Some(Verb::Check(check)) => return Reporter::new(check.messages(), check.color),
            Some(Verb::Explain(explain)) => Some(&explain.messages),
            Some(Verb::Lookup(lookup)) => Some(&lookup.messages),
            Some(Verb::Query(query)) => Some(&query.messages),
            Some(Verb::Compare(compare)) => Some(&compare.messages),
            Some(Verb::Diff(diff)) => Some(&diff.messages),
            Some(Verb::History(history)) => Some(&history.messages),
            Some(Verb::Affected(affected)) => Some(&affected.messages),
            Some(Verb::Refactor(refactor)) => Some(&refactor.messages),
            Some(Verb::Types(types)) => Some(&types.messages),
            Some(Verb::Schema(schema)) => Some(&schema.messages),
            Some(Verb::Eval(eval)) => Some(&eval.messages),
            Some(Verb::Catalog(catalog)) => Some(&catalog.messages),
            Some(Verb::Parse(parse)) => Some(&parse.messages),
            Some(Verb::Expand(expand)) => Some(&expand.messages),
            Some(Verb::Restore(restore)) => Some(&restore.messages),
            Some(Verb::Render(render)) => Some(&render.messages),
            Some(Verb::Job(job)) => Some(&job.messages),
            Some(Verb::Fmt(fmt)) => Some(&fmt.messages),
            Some(Verb::Lsp(lsp)) => Some(&lsp.messages),
            Some(Verb::Serve(serve)) => Some(&serve.messages),
            Some(Verb::Repl(repl)) => Some(&repl.messages),
            Some(Verb::Trust(trust)) => Some(&trust.messages),
            Some(Verb::Config(config)) => Some(&config.messages),
            Some(Verb::Secret(secret)) => Some(secret.action.messages()),
        };
        match messages {
            Some(messages) => Reporter::new(messages.message_format, messages.color),
            None => Reporter::new(MessageFormat::Human, Color::Auto),
        }
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Look up keys in Hiera data, like `puppet lookup`
    #[command(args_override_self = true, after_help = examples::LOOKUP, infer_long_args = true)]
    Lookup(Later<LookupArguments>),
    /// Ask about the answers of many nodes in SQL
    #[command(args_override_self = true, after_help = examples::QUERY, infer_long_args = true)]
    Query(Later<crate::query::QueryArguments>),
    /// Compare all values of two nodes, or of one node in two environments
    #[command(args_override_self = true, after_help = examples::COMPARE, infer_long_args = true)]
    Compare(Later<crate::compare::CompareArguments>),
    /// Show what a change does: which keys of which nodes have other values, and why
    #[command(args_override_self = true, after_help = examples::DIFF, infer_long_args = true)]
    Diff(Later<crate::diff::DiffArguments>),
    /// Show how the value of a key changed over the commits of the repository
    #[command(args_override_self = true, after_help = examples::HISTORY, infer_long_args = true)]
    History(Later<crate::history::HistoryArguments>),
    /// Show which keys of which nodes a file, a line or a level can reach
    #[command(args_override_self = true, after_help = examples::AFFECTED, infer_long_args = true)]
    Affected(Later<crate::affected::AffectedArguments>),
    /// Evaluate Puppet code, Unfurl expressions, or HCL
    #[command(args_override_self = true, after_help = examples::EVAL, infer_long_args = true)]
    Eval(Later<EvalArguments>),
    /// Compile the catalog of a node, like `puppet catalog compile`
    #[command(args_override_self = true, after_help = examples::CATALOG, infer_long_args = true)]
    Catalog(Later<crate::catalog::CatalogArguments>),
    /// Print the syntax tree of a file, like `puppet parser dump`
    #[command(after_help = examples::PARSE)]
    Parse(Later<ParseArguments>),
    /// Find problems in files and control repositories: code, data, hierarchies, secrets
    #[command(after_help = examples::CHECK)]
    Check(Later<CheckArguments>),
    /// Change data and code, with proof that all nodes get the same values: rename, move, hoist, split, prune and more
    #[command(args_override_self = true, after_help = examples::REFACTOR, infer_long_args = true)]
    Refactor(Later<crate::refactor::RefactorArguments>),
    /// Print JSON Schema of the data files, with which editors complete and check keys
    #[command(args_override_self = true, after_help = examples::SCHEMA, infer_long_args = true)]
    Schema(Later<crate::schema::SchemaArguments>),
    /// Write Puppet types for class parameters that have none, from the values that all nodes see
    #[command(args_override_self = true, after_help = examples::TYPES, infer_long_args = true)]
    Types(Later<crate::types::TypesArguments>),
    /// Print the documentation of a code of findings and errors, or list the codes
    #[command(after_help = examples::EXPLAIN)]
    Explain(Later<ExplainArguments>),
    /// Expand the merge directives of a YAML or JSON document, like Unfurl
    #[command(after_help = examples::EXPAND)]
    Expand(Later<ExpandArguments>),
    /// Apply edits of an expanded document to the original with its merge directives
    #[command(after_help = examples::RESTORE)]
    Restore(Later<RestoreArguments>),
    /// Render an EPP, Jinja2 or HCL template with facts, variables and Hiera data
    #[command(args_override_self = true, after_help = examples::RENDER, infer_long_args = true)]
    Render(Later<RenderArguments>),
    /// Convert a Nomad job file to the JSON of the API, like `nomad job run -output`
    #[command(after_help = examples::JOB)]
    Job(Later<crate::job::JobArguments>),
    /// Format HCL files, like `nomad fmt`
    #[command(after_help = examples::FMT)]
    Fmt(Later<crate::fmt::FmtArguments>),
    /// Serve editors: diagnostics, values, completion and navigation while you type
    #[command(after_help = examples::LSP, infer_long_args = true)]
    Lsp(Later<crate::lsp::LspArguments>),
    /// Serve lookups over HTTP, with pages for the browser
    #[command(after_help = examples::SERVE, infer_long_args = true)]
    Serve(Later<crate::serve::ServeArguments>),
    /// Try the Puppet language at a prompt
    #[command(args_override_self = true, after_help = examples::REPL, infer_long_args = true)]
    Repl(Later<ReplArguments>),
    /// Allow a repository to run programs and read files outside of it
    #[command(after_help = examples::TRUST)]
    Trust(Later<crate::trust::TrustArguments>),
    /// Encrypt, decrypt, edit and rotate values of eyaml files, like `eyaml`
    #[command(after_help = examples::SECRET)]
    Secret(Later<SecretArguments>),
    /// Print the settings and the files they come from
    #[command(after_help = examples::CONFIG)]
    Config(Later<crate::config::ConfigArguments>),
    /// Print the completion script for a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions {
        /// The shell: bash, elvish, fish, powershell or zsh
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write the pages of all verbs to a folder
    #[command(after_help = examples::MAN)]
    Man {
        /// The folder to write all pages to
        folder: Option<PathBuf>,
    },
}

/// The flags of `expand`.
#[derive(Args, Debug)]
pub(crate) struct ExpandArguments {
    /// The document; `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The output format: yaml, json, s or report
    #[arg(long, value_name = "FORMAT")]
    pub(crate) render_as: Option<String>,
    /// Print the file and line that every value comes from
    #[arg(long, conflicts_with = "explain")]
    pub(crate) origins: bool,
    /// List every directive with what it found and its effect, in order
    #[arg(long)]
    pub(crate) explain: bool,

    #[command(flatten)]
    pub(crate) revision: RevisionArguments,
    #[command(flatten)]
    pub(crate) document: DocumentArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// The flags of `restore`.
#[derive(Args, Debug)]
pub(crate) struct RestoreArguments {
    /// The original document, with directives
    #[arg(value_name = "ORIGINAL")]
    pub(crate) original: PathBuf,
    /// The edited expanded document, as YAML or JSON; `-` for standard input
    #[arg(value_name = "CHANGED")]
    pub(crate) changed: PathBuf,
    /// Replace ORIGINAL atomically instead of printing the result
    #[arg(long)]
    pub(crate) in_place: bool,
    /// Show the differences; with --in-place, before writing
    #[arg(long)]
    pub(crate) diff: bool,
    /// Write edits of included values to the included files (with --in-place or --diff)
    #[arg(long)]
    pub(crate) into_includes: bool,

    #[command(flatten)]
    pub(crate) document: DocumentArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

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
    #[arg(long, value_name = "FORMAT")]
    pub(crate) render_as: Option<String>,
    /// The kind of code. Unfurl: expr, map (a value that contains expressions) or template. HCL: expr, template, body or
    /// json_expr
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<String>,
    /// For Puppet: print the catalog of what the code declares instead of its value, as JSON
    #[arg(long, conflicts_with_all = ["language", "jsonl"])]
    pub(crate) catalog: bool,
    /// Read JSON requests from standard input, one per line, and answer each with a report
    #[arg(long, conflicts_with_all = ["file", "code", "render_as", "fleet"])]
    pub(crate) jsonl: bool,
    /// Write the rows to a file instead of standard output (with --nodes or --puppetdb)
    #[arg(long, value_name = "FILE", requires = "fleet")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) many: crate::rows::RowsArguments,
    #[command(flatten)]
    pub(crate) tree: TreeArguments,
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

/// The flags of `parse`.
#[derive(Args, Debug)]
pub(crate) struct ParseArguments {
    /// The files to parse
    #[arg(value_name = "FILE", conflicts_with = "code")]
    pub(crate) files: Vec<PathBuf>,
    /// Code to use instead of a file
    #[arg(long, short = 'e', value_name = "CODE", allow_hyphen_values = true)]
    pub(crate) code: Option<String>,
    /// The output format: pn or json
    #[arg(long, visible_alias = "format", value_name = "FORMAT", default_value = "pn")]
    pub(crate) render_as: String,
    /// Print the tree on several lines, indented
    #[arg(long)]
    pub(crate) pretty: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// The flags of `explain`.
#[derive(Args, Debug)]
pub(crate) struct ExplainArguments {
    /// The code: in brackets after a finding, or `code` with `--message-format json` (default: list all codes)
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// The flags of `render`.
#[derive(Args, Debug)]
pub(crate) struct RenderArguments {
    /// The template; `-` for standard input
    #[arg(value_name = "TEMPLATE")]
    pub(crate) template: PathBuf,
    /// The language: epp, erb, jinja2 or hcl (default: by file name: .epp, .erb, .j2, .jinja, .jinja2, .tftpl)
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) language: Option<String>,
    /// A YAML or JSON file of variables (repeatable; later files override earlier ones, --var overrides all)
    #[arg(long, value_name = "FILE", action = clap::ArgAction::Append)]
    pub(crate) vars: Vec<PathBuf>,
    /// An extension of Jinja2: do, loopcontrols or i18n (repeatable)
    #[arg(long, value_name = "NAME", action = clap::ArgAction::Append)]
    pub(crate) extension: Vec<String>,
    /// What starts a statement of Jinja2 that ends with its line
    #[arg(long, value_name = "TEXT")]
    pub(crate) line_statement_prefix: Option<String>,
    /// What starts a comment of Jinja2 that ends with its line
    #[arg(long, value_name = "TEXT")]
    pub(crate) line_comment_prefix: Option<String>,
    /// The output format: text
    #[arg(long, value_name = "FORMAT")]
    pub(crate) render_as: Option<String>,

    #[command(flatten)]
    pub(crate) tree: TreeArguments,
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

/// The flags of `repl`.
#[derive(Args, Debug)]
pub(crate) struct ReplArguments {
    #[command(flatten)]
    pub(crate) code_may: CodeArguments,
    #[command(flatten)]
    pub(crate) place: PlaceArguments,
    #[command(flatten)]
    pub(crate) reveal: RevealArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

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
    /// Show on one screen which levels made the value, and why (--render-as html: a page; json: for tools)
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

    /// The value to use if no key is found
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub(crate) default: Option<String>,
    /// The Puppet data type that the value must match
    #[arg(long = "type", value_name = "TYPE", allow_hyphen_values = true)]
    pub(crate) value_type: Option<String>,
    /// The output format: yaml, json or s
    #[arg(long, value_name = "FORMAT", allow_hyphen_values = true)]
    pub(crate) render_as: Option<String>,

    /// Compile the catalog first: variables that manifests set are known
    #[arg(long, short = 'c')]
    pub(crate) compile: bool,
    /// URL template for a line of a file on a forge, as the settings say.
    #[arg(skip)]
    pub(crate) link: Option<String>,

    #[command(flatten)]
    pub(crate) many: crate::lookup::NodesArguments,
    #[command(flatten)]
    pub(crate) revision: RevisionArguments,
    #[command(flatten)]
    pub(crate) place: PlaceArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}
