//! Code is validated before it is run, as `hieratic` does it.

use hieratic_puppet::{Options, Validator};
use hieratic_syntax::ValidationResult;
use hieratic_syntax::ast::Program;

pub struct Validation;

impl Validator for Validation {
    fn validate(&self, program: &Program, epp: bool, options: &Options) -> ValidationResult {
        hieratic_checker::validate_program(program, &hieratic_checker::Options { epp, ..rules(options) })
    }

    fn check_text(&self, syntax: &str, text: &str, options: &Options) -> Result<Vec<String>, String> {
        hieratic_checker::check_syntax(syntax, text, &rules(options))
    }
}

/// The rules of the version of the language.
fn rules(options: &Options) -> hieratic_checker::Options<'static> {
    hieratic_checker::Options { strict: options.strict, ..hieratic_checker::Options::for_version(options.version) }
}
