//! Parameters
//! (<https://www.puppet.com/docs/puppet/8/lang_classes.html>, class parameters and variables).

use std::collections::HashSet;

use hieratic_puppet_syntax::ast::{Expr, Parameter};
use hieratic_puppet_syntax::label;

use crate::codes;
use crate::names;
use crate::walk::Checker;

/// The maximum number of parameters that are compared one by one.
const FEW: usize = 16;

impl Checker<'_> {
    pub(crate) fn parameter_rule(&mut self, parameter: &Parameter) {
        let Parameter { name, span, at, .. } = parameter;
        let digits = name.strip_prefix("0x").unwrap_or(name);
        if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            let message = format!(
                "The numeric parameter name '${name}' cannot be used (clashes with numeric match result variables)"
            );
            self.error_at(codes::ILLEGAL_NUMERIC_PARAMETER, *span, *at, message);
        }
        if !names::is_parameter(name) {
            let message = format!(
                "Illegal parameter name. The given name '{name}' does not conform to the naming rule /^[a-z_]\\w*$/"
            );
            self.error_at(codes::ILLEGAL_PARAM_NAME, *span, *at, message);
        }
        if let Some(default) = &parameter.default {
            self.no_assignment(default);
        }
    }

    /// Checks a lambda's parameters: only the last may take all remaining arguments. Names may be duplicated.
    pub(crate) fn lambda_rule(&mut self, parameters: &[Parameter], returns: Option<&Expr>) {
        let before = parameters.split_last().map_or(&[][..], |(_, before)| before);
        for parameter in before.iter().filter(|parameter| parameter.captures_rest) {
            let message = format!("Parameter ${} is not last, and has 'captures rest'", parameter.name);
            self.error_at(codes::CAPTURES_REST_NOT_LAST, parameter.span, parameter.at, message);
        }
        if let Some(returns) = returns {
            self.type_reference(returns, || "a Lambda".into());
        }
    }

    pub(crate) fn template_rule(&mut self, parameters: &[Parameter]) {
        self.no_captures(parameters, || "an Epp Template".into());
        self.unique_parameters(parameters);
    }

    pub(super) fn no_captures(&mut self, parameters: &[Parameter], container: impl Fn() -> String) {
        for parameter in parameters.iter().filter(|parameter| parameter.captures_rest) {
            let container = container();
            let message = format!("Parameter ${} has 'captures rest' - not supported in {container}", parameter.name);
            self.error_at(codes::CAPTURES_REST_NOT_SUPPORTED, parameter.span, parameter.at, message);
        }
    }

    pub(super) fn unique_parameters(&mut self, parameters: &[Parameter]) {
        // For a few, a linear search is faster than hashing.
        let few = parameters.len() <= FEW;
        let mut seen = HashSet::with_capacity(if few { 0 } else { parameters.len() });
        for (index, parameter) in parameters.iter().enumerate() {
            let again = if few {
                parameters[..index].iter().any(|before| before.name == parameter.name)
            } else {
                !seen.insert(&parameter.name)
            };
            if again {
                let message =
                    format!("The parameter '{}' is declared more than once in the parameter list", parameter.name);
                self.error_at(codes::DUPLICATE_PARAMETER, parameter.span, parameter.at, message);
            }
        }
    }

    /// Rejects `name` and `title`, which every resource and class has.
    pub(super) fn no_built_in(&mut self, expr: &Expr, parameters: &[Parameter]) {
        for parameter in parameters.iter().filter(|parameter| matches!(&*parameter.name, "name" | "title")) {
            let label = label::for_expr(expr);
            let message = format!("The parameter ${} redefines a built in parameter in the {label}", parameter.name);
            self.error_at(codes::RESERVED_PARAMETER, parameter.span, parameter.at, message);
        }
    }
}
