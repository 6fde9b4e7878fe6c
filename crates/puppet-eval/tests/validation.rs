//! Code is validated before it is run, as `hieratic` does it.

use hieratic_puppet_eval::{Options, Validator};
use hieratic_puppet_syntax::ValidationResult;
use hieratic_puppet_syntax::ast::Program;

pub struct Validation;

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

/// The rules of the version of the language.
fn rules(options: &Options) -> hieratic_puppet_validator::Options<'static> {
    hieratic_puppet_validator::Options {
        strict: options.strict,
        ..hieratic_puppet_validator::Options::for_version(options.version)
    }
}
