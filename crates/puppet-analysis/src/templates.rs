//! The variables in ERB templates.

use hieratic::puppet_eval;

use crate::checks::variables::{GIVEN, class_has};
use crate::program::Program;
use crate::summary::{DefinitionKind, TemplateUse};

/// Returns whether a variable without `::` may have a value in a template that these calls render.
pub fn may_template_see(program: &dyn Program, uses: &[TemplateUse], name: &str) -> bool {
    GIVEN.contains(&name)
        || puppet_eval::metaparameters().any(|known| known == name)
        || program.has_top_variable(name)
        || uses.iter().any(|one| may_see(program, one, name))
}

fn may_see(program: &dyn Program, one: &TemplateUse, name: &str) -> bool {
    // Code without a definition around it may be evaluated anywhere.
    let Some((kind, definition)) = &one.definition else { return true };
    if one.variables.binary_search_by(|known| (**known).cmp(name)).is_ok() {
        return true;
    }
    match kind {
        DefinitionKind::Class => class_has(program, definition, name) != Some(false),
        _ => {
            let found = program.index().find(*kind, definition);
            found.is_none_or(|found| found.parameter(name).is_some())
        }
    }
}

/// Returns whether a class certainly does not have a variable.
pub fn lacks_variable(program: &dyn Program, class: &str, name: &str) -> bool {
    !matches!(name, "title" | "name" | "module_name" | "caller_module_name")
        && class_has(program, class, name) == Some(false)
}
