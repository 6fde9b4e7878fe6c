//! Finds the first interpolation without a value, which usually explains an unexpected answer.

use hieratic::explain::EmptyInterpolation;
use hieratic::lookup::unset_variables;
use hieratic::{Environment, Node};
use hieratic_diagnostics::{Diagnostic, Severity};
use hieratic_lint::rules;

use super::missing::how_to_set;
use crate::output;
use crate::report::Reporter;

/// Reports the interpolation after an explanation. Variables of the hierarchy come first, because they decide which
/// files are read.
pub(super) fn report(
    environment: &Environment,
    node: &Node,
    in_data: Option<&EmptyInterpolation>,
    reporter: &Reporter,
) {
    if let Some(variable) = unset_variables(environment, node).first() {
        let file = output::relative_file(&environment.layers().environment.root.join("hiera.yaml"));
        let message = format!("The first interpolation that gave an empty string: '%{{{variable}}}' in {file}");
        let note = Diagnostic::new(Severity::Note, rules::EMPTY_INTERPOLATION.code, message);
        reporter.diagnostic(&note.help(how_to_set(variable)));
        return;
    }
    let Some(EmptyInterpolation { written, place }) = in_data else { return };
    let note = |message| Diagnostic::new(Severity::Note, rules::EMPTY_INTERPOLATION.code, message);
    let message = format!("The first interpolation that gave an empty string: '{written}'");
    reporter.diagnostic(&match place {
        Some(place) => place.show_in(note(message)),
        None => note(message),
    });
}
