//! [`Subject`]: the node and the environment for which code and templates are evaluated.

use std::path::PathBuf;
use std::sync::Arc;

use hieratic::budget::Budget;
use hieratic::diagnostics::{Diagnose, Source};
use hieratic::expressions::{ExpressionKind, evaluate_expression, hiera_lookup};
use hieratic::hcl::{HclInput, HclKind, HclValue, HieraInHcl, evaluate_hcl, from_cty, hcl_functions, to_cty};
use hieratic::puppet_eval::Options;
use hieratic::sandbox::{Files, Outside, Programs};
use hieratic::templates::{Jinja2, TemplateLanguage};
use hieratic::unfurl::{Context, Options as TreeOptions, Tree};
use hieratic::{Code, Environment, Error, Facts, Permissions, PuppetVersion, Redactor, Template, Value, hcl_types};

use crate::error::BindingError;
use crate::jobs::no_hcl_form;

/// The subject of an evaluation: a node of an environment, or only facts.
#[derive(Debug)]
pub struct Subject<'e> {
    /// The environment for lookups. `None` by default.
    pub environment: Option<&'e Environment>,
    /// The facts and variables.
    pub facts: Facts,
    /// The permissions.
    pub permissions: Permissions,
    /// The budget that the evaluation is charged to.
    pub budget: Budget,
}

/// A rendered template.
#[derive(Clone, Debug)]
pub struct RenderedTemplate {
    /// The text.
    pub text: String,
    /// Whether the text depends on a Sensitive value.
    pub secret: bool,
}

impl Subject<'_> {
    fn redactor(&self) -> Redactor {
        self.environment.map_or_else(Redactor::default, |environment| Redactor::new(environment.secrets(), false))
    }

    fn binding_error(&self, error: &Error) -> BindingError {
        BindingError::from_error(error, &self.redactor())
    }

    /// The options of the evaluation.
    fn options(&self) -> Options {
        let own =
            self.environment.map_or_else(|| Options::for_version(PuppetVersion::default()), Environment::language);
        let largest = self.budget.limits().file;
        Options {
            files: if self.permissions.outside { Files::anywhere().with_largest(largest) } else { own.files.clone() },
            programs: if self.permissions.programs { Programs::Always } else { Programs::Never },
            budget: self.budget.clone(),
            ..own
        }
    }

    /// Evaluates Puppet code.
    ///
    /// # Errors
    /// The code is invalid, or its evaluation fails.
    pub fn puppet(&self, code: &str) -> Result<Value, BindingError> {
        let evaluation = Code::new(self.environment, self.facts.clone(), self.options()).evaluate("", code);
        evaluation.value.map_err(|failure| {
            let diagnostics = failure.diagnose();
            let message = self.redactor().message(&failure.to_string()).into_owned();
            BindingError::from_diagnostics(&diagnostics, Some(&self.redactor())).with_message(message)
        })
    }

    /// Evaluates an expression of HCL. Facts and variables are its variables.
    ///
    /// # Errors
    /// The expression is invalid, or its evaluation fails.
    pub fn hcl(&self, code: String) -> Result<Value, BindingError> {
        let mut question = HclInput {
            kind: HclKind::Expression,
            text: code.into_bytes(),
            budget: self.budget.clone(),
            ..HclInput::default()
        };
        question.name = "code".to_owned();
        let variable = |(name, value): (&Value, &Value)| {
            let name = name.to_text();
            let value = to_cty(value).map_err(|problem| no_hcl_form(&name, &problem))?;
            Ok((hcl_types::Text::from(name), value))
        };
        let known = self.facts.facts().iter().chain(self.facts.variables().iter());
        question.variables = known.map(variable).collect::<Result<_, BindingError>>()?;
        let mut functions = hcl_functions(None);
        if let Some(environment) = self.environment {
            let data = HieraInHcl::new(environment, &self.facts, &question.budget);
            functions = data.map_err(|error| self.binding_error(&error))?.add_to(functions);
        }
        let answer = evaluate_hcl(&question, &functions);
        match &answer.value {
            Some(HclValue::Value(value)) => Ok(from_cty(value)),
            _ => Err(BindingError::from_diagnostics(&answer.problems.diagnose(), Some(&self.redactor()))),
        }
    }

    /// Evaluates an Unfurl expression over a tree. `base` is the base folder of relative paths.
    ///
    /// # Errors
    /// The expression or the tree is invalid, or the evaluation fails.
    pub fn unfurl(&self, expression: &Value, tree: &Value, base: PathBuf) -> Result<Value, BindingError> {
        let base = std::path::absolute(&base).unwrap_or(base);
        let redactor = self.redactor();
        let lookups = match self.environment {
            Some(environment) => {
                let node = environment.node(&self.facts).map_err(|error| self.binding_error(&error))?;
                vec![hiera_lookup(Arc::new(node))]
            }
            None => Vec::new(),
        };
        let outside = if self.permissions.outside { Outside::Always } else { Outside::Never };
        let options = TreeOptions {
            vars: self.facts.variables().clone(),
            env: self.permissions.variables(),
            files: Files::below([&base]).with_outside(outside).with_largest(self.budget.limits().file),
            base,
            lookups,
            budget: self.budget.clone(),
            ..TreeOptions::default()
        };
        let answer = Tree::new(tree)
            .map(|tree| Context::new(tree, options))
            .and_then(|context| evaluate_expression(&context, ExpressionKind::Expression, expression));
        answer
            .map(|answer| answer.one())
            .map_err(|problem| BindingError::from_diagnostics(&problem.diagnose(), Some(&redactor)))
    }

    /// Renders a template. `folder` is the base folder of relative paths.
    ///
    /// # Errors
    /// The template is invalid, or rendering fails.
    pub fn render(
        &self,
        source: &Source,
        language: TemplateLanguage,
        folder: PathBuf,
    ) -> Result<RenderedTemplate, BindingError> {
        let template = Template { source: source.clone(), language, folder, jinja2: Jinja2::default() };
        let rendering = template.render(self.environment, &self.facts, &self.options());
        let text = rendering
            .text
            .map_err(|error| BindingError::from_diagnostics(&error.diagnose(), Some(&self.redactor())))?;
        Ok(RenderedTemplate { text, secret: rendering.secret })
    }
}
