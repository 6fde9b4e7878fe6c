//! Renames parameters of classes: in the class, and in all uses of its variable and declarations.

use std::ops::Range;
use std::path::{Path, PathBuf};

use hieratic::value::ErasedSort as _;
use hieratic_diagnostics::Source;
use hieratic_puppet_syntax::ast::{Class, Expr, Node, Operation, Program, Variable};
use hieratic_puppet_syntax::visit::each_expression;

use crate::data::apply_splices;
use crate::plan::{Plan, PlanError};
use hieratic::sandbox::SlashPath as _;

/// Renames the parameter of a class that a key belongs to. Returns false if the key is not a parameter, so that nothing
/// is to be done.
pub(crate) fn rename(plan: &mut Plan, old: &str, new: &str) -> Result<bool, PlanError> {
    let Some((class, parameter)) = old.rsplit_once("::") else { return Ok(false) };
    let manifests: Vec<PathBuf> =
        plan.contents.code.iter().filter(|(_, is_manifest)| *is_manifest).map(|(path, _)| path.clone()).collect();
    let mut programs: Vec<(PathBuf, String, Program)> = Vec::new();
    for path in manifests {
        let Ok(Some(text)) = plan.text(&path) else { continue };
        // A manifest without the name of the parameter needs no change, unless it inherits the variables of the class.
        if !text.contains(parameter) && !text.contains("inherits") {
            continue;
        }
        match program(&path, &text) {
            Some(program) => programs.push((path, text, program)),
            None if text.contains(parameter) && text.to_lowercase().contains(class) => {
                let message = format!("{} cannot be parsed and may use '{old}'", plan.shown(&path));
                return Err(PlanError::new(message, "fix the file first"));
            }
            None => {}
        }
    }
    let has_it = |program: &Program| {
        let mut has_it = false;
        each_class(program, &mut |own| {
            has_it |= is_class(own, class) && own.parameters.iter().any(|one| *one.name == *parameter)
        });
        has_it
    };
    if !programs.iter().any(|(_, _, program)| has_it(program)) {
        return Ok(false);
    }
    let (new_class, new_name) = new.rsplit_once("::").unwrap_or(("", new));
    if new_class != class {
        let message = format!("'{old}' is a parameter of the class '{class}', and cannot become '{new}'");
        return Err(PlanError::new(message, format!("name another parameter of the class: {class}::NAME")));
    }
    if !is_variable(new_name) {
        return Err(PlanError::new(
            format!("'{new_name}' cannot be the name of a parameter"),
            "begin it with a small letter",
        ));
    }
    for (path, text, program) in &programs {
        let splices = of_program(program, text, class, parameter, new_name).map_err(|message| {
            PlanError::new(
                format!("{}: {message}", plan.shown(path)),
                "rename the variable by hand, and run the command again",
            )
        })?;
        if !splices.is_empty() {
            let changed = apply_splices(text, splices);
            if !is_code(path, &changed) {
                let message = format!("{} could not be read after the change", plan.shown(path));
                return Err(PlanError::new(message, "rename the variable in it by hand"));
            }
            plan.set(path, changed)?;
        }
    }
    in_templates(plan, class, parameter, new_name)?;
    Ok(true)
}

/// The tree of a manifest, if it can be parsed.
fn program(path: &Path, text: &str) -> Option<Program> {
    let options = hieratic_puppet_syntax::Options { tasks: hieratic_lint::is_plan(path), ..Default::default() };
    hieratic_puppet_syntax::parse(&Source::new(path.to_slashes(), text), &options).program
}

/// Returns whether source text can be parsed as the manifest at a path.
pub(crate) fn is_code(path: &Path, text: &str) -> bool {
    program(path, text).is_some()
}

fn is_variable(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_class(class: &Class, name: &str) -> bool {
    class.name.to_lowercase() == name
}

fn each_class<'p>(program: &'p Program, give: &mut dyn FnMut(&'p Class)) {
    each_expression(&program.body, &mut |expr| {
        if let Node::Class(class) = &expr.node {
            give(class);
        }
    });
}

type Splices = Vec<(Range<usize>, String)>;

/// The edits in a manifest.
fn of_program(program: &Program, text: &str, class: &str, old: &str, new: &str) -> Result<Splices, String> {
    let mut splices: Splices = Vec::new();
    let mut error = None;
    each_class(program, &mut |own| {
        let inherits =
            own.parent.as_deref().is_some_and(|parent| parent.trim_start_matches("::").to_lowercase() == class);
        if inherits {
            error = Some(format!("the class '{}' inherits from '{class}', and sees its variables", own.name));
        }
        if is_class(own, class) {
            if own.parameters.iter().any(|one| *one.name == *new) {
                error = Some(format!("the class already has a parameter '{new}'"));
            }
            let mut inside = Vec::new();
            for parameter in &own.parameters {
                inside.extend(parameter.default.iter());
                if *parameter.name == *old {
                    let at = parameter.at as usize;
                    splices.extend(variable(text, at..parameter.span.behind(), old, new));
                }
            }
            inside.push(&own.body);
            for expr in inside {
                if let Err(message) = locals(expr, text, old, new, &mut splices) {
                    error = Some(message);
                }
            }
        }
    });
    if let Some(error) = error {
        return Err(error);
    }
    // `$class::old`, `class { 'class': old => 1 }` and `Class['class'] { old => 1 }`.
    each_expression(&program.body, &mut |expr| match &expr.node {
        Node::Class(own) if is_class(own, class) => {
            splices.extend(documented(text, expr.span.first(), old, new));
        }
        Node::Variable(Variable::Qualified(name))
            if name.trim_start_matches("::").rsplit_once("::") == Some((class, old)) =>
        {
            let range = expr.span.range();
            let written = text.get(range.clone()).unwrap_or_default();
            if let Some(at) = written.rfind(old) {
                splices.push((range.start + at..range.start + at + old.len(), new.to_owned()));
            }
        }
        Node::Resource(resource) if is_word(&resource.kind, "class") => {
            for body in resource.bodies.iter().filter(|body| names_class(&body.title, class)) {
                splices.extend(attributes(&body.operations, text, old, new));
            }
        }
        Node::ResourceOverride(one) => {
            if let Node::Access { left, keys } = &one.resources.node
                && matches!(&left.node, Node::Reference(name) if &**name == "Class")
                && keys.iter().any(|key| names_class(key, class))
            {
                splices.extend(attributes(&one.operations, text, old, new));
            }
        }
        _ => {}
    });
    splices.sort_erased_by_key(|(range, _)| range.start);
    splices.dedup();
    Ok(splices)
}

fn is_word(expr: &Expr, word: &str) -> bool {
    matches!(&expr.node, Node::Name(name) if &**name == word)
}

fn names_class(expr: &Expr, class: &str) -> bool {
    let is_it = |name: &str| name.trim_start_matches("::").to_lowercase() == class;
    match &expr.node {
        Node::Literal(value) => value.as_str().is_some_and(is_it),
        Node::Name(name) => is_it(name),
        Node::List(all) => all.iter().any(|one| names_class(one, class)),
        _ => false,
    }
}

fn attributes(operations: &[Operation], text: &str, old: &str, new: &str) -> Splices {
    let named = operations.iter().filter_map(|operation| match operation {
        Operation::Attribute { name, span, .. } if **name == *old => Some(span.first()),
        _ => None,
    });
    named
        .filter(|start| text.get(*start..).is_some_and(|rest| rest.starts_with(old)))
        .map(|start| (start..start + old.len(), new.to_owned()))
        .collect()
}

/// The uses of the parameter as a variable of the class.
fn locals(expr: &Expr, text: &str, old: &str, new: &str, splices: &mut Splices) -> Result<(), String> {
    let mut error = None;
    each_expression(expr, &mut |expr| match &expr.node {
        Node::Variable(Variable::Local(name)) if **name == *old => {
            let range = expr.span.range();
            match variable(text, range, old, new) {
                Some(splice) => splices.push(splice),
                None => error = Some(format!("cannot rename this use of '${old}'")),
            }
        }
        Node::Variable(Variable::Local(name)) if **name == *new => {
            error = Some(format!("the class already has a variable '${new}'"));
        }
        Node::Call(call) if call.lambda.as_ref().is_some_and(|lambda| hides(&lambda.parameters, old, new)) => {
            error = Some(format!("a block declares a parameter '${old}' or '${new}'"));
        }
        Node::Method(method) if method.lambda.as_ref().is_some_and(|lambda| hides(&lambda.parameters, old, new)) => {
            error = Some(format!("a block declares a parameter '${old}' or '${new}'"));
        }
        _ => {}
    });
    error.map_or(Ok(()), Err)
}

fn hides(parameters: &[hieratic_puppet_syntax::ast::Parameter], old: &str, new: &str) -> bool {
    parameters.iter().any(|one| *one.name == *old || *one.name == *new)
}

/// The parameter in the comment above its class: `@param name`, `@option name [..]` and `[*name*]`.
fn documented(text: &str, class: usize, old: &str, new: &str) -> Splices {
    let above = text.get(..class).unwrap_or_default();
    let mut start = above.rfind('\n').map_or(0, |at| at + 1);
    while let Some(line) = above[..start].strip_suffix('\n').map(|rest| rest.rfind('\n').map_or(0, |at| at + 1)) {
        if !above[line..start].trim_start().starts_with('#') {
            break;
        }
        start = line;
    }
    let name = regex::escape(old);
    let tag = format!(r"@(?:param|option)[ \t]+(?:\[[^\]\n]*\][ \t]+)?(?P<tag>{name})\b|\[\*(?P<mark>{name})\*\]");
    let Ok(tag) = regex::Regex::new(&tag) else { return Splices::new() };
    let named = tag
        .captures_iter(&above[start..])
        .filter_map(|found| found.name("tag").or(found.name("mark")).map(|name| name.range()));
    named.map(|range| (start + range.start..start + range.end, new.to_owned())).collect()
}

/// The name in `$name`, `${name}` or the name alone, as strings have it.
fn variable(text: &str, range: Range<usize>, old: &str, new: &str) -> Option<(Range<usize>, String)> {
    let written = text.get(range.clone())?;
    let inside = written.trim_start_matches(['$', '{']);
    let start = range.start + written.len() - inside.len();
    let rest = text.get(start..)?.strip_prefix(old)?;
    let is_whole = !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    is_whole.then(|| (start..start + old.len(), new.to_owned()))
}

/// Renames the variable of the class in templates. A variable without the name of its class may be another one: it only
/// gets a warning.
fn in_templates(plan: &mut Plan, class: &str, old: &str, new: &str) -> Result<(), PlanError> {
    let qualified = regex::Regex::new(&format!(r"((?:::)?{}::){}\b", regex::escape(class), regex::escape(old)));
    let plain = regex::Regex::new(&format!(r"[@$]{}\b", regex::escape(old)));
    let (Ok(qualified), Ok(plain)) = (qualified, plain) else { return Ok(()) };
    let module = class.split("::").next().unwrap_or(class).to_owned();
    for (path, is_manifest) in plan.contents.code.clone() {
        if is_manifest {
            continue;
        }
        let Ok(Some(text)) = plan.text(&path) else { continue };
        let changed =
            qualified.replace_all(&text, |found: &regex::Captures<'_>| format!("{}{new}", &found[1])).into_owned();
        if changed != text {
            plan.set(&path, changed)?;
        }
        let is_of_module = path.components().any(|part| part.as_os_str() == module.as_str());
        let has_its_own = declares(&path, &text, old);
        if let Some(found) = plain.find(&text).filter(|_| is_of_module && !has_its_own) {
            let source = Source::new(path.to_slashes(), text.clone());
            let warning = format!(
                "{}:{} uses {}",
                plan.shown(Path::new(&path)),
                source.position(found.start()).line,
                found.as_str()
            );
            plan.warnings.push(warning);
        }
    }
    Ok(())
}

/// Returns whether an EPP template declares a parameter with this name, which hides variables of classes.
fn declares(path: &Path, text: &str, name: &str) -> bool {
    if path.extension().is_none_or(|extension| extension != "epp") {
        return false;
    }
    let options = hieratic_puppet_syntax::Options { epp: true, ..Default::default() };
    let program = hieratic_puppet_syntax::parse(&Source::new("", text), &options).program;
    program.is_some_and(|program| {
        let mut is_declared = false;
        each_expression(&program.body, &mut |expr| {
            if let Node::Epp(epp) = &expr.node {
                is_declared |= epp.parameters.iter().flatten().any(|one| *one.name == *name);
            }
        });
        is_declared
    })
}
