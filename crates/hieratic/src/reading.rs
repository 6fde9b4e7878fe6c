//! Parses and validates code before its evaluation, as the reference does.

use std::path::Path;
use std::sync::Arc;

use hieratic_diagnostics::Source;
use hieratic_puppet_eval::read::{CodeFile, Read};
use hieratic_puppet_eval::{Options, Validator};
use hieratic_puppet_syntax::ValidationResult;
use hieratic_puppet_syntax::ast::Program;

/// Parses and validates Puppet code, or a template if `epp` is set.
///
/// ```
/// use hieratic::diagnostics::Source;
/// use hieratic::code::read_code;
/// use hieratic::puppet_eval;
///
/// let read = read_code(&Source::new("", "$a += 1"), false, &puppet_eval::Options::default());
/// assert!(read.program.unwrap_err().message.starts_with("The operator '+=' is no longer supported"));
/// ```
pub fn read_code(source: &Source, epp: bool, options: &Options) -> Read {
    hieratic_puppet_eval::read::read(source, epp, options, &Validation)
}

/// Reads a file of code. `None` if it does not exist.
pub(crate) fn code_file(file: &Path, options: &Options) -> Option<Arc<CodeFile>> {
    CodeFile::read(file, options, &Validation).map(Arc::new)
}

/// Validates by the rules of the version of the language.
pub(crate) struct Validation;

impl Validator for Validation {
    fn validate(&self, program: &Program, epp: bool, options: &Options) -> ValidationResult {
        hieratic_puppet_validator::validate_program(
            program,
            &hieratic_puppet_validator::Options { epp, ..rules(options) },
        )
    }

    fn check_text(&self, syntax: &str, text: &str, options: &Options) -> Result<Vec<String>, String> {
        hieratic_puppet_validator::check_syntax(syntax, text, &rules(options))
    }
}

fn rules(options: &Options) -> hieratic_puppet_validator::Options<'static> {
    hieratic_puppet_validator::Options {
        strict: options.strict,
        ..hieratic_puppet_validator::Options::for_version(options.version)
    }
}
