//! Code is validated before it is run, as `hieratic` does it.

use hieratic_puppet::Options;
use hieratic_syntax::Judgement;
use hieratic_syntax::ast::Program;

/// What the validator makes of a program.
pub fn validated(program: &Program, epp: bool, options: &Options) -> Judgement {
    hieratic_checker::judge(program, &hieratic_checker::Options { epp, ..rules(options) })
}

/// The rules of the version of the language.
pub fn rules(options: &Options) -> hieratic_checker::Options<'static> {
    hieratic_checker::Options { strict: options.strict, ..hieratic_checker::Options::of(options.version) }
}
