//! `hieratic version` and `--version`: the version, its commit and the features of the build, and the newest release.

mod releases;

use std::cmp::Ordering;
use std::process::ExitCode;

use clap::Args;
use hieratic::puppet_types::quantities::SemVer;
use hieratic::{Error, ErrorKind};

use crate::args::MessageArguments;
use crate::codes;
use crate::report::Reporter;

/// The version and the commit.
pub(crate) const SHORT: &str = concat!(env!("CARGO_PKG_VERSION"), env!("HIERATIC_COMMIT"));

/// The long version, with the versions of the reference programs that it is compatible with, and the target of the
/// build.
pub(crate) const LONG: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    env!("HIERATIC_COMMIT"),
    "\ncompatible with: Puppet 7.23, OpenVox 8.28, Unfurl 1.2, Jinja2 3.1,\n                 HCL 2.24, Nomad 2.0\n",
    "features: eyaml, HOCON, Oniguruma, HTTP/2, TLS, PuppetDB\n",
    "built for: ",
    env!("HIERATIC_TARGET"),
);

/// The page that leads to the newest release.
const LATEST: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/releases/latest");

/// The flags of `version`.
#[derive(Args, Debug)]
pub(crate) struct ReleaseArguments {
    /// Compare with the newest release; without --allow-network, say what would be asked
    #[arg(long)]
    check: bool,
    /// The address that redirects to the newest release
    #[arg(long, value_name = "URL", default_value = LATEST, requires = "check")]
    from: String,
    /// Ask the address: one request, without data of yours
    #[arg(long, requires = "check")]
    allow_network: bool,
    /// Exit with status 1 if there is a newer release
    #[arg(long, requires = "allow_network")]
    exit_code: bool,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// Runs the verb.
pub(crate) fn run(arguments: &ReleaseArguments) -> ExitCode {
    let reporter = Reporter::new(arguments.messages.message_format, arguments.messages.color);
    if !arguments.check {
        reporter.print_text(format!("hieratic {LONG}\n").as_bytes());
        return ExitCode::SUCCESS;
    }
    let from = &arguments.from;
    if !arguments.allow_network {
        reporter.print_text(offline_answer(from).as_bytes());
        return ExitCode::SUCCESS;
    }
    let newest = match releases::newest(from) {
        Ok(newest) => newest,
        Err(reason) => {
            let error =
                Error::new(ErrorKind::Fatal, codes::RELEASES, format!("the newest release is not known: {reason}"))
                    .help("open the page in a browser, or name another one with --from URL");
            reporter.error("", &error);
            return ExitCode::from(2);
        }
    };
    let (answer, is_newer) = compared(&newest, from);
    reporter.print_text(answer.as_bytes());
    if is_newer && arguments.exit_code { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The answer without permission: the request that would be sent.
fn offline_answer(from: &str) -> String {
    format!(
        "hieratic {SHORT}\n\
         Nothing was asked. With --allow-network, one request asks {from} for the newest release:\n\
         GET, with `User-Agent: {}`, and nothing about your files or this version.\n",
        releases::USER_AGENT,
    )
}

/// Compares this version with the newest release. Returns what to print, and whether the release is newer.
fn compared(newest: &SemVer, from: &str) -> (String, bool) {
    let this = env!("CARGO_PKG_VERSION");
    let shown = releases::shown(newest);
    // Cargo takes no other version.
    let order = SemVer::parse(this).map_or(Ordering::Equal, |this| this.compare(newest));
    match order {
        Ordering::Less => (format!("hieratic {shown} is newer than this version, {this}: {from}\n"), true),
        Ordering::Equal => (format!("hieratic {this} is the newest release\n"), false),
        Ordering::Greater => (format!("hieratic {this} is newer than the newest release, {shown}\n"), false),
    }
}
