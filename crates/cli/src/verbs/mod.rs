//! The verbs with their flags.

mod access;
mod inputs;
mod misuse;
mod place;
mod revisions;
mod settings;
mod unfinished;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::args::{Color, LazyArgs, MessageFormat, OVERVIEW};
use crate::examples;
use crate::report::Reporter;

pub(crate) use access::grant as grant_access;
pub(crate) use inputs::NamedInputs;
pub(crate) use misuse::usage;
pub(crate) use revisions::{open as open_revisions, opened as opened_revision};
pub(crate) use settings::apply as apply_settings;
pub(crate) use unfinished::warn as warn_of_unfinished;

/// Look up layered configuration data, explain it, and trace it to its source.
#[derive(Debug, Parser)]
#[command(name = "hieratic", version = crate::version::SHORT, long_version = crate::version::LONG, infer_long_args = true, disable_help_subcommand = true, after_help = examples::OVERVIEW, help_template = OVERVIEW,
    arg_required_else_help = true, args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    /// Print the limits of an answer; most verbs change them with --limit NAME=VALUE
    #[arg(long)]
    pub(crate) limits: bool,
    /// Print what each verb, and each route of the service, may read and run
    #[arg(long, conflicts_with = "limits")]
    pub(crate) permissions: bool,

    #[command(subcommand)]
    pub(crate) verb: Option<Verb>,
}

impl Arguments {
    /// Returns the reporter of the verb, for diagnostics after it has run.
    pub(crate) fn reporter(&self) -> Reporter {
        let messages = match &self.verb {
            None | Some(Verb::Completions { .. } | Verb::Man { .. }) => None,
            Some(Verb::Check(check)) => return Reporter::new(check.messages(), check.color),
            Some(Verb::Explain(explain)) => Some(&explain.messages),
            Some(Verb::Lookup(lookup)) => Some(&lookup.messages),
            Some(Verb::Query(query)) => Some(&query.messages),
            Some(Verb::Compare(compare)) => Some(&compare.messages),
            Some(Verb::Diff(diff)) => Some(&diff.messages),
            Some(Verb::Enc(enc)) => Some(&enc.messages),
            Some(Verb::External(external)) => Some(&external.messages),
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
            Some(Verb::Pack(pack)) => Some(pack.messages()),
            Some(Verb::Fmt(fmt)) => Some(&fmt.messages),
            Some(Verb::Lsp(lsp)) => Some(&lsp.messages),
            Some(Verb::Serve(serve)) => Some(&serve.messages),
            Some(Verb::Repl(repl)) => Some(&repl.messages),
            Some(Verb::Trust(trust)) => Some(&trust.messages),
            Some(Verb::Config(config)) => Some(&config.messages),
            Some(Verb::Init(init)) => Some(&init.messages),
            Some(Verb::Doctor(doctor)) => Some(&doctor.messages),
            Some(Verb::Secret(secret)) => Some(secret.action.messages()),
            Some(Verb::Version(version)) => Some(&version.messages),
        };
        match messages {
            Some(messages) => Reporter::new(messages.message_format, messages.color),
            None => Reporter::new(MessageFormat::Human, Color::Auto),
        }
    }
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Look up keys in Hiera data, like `puppet lookup`
    #[command(args_override_self = true, after_help = examples::LOOKUP, infer_long_args = true)]
    Lookup(LazyArgs<crate::lookup::LookupArguments>),
    /// Query the values of many nodes in SQL
    #[command(args_override_self = true, after_help = examples::QUERY, infer_long_args = true)]
    Query(LazyArgs<crate::query::QueryArguments>),
    /// Compare all values of two nodes, or of two environments
    #[command(args_override_self = true, after_help = examples::COMPARE, infer_long_args = true)]
    Compare(LazyArgs<crate::compare::CompareArguments>),
    /// Print the classes of a node, as an external node classifier
    #[command(args_override_self = true, after_help = examples::ENC, infer_long_args = true)]
    Enc(LazyArgs<crate::enc::EncArguments>),
    /// Answer the data source `external` of Terraform and OpenTofu
    #[command(args_override_self = true, after_help = examples::EXTERNAL, infer_long_args = true)]
    External(LazyArgs<crate::external::ExternalArguments>),
    /// Show the keys of nodes that a change affects, and why
    #[command(args_override_self = true, after_help = examples::DIFF, infer_long_args = true)]
    Diff(LazyArgs<crate::diff::DiffArguments>),
    /// Show how the value of a key changed over the commits
    #[command(args_override_self = true, after_help = examples::HISTORY, infer_long_args = true)]
    History(LazyArgs<crate::history::HistoryArguments>),
    /// Show the keys and nodes that a file, line or level can reach
    #[command(args_override_self = true, after_help = examples::AFFECTED, infer_long_args = true)]
    Affected(LazyArgs<crate::affected::AffectedArguments>),
    /// Evaluate Puppet code, Unfurl expressions, or HCL
    #[command(args_override_self = true, after_help = examples::EVAL, infer_long_args = true)]
    Eval(LazyArgs<crate::eval::EvalArguments>),
    /// Compile the catalog of a node, like `puppet catalog compile`
    #[command(args_override_self = true, after_help = examples::CATALOG, infer_long_args = true)]
    Catalog(LazyArgs<crate::catalog::CatalogArguments>),
    /// Print the syntax tree of a file, like `puppet parser dump`
    #[command(after_help = examples::PARSE)]
    Parse(LazyArgs<crate::parse::ParseArguments>),
    /// Find problems in code, data, hierarchies, templates and jobs
    #[command(after_help = examples::CHECK)]
    Check(LazyArgs<crate::check::CheckArguments>),
    /// Rename, move and remove keys, with proof that no value changes
    #[command(args_override_self = true, after_help = examples::REFACTOR, infer_long_args = true)]
    Refactor(LazyArgs<crate::refactor::RefactorArguments>),
    /// Generate a JSON Schema for editors
    #[command(args_override_self = true, after_help = examples::SCHEMA, infer_long_args = true)]
    Schema(LazyArgs<crate::schema::SchemaArguments>),
    /// Infer types for untyped class parameters
    #[command(args_override_self = true, after_help = examples::TYPES, infer_long_args = true)]
    Types(LazyArgs<crate::types::TypesArguments>),
    /// Explain a finding or error code, or list the codes
    #[command(after_help = examples::EXPLAIN)]
    Explain(LazyArgs<crate::explain::ExplainArguments>),
    /// Expand the merge directives of a document, like Unfurl
    #[command(after_help = examples::EXPAND)]
    Expand(LazyArgs<crate::expand::ExpandArguments>),
    /// Apply the edits of an expanded document to its original
    #[command(after_help = examples::RESTORE)]
    Restore(LazyArgs<crate::restore::RestoreArguments>),
    /// Render EPP, ERB, Jinja2 and HCL templates with facts and data
    #[command(args_override_self = true, after_help = examples::RENDER, infer_long_args = true)]
    Render(LazyArgs<crate::render::RenderArguments>),
    /// Convert a Nomad job to JSON, like `nomad job run -output`
    #[command(after_help = examples::JOB)]
    Job(LazyArgs<crate::job::JobArguments>),
    /// Render and check packs of nomad-pack
    #[command(after_help = examples::PACK)]
    Pack(LazyArgs<crate::pack::PackArguments>),
    /// Format HCL files, like `nomad fmt`
    #[command(after_help = examples::FMT)]
    Fmt(LazyArgs<crate::fmt::FmtArguments>),
    /// Serve editors: findings, values, completion and navigation
    #[command(after_help = examples::LSP, infer_long_args = true)]
    Lsp(LazyArgs<crate::lsp::LspArguments>),
    /// Serve lookups over HTTP, with pages for the browser
    #[command(after_help = examples::SERVE, infer_long_args = true)]
    Serve(LazyArgs<crate::serve::ServeArguments>),
    /// Try the Puppet language at a prompt
    #[command(args_override_self = true, after_help = examples::REPL, infer_long_args = true)]
    Repl(LazyArgs<crate::repl::ReplArguments>),
    /// Allow a repository to run programs and read files outside it
    #[command(after_help = examples::TRUST)]
    Trust(LazyArgs<crate::trust::TrustArguments>),
    /// Encrypt, decrypt, edit and rotate eyaml values, like `eyaml`
    #[command(after_help = examples::SECRET)]
    Secret(LazyArgs<crate::secret::args::SecretArguments>),
    /// Print the settings and the files they come from
    #[command(after_help = examples::CONFIG)]
    Config(LazyArgs<crate::config::ConfigArguments>),
    /// Propose settings, a workflow and a hook for this repository
    #[command(after_help = examples::INIT)]
    Init(LazyArgs<crate::init::InitArguments>),
    /// Report what cannot be checked here, why, and how to change that
    #[command(after_help = examples::DOCTOR)]
    Doctor(LazyArgs<crate::doctor::DoctorArguments>),
    /// Print the version, and compare it with the newest release
    #[command(after_help = examples::VERSION)]
    Version(LazyArgs<crate::version::ReleaseArguments>),
    /// Print the completion script for a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions {
        /// The shell: bash, elvish, fish, powershell or zsh
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write all pages to a folder
    #[command(after_help = examples::MAN)]
    Man {
        /// The folder to write all pages to
        folder: Option<PathBuf>,
    },
}

impl Verb {
    /// Whether its answers are read in the pager: they are for people, and can be long.
    pub(crate) fn is_paged(&self) -> bool {
        let messages = match self {
            // A list of findings for people; a check that watches redraws it.
            Verb::Check(check) => return check.is_paged(),
            Verb::Explain(arguments) => &arguments.messages,
            Verb::Diff(diff) if !diff.watch => &diff.messages,
            Verb::History(arguments) => &arguments.messages,
            Verb::Affected(arguments) => &arguments.messages,
            Verb::Compare(arguments) => &arguments.messages,
            Verb::Lookup(lookup) if lookup.is_long() => &lookup.messages,
            _ => return false,
        };
        !messages.no_pager
    }
}
