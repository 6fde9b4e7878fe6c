//! `hieratic repl`
use std::process::ExitCode;
use crate::args::ReplArguments;
pub(crate) fn run(_: &ReplArguments) -> ExitCode { ExitCode::FAILURE }
