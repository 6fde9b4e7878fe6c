//! The rules for single nodes and their context. Each kind of node has a rule, which only examines children that matter
//! for the node.

mod assignment;
mod definition;
mod literals;
mod node_definition;
mod parameter;
mod position;
mod query;
mod resource;
mod type_alias;
mod value;

use hieratic_puppet_syntax::Problem;
use hieratic_puppet_syntax::ast::{Assignment, Call, Case, Entry, Expr, Node, SelectorEntry, Variable};
use hieratic_puppet_syntax::label;
use hieratic_value::{Rich, Str, Value};

use crate::codes;
use crate::heredoc::{self, CheckContext};
use crate::names;
use crate::side_effects::has_no_effect;
use crate::walk::Checker;

impl Checker<'_> {
    /// Applies the rule of a node; `at` is the position of a block, which the tree does not always contain.
    pub(crate) fn rule(&mut self, expr: &Expr, at: u32) {
        if self.options.tasks && self.reject_in_script(expr) {
            return;
        }
        match &expr.node {
            Node::Assign(Assignment::Set, left, right) => {
                self.assignable(left);
                self.value_required_rule(right);
            }
            Node::Assign(operator @ (Assignment::Append | Assignment::Delete), ..) => {
                let operator = operator.symbol();
                let message = format!(
                    "The operator '{operator}' is no longer supported. See http://links.puppet.com/remove-plus-equals"
                );
                self.error(codes::APPENDS_DELETES_NO_LONGER_SUPPORTED, expr, message);
            }
            Node::Arithmetic(_, left, right)
            | Node::Comparison(_, left, right)
            | Node::Match { left, right, .. }
            | Node::In(left, right)
            | Node::And(left, right)
            | Node::Or(left, right) => {
                self.value_required_rule(left);
                self.value_required_rule(right);
            }
            Node::Relationship(_, left, right) => {
                for side in [left, right] {
                    if !matches!(side.node, Node::Collect(_) | Node::Relationship(..)) {
                        self.value_required_rule(side);
                    }
                }
            }
            Node::Parenthesized(inner)
            | Node::Not(inner)
            | Node::Minus(inner)
            | Node::Unfold(inner)
            | Node::Text(inner)
            | Node::Render(inner) => self.value_required_rule(inner),
            Node::List(all) => all.iter().for_each(|one| self.value_required_rule(one)),
            Node::Hash(entries) => self.unique_keys(entries),
            Node::If(one) | Node::Unless(one) => self.value_required_rule(&one.test),
            Node::Case(case) => self.case(expr, case),
            Node::Selector(subject, entries) => self.selector(expr, subject, entries),
            Node::Block(statements) => self.block(expr, statements, at),
            Node::Call(call) => self.call(expr, call),
            Node::Heredoc { syntax: Some(tag), text } => self.heredoc(tag, text),
            Node::Variable(variable) => self.variable(expr, variable),
            Node::Reference(name) => self.reference(expr, name),
            Node::Reserved { word, future } => self.reserved(expr, word, *future),
            Node::Collect(collect) => self.collector(expr, collect),
            Node::Resource(resource) => self.resource_form(expr, resource),
            Node::ResourceDefaults(defaults) => self.regular(expr, defaults.form),
            Node::ResourceOverride(one) => self.regular(expr, one.form),
            Node::Function(one) | Node::Plan(one) => self.function(expr, one),
            Node::Class(one) => {
                self.class_or_define(expr, &one.name, &one.parameters, &one.body);
                self.literal_types(&one.parameters);
            }
            Node::Define(one) => self.class_or_define(expr, &one.name, &one.parameters, &one.body),
            Node::NodeDefinition(one) => self.node_definition(expr, one),
            Node::TypeAlias(one) => self.type_alias(expr, one),
            Node::TypeMapping { left, right } => self.type_mapping(expr, left, right),
            Node::TypeDefinition(definition) => self.type_definition(expr, &definition.name),
            // All keys are expressions, all names after a dot are names; an unknown language of a heredoc is not
            // checked.
            Node::Access { .. }
            | Node::NamedAccess(..)
            | Node::Method(_)
            | Node::Heredoc { syntax: None, .. }
            | Node::Nop
            | Node::Literal(_)
            | Node::Integer { .. }
            | Node::Regexp(_)
            | Node::Name(_)
            | Node::Concatenated(_)
            | Node::Lambda(_)
            | Node::Apply { .. }
            | Node::Epp(_)
            | Node::RenderString(_) => {}
        }
    }

    /// Reports an expression of a kind that is not allowed at its position.
    fn illegal(&mut self, expr: &Expr, feature: &str, container: &str) {
        let label = label::with_article_capitalized(expr);
        let message = format!("Illegal expression. {label} is unacceptable as {feature} in {container}");
        self.error(codes::ILLEGAL_EXPRESSION, expr, message);
    }

    /// Checks that the callee is a name, or a type for `new`.
    fn call(&mut self, expr: &Expr, call: &Call) {
        let functor = &call.functor;
        match &functor.node {
            // `notice { * => $x }`: the parser reads the attributes as a hash, but there is no key. (The reference
            // fails with an internal error.)
            Node::Name(name) if call.arguments.iter().any(has_splat) => {
                let message = without_title(name);
                self.error(hieratic_puppet_syntax::codes::RESOURCE_WITHOUT_TITLE, expr, message);
            }
            Node::Name(_) | Node::Reference(_) => {}
            Node::Access { left, .. } if matches!(left.node, Node::Reference(_)) => {}
            Node::RenderString(_) => {
                let message = "Ambiguous EPP parameter expression. Probably missing '<%-' before parameters to remove leading whitespace";
                self.error(codes::ILLEGAL_EPP_PARAMETERS, expr, message);
            }
            _ => self.illegal(functor, "function name", &label::with_article(expr)),
        }
    }

    /// Checks that only the last statement of a block has no effect except its value.
    fn block(&mut self, expr: &Expr, statements: &[Expr], at: u32) {
        if let Some(name) = self.untitled(expr) {
            return self.error_at(
                hieratic_puppet_syntax::codes::RESOURCE_WITHOUT_TITLE,
                expr.span,
                at,
                without_title(name),
            );
        }
        let Some((_, before)) = statements.split_last() else { return };
        // Only the first is reported; the following ones often have the same cause.
        if let Some(idle) = before.iter().find(|statement| has_no_effect(statement)) {
            let message = format!(
                "This {} has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form)",
                label::for_expr(idle)
            );
            self.error(codes::IDEM_EXPRESSION_NOT_LAST, idle, message);
        }
    }

    /// Returns the name in `name { a => 1 }`, which looks like a resource without a title. Scripts have no resources.
    fn untitled<'e>(&self, expr: &'e Expr) -> Option<&'e Str> {
        let Node::Block(statements) = &expr.node else { return None };
        match &statements[..] {
            [Expr { node: Node::Name(name), .. }, Expr { node: Node::Hash(_), .. }] if !self.options.tasks => {
                Some(name)
            }
            _ => None,
        }
    }

    fn case(&mut self, expr: &Expr, case: &Case) {
        self.value_required_rule(&case.test);
        let values = case.options.iter().flat_map(|option| &option.values);
        for again in values.filter(|value| is_default(value)).skip(1) {
            self.duplicate_default(expr, again);
        }
    }

    fn selector(&mut self, expr: &Expr, subject: &Expr, entries: &[SelectorEntry]) {
        self.value_required_rule(subject);
        // Unlike for `case`, only the second is reported.
        if let Some(again) = entries.iter().filter(|entry| is_default(&entry.matching)).nth(1) {
            self.duplicate_default(expr, &again.matching);
        }
    }

    fn duplicate_default(&mut self, container: &Expr, again: &Expr) {
        let label = label::for_expr(container);
        let message = format!("This {label} already has a 'default' entry - this is a duplicate");
        self.error(codes::DUPLICATE_DEFAULT, again, message);
    }

    pub(crate) fn entry_rule(&mut self, entry: &Entry) {
        self.value_required_rule(&entry.key);
        self.value_required_rule(&entry.value);
    }

    /// Checks a heredoc without interpolations against its syntax tag; others are checked when they are evaluated.
    fn heredoc(&mut self, tag: &str, text: &Expr) {
        let Node::Literal(Value::String(content)) = &text.node else { return };
        let outer = CheckContext { depth: self.depth, ..CheckContext::from_options(self.options) };
        let checked = heredoc::check(tag, content, outer);
        for message in checked.warnings {
            // The message contains the position in the heredoc.
            self.nested.push(Problem {
                at: None,
                ..Problem::warning(hieratic_puppet_syntax::codes::HEREDOC_CODE, message, text.span)
            });
        }
        if let Some(error) = checked.error {
            self.fatal = Some(Problem::error(error.issue, error.message, text.span).at(text.at));
        }
    }

    fn variable(&mut self, expr: &Expr, variable: &Variable) {
        let name: &Str = match variable {
            Variable::Match(_) => return,
            Variable::Local(name) | Variable::Qualified(name) => name,
            Variable::Computed(inner) if matches!(inner.node, Node::Integer { .. }) => return,
            Variable::Computed(_) => return self.illegal(expr, "name", &label::with_article(expr)),
        };
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            if !names::is_match_variable(name) {
                let message = format!(
                    "Illegal numeric variable name, The given name '{name}' must be a decimal value if it starts with a digit 0-9"
                );
                self.error(codes::ILLEGAL_NUMERIC_VAR_NAME, expr, message);
            }
        } else if !names::is_variable(name) {
            let message = format!(
                "Illegal variable name, The given name '{name}' does not conform to the naming rule /^((::)?[a-z]\\w*)*((::)?[a-z_]\\w*)$/"
            );
            self.error(codes::ILLEGAL_VAR_NAME, expr, message);
        }
    }

    fn reference(&mut self, expr: &Expr, name: &str) {
        if !names::is_type_reference(name) {
            let message =
                format!("Illegal type reference. The given name '{name}' does not conform to the naming rule");
            self.error(codes::ILLEGAL_CLASSREF, expr, message);
        }
    }

    fn reserved(&mut self, expr: &Expr, word: &str, future: bool) {
        if future {
            self.deprecation(codes::FUTURE_RESERVED_WORD, expr, format!("Use of future reserved word: '{word}'"));
        } else {
            let message = format!("Use of reserved word: {word}, must be quoted if intended to be a String value");
            self.error(codes::RESERVED_WORD, expr, message);
        }
    }

    /// Rejects names of definitions and types that will be keywords.
    fn future_word(&mut self, expr: &Expr, name: &str) {
        if name == "plan" {
            self.reserved(expr, name, true);
        }
    }
}

fn is_default(expr: &Expr) -> bool {
    matches!(&expr.node, Node::Literal(Value::Rich(rich)) if matches!(**rich, Rich::Default))
}

fn without_title(name: &str) -> String {
    format!("This expression is invalid. Did you try declaring a '{name}' resource without a title?")
}

/// Returns whether an expression is a hash with an entry from `* => value`.
fn has_splat(expr: &Expr) -> bool {
    matches!(&expr.node, Node::Hash(entries) if entries.iter().any(|entry| matches!(entry.key.node, Node::Nop)))
}
