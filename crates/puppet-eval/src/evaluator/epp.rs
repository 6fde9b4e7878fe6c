//! Templates: text with code in it.
//!
//! See [EPP](https://www.puppet.com/docs/puppet/8/lang_template_epp.html). A template of `epp` sees only the variables
//! of the top scope, one of `inline_epp` those of its call.

use hieratic_diagnostics::Source;
use hieratic_puppet_functions::{EvalError, FileKind, Flow, Host, Outcome};
use hieratic_puppet_syntax::ast::{Epp, Expr, Node, Parameter};
use hieratic_puppet_types::Type;
use hieratic_value::{Hash, Rich, Str, Value};

use super::class::check_parameters;
use super::{Evaluator, RECORD_BYTES};

impl Evaluator<'_> {
    /// Renders the body of a template; the result is secret if it contains a secret.
    pub(super) fn eval_epp(&mut self, body: &Expr) -> Outcome {
        self.calls.open_output();
        let outcome = self.eval(body);
        let pieces = self.calls.close_output();
        outcome?;
        self.budget.charge_bytes(pieces.iter().map(|piece| piece.as_str().map_or(0, str::len)).sum())?;
        let (mut text, mut secret) = (String::new(), false);
        for piece in &pieces {
            match piece.as_rich() {
                Some(Rich::Sensitive(inner)) => {
                    secret = true;
                    text.push_str(&self.text_of(inner));
                }
                _ => text.push_str(piece.as_str().unwrap_or_default()),
            }
        }
        Ok(if secret { Value::sensitive(text.into()) } else { text.into() })
    }

    /// Appends to the output of the template.
    pub(super) fn render(&mut self, piece: Value) {
        self.calls.write(piece);
    }

    /// `epp(file, parameters)`.
    pub(crate) fn epp_file(&mut self, name: &str, arguments: Option<&Hash>) -> Outcome {
        let missing = |name: &str| Flow::from(EvalError::new(format!("Could not find template '{name}'")));
        let mut found = self.find_file(FileKind::Template, name)?;
        let mut shown = name.to_owned();
        if found.is_none() && !name.ends_with(".epp") {
            shown.push_str(".epp");
            found = self.find_file(FileKind::Template, &shown)?;
        }
        let path = found.ok_or_else(|| missing(&shown))?;
        let bytes = self.read_file(&path)?;
        let text = String::from_utf8(bytes)
            .map_err(|_| EvalError::new(format!("the template '{name}' is not valid UTF-8")))?;
        let source = Source::new(path.display().to_string(), text);
        self.template("epp", source, arguments, true)
    }

    /// `inline_epp(text, parameters)`.
    pub(crate) fn epp_text(&mut self, text: &str, arguments: Option<&Hash>) -> Outcome {
        let source = Source::new("inlined-epp-text", text);
        self.template("inline_epp", source, arguments, false)
    }

    fn template(&mut self, function: &str, source: Source, arguments: Option<&Hash>, global: bool) -> Outcome {
        let program =
            match self.prepared.templates.get(source.text()).filter(|known| known.source.name() == source.name()) {
                Some(known) => known.clone(),
                None => {
                    let text: Str = source.text().into();
                    // A cached tree is many times larger than its source.
                    self.budget.charge_bytes(RECORD_BYTES + text.len().saturating_mul(64))?;
                    self.budget.charge_steps(text.len() as u64)?;
                    let read = self.parse(source, true).map_err(|error| {
                        let place = error.site.as_ref().map(crate::failure::site_text).unwrap_or_default();
                        EvalError::new(format!("{function}(): Invalid EPP: {}{place}", error.message))
                    })?;
                    self.prepared.templates.insert(text, read.clone());
                    read
                }
            };
        let Node::Epp(epp) = &program.body.node else {
            return Err(EvalError::new(format!("{function}(): the template contains no text")).into());
        };
        let mark = self.scopes.mark();
        if global {
            self.scopes.enter(self.scopes.global_scope());
        }
        let outcome =
            self.deeper(|this| this.in_program(&program, |this| this.run_template(epp, &program.body, arguments)));
        self.scopes.reset(mark);
        match outcome {
            Err(Flow::Next(value, _)) => Ok(value),
            other => other,
        }
    }

    fn run_template(&mut self, epp: &Epp, expr: &Expr, arguments: Option<&Hash>) -> Outcome {
        let parameters: &[Parameter] = epp.parameters.as_deref().unwrap_or(&[]);
        // Without a list of parameters, arguments become variables.
        let enforced = epp.parameters.is_some() || arguments.is_none();
        let mut given: Vec<(Str, Value)> = Vec::new();
        for (name, value) in arguments.into_iter().flatten() {
            given.push((name.to_text().into(), value.clone()));
        }
        if enforced {
            given = self.template_values(parameters, given)?;
        }
        self.scopes.open_block();
        for (name, value) in given {
            self.scopes.bind(name, value);
        }
        self.eval(expr)
    }

    /// Adds defaults and checks names and types.
    fn template_values(
        &mut self,
        parameters: &[Parameter],
        mut given: Vec<(Str, Value)>,
    ) -> Result<Vec<(Str, Value)>, Flow> {
        let mark = self.scopes.mark();
        let names = parameters.iter().map(|parameter| parameter.name.clone()).collect();
        self.scopes.open_parameters("lambda", names);
        for (name, value) in given.iter().filter(|(_, value)| !value.is_undef()) {
            self.scopes.bind(name.clone(), value.clone());
        }
        for (index, parameter) in parameters.iter().enumerate() {
            self.scopes.at_parameter(index);
            let known = given.iter().position(|(name, value)| *name == parameter.name && !value.is_undef());
            if let (None, Some(default)) = (known, &parameter.default) {
                let value = self.eval_default(default).inspect_err(|_| self.scopes.reset(mark))?;
                self.scopes.bind(parameter.name.clone(), value.clone());
                given.retain(|(name, _)| *name != parameter.name);
                given.push((parameter.name.clone(), value));
            }
        }
        self.scopes.reset(mark);
        let mut kinds = Vec::with_capacity(parameters.len());
        for parameter in parameters {
            let kind = match &parameter.kind {
                Some(kind) => self.eval_type(kind)?,
                None => Type::Any,
            };
            kinds.push((parameter.name.clone(), kind, parameter.default.is_some()));
        }
        check_parameters("lambda", &kinds, &given, &|_| false)?;
        Ok(given)
    }
}
