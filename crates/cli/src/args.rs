//! The flags of every verb.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::examples;
use crate::report::Reporter;
use crate::secret::args::SecretArguments;
use clap::builder::TypedValueParser as _;
use clap::{Args, Parser, Subcommand, ValueEnum};
use hieratic::{PuppetVersion, Strict};
use hieratic_powers::Limits;

/// Layered configuration data: looked up, explained, traced to its source.
#[derive(Debug, Parser)]
#[command(name = "hieratic", version = crate::version::SHORT, long_version = crate::version::LONG, infer_long_args = true, disable_help_subcommand = true, after_help = examples::OVERVIEW,
    arg_required_else_help = true, args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    /// Print the limits of an answer, which --limit NAME=VALUE of most verbs changes
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
            Some(Verb::Compare(compare)) => Some(&compare.messages),
            Some(Verb::Eval(eval)) => Some(&eval.messages),
            Some(Verb::Parse(parse)) => Some(&parse.messages),
            Some(Verb::Expand(expand)) => Some(&expand.messages),
            Some(Verb::Restore(restore)) => Some(&restore.messages),
            Some(Verb::Render(render)) => Some(&render.messages),
            Some(Verb::Job(job)) => Some(&job.messages),
            Some(Verb::Fmt(fmt)) => Some(&fmt.messages),
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
    /// Look keys up in Hiera data, as `puppet lookup` does
    #[command(args_override_self = true, after_help = examples::LOOKUP, infer_long_args = true)]
    Lookup(Box<LookupArguments>),
    /// Compare all values of two nodes, or of one node in two environments
    #[command(args_override_self = true, after_help = examples::COMPARE, infer_long_args = true)]
    Compare(Box<crate::compare::CompareArguments>),
    /// Evaluate code of the Puppet language, expressions of Unfurl, or HCL
    #[command(args_override_self = true, after_help = examples::EVAL, infer_long_args = true)]
    Eval(Box<EvalArguments>),
    /// Print the syntax tree of a file, as `puppet parser dump` does
    #[command(after_help = examples::PARSE)]
    Parse(ParseArguments),
    /// Find every problem in files and control repositories: code, data, hierarchies, secrets
    #[command(after_help = examples::CHECK)]
    Check(Box<CheckArguments>),
    /// Print the page about a rule of `check`, or list the rules
    #[command(after_help = examples::EXPLAIN)]
    Explain(ExplainArguments),
    /// Expand the merge directives of a YAML or JSON document, as Unfurl does
    #[command(after_help = examples::EXPAND)]
    Expand(ExpandArguments),
    /// Put the merge directives back into a document whose expanded form was changed
    #[command(after_help = examples::RESTORE)]
    Restore(RestoreArguments),
    /// Render a template of EPP, Jinja2 or HCL with facts, variables and looked-up data
    #[command(args_override_self = true, after_help = examples::RENDER, infer_long_args = true)]
    Render(Box<RenderArguments>),
    /// Print a Nomad job file as the job that the API takes, as `nomad job run -output` does
    #[command(after_help = examples::JOB)]
    Job(Box<JobArguments>),
    /// Write files of HCL in the layout of `hclfmt`, as `nomad fmt` does
    #[command(after_help = examples::FMT)]
    Fmt(crate::fmt::FmtArguments),
    /// Answer lookups over HTTP, with a page for the browser
    #[command(after_help = examples::SERVE, infer_long_args = true)]
    Serve(Box<crate::serve::ServeArguments>),
    /// Try the Puppet language at a prompt
    #[command(args_override_self = true, after_help = examples::REPL, infer_long_args = true)]
    Repl(Box<ReplArguments>),
    /// Trust a repository, so that it may run programs and read files outside of it
    #[command(after_help = examples::TRUST)]
    Trust(crate::trust::TrustArguments),
    /// Encrypt, decrypt, edit and rotate the values of eyaml files, as `eyaml` does
    #[command(after_help = examples::SECRET)]
    Secret(Box<SecretArguments>),
    /// Print the settings, and the files that they come from
    #[command(after_help = examples::CONFIG)]
    Config(crate::config::ConfigArguments),
    /// Print the completions for a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions {
        /// The shell: bash, elvish, fish, powershell or zsh
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write those of all verbs into a folder
    #[command(after_help = examples::MAN)]
    Man {
        /// The folder
        folder: Option<PathBuf>,
    },
}

/// What a repository may read beyond its own files.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct AccessArguments {
    /// Read files outside of the repository, and environment variables that it names
    #[arg(long, visible_alias = "allow-files")]
    pub(crate) allow_outside: bool,
    /// Fetch the pages that it includes from the network (http: and https:)
    #[arg(long)]
    pub(crate) allow_network: bool,
}

/// What a repository may do.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct PermissionArguments {
    /// Run the programs that the repository names
    #[arg(long)]
    pub(crate) allow_programs: bool,
    #[command(flatten)]
    pub(crate) access: AccessArguments,
}

/// How a document is expanded.
#[derive(Args, Debug)]
pub(crate) struct DocumentArguments {
    /// A variable that `when` asks for, over those of the environment (repeatable)
    #[arg(long, value_name = "NAME=VALUE", action = clap::ArgAction::Append)]
    pub(crate) var: Vec<String>,

    #[command(flatten)]
    pub(crate) access: AccessArguments,
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
    /// Tell for every value which file and line it comes from
    #[arg(long, conflicts_with = "explain")]
    pub(crate) origins: bool,
    /// Tell each directive, what it found and what became of it, in order
    #[arg(long)]
    pub(crate) explain: bool,

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
    /// The document with its directives
    #[arg(value_name = "ORIGINAL")]
    pub(crate) original: PathBuf,
    /// The expanded document after it was changed, YAML or JSON; `-` for standard input
    #[arg(value_name = "CHANGED")]
    pub(crate) changed: PathBuf,
    /// Write the result into ORIGINAL, whole or not at all, instead of printing it
    #[arg(long)]
    pub(crate) in_place: bool,
    /// Show what would change; with --in-place, before it is written
    #[arg(long)]
    pub(crate) diff: bool,
    /// Write changes of included values into the included files (with --in-place or --diff)
    #[arg(long)]
    pub(crate) into_includes: bool,

    #[command(flatten)]
    pub(crate) document: DocumentArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// What Unfurl's expressions are evaluated over.
#[derive(Args, Debug)]
pub(crate) struct TreeArguments {
    /// For Unfurl: the document or tree of instances {name, attributes, children}, as YAML or JSON, with merge directives
    #[arg(id = "tree", long = "tree", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// For Unfurl: the instance to start from; the root without one
    #[arg(long, value_name = "NAME")]
    pub(crate) start: Option<String>,
}

/// The flags of `eval`.
#[derive(Args, Debug)]
pub(crate) struct EvalArguments {
    /// The file with the code; standard input without one
    #[arg(value_name = "FILE", conflicts_with = "code")]
    pub(crate) file: Option<PathBuf>,
    /// The code
    #[arg(long, short = 'e', value_name = "CODE", allow_hyphen_values = true)]
    pub(crate) code: Option<String>,
    /// The language: puppet, unfurl or hcl; by the file's name without it (.hcl, .nomad, .tfvars, .nomadvars)
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) language: Option<String>,
    /// The output format: puppet, yaml, json, s or report
    #[arg(long, value_name = "FORMAT")]
    pub(crate) render_as: Option<String>,
    /// What the code is. For Unfurl: expr, map (a value with expressions in it) or template. For HCL: expr, template, body or
    /// json_expr
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<String>,
    /// Read requests from standard input, one JSON object per line, and answer each with a report
    #[arg(long, conflicts_with_all = ["file", "code", "render_as"])]
    pub(crate) jsonl: bool,

    #[command(flatten)]
    pub(crate) tree: TreeArguments,
    #[command(flatten)]
    pub(crate) code_may: CodeArguments,
    #[command(flatten)]
    pub(crate) place: PlaceArguments,
    #[command(flatten)]
    pub(crate) reveal: RevealArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// How much work an answer may cost.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct LimitArguments {
    /// A limit of the work, such as steps=100000 (repeatable); `hieratic --limits` prints all
    #[arg(long = "limit", value_name = "NAME=VALUE", action = clap::ArgAction::Append, value_parser = limit)]
    changes: Vec<String>,
}

impl LimitArguments {
    /// The limits with what the flags change of them.
    pub(crate) fn limits(&self) -> Limits {
        self.over(Limits::default())
    }

    /// Other limits with what the flags change of them.
    pub(crate) fn over(&self, mut limits: Limits) -> Limits {
        for change in &self.changes {
            // It was tried when the flags were read.
            let _ = limits.set(change);
        }
        limits
    }
}

/// Tries a change of a limit.
fn limit(text: &str) -> Result<String, String> {
    Limits::default().set(text).map(|()| text.to_owned())
}

/// What code may do.
#[derive(Args, Debug)]
pub(crate) struct CodeArguments {
    /// The same as --limit steps=COUNT, which wins over it
    #[arg(long, value_name = "COUNT")]
    step_limit: Option<u64>,

    #[command(flatten)]
    limits: LimitArguments,
}

impl CodeArguments {
    /// How much work an answer may cost.
    pub(crate) fn limits(&self) -> Limits {
        let mut flags = self.limits.clone();
        flags.changes.splice(0..0, self.step_limit.map(|steps| format!("steps={steps}")));
        flags.limits()
    }
}

/// The flags of `parse`.
#[derive(Args, Debug)]
pub(crate) struct ParseArguments {
    /// The files
    #[arg(value_name = "FILE", conflicts_with = "code")]
    pub(crate) files: Vec<PathBuf>,
    /// The code
    #[arg(long, short = 'e', value_name = "CODE", allow_hyphen_values = true)]
    pub(crate) code: Option<String>,
    /// The output format: pn or json
    #[arg(long, visible_alias = "format", value_name = "FORMAT", default_value = "pn")]
    pub(crate) render_as: String,
    /// Break and indent the tree
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
    /// The code, as it stands in brackets behind a finding; all codes without one
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// The flags of `check`.
#[derive(Args, Debug)]
pub(crate) struct CheckArguments {
    /// Files and folders; the current folder without one
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) puppet: VersionArguments,
    /// What to make of questionable code: off, warning (the default of Puppet 7) or error (of Puppet 8)
    #[arg(long, value_name = "LEVEL", value_parser = strict())]
    pub(crate) strict: Option<Strict>,
    /// Allow plans
    #[arg(long)]
    pub(crate) tasks: bool,
    /// The folders of modules, separated by colons; without it, what environment.conf says
    #[arg(long, value_name = "FOLDERS")]
    pub(crate) modulepath: Option<OsString>,
    /// The main manifest of the environment, or the folder of them, which may define anything
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest: Option<PathBuf>,

    /// A node's facts as a JSON or YAML file, or a folder with a file for each node (repeatable)
    #[arg(long, value_name = "FILE|FOLDER", action = clap::ArgAction::Append)]
    pub(crate) facts: Vec<PathBuf>,
    /// Only this node of those whose facts are given, or a node of which only the name is known (repeatable)
    #[arg(long, value_name = "NAME", action = clap::ArgAction::Append)]
    pub(crate) node: Vec<String>,
    /// The given nodes are all nodes there are: find data files that none of them reads
    #[arg(long)]
    pub(crate) all_nodes: bool,
    /// Find keys that no code and no data looks up
    #[arg(long)]
    pub(crate) unused: bool,
    /// Check files that .gitignore names, too
    #[arg(long)]
    pub(crate) no_ignore: bool,

    /// Only findings of these codes, separated by commas (repeatable)
    #[arg(long, value_name = "CODES", action = clap::ArgAction::Append)]
    pub(crate) select: Vec<String>,
    /// No findings of these codes, separated by commas (repeatable)
    #[arg(long, value_name = "CODES", action = clap::ArgAction::Append)]
    pub(crate) ignore: Vec<String>,
    /// Tell only what is not in this file
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write all findings into this file, so that --baseline accepts them
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    pub(crate) write_baseline: Option<PathBuf>,
    /// Cure what has one safe cure, in the files, and tell the rest
    #[arg(long, conflicts_with_all = ["write_baseline", "statistics"])]
    pub(crate) fix: bool,
    /// Count the findings of each code instead of telling them
    #[arg(long, conflicts_with = "write_baseline")]
    pub(crate) statistics: bool,
    /// Say which settings, environments and nodes the findings are about
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// Tell the findings and nothing else: no summary, and no note on what is not here
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// How bad a finding has to be for the exit status 1; an error if nothing says otherwise
    #[arg(long, value_name = "SEVERITY")]
    pub(crate) fail_on: Option<FailOn>,

    /// The environment's name
    #[arg(long, short = 'E', value_name = "NAME")]
    pub(crate) environment: Option<String>,
    /// A folder that is the environment, whatever its name
    #[arg(long, value_name = "FOLDER")]
    pub(crate) environment_dir: Option<PathBuf>,
    /// Where code and data lie
    #[arg(long, value_name = "FOLDER")]
    pub(crate) codedir: Option<PathBuf>,
    /// The global hiera.yaml
    #[arg(long = "hiera_config", alias = "hiera-config", value_name = "FILE")]
    pub(crate) hiera_config: Option<PathBuf>,
    /// Read data here that hiera.yaml places elsewhere: /srv/hiera=data (repeatable)
    #[arg(long, value_name = "DATADIR=FOLDER", action = clap::ArgAction::Append, value_parser = datadir)]
    pub(crate) datadir: Vec<String>,

    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) access: AccessArguments,
    /// How findings are printed, on standard output
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) message_format: CheckFormat,
    /// When to use colours; `auto` heeds NO_COLOR, CLICOLOR and CLICOLOR_FORCE
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
}

impl CheckArguments {
    /// How messages beside the findings are printed.
    pub(crate) fn messages(&self) -> MessageFormat {
        match self.message_format {
            CheckFormat::Json => MessageFormat::Json,
            CheckFormat::Human | CheckFormat::Sarif | CheckFormat::Github => MessageFormat::Human,
        }
    }
}

/// How findings are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For people.
    #[default]
    Human,
    /// One JSON object per line.
    Json,
    /// A log of SARIF 2.1.0, for code scanners.
    Sarif,
    /// Commands of GitHub's workflows, which become annotations.
    Github,
}

/// How bad a finding has to be for the exit status 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// Errors.
    #[default]
    Error,
    /// Warnings and errors.
    Warning,
    /// Everything.
    Note,
}

/// The flags of `render`.
#[derive(Args, Debug)]
pub(crate) struct RenderArguments {
    /// The template; `-` for standard input
    #[arg(value_name = "TEMPLATE")]
    pub(crate) template: PathBuf,
    /// The language, epp, jinja2 or hcl; by the file's name without it (.epp, .j2, .jinja, .jinja2, .tftpl)
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) language: Option<String>,
    /// A YAML or JSON file of variables (repeatable; later files win, and --var over all)
    #[arg(long, value_name = "FILE", action = clap::ArgAction::Append)]
    pub(crate) vars: Vec<PathBuf>,
    /// The output format: text
    #[arg(long, value_name = "FORMAT")]
    pub(crate) render_as: Option<String>,

    #[command(flatten)]
    pub(crate) tree: TreeArguments,
    #[command(flatten)]
    pub(crate) code_may: CodeArguments,
    #[command(flatten)]
    pub(crate) place: PlaceArguments,
    #[command(flatten)]
    pub(crate) reveal: RevealArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// The flags of `job`.
#[derive(Args, Debug)]
pub(crate) struct JobArguments {
    /// The job files, in HCL or HCL's JSON, and folders of them; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The value of a variable (repeatable)
    #[arg(long, value_name = "NAME=VALUE", action = clap::ArgAction::Append, allow_hyphen_values = true)]
    pub(crate) var: Vec<String>,
    /// A file with values of variables (repeatable; later files win)
    #[arg(long, value_name = "FILE", action = clap::ArgAction::Append, allow_hyphen_values = true)]
    pub(crate) var_file: Vec<PathBuf>,
    /// Whether values of variables that the job does not declare are errors, or warnings
    #[arg(long = "hcl2-strict", value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value = "true",
        default_missing_value = "true", value_parser = boolean)]
    pub(crate) hcl2_strict: bool,
    /// Let variable files have values of variables that the job does not declare, so that jobs can share them
    #[arg(long)]
    pub(crate) allow_undeclared: bool,
    /// The file is a job as the API's JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Accepted for compatibility: the job is always printed
    #[arg(long)]
    pub(crate) output: bool,
    /// Print what is wrong with the job, as far as that can be known without a server
    #[arg(long, conflicts_with = "origins")]
    pub(crate) validate: bool,
    /// Print the job as a job file: hcl. With --json that turns the API's JSON into HCL
    #[arg(long, value_name = "LANGUAGE", value_parser = ["hcl"], conflicts_with_all = ["validate", "origins", "render_as", "diff"])]
    pub(crate) to: Option<String>,
    /// Print what changes from another job to this one, in the form of `nomad job plan`
    #[arg(long, value_name = "OTHER", conflicts_with_all = ["validate", "origins"])]
    pub(crate) diff: Option<PathBuf>,
    /// With --validate: tell as well what Nomad takes although it is hardly meant
    #[arg(long, requires = "validate")]
    pub(crate) lint: bool,
    /// Tell for every value where it comes from, and which values of variables lost
    #[arg(long)]
    pub(crate) origins: bool,
    /// Deny functions all files
    #[arg(long, conflicts_with_all = ["allow_files", "base"])]
    pub(crate) deny_files: bool,
    #[command(flatten)]
    pub(crate) reading: crate::job::FileArguments,
    #[command(flatten)]
    pub(crate) nomad: crate::job::NomadArguments,
    /// The output format: json, yaml, s or report
    #[arg(long, value_name = "FORMAT")]
    pub(crate) render_as: Option<String>,
    /// The node whose data `hiera` looks up
    #[arg(long, value_name = "NAME")]
    pub(crate) node: Option<String>,
    /// A JSON or YAML file of the node's facts, or a folder with a file for each node (repeatable; later ones win)
    #[arg(long, value_name = "FILE|FOLDER", action = clap::ArgAction::Append)]
    pub(crate) facts: Vec<PathBuf>,
    /// Whether the settings named the facts, and not the flag.
    #[arg(skip)]
    pub(crate) facts_by_settings: bool,
    /// One fact; dots lead into structured facts (repeatable)
    #[arg(long, value_name = "NAME=VALUE", action = clap::ArgAction::Append)]
    pub(crate) fact: Vec<String>,
    /// The environment's name
    #[arg(long, short = 'E', value_name = "NAME")]
    pub(crate) environment: Option<String>,
    /// A folder that is the environment, whatever its name
    #[arg(long, value_name = "FOLDER")]
    pub(crate) environment_dir: Option<PathBuf>,
    /// Where code and data lie
    #[arg(long, value_name = "FOLDER")]
    pub(crate) codedir: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) puppet: VersionArguments,

    #[command(flatten)]
    pub(crate) permissions: crate::job::JobPermissionArguments,
    #[command(flatten)]
    pub(crate) reveal: RevealArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// A bool as the reference's flags take it.
pub(crate) fn boolean(text: &str) -> Result<bool, String> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(false),
        _ => Err("expected true or false".to_owned()),
    }
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

/// How diagnostics are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum MessageFormat {
    /// For people.
    #[default]
    Human,
    /// One JSON object per line.
    Json,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The flags of `lookup`.
#[derive(Args, Debug)]
pub(crate) struct LookupArguments {
    /// The keys, tried in turn: the first that has a value answers
    #[arg(value_name = "KEY")]
    pub(crate) keys: Vec<String>,

    /// Merge the values of all levels: first, unique, hash or deep; wins over lookup_options
    #[arg(long, value_name = "TYPE", allow_hyphen_values = true)]
    pub(crate) merge: Option<String>,
    /// A prefix that marks elements to remove (with --merge deep)
    #[arg(long, value_name = "PREFIX", allow_hyphen_values = true)]
    pub(crate) knock_out_prefix: Option<String>,
    /// Sort arrays that are merged (with --merge deep)
    #[arg(long)]
    pub(crate) sort_merged_arrays: bool,
    /// Merge hashes within arrays by their position (with --merge deep)
    #[arg(long)]
    pub(crate) merge_hash_arrays: bool,
    /// Let removals hold at every depth of the hierarchy
    #[arg(long)]
    pub(crate) strict_knockout: bool,

    /// Tell everything that was tried, and how the value came about
    #[arg(long)]
    pub(crate) explain: bool,
    /// Tell how lookup_options came about
    #[arg(long)]
    pub(crate) explain_options: bool,
    /// Tell in one screen which levels the value is made of, and why (with --render-as html: a page; json: for tools)
    #[arg(long, conflicts_with_all = ["explain", "explain_options", "origins", "all"])]
    pub(crate) why: bool,
    /// Tell all of it: every level and part, silent levels, values as YAML (with --why)
    #[arg(long, requires = "why")]
    pub(crate) full: bool,
    /// Show decrypted and Sensitive values, which are covered in all but the plain answer
    #[arg(long)]
    pub(crate) reveal: bool,
    /// Tell for every part of the value which file and line it comes from
    #[arg(long, conflicts_with_all = ["explain", "explain_options"])]
    pub(crate) origins: bool,
    /// Look up every key that this node's hierarchy can answer, or those that patterns match: 'profile::web::*'
    #[arg(long, conflicts_with_all = ["each", "explain", "explain_options"])]
    pub(crate) all: bool,
    /// Answer every key, not only the first that is found
    #[arg(long, conflicts_with_all = ["explain", "explain_options"])]
    pub(crate) each: bool,

    /// The value if nothing is found
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub(crate) default: Option<String>,
    /// The Puppet type that the value must have
    #[arg(long = "type", value_name = "TYPE", allow_hyphen_values = true)]
    pub(crate) value_type: Option<String>,
    /// The output format: yaml, json or s
    #[arg(long, value_name = "FORMAT", allow_hyphen_values = true)]
    pub(crate) render_as: Option<String>,

    /// Compile a catalog first (not available)
    #[arg(long, short = 'c')]
    pub(crate) compile: bool,
    /// Where a forge shows a line of a file, as the settings say.
    #[arg(skip)]
    pub(crate) link: Option<String>,

    #[command(flatten)]
    pub(crate) place: PlaceArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// Which node of which environment is meant.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PlaceArguments {
    /// The node to look up for; without it and --facts, this machine (lookup asks facter for its facts)
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub(crate) node: Option<String>,
    /// A JSON or YAML file of facts, or a folder with a file for each node (repeatable; later ones win)
    #[arg(long, value_name = "FILE|FOLDER", action = clap::ArgAction::Append, allow_hyphen_values = true)]
    pub(crate) facts: Vec<PathBuf>,
    /// Whether the settings named the facts, and not the flag.
    #[arg(skip)]
    pub(crate) facts_by_settings: bool,
    /// One fact; dots lead into structured facts (repeatable)
    #[arg(long, value_name = "NAME=VALUE", action = clap::ArgAction::Append)]
    pub(crate) fact: Vec<String>,
    /// A top-scope variable, as a manifest would set it (repeatable)
    #[arg(long, value_name = "NAME=VALUE", action = clap::ArgAction::Append)]
    pub(crate) var: Vec<String>,
    /// Accepted for compatibility; trusted data comes from the facts and the node's name
    #[arg(long)]
    pub(crate) trusted: bool,
    /// A JSON or YAML file with the trusted data
    #[arg(long, value_name = "FILE")]
    pub(crate) trusted_data: Option<PathBuf>,
    /// The environment's name
    #[arg(long, short = 'E', value_name = "NAME", allow_hyphen_values = true)]
    pub(crate) environment: Option<String>,
    /// Whether the settings named the environment, and not the flag.
    #[arg(skip)]
    pub(crate) environment_by_settings: bool,
    /// A folder that is the environment, whatever its name
    #[arg(long, value_name = "FOLDER")]
    pub(crate) environment_dir: Option<PathBuf>,
    /// The folders that environments lie in, separated by colons
    #[arg(long, value_name = "FOLDERS")]
    pub(crate) environmentpath: Option<String>,
    /// Where code and data lie
    #[arg(long, value_name = "FOLDER")]
    pub(crate) codedir: Option<PathBuf>,
    /// Where puppet.conf and the global hiera.yaml lie
    #[arg(long, value_name = "FOLDER")]
    pub(crate) confdir: Option<PathBuf>,
    /// Accepted for compatibility; nothing is written
    #[arg(long, value_name = "FOLDER")]
    pub(crate) vardir: Option<PathBuf>,
    /// The global hiera.yaml
    #[arg(long = "hiera_config", alias = "hiera-config", value_name = "FILE")]
    pub(crate) hiera_config: Option<PathBuf>,
    /// The folders of modules, separated by colons
    #[arg(long, value_name = "FOLDERS")]
    pub(crate) modulepath: Option<String>,
    /// The folders of modules of every environment, separated by colons
    #[arg(long, value_name = "FOLDERS")]
    pub(crate) basemodulepath: Option<String>,
    /// Read data here that hiera.yaml places elsewhere: /srv/hiera=data (repeatable)
    #[arg(long, value_name = "DATADIR=FOLDER", action = clap::ArgAction::Append, value_parser = datadir)]
    pub(crate) datadir: Vec<String>,
    #[command(flatten)]
    pub(crate) puppet: VersionArguments,
    /// What to make of unknown variables and empty files: off, warning (the default of Puppet 7) or error (of Puppet 8)
    #[arg(long, value_name = "LEVEL", value_parser = strict())]
    pub(crate) strict: Option<Strict>,
    /// Make unknown variables errors in code, functions that are back ends included (the default of Puppet 8)
    #[arg(long = "strict_variables", alias = "strict-variables", overrides_with = "lenient_variables")]
    pub(crate) strict_variables: bool,
    /// Undo --strict_variables, the setting in puppet.conf, and the default of Puppet 8
    #[arg(long = "no-strict_variables", alias = "no-strict-variables", overrides_with = "strict_variables")]
    pub(crate) lenient_variables: bool,
    /// `none` leaves the global layer out
    #[arg(long = "data_binding_terminus", value_name = "NAME", value_parser = ["hiera", "none"], hide_possible_values = true)]
    pub(crate) data_binding_terminus: Option<String>,
    /// The file to read instead of puppet.conf in the confdir
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) permissions: PermissionArguments,

    /// Say which environment, settings, facts and trust are used
    #[arg(long, short = 'v')]
    pub(crate) verbose: bool,
    /// Accepted for compatibility
    #[arg(long, short = 'd')]
    pub(crate) debug: bool,
}

/// Whose answers are given, of the versions of Puppet.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct VersionArguments {
    /// The version of Puppet or OpenVox whose answers are given: 7 or 8 (default: 8)
    #[arg(long, env = "HIERATIC_PUPPET_VERSION", hide_env_values = true, value_name = "VERSION",
        value_parser = puppet_version(), hide_possible_values = true)]
    pub(crate) puppet_version: Option<PuppetVersion>,
}

impl VersionArguments {
    /// The version that is meant.
    pub(crate) fn version(self) -> PuppetVersion {
        self.puppet_version.unwrap_or_default()
    }
}

fn strict() -> impl clap::builder::TypedValueParser<Value = Strict> {
    clap::builder::PossibleValuesParser::new(["off", "warning", "error"]).try_map(|word| word.parse::<Strict>())
}

fn puppet_version() -> impl clap::builder::TypedValueParser<Value = PuppetVersion> {
    let numbers = PuppetVersion::ALL.map(PuppetVersion::number);
    clap::builder::PossibleValuesParser::new(numbers).try_map(|number| number.parse::<PuppetVersion>())
}

/// Tries where a folder of data is.
pub(crate) fn datadir(text: &str) -> Result<String, String> {
    let is_pair = text.split_once('=').is_some_and(|(there, here)| !there.is_empty() && !here.is_empty());
    is_pair.then(|| text.to_owned()).ok_or_else(|| "expected the folder in hiera.yaml, =, and the folder here".into())
}

/// The folders of data that flags place elsewhere.
pub(crate) fn datadirs(flags: &[String]) -> Vec<(String, PathBuf)> {
    let pairs = flags.iter().filter_map(|flag| flag.split_once('='));
    pairs.map(|(there, here)| (there.to_owned(), here.into())).collect()
}

/// Whether secrets are shown.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct RevealArguments {
    /// Show decrypted and Sensitive values, which are covered otherwise
    #[arg(long)]
    pub(crate) reveal: bool,
}

/// How messages are printed.
#[derive(Args, Debug)]
pub(crate) struct MessageArguments {
    /// How warnings and errors are printed
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) message_format: MessageFormat,
    /// When to use colours; `auto` heeds NO_COLOR, CLICOLOR and CLICOLOR_FORCE
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
}
