//! Parses source text, validates it with the caller's validator, and reports problems as the reference does.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use hieratic_diagnostics::{Severity, Source};
use hieratic_puppet_functions::Site;
use hieratic_puppet_syntax::ast::Program;
use hieratic_puppet_syntax::{Problem, ProgramError, codes};
use hieratic_sandbox::{Denied, is_absence};

use crate::environment::Validator;
use crate::failure::{Failure, site_text};
use crate::options::Options;

/// The result of parsing and validating source text.
#[derive(Debug)]
pub struct Read {
    /// The program, or the error.
    pub program: Result<Arc<Program>, Failure>,
    /// All problems, including warnings.
    pub problems: Vec<Problem>,
}

impl Read {
    /// Logs the problems of the source with an evaluator. A single error stays in the failure.
    pub fn report_to(&self, source: &Source, evaluator: &mut crate::Evaluator<'_>) {
        for problem in self.problems.iter().filter(|problem| problem.severity != Severity::Error) {
            evaluator.report(source, problem);
        }
        if let Err(failure) = &self.program {
            for problem in &failure.problems {
                evaluator.report(source, problem);
            }
        }
    }
}

impl Failure {
    /// Creates the failure for a single problem.
    fn by(problem: &Problem, source: &Source) -> Failure {
        let (message, help) = (problem.message.clone(), problem.help.clone());
        Failure { message, site: site(source, problem), help, ..Failure::default() }
    }

    /// Returns the failure as the reference reports it for a manifest of an environment.
    pub fn in_manifest(&self, environment: &str) -> Failure {
        let place = site_text(&self.site);
        let prefix = format!("Could not parse for environment {environment}: ");
        let message = match self.message.strip_prefix(&prefix) {
            Some(message) => format!("{prefix}{message}{place}"),
            None => format!("{prefix}{}{place}", self.message),
        };
        Failure { message, help: self.help.clone(), ..Failure::default() }
    }
}

/// A parsed file of code: its source, and the result.
#[derive(Debug)]
pub struct CodeFile {
    pub(crate) source: Source,
    pub(crate) read: Read,
}

impl CodeFile {
    /// Reads and validates a file. Returns `None` if the file does not exist or may not be read;
    /// [`Files::refused`](hieratic_sandbox::Files::refused) reports the latter.
    pub fn read(file: &Path, options: &Options, validator: &dyn Validator) -> Option<CodeFile> {
        let name = file.display().to_string();
        let bytes = match options.files.read(file) {
            Ok(bytes) => bytes,
            Err(error)
                if is_absence(&error)
                    || error.kind() == ErrorKind::IsADirectory
                    || Denied::from_error(&error).is_some() =>
            {
                return None;
            }
            Err(error) => {
                let site = Site { file: Some(name.as_str().into()), line: 1, ..Site::default() };
                let message = format!("the file cannot be read: {error}");
                let rejected = Failure { message, site, ..Failure::default() };
                let read = Read { program: Err(rejected), problems: vec![] };
                return Some(CodeFile { source: Source::new(name, ""), read });
            }
        };
        Some(match String::from_utf8(bytes) {
            Ok(text) => {
                let source = Source::new(name, text);
                CodeFile { read: read(&source, false, options, validator), source }
            }
            Err(_) => {
                let site = Site { file: Some(name.as_str().into()), line: 1, ..Site::default() };
                let message = "the file is not valid UTF-8".to_owned();
                let rejected = Failure { message, site, ..Failure::default() };
                CodeFile { source: Source::new(name, ""), read: Read { program: Err(rejected), problems: vec![] } }
            }
        })
    }
}

impl CodeFile {
    /// Returns the program, or the error.
    pub fn program(&self) -> Result<&Arc<Program>, &Failure> {
        self.read.program.as_ref()
    }

    /// Logs the problems of the file with an evaluator.
    pub fn report_to(&self, evaluator: &mut crate::Evaluator<'_>) {
        self.read.report_to(&self.source, evaluator);
    }
}

/// Parses a source and validates its program.
pub fn read(source: &Source, epp: bool, options: &Options, validator: &dyn Validator) -> Read {
    let parsed = hieratic_puppet_syntax::parse(source, &hieratic_puppet_syntax::Options { epp, tasks: false });
    let mut problems = parsed.problems;
    let failed_syntax = problems.iter().any(|problem| problem.severity == Severity::Error);
    // A source with syntax errors has one message, as the reference stops at the first.
    if failed_syntax || parsed.program.is_none() {
        let first = problems.iter().find(|problem| problem.severity == Severity::Error);
        let rejected = match first {
            Some(problem) => rejected(source, problem, options),
            None => Failure { message: "the source is not a program".into(), ..Failure::default() },
        };
        return Read { program: Err(rejected), problems };
    }
    let Some(program) = parsed.program else {
        return Read { program: Err(Failure::default()), problems };
    };
    let validation = validator.validate(&program, epp, options);
    let program = match validation.error {
        None => Ok(Arc::new(program)),
        Some(ProgramError::One(problem)) => Err(Failure::by(&problem, source)),
        Some(ProgramError::Several { message, logged }) => {
            let site = Site { file: Site::file_of(source), ..Site::default() };
            Err(Failure { message, site, problems: logged.into(), ..Failure::default() })
        }
    };
    problems.extend(validation.problems);
    Read { program, problems }
}

/// Returns a syntax error as the reference reports it: some contain their position in the message only.
fn rejected(source: &Source, problem: &Problem, options: &Options) -> Failure {
    let rejected = Failure::by(problem, source);
    let below = matches!(
        problem.issue,
        codes::ILLEGAL_RESOURCE_FORM
            | codes::ILLEGAL_RESOURCE_EXPRESSION
            | codes::ILLEGAL_ARGUMENT_LIST
            | codes::INVALID_REGEXP
            | codes::INVALID_UNICODE
            | codes::INVALID_NUMBER
            | codes::ILLEGAL_DEFINITION_NAME
    );
    if !below {
        return rejected;
    }
    let place = site_text(&rejected.site);
    let message = format!("Could not parse for environment {}: {}{place}", options.environment, problem.message);
    Failure { message, site: Site::default(), ..rejected }
}

/// Returns the position of a problem in its source.
pub(crate) fn site(source: &Source, problem: &Problem) -> Site {
    let (line, column) = problem.position(source);
    Site { file: Site::file_of(source), line, column, source: Some(source.clone()) }
}
