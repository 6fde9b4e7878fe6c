//! The flags of `render`.

use std::path::PathBuf;

use clap::Args;

use crate::args::{CodeArguments, MessageArguments, PlaceArguments, RevealArguments, TreeArguments};
use crate::revision::RevisionArguments;
use crate::vault::VaultArguments;

/// The flags of `render`.
#[derive(Args, Debug)]
pub(crate) struct RenderArguments {
    /// The template; `-` for standard input (default with --output or --against: all templates of the roles)
    #[arg(value_name = "TEMPLATE", required_unless_present_any = ["output", "against"])]
    pub(crate) template: Option<PathBuf>,
    /// The language: epp, erb, jinja2 or hcl (default: by file name: .epp, .erb, .j2, .jinja, .jinja2, .tftpl)
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) language: Option<String>,
    /// A YAML or JSON file of variables (repeatable; later files override earlier ones, --var overrides all)
    #[arg(long, value_name = "FILE", action = clap::ArgAction::Append)]
    pub(crate) vars: Vec<PathBuf>,
    /// A role of Ansible: TEMPLATE is one of its templates, and its defaults and vars are variables below those of --vars; with --output or
    /// --against also a folder of roles
    #[arg(long, value_name = "FOLDER")]
    pub(crate) role: Option<PathBuf>,
    /// An inventory of Ansible, INI or YAML: its variables, with group_vars and host_vars next to it, are variables
    #[arg(long, value_name = "FILE")]
    pub(crate) inventory: Option<PathBuf>,
    /// A playbook of Ansible that uses the role: the variables, files of variables and role parameters of its play are variables
    #[arg(long, value_name = "FILE", requires = "role")]
    pub(crate) playbook: Option<PathBuf>,
    /// The host of the inventory to render for (default: --node, or the only host)
    #[arg(long, value_name = "NAME", requires = "inventory")]
    pub(crate) host: Option<String>,
    /// Render all templates of the roles, or TEMPLATE, for all hosts of the inventory, or --host, into a new folder: HOST/ROLE/FILE
    #[arg(long, value_name = "FOLDER", requires = "role", conflicts_with = "tree")]
    pub(crate) output: Option<PathBuf>,
    /// Print how these files differ from those of a git revision
    #[arg(long, value_name = "REV", requires = "role", conflicts_with_all = ["tree", "output"])]
    pub(crate) against: Option<String>,
    #[command(flatten)]
    pub(crate) vault: VaultArguments,
    /// Leave strings among the variables of a template of Jinja2 as they are: do not render them as Ansible does
    #[arg(long)]
    pub(crate) no_template_vars: bool,
    /// An extension of Jinja2: do, loopcontrols or i18n (repeatable)
    #[arg(long, value_name = "NAME", action = clap::ArgAction::Append)]
    pub(crate) extension: Vec<String>,
    /// The prefix of a Jinja2 statement that ends with its line
    #[arg(long, value_name = "TEXT")]
    pub(crate) line_statement_prefix: Option<String>,
    /// The prefix of a Jinja2 comment that ends with its line
    #[arg(long, value_name = "TEXT")]
    pub(crate) line_comment_prefix: Option<String>,
    /// The output format: text
    #[arg(long = "format", alias = "render-as", value_name = "FORMAT")]
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
