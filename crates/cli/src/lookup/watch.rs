//! `--watch`: repeats the lookup whenever a file changes that the answer depends on.

use std::process::ExitCode;
use std::time::Duration;

use hieratic::dependencies::Freshness;
use hieratic_diagnostics::{Diagnostic, Severity};

use super::{COULD_NOT_RUN, OpenNode, Plan};
use crate::codes;
use crate::output;
use crate::report::Reporter;
use crate::streams::ANSWERS;

/// The interval between two looks at the files.
const INTERVAL: Duration = Duration::from_millis(250);

/// The time that a file must be unchanged before it is read: editors write in several steps.
const SETTLE_TIME: Duration = Duration::from_millis(100);

/// Answers until the reader of the answers is gone, or the command is interrupted.
pub(super) fn run(plan: &Plan<'_>, reporter: &Reporter) -> ExitCode {
    loop {
        // A file that cannot be read may be repaired the next moment.
        let opened = match plan.open(reporter) {
            Ok(opened) => Some(opened),
            Err(error) => {
                reporter.error(COULD_NOT_RUN, &error);
                None
            }
        };
        let status = match &opened {
            Some(opened) => plan.answer(opened, reporter),
            None => ExitCode::FAILURE,
        };
        let changed = match &opened {
            Some(opened) => wait(opened),
            None => {
                std::thread::sleep(INTERVAL * 4);
                Vec::new()
            }
        };
        if ANSWERS.is_gone() {
            return status;
        }
        for file in changed {
            let message = format!("{} has changed", output::relative_file(&file));
            reporter.diagnostic(&Diagnostic::new(Severity::Note, codes::FILE_CHANGED, message));
        }
    }
}

/// Waits until a dependency of the answer changes; returns the changed files, as far as they are known.
fn wait(opened: &OpenNode<'_>) -> Vec<std::path::PathBuf> {
    let is_current = |freshness| matches!(freshness, Freshness::Current | Freshness::Unsettled | Freshness::Changing);
    loop {
        std::thread::sleep(INTERVAL);
        let node = opened.node.freshness(SETTLE_TIME);
        if !is_current(node) || !is_current(opened.environment.freshness(SETTLE_TIME)) || ANSWERS.is_gone() {
            return opened.node.changed().iter().map(|file| file.to_path_buf()).collect();
        }
    }
}
