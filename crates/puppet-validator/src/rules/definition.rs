//! Classes, defined types, functions and plans.

use hieratic_puppet_syntax::ast::{Expr, Function, Parameter};
use hieratic_puppet_syntax::label;

use crate::codes;
use crate::names::{self, RESERVED_TYPES};
use crate::namespace::Namespace;
use crate::side_effects::final_statement_without_effect;
use crate::walk::Checker;

impl Checker<'_> {
    pub(super) fn function(&mut self, expr: &Expr, function: &Function) {
        self.definition_name_rule(expr, &function.name);
        if let Some(returns) = &function.returns {
            self.type_reference(returns, || label::with_article(expr));
        }
        self.unique_parameters(&function.parameters);
    }

    pub(super) fn class_or_define(&mut self, expr: &Expr, name: &str, parameters: &[Parameter], body: &Expr) {
        self.definition_name_rule(expr, name);
        self.no_captures(parameters, || label::with_article(expr));
        self.unique_parameters(parameters);
        self.no_built_in(expr, parameters);
        self.reject_unused_end(expr, body);
    }

    /// Rejects a class body that ends with an unused value.
    pub(super) fn reject_unused_end(&mut self, expr: &Expr, body: &Expr) {
        let Some(last) = final_statement_without_effect(body).filter(|last| self.untitled(last).is_none()) else {
            return;
        };
        let message = format!(
            "This {} has no effect. {} can not end with a value-producing expression without other effect",
            label::for_expr(last),
            label::with_article_capitalized(expr)
        );
        self.error(codes::IDEM_NOT_ALLOWED_LAST, last, message);
    }

    /// Checks that the name of a definition is allowed, is not reserved, and matches the location of the file.
    fn definition_name_rule(&mut self, expr: &Expr, name: &str) {
        self.top_level_rule(expr);
        if !names::is_definition(name) {
            self.unacceptable_name(expr, name);
        }
        let misplaced = match &self.namespace {
            Namespace::Any => false,
            Namespace::Nothing => true,
            Namespace::Prefix(prefix) => !name.to_lowercase().starts_with(prefix.as_str()),
        };
        if misplaced {
            let file = self.options.file.map(|file| file.display().to_string()).unwrap_or_default();
            let message = format!("Unacceptable location. The name '{name}' is unacceptable in file '{file}'");
            self.error(codes::ILLEGAL_DEFINITION_LOCATION, expr, message);
        }
        self.reserved_type(expr, name);
        self.future_word(expr, name);
    }

    pub(super) fn unacceptable_name(&mut self, expr: &Expr, name: &str) {
        let label = label::with_article(expr);
        let message = format!("Unacceptable name. The name '{name}' is unacceptable as the name of {label}");
        self.error(hieratic_puppet_syntax::codes::ILLEGAL_DEFINITION_NAME, expr, message);
    }

    pub(super) fn reserved_type(&mut self, expr: &Expr, name: &str) {
        if RESERVED_TYPES.contains(&name) {
            let label = label::with_article(expr);
            let message =
                format!("The name: '{name}' is already defined by Puppet and can not be used as the name of {label}.");
            self.error(codes::RESERVED_TYPE_NAME, expr, message);
        }
    }
}
