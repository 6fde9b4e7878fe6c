//! The examples in the rows of functions: they parse, and have the results that their comments say.

use hieratic_diagnostics::Source;
use hieratic_puppet_eval::read::read;
use hieratic_puppet_eval::{EmptyEnvironment, Evaluator, Options, all_function_names, function_doc};
use hieratic_value::Value;

use crate::validation::Validation;

/// The value of an expression.
fn value(code: &str) -> Value {
    let options = Options::default();
    let read = read(&Source::new("example.pp", code), false, &options, &Validation);
    let program = read.program.unwrap_or_else(|failure| panic!("{code}: {failure}"));
    let mut evaluator = Evaluator::new(&EmptyEnvironment, options);
    evaluator.run(&program).unwrap_or_else(|failure| panic!("{code}: {failure}"))
}

#[test]
fn examples_have_their_results() {
    let mut checked = 0;
    for name in all_function_names() {
        let doc = function_doc(name).unwrap();
        assert!(doc.summary.ends_with('.') && !doc.summary.is_empty(), "{name}: {}", doc.summary);
        let Some(example) = doc.example else { continue };
        let parsed = hieratic_puppet_syntax::parse(&Source::new("example.pp", example), &Default::default());
        assert!(parsed.program.is_some(), "{name}: {example}");
        if let Some((call, result)) = example.rsplit_once(" # ") {
            assert_eq!(value(&format!("$found = {call}\n$found")), value(result), "{name}: {example}");
            checked += 1;
        }
    }
    assert!(checked > 60, "{checked}");
}
