//! [`Analyzed`]: a cache for the findings of the analysis, until a change affects them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hieratic::Environment;
use hieratic::value::collections::HashMap;
use hieratic_diagnostics::Source;
use hieratic_puppet_analysis::FileSummary;
use rayon::prelude::*;

use super::EnvironmentProgram;
use crate::finding::Finding;
use crate::paths::absolute;
use crate::workspace::{Code, CodePart};

/// The program of an environment, and the findings in its manifests.
#[derive(Default)]
pub(crate) struct Analyzed(Mutex<State>);

#[derive(Default)]
struct State {
    /// The code that the program was made from.
    summaries: Vec<(PathBuf, Arc<FileSummary>)>,
    others: Vec<Arc<CodePart>>,
    unread: Vec<PathBuf>,
    program: Option<EnvironmentProgram>,
    /// The findings by the number of the source.
    findings: HashMap<u64, Arc<[Finding]>>,
}

impl State {
    /// Returns whether the code defines the same as that which the program was made from.
    fn is_of(&self, code: &Code) -> bool {
        self.summaries.len() == code.summaries.len()
            && self.others.len() == code.others.len()
            && self.unread == code.unread
            && self.others.iter().zip(&code.others).all(|(one, other)| Arc::ptr_eq(one, other))
            && self.summaries.iter().zip(&code.summaries).all(|(one, other)| is_same(one, other))
    }
}

/// The summary of a file.
type FileEntry = (PathBuf, Arc<FileSummary>);

fn is_same(one: &FileEntry, other: &FileEntry) -> bool {
    one.0 == other.0 && (Arc::ptr_eq(&one.1, &other.1) || one.1 == other.1)
}

impl Analyzed {
    fn state(&self) -> MutexGuard<'_, State> {
        // A panic ends the check, so that nothing half done is seen.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The program of the code. It is made again if a definition has changed.
    pub(crate) fn program(&self, environment: &Environment, code: &Code, misses_modules: bool) -> EnvironmentProgram {
        let mut state = self.state();
        if let Some(program) = state.program.clone().filter(|_| state.is_of(code)) {
            return program;
        }
        let has_same_ruby = state.others.len() == code.others.len()
            && state.others.iter().zip(&code.others).all(|(one, other)| Arc::ptr_eq(one, other));
        let earlier = state.program.clone().filter(|_| has_same_ruby);
        let program = EnvironmentProgram::new(environment, code, misses_modules, earlier.as_ref());
        *state = State {
            summaries: code.summaries.clone(),
            others: code.others.clone(),
            unread: code.unread.clone(),
            program: Some(program.clone()),
            findings: HashMap::default(),
        };
        program
    }

    /// The findings in all manifests. Those that have changed are analyzed, and all of them if a definition has.
    pub(crate) fn findings(&self, program: &EnvironmentProgram, code: &Code) -> Vec<Finding> {
        let known = std::mem::take(&mut self.state().findings);
        let of_source = |source: &Source| {
            let found = known.get(&source.id()).cloned();
            let analyze = || Arc::from(program.analyze(&absolute(Path::new(source.name())), source));
            (source.id(), found.unwrap_or_else(analyze))
        };
        let found: Vec<(u64, Arc<[Finding]>)> = code.sources.par_iter().map(of_source).collect();
        let all = found.iter().flat_map(|(_, findings)| findings.iter().cloned()).collect();
        self.state().findings = found.into_iter().collect();
        all
    }
}
