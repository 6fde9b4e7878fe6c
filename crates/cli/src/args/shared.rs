//! Small groups of flags that several verbs have.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use hieratic::budget::Limits;

/// Permissions to read beyond the repository.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct AccessArguments {
    /// Allow the repository to read environment variables and files outside of it
    #[arg(long, visible_alias = "allow-files")]
    pub(crate) allow_outside: bool,
    /// Allow the repository to include pages from the network (http: and https:)
    #[arg(long)]
    pub(crate) allow_network: bool,
}

/// The permissions of a repository.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct PermissionArguments {
    /// Allow the repository to run programs
    #[arg(long)]
    pub(crate) allow_programs: bool,
    #[command(flatten)]
    pub(crate) access: AccessArguments,
}

/// The options for expanding a document.
#[derive(Args, Debug)]
pub(crate) struct DocumentArguments {
    /// A variable for `when`; overrides the environment variable of that name (repeatable)
    #[arg(long, value_name = "NAME=VALUE", action = clap::ArgAction::Append)]
    pub(crate) var: Vec<String>,

    #[command(flatten)]
    pub(crate) access: AccessArguments,
}

/// The data that Unfurl's expressions are evaluated over.
#[derive(Args, Debug)]
pub(crate) struct TreeArguments {
    /// For Unfurl: the document or instance tree {name, attributes, children}, as YAML or JSON, with merge directives
    #[arg(id = "tree", long = "tree", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// For Unfurl: the instance to start from (default: the root)
    #[arg(long, value_name = "NAME")]
    pub(crate) start: Option<String>,
    /// For Unfurl: an input of the ensemble, over its own (repeatable)
    #[arg(long, value_name = "NAME=VALUE", action = clap::ArgAction::Append, requires = "tree")]
    pub(crate) input: Vec<String>,
}

/// The limits of an answer.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct LimitArguments {
    /// Change a limit, such as steps=100000 (repeatable); `hieratic --limits` lists them
    #[arg(long = "limit", value_name = "NAME=VALUE", action = clap::ArgAction::Append, value_parser = limit)]
    changes: Vec<String>,
}

impl LimitArguments {
    /// The default limits, overridden by the flags.
    pub(crate) fn limits(&self) -> Limits {
        self.over(Limits::default())
    }

    /// The given limits, overridden by the flags.
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

/// The permissions of code.
#[derive(Args, Debug)]
pub(crate) struct CodeArguments {
    /// Same as --limit steps=COUNT, which takes precedence
    #[arg(long, value_name = "COUNT")]
    step_limit: Option<u64>,
    /// Run code in Ruby that Hieratic does not support with this program; needs --allow-programs or trust
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) ruby: Option<PathBuf>,
    /// Let Ruby code draw random numbers (rand, shuffle, SecureRandom), which begin with this seed in each catalog
    #[arg(long, value_name = "NUMBER")]
    pub(crate) random_seed: Option<u64>,

    #[command(flatten)]
    limits: LimitArguments,
}

impl CodeArguments {
    /// The limits of an answer.
    pub(crate) fn limits(&self) -> Limits {
        self.limits_over(Limits::default())
    }

    /// The limits of an answer, with other defaults.
    pub(crate) fn limits_over(&self, usual: Limits) -> Limits {
        let mut flags = self.limits.clone();
        flags.changes.splice(0..0, self.step_limit.map(|steps| format!("steps={steps}")));
        flags.over(usual)
    }
}

/// The format of diagnostics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum MessageFormat {
    /// For people.
    #[default]
    Human,
    /// One JSON object per line.
    Json,
}

/// The condition for colors.
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

/// The choice to reveal secrets.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct RevealArguments {
    /// Show decrypted and Sensitive values (default: redacted)
    #[arg(long)]
    pub(crate) reveal: bool,
}

/// The options for messages.
#[derive(Args, Clone, Debug)]
pub(crate) struct MessageArguments {
    /// The format of warnings and errors
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) message_format: MessageFormat,
    /// When to use colors; `auto` respects NO_COLOR, CLICOLOR and CLICOLOR_FORCE
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
    /// Print long answers without a pager
    #[arg(long)]
    pub(crate) no_pager: bool,
}

/// A bool as the reference's flags take it.
pub(crate) fn boolean(text: &str) -> Result<bool, String> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(false),
        _ => Err("expected true or false".to_owned()),
    }
}
