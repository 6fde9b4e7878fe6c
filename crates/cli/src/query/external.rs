//! Runs queries with the program `hieratic-query`, if it is installed next to this one, in a build without SQL.
//!
//! Most commands never need SQL, which more than doubles the size of the program. Releases therefore have a separate
//! package: the same command, built with the feature `query`, under another name. Only the folder of this program is
//! searched, so that neither a repository nor `PATH` can replace the other program.

use std::env::{self, consts::EXE_SUFFIX};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::codes;
use crate::report::Reporter;

/// Gives the whole command line to the program with SQL. Ends with its status, or with an error if it is not there.
pub(super) fn run(reporter: &Reporter) -> ExitCode {
    let Some(program) = own_path().and_then(|own| beside(&own)) else {
        reporter.plain_error(
            codes::QUERY_MISSING,
            "this build has no SQL",
            &["install the package hieratic-query of the same release, or build with `cargo install --path crates/cli --features query`"
                .to_owned()],
        );
        return ExitCode::from(2);
    };
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    match replaced(Command::new(&program).args(arguments)) {
        Ok(status) => status,
        Err(error) => {
            reporter.plain_error(codes::QUERY_MISSING, &format!("cannot run {}: {error}", program.display()), &[]);
            ExitCode::FAILURE
        }
    }
}

/// Returns the path of this program. On Linux the system reports it in `/proc`, which a container may lack; then
/// argument zero is used.
fn own_path() -> Option<PathBuf> {
    let called = || env::args_os().next().map(PathBuf::from).filter(|path| path.is_absolute());
    env::current_exe().ok().or_else(called)
}

/// Returns the program with SQL. A link to this program does not count: it would run itself forever.
fn beside(own: &Path) -> Option<PathBuf> {
    let program = own.with_file_name(format!("hieratic-query{EXE_SUFFIX}"));
    let target = program.canonicalize().ok()?;
    (target != own.canonicalize().ok()?).then_some(program)
}

/// Replaces this program by the other one. It only returns if that fails.
#[cfg(unix)]
fn replaced(command: &mut Command) -> io::Result<ExitCode> {
    use std::os::unix::process::CommandExt as _;
    Err(command.exec())
}

/// Runs the program, and takes its status for this one's.
#[cfg(not(unix))]
fn replaced(command: &mut Command) -> io::Result<ExitCode> {
    let status = command.status()?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from))
}
