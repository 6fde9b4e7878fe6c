//! Calls of functions: their names, the numbers and the types of their arguments, and their blocks.

use hieratic::puppet_eval;
use hieratic::puppet_types::{Parameter, Signature, Type, describe_call_of_types, parse};
use hieratic_diagnostics::Span;
use hieratic_puppet_syntax::ast::{Call, Expr, Lambda, Method, Node};

use crate::finding::{ARGUMENT_TYPE, Finding, UNDEFINED_FUNCTION};
use crate::names::{all_names, plain};
use crate::summary::{Definition, DefinitionKind};
use crate::types::Inferred;
use crate::walk::Walk;

/// Functions whose first argument names classes.
const INCLUDING: [&str; 3] = ["include", "contain", "require"];

/// Functions that are of Bolt, or that the evaluator treats in its own way.
const OTHERS: [&str; 5] = ["apply", "run_task", "run_plan", "run_command", "new"];

impl<'t> Walk<'t> {
    /// Checks a call by a name.
    pub(crate) fn check_call(&mut self, expr: &'t Expr, call: &'t Call) {
        let Node::Name(written) = &call.functor.node else { return };
        let name = plain(written).to_lowercase();
        let arguments: Vec<&'t Expr> = call.arguments.iter().collect();
        if self.check_function(&name, call.functor.span) {
            self.check_arguments(&name, &arguments, call.lambda.as_deref(), expr.span);
        }
        match &*name {
            name if INCLUDING.contains(&name) => self.check_inclusion(&call.arguments),
            "create_resources" | "ensure_resource" | "ensure_resources" => {
                self.check_created_type(&call.arguments, &name, expr.span)
            }
            "realize" => self.check_named_resources(&call.arguments),
            "next" | "break" | "return" => self.check_leaving(&name, expr.span),
            "lookup" => self.check_lookup(&arguments),
            "tag" => call.arguments.iter().for_each(|one| self.check_tags(&ARGUMENT_TYPE, one)),
            _ => self.check_file_argument(&name, &call.arguments),
        }
        self.check_known_arguments(&name, &arguments, call.lambda.is_some());
    }

    /// Checks a call with a receiver.
    pub(crate) fn check_method(&mut self, expr: &'t Expr, method: &'t Method) {
        let name = plain(&method.name).to_lowercase();
        let arguments: Vec<&'t Expr> = std::iter::once(&method.receiver).chain(&method.arguments).collect();
        if self.check_function(&name, method.name_span) {
            self.check_arguments(&name, &arguments, method.lambda.as_deref(), expr.span);
        }
        self.check_known_arguments(&name, &arguments, method.lambda.is_some());
    }

    /// Reports a function that does not exist; returns whether it exists.
    fn check_function(&mut self, name: &str, span: Span) -> bool {
        let index = self.program.index();
        if name == "import" {
            let finding = Finding::new(&UNDEFINED_FUNCTION, span, "the function 'import' is gone since Puppet 4");
            self.report(
                finding.help("the manifests of a folder are read together: name the folder as the main manifest"),
            );
            return false;
        }
        let exists = OTHERS.contains(&name)
            || puppet_eval::is_function(name)
            || index.find(DefinitionKind::Function, name).is_some()
            || self.program.has_ruby_function(name);
        if exists {
            return true;
        }
        // Former versions of stdlib had functions of these names.
        if !self.program.is_complete() && (name.starts_with("validate_") || name.starts_with("is_")) {
            return false;
        }
        let program = self.program;
        let own = index.names(DefinitionKind::Function).chain(program.ruby_function_names());
        let names = all_names(own, puppet_eval::all_function_names());
        self.report_name(&UNDEFINED_FUNCTION, name, span, format!("there is no function '{name}'"), names);
        false
    }

    fn signatures(&self, name: &str) -> Option<Vec<Signature>> {
        if let Some(function) = self.program.index().find(DefinitionKind::Function, name) {
            return Some(vec![self.signature_of(function)]);
        }
        // A module cannot replace a function of the language.
        let is_of_language = puppet_eval::is_function(name) && !puppet_eval::is_stdlib_function(name);
        if !is_of_language {
            // The versions of stdlib differ: only the version that is present counts.
            let function = self.program.ruby_function(name)?;
            return function.arity.is_none().then(|| function.signatures.clone());
        }
        puppet_eval::function_signatures(name, self.program.version()).filter(|all| !all.is_empty())
    }

    /// Reports a call of a function of the API of Puppet 3 with another number of arguments than it declares.
    fn check_number_of_arguments(&mut self, name: &str, given: usize, span: Span) {
        let is_of_puppet = self.program.index().find(DefinitionKind::Function, name).is_some()
            || puppet_eval::is_function(name) && !puppet_eval::is_stdlib_function(name);
        if is_of_puppet {
            return;
        }
        let Some(arity) = self.program.ruby_function(name).and_then(|function| function.arity) else { return };
        let Ok(needed) = usize::try_from(if arity < 0 { arity.saturating_add(1).saturating_neg() } else { arity })
        else {
            return;
        };
        if given == needed || arity < 0 && given > needed {
            return;
        }
        let needed = if arity < 0 { format!("minimum {needed}") } else { needed.to_string() };
        let message = format!("{name}(): Wrong number of arguments given ({given} for {needed})");
        self.report(Finding::new(&ARGUMENT_TYPE, span, message));
    }

    fn signature_of(&self, function: &Definition) -> Signature {
        let parameter = |one: &crate::summary::ParameterSummary| Parameter {
            name: one.name.clone(),
            kind: one.kind.as_deref().and_then(|text| self.program.data_type(text)).unwrap_or(Type::Any),
            required: !one.has_default && !one.captures_rest,
            repeated: one.captures_rest,
        };
        Signature { parameters: function.parameters.iter().map(parameter).collect(), block: None }
    }

    /// Reports a call that no signature accepts.
    fn check_arguments(&mut self, name: &str, arguments: &[&'t Expr], lambda: Option<&'t Lambda>, span: Span) {
        let has_unfold = arguments.iter().any(|one| matches!(one.node, Node::Unfold(_)));
        if has_unfold {
            return;
        }
        let Some(signatures) = self.signatures(name) else {
            return self.check_number_of_arguments(name, arguments.len(), span);
        };
        let given: Vec<Inferred> = arguments.iter().map(|one| self.infer(one)).collect();
        let block = lambda.and_then(block_type);
        // A block with a computed type may be anything.
        if lambda.is_some() && block.is_none() {
            return;
        }
        let is_function_of_module = self.program.index().find(DefinitionKind::Function, name).is_some();
        let has_block = lambda.is_some() && is_function_of_module;
        let may_fit = |signature: &Signature| fits(signature, &given, block.as_ref().filter(|_| !has_block));
        if signatures.iter().any(may_fit) {
            return;
        }
        // An unknown type is described as one that fits.
        let types: Vec<Type> = given.into_iter().map(|one| one.kind.unwrap_or(Type::Unit)).collect();
        let message = describe_call_of_types(name, &signatures, &types, block.as_ref());
        let at = match arguments {
            [only] if only.span.start >= span.start => only.span,
            _ => span,
        };
        self.report(Finding::new(&ARGUMENT_TYPE, if types.is_empty() { span } else { at }, message));
    }
}

/// Returns whether a signature may accept arguments and a block.
fn fits(signature: &Signature, given: &[Inferred], block: Option<&Type>) -> bool {
    let required = signature.parameters.iter().filter(|one| one.required).count();
    let is_endless = signature.parameters.last().is_some_and(|last| last.repeated);
    if given.len() < required || !is_endless && given.len() > signature.parameters.len() {
        return false;
    }
    let block_fits = match (&signature.block, block) {
        (None, None) => true,
        (None, Some(_)) => false,
        (Some((_, expected)), None) => expected.is_assignable(&Type::Undef) || last_may_be_block(given),
        (Some((_, expected)), Some(block)) => expected.is_assignable(block),
    };
    let at = |index: usize| signature.parameters.get(index).or(signature.parameters.last());
    block_fits && given.iter().enumerate().all(|(index, one)| at(index).is_some_and(|own| !one.never_fits(&own.kind)))
}

/// The reference takes a trailing callable for the block.
fn last_may_be_block(given: &[Inferred]) -> bool {
    given.last().is_some_and(|last| last.kind.is_none())
}

/// The type of a block, by the number of its parameters.
fn block_type(lambda: &Lambda) -> Option<Type> {
    let required = lambda.parameters.iter().filter(|one| one.default.is_none() && !one.captures_rest).count();
    let is_endless = lambda.parameters.iter().any(|one| one.captures_rest);
    let most = if is_endless { "default".to_owned() } else { lambda.parameters.len().to_string() };
    let text = if lambda.parameters.is_empty() {
        "Callable[0, 0]".to_owned()
    } else {
        format!("Callable[Any, {required}, {most}]")
    };
    parse(&text).ok()
}
