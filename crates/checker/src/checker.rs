//! The walk over the tree, and the rule of each node.

use std::borrow::Cow;
use std::collections::HashSet;

use hieratic_diagnostics::Severity;
use hieratic_syntax::Problem;
use hieratic_syntax::ast::{
    Assignment, Case, CaseOption, Comparison, Entry, Expr, Extent, Form, Lambda, Node, Operation, Parameter, Program,
    ResourceBody, SelectorEntry, Variable,
};
use hieratic_value::{Rich, Str, Value};

use crate::idempotent::{ending, is_idempotent};
use crate::names::{self, RESERVED_TYPES};
use crate::places::{self, Namespace};
use crate::{Options, Strict, label, syntax};

/// Everything that is wrong, in the order of the tree.
pub(crate) fn check(program: &Program, options: &Options<'_>) -> Vec<Problem> {
    let namespace = places::of(options.file, options.modulepath);
    let mut checker = Checker { options, namespace, problems: Vec::new(), path: vec![Around::Program] };
    checker.top_constructs(&program.body);
    stacker::maybe_grow(1 << 20, 64 << 20, || checker.visit(&program.body));
    checker.problems
}

/// What stands around a node.
#[derive(Clone, Copy)]
enum Around<'t> {
    Program,
    Node(&'t Expr),
    Lambda,
    Body,
    /// Entries, options, parameters, operations: parts that no rule asks for.
    Part(&'static str),
}

impl Around<'_> {
    fn label(self) -> Cow<'static, str> {
        match self {
            Around::Program => Cow::Borrowed("Program"),
            Around::Node(expr) => label::of(expr),
            Around::Lambda => Cow::Borrowed("Lambda"),
            Around::Body => Cow::Borrowed("Resource Instance Definition"),
            Around::Part(label) => Cow::Borrowed(label),
        }
    }

    fn with_article(self) -> String {
        let label = self.label();
        format!("{} {label}", label::article(&label))
    }
}

struct Checker<'t, 'o> {
    options: &'o Options<'o>,
    namespace: Namespace,
    problems: Vec<Problem>,
    path: Vec<Around<'t>>,
}

impl<'t> Checker<'t, '_> {
    fn error(&mut self, issue: &'static str, at: &Expr, message: impl Into<String>) {
        self.problems.push(Problem::error(issue, message, at.span).at(at.at));
    }

    fn error_at(&mut self, issue: &'static str, span: Extent, at: u32, message: impl Into<String>) {
        self.problems.push(Problem::error(issue, message, span).at(at));
    }

    fn warning(&mut self, issue: &'static str, span: Extent, at: u32, message: impl Into<String>) {
        self.problems.push(Problem::warning(issue, message, span).at(at));
    }

    fn within(&mut self, around: Around<'t>, visit: impl FnOnce(&mut Self)) {
        self.path.push(around);
        visit(self);
        self.path.pop();
    }

    /// Checks a node, then what is in it.
    fn visit(&mut self, expr: &'t Expr) {
        self.rule(expr);
        self.within(Around::Node(expr), |this| this.children(expr));
    }

    fn visit_all(&mut self, all: &'t [Expr]) {
        all.iter().for_each(|one| self.visit(one));
    }

    fn children(&mut self, expr: &'t Expr) {
        match &expr.node {
            Node::Nop
            | Node::Literal(_)
            | Node::Integer { .. }
            | Node::Regexp(_)
            | Node::Name(_)
            | Node::Reference(_)
            | Node::Reserved { .. }
            | Node::RenderString(_) => {}
            Node::Variable(Variable::Computed(inner)) => self.visit(inner),
            Node::Variable(_) => {}
            Node::Concatenated(all) | Node::List(all) | Node::Block(all) => self.visit_all(all),
            Node::Text(inner)
            | Node::Parenthesized(inner)
            | Node::Not(inner)
            | Node::Minus(inner)
            | Node::Unfold(inner)
            | Node::Render(inner)
            | Node::Heredoc { text: inner, .. } => self.visit(inner),
            Node::Hash(entries) => entries.iter().for_each(|entry| self.entry(entry)),
            Node::Arithmetic(_, left, right)
            | Node::Comparison(_, left, right)
            | Node::Match { left, right, .. }
            | Node::In(left, right)
            | Node::And(left, right)
            | Node::Or(left, right)
            | Node::Assign(_, left, right)
            | Node::Relationship(_, left, right)
            | Node::NamedAccess(left, right)
            | Node::TypeMapping { left, right } => {
                self.visit(left);
                self.visit(right);
            }
            Node::Access { left, keys } => {
                self.visit(left);
                self.visit_all(keys);
            }
            Node::Call(call) => {
                self.visit(&call.functor);
                self.visit_all(&call.arguments);
                call.lambda.iter().for_each(|lambda| self.lambda(lambda));
            }
            Node::Method(method) => {
                self.visit(&method.receiver);
                self.visit_all(&method.arguments);
                method.lambda.iter().for_each(|lambda| self.lambda(lambda));
            }
            Node::If(conditional) | Node::Unless(conditional) => {
                self.visit(&conditional.test);
                self.visit(&conditional.then);
                conditional.otherwise.iter().for_each(|otherwise| self.visit(otherwise));
            }
            Node::Case(case) => {
                self.visit(&case.test);
                case.options.iter().for_each(|option| self.case_option(option));
            }
            Node::Selector(subject, entries) => {
                self.visit(subject);
                entries.iter().for_each(|entry| self.selector_entry(entry));
            }
            Node::Lambda(lambda) => self.lambda(lambda),
            Node::Function(one) | Node::Plan(one) => {
                self.parameters(&one.parameters);
                self.visit(&one.body);
                one.returns.iter().for_each(|returns| self.visit(returns));
            }
            Node::Class(one) => {
                self.parameters(&one.parameters);
                self.visit(&one.body);
            }
            Node::Define(one) => {
                self.parameters(&one.parameters);
                self.visit(&one.body);
            }
            Node::NodeDefinition(one) => {
                one.parent.iter().for_each(|parent| self.visit(parent));
                self.visit_all(&one.matches);
                self.visit(&one.body);
            }
            Node::TypeAlias(one) => self.visit(&one.kind),
            Node::TypeDefinition { body, .. } => body.iter().for_each(|body| self.visit(body)),
            Node::Apply { arguments, body } => {
                self.visit_all(arguments);
                body.iter().for_each(|body| self.visit(body));
            }
            Node::Resource(resource) => {
                self.visit(&resource.kind);
                for body in &resource.bodies {
                    self.resource_body(body);
                    self.within(Around::Body, |this| {
                        this.visit(&body.title);
                        body.operations.iter().for_each(|operation| this.operation(operation));
                    });
                }
            }
            Node::ResourceDefaults(defaults) => {
                self.visit(&defaults.kind);
                defaults.operations.iter().for_each(|operation| self.operation(operation));
            }
            Node::ResourceOverride(one) => {
                self.visit(&one.resources);
                one.operations.iter().for_each(|operation| self.operation(operation));
            }
            Node::Collect(collect) => {
                self.visit(&collect.kind);
                if let Some(query) = &collect.query {
                    self.query(query);
                    self.within(Around::Part("Collect Query"), |this| this.visit(query));
                }
                collect.operations.iter().for_each(|operation| self.operation(operation));
            }
            Node::Epp(epp) => {
                if let Some(parameters) = &epp.parameters {
                    self.no_captures(parameters, "Lambda");
                    self.unique(parameters);
                    self.within(Around::Lambda, |this| this.parameters(parameters));
                }
                self.visit(&epp.body);
            }
        }
    }

    fn entry(&mut self, entry: &'t Entry) {
        self.rvalue(&entry.key);
        self.rvalue(&entry.value);
        self.within(Around::Part("Hash Entry"), |this| {
            this.visit(&entry.key);
            this.visit(&entry.value);
        });
    }

    fn case_option(&mut self, option: &'t CaseOption) {
        option.values.iter().for_each(|value| self.rvalue(value));
        self.within(Around::Part("Case Option"), |this| {
            this.visit_all(&option.values);
            this.visit(&option.then);
        });
    }

    fn selector_entry(&mut self, entry: &'t SelectorEntry) {
        self.rvalue(&entry.matching);
        self.within(Around::Part("Selector Option"), |this| {
            this.visit(&entry.matching);
            this.visit(&entry.value);
        });
    }

    fn lambda(&mut self, lambda: &'t Lambda) {
        let last = lambda.parameters.len().saturating_sub(1);
        for (index, parameter) in lambda.parameters.iter().enumerate() {
            if parameter.captures_rest && index != last {
                let message = format!("Parameter ${} is not last, and has 'captures rest'", parameter.name);
                self.error_at("captures-rest-not-last", parameter.span, parameter.at, message);
            }
        }
        if let Some(returns) = &lambda.returns {
            self.type_reference(returns, "a Lambda");
        }
        self.within(Around::Lambda, |this| {
            this.parameters(&lambda.parameters);
            this.visit(&lambda.body);
            lambda.returns.iter().for_each(|returns| this.visit(returns));
        });
    }

    fn parameters(&mut self, parameters: &'t [Parameter]) {
        for parameter in parameters {
            self.parameter(parameter);
            self.within(Around::Part("Parameter Definition"), |this| {
                parameter.default.iter().for_each(|default| this.visit(default));
                parameter.kind.iter().for_each(|kind| this.visit(kind));
            });
        }
    }

    fn operation(&mut self, operation: &'t Operation) {
        let around = self.path.last().copied().unwrap_or(Around::Program);
        let value = match operation {
            Operation::Attribute { name, append, value, span } => {
                let allowed =
                    matches!(around, Around::Node(Expr { node: Node::Collect(_) | Node::ResourceOverride(_), .. }));
                if *append && !allowed {
                    let message = format!(
                        "Illegal +> operation on attribute {name}. This operator can not be used in {}",
                        around.with_article()
                    );
                    self.error_at("illegal-attribute-append", *span, span.start, message);
                }
                value
            }
            Operation::Splat { value, .. } => value,
        };
        self.rvalue(value);
        self.within(Around::Part("'=>' expression"), |this| this.visit(value));
    }

    // The rules.

    fn rule(&mut self, expr: &'t Expr) {
        match &expr.node {
            Node::Assign(Assignment::Set, left, right) => {
                self.assignable(left);
                self.rvalue(right);
            }
            Node::Assign(operator, ..) => {
                let message = format!(
                    "The operator '{}' is no longer supported. See http://links.puppet.com/remove-plus-equals",
                    operator.symbol()
                );
                self.error("appends-deletes-no-longer-supported", expr, message);
            }
            Node::Arithmetic(_, left, right)
            | Node::Comparison(_, left, right)
            | Node::Match { left, right, .. }
            | Node::In(left, right)
            | Node::And(left, right)
            | Node::Or(left, right) => {
                self.rvalue(left);
                self.rvalue(right);
            }
            Node::Relationship(_, left, right) => {
                for side in [left, right] {
                    if !matches!(side.node, Node::Collect(_) | Node::Relationship(..)) {
                        self.rvalue(side);
                    }
                }
            }
            Node::Parenthesized(inner)
            | Node::Not(inner)
            | Node::Minus(inner)
            | Node::Unfold(inner)
            | Node::Text(inner)
            | Node::Render(inner) => self.rvalue(inner),
            Node::List(all) => all.iter().for_each(|one| self.rvalue(one)),
            Node::Hash(entries) => self.keys(entries),
            Node::If(conditional) | Node::Unless(conditional) => self.rvalue(&conditional.test),
            Node::Case(case) => self.case(expr, case),
            Node::Selector(subject, entries) => self.selector(expr, subject, entries),
            Node::Block(statements) => self.block(expr, statements),
            Node::Call(call) => self.call(expr, &call.functor),
            Node::Heredoc { syntax: Some(tag), text } => {
                if let Node::Literal(Value::String(content)) = &text.node
                    && let Err(message) = syntax::check_syntax(tag, content)
                {
                    self.error("invalid-syntax", text, message);
                }
            }
            Node::Variable(variable) => self.variable(expr, variable),
            Node::Reference(name) if !names::is_type_reference(name) => {
                let message =
                    format!("Illegal type reference. The given name '{name}' does not conform to the naming rule");
                self.error("illegal-classref", expr, message);
            }
            Node::Reserved { word, future } => {
                if *future {
                    let message = format!("Use of future reserved word: '{word}'");
                    self.warning("future-reserved-word", expr.span, expr.at, message);
                } else {
                    let message =
                        format!("Use of reserved word: {word}, must be quoted if intended to be a String value");
                    self.error("reserved-word", expr, message);
                }
            }
            Node::Collect(collect) if !matches!(collect.kind.node, Node::Reference(_)) => {
                self.illegal(&collect.kind, "type name", &label::with_article(expr));
            }
            Node::Resource(resource) => {
                let is_class = matches!(&resource.kind.node, Node::Name(name) if &**name == "class");
                if resource.form != Form::Regular && is_class {
                    self.error("class-not-virtualizable", expr, "Classes are not virtualizable");
                }
            }
            Node::ResourceDefaults(defaults) if defaults.form != Form::Regular => {
                self.error("not-virtualizeable", expr, "Resource Defaults are not virtualizable");
            }
            Node::ResourceOverride(one) if one.form != Form::Regular => {
                self.error("not-virtualizeable", expr, "Resource Defaults are not virtualizable");
            }
            Node::Function(one) | Node::Plan(one) => {
                self.named(expr, &one.name);
                if let Some(returns) = &one.returns {
                    self.type_reference(returns, &label::with_article(expr));
                }
                self.unique(&one.parameters);
            }
            Node::Class(one) => {
                self.named(expr, &one.name);
                self.with_parameters(expr, &one.parameters, &one.body);
            }
            Node::Define(one) => {
                self.named(expr, &one.name);
                self.with_parameters(expr, &one.parameters, &one.body);
            }
            Node::NodeDefinition(one) => {
                one.matches.iter().for_each(|host| self.host_name(expr, host));
                self.top(expr);
                self.no_idle_end(expr, &one.body);
                if let Some(parent) = &one.parent {
                    let message = "Node inheritance is not supported in Puppet >= 4.0.0. See http://links.puppet.com/puppet-node-inheritance-deprecation";
                    self.error("illegal-node-inheritance", parent, message);
                }
            }
            Node::TypeAlias(one) => {
                self.top(expr);
                if !names::is_type(&one.name) {
                    self.unacceptable_name(expr, &one.name);
                }
                self.reserved_type(expr, &one.name);
                self.type_reference(&one.kind, &label::with_article(expr));
            }
            Node::TypeMapping { .. } => {
                self.top(expr);
                self.unsupported(expr);
            }
            Node::TypeDefinition { name, .. } => {
                self.top(expr);
                self.reserved_type(expr, name);
                self.unsupported(expr);
            }
            _ => {}
        }
    }

    /// Something that has to have a value.
    fn rvalue(&mut self, expr: &Expr) {
        match &expr.node {
            Node::Collect(_)
            | Node::Function(_)
            | Node::Plan(_)
            | Node::Class(_)
            | Node::Define(_)
            | Node::NodeDefinition(_)
            | Node::TypeAlias(_)
            | Node::TypeMapping { .. }
            | Node::TypeDefinition { .. } => {
                let label = label::with_article_capitalized(expr);
                self.error("not-rvalue", expr, format!("Invalid use of expression. {label} does not produce a value"));
            }
            Node::Parenthesized(inner)
            | Node::Not(inner)
            | Node::Minus(inner)
            | Node::Unfold(inner)
            | Node::Text(inner)
            | Node::Render(inner) => self.rvalue(inner),
            _ => {}
        }
    }

    fn assignable(&mut self, left: &Expr) {
        match &left.node {
            Node::Variable(Variable::Match(group)) => {
                let message = format!(
                    "Illegal attempt to assign to the numeric match result variable '${group}'. Numeric variables are not assignable"
                );
                self.error("illegal-numeric-assignment", left, message);
            }
            Node::Variable(Variable::Qualified(name)) => {
                let message =
                    format!("Illegal attempt to assign to '{name}'. Cannot assign to variables in other namespaces");
                self.error("cross-scope-assignment", left, message);
            }
            Node::Variable(_) => {}
            Node::Access { .. } => {
                let message = "Illegal attempt to assign via [index/key]. Not an assignable reference";
                self.error("illegal-indexed-assignment", left, message);
            }
            Node::List(all) => all.iter().for_each(|one| self.assignable(one)),
            _ => {
                let message = format!(
                    "Illegal attempt to assign to '{}'. Not an assignable reference",
                    label::with_article(left)
                );
                self.error("illegal-assignment", left, message);
            }
        }
    }

    fn illegal(&mut self, expr: &Expr, feature: &str, container: &str) {
        let label = label::with_article_capitalized(expr);
        let message = format!("Illegal expression. {label} is unacceptable as {feature} in {container}");
        self.error("illegal-expression", expr, message);
    }

    fn call(&mut self, expr: &Expr, functor: &Expr) {
        match &functor.node {
            Node::Name(_) | Node::Reference(_) => {}
            Node::Access { left, .. } if matches!(left.node, Node::Reference(_)) => {}
            Node::RenderString(_) => {
                let message = "Ambiguous EPP parameter expression. Probably missing '<%-' before parameters to remove leading whitespace";
                self.error("illegal-epp-parameters", expr, message);
            }
            _ => self.illegal(functor, "function name", &label::with_article(expr)),
        }
    }

    fn block(&mut self, expr: &Expr, statements: &[Expr]) {
        if let Some(name) = untitled(expr) {
            let message =
                format!("This expression is invalid. Did you try declaring a '{name}' resource without a title?");
            self.error("resource-without-title", expr, message);
            return;
        }
        let Some((_, before)) = statements.split_last() else { return };
        if let Some(idle) = before.iter().find(|statement| is_idempotent(statement)) {
            let message = format!(
                "This {} has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form)",
                label::of(idle)
            );
            self.error("idem-expression-not-last", idle, message);
        }
    }

    fn keys(&mut self, entries: &[Entry]) {
        if self.options.strict == Strict::Off {
            return;
        }
        let mut seen: HashSet<Value> = HashSet::new();
        for entry in entries {
            let Some(key) = literal(&entry.key) else { continue };
            let text = key.to_text();
            if !seen.insert(key) {
                let span = Extent { start: entry.key.span.start, end: entry.value.span.end };
                let problem =
                    Problem::warning("duplicate-key", format!("The key '{text}' is declared more than once"), span);
                let severity = if self.options.strict == Strict::Error { Severity::Error } else { Severity::Warning };
                self.problems.push(Problem { severity, ..problem }.at(entry.at));
            }
        }
    }

    fn case(&mut self, expr: &Expr, case: &Case) {
        self.rvalue(&case.test);
        let mut found = false;
        for value in case.options.iter().flat_map(|option| &option.values).filter(|value| is_default(value)) {
            if found {
                self.duplicate_default(expr, value);
            }
            found = true;
        }
    }

    fn selector(&mut self, expr: &Expr, subject: &Expr, entries: &[SelectorEntry]) {
        self.rvalue(subject);
        if let Some(second) = entries.iter().filter(|entry| is_default(&entry.matching)).nth(1) {
            self.duplicate_default(expr, &second.matching);
        }
    }

    fn duplicate_default(&mut self, container: &Expr, value: &Expr) {
        let label = label::of(container);
        self.error(
            "duplicate-default",
            value,
            format!("This {label} already has a 'default' entry - this is a duplicate"),
        );
    }

    fn variable(&mut self, expr: &Expr, variable: &Variable) {
        let name: &Str = match variable {
            Variable::Match(_) => return,
            Variable::Local(name) | Variable::Qualified(name) => name,
            Variable::Computed(_) => {
                return self.illegal(expr, "name", &label::with_article(expr));
            }
        };
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            if !names::is_match_variable(name) {
                let message = format!(
                    "Illegal numeric variable name, The given name '{name}' must be a decimal value if it starts with a digit 0-9"
                );
                self.error("illegal-numeric-var-name", expr, message);
            }
        } else if !names::is_variable(name) {
            let message = format!(
                "Illegal variable name, The given name '{name}' does not conform to the naming rule /^((::)?[a-z]\\w*)*((::)?[a-z_]\\w*)$/"
            );
            self.error("illegal-var-name", expr, message);
        }
    }

    fn parameter(&mut self, parameter: &Parameter) {
        let Parameter { name, span, at, .. } = parameter;
        let digits = name.strip_prefix("0x").unwrap_or(name);
        if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            let message = format!(
                "The numeric parameter name '${name}' cannot be used (clashes with numeric match result variables)"
            );
            self.error_at("illegal-numeric-parameter", *span, *at, message);
        }
        if !names::is_parameter(name) {
            let message = format!(
                "Illegal parameter name. The given name '{name}' does not conform to the naming rule /^[a-z_]\\w*$/"
            );
            self.error_at("illegal-param-name", *span, *at, message);
        }
        if let Some(default) = &parameter.default {
            self.no_assignment(default);
        }
    }

    /// A default assigns nothing, except within blocks.
    fn no_assignment(&mut self, expr: &Expr) {
        match &expr.node {
            Node::Assign(..) => self.error("illegal-assignment-context", expr, "Assignment not allowed here"),
            Node::Parenthesized(inner)
            | Node::Not(inner)
            | Node::Minus(inner)
            | Node::Unfold(inner)
            | Node::Text(inner) => {
                self.no_assignment(inner);
            }
            Node::List(all) | Node::Concatenated(all) | Node::Block(all) => {
                all.iter().for_each(|one| self.no_assignment(one));
            }
            Node::Hash(entries) => {
                for entry in entries {
                    self.no_assignment(&entry.key);
                    self.no_assignment(&entry.value);
                }
            }
            Node::Arithmetic(_, left, right)
            | Node::Comparison(_, left, right)
            | Node::Match { left, right, .. }
            | Node::In(left, right)
            | Node::And(left, right)
            | Node::Or(left, right) => {
                self.no_assignment(left);
                self.no_assignment(right);
            }
            Node::Access { left, keys } => {
                self.no_assignment(left);
                keys.iter().for_each(|key| self.no_assignment(key));
            }
            Node::Call(call) => call.arguments.iter().for_each(|argument| self.no_assignment(argument)),
            Node::Method(method) => {
                self.no_assignment(&method.receiver);
                method.arguments.iter().for_each(|argument| self.no_assignment(argument));
            }
            Node::If(conditional) | Node::Unless(conditional) => {
                self.no_assignment(&conditional.test);
                self.no_assignment(&conditional.then);
                conditional.otherwise.iter().for_each(|otherwise| self.no_assignment(otherwise));
            }
            Node::Selector(subject, entries) => {
                self.no_assignment(subject);
                for entry in entries {
                    self.no_assignment(&entry.matching);
                    self.no_assignment(&entry.value);
                }
            }
            _ => {}
        }
    }

    fn resource_body(&mut self, body: &ResourceBody) {
        let splats = body.operations.iter().filter_map(|operation| match operation {
            Operation::Splat { span, .. } => Some(*span),
            Operation::Attribute { .. } => None,
        });
        for span in splats.skip(1).collect::<Vec<Extent>>() {
            let message = "Unfolding of attributes from Hash can only be used once per resource body";
            self.error_at("multiple-attributes-unfold", span, span.start, message);
        }
    }

    fn query(&mut self, expr: &Expr) {
        match &expr.node {
            Node::And(left, right) | Node::Or(left, right) => {
                self.query(left);
                self.query(right);
            }
            Node::Parenthesized(inner) => self.query(inner),
            Node::Comparison(Comparison::Equal | Comparison::NotEqual, ..)
            | Node::Variable(_)
            | Node::Name(_)
            | Node::Integer { .. }
            | Node::Literal(Value::Float(_) | Value::String(_) | Value::Boolean(_)) => {}
            _ => {
                let label = label::with_article_capitalized(expr);
                self.error(
                    "illegal-query-expression",
                    expr,
                    format!("Illegal query expression. {label} cannot be used in a query"),
                );
            }
        }
    }

    // Definitions.

    fn named(&mut self, expr: &Expr, name: &str) {
        self.top(expr);
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
            self.error("illegal-definition-location", expr, message);
        }
        self.reserved_type(expr, name);
        self.future_word(expr, name);
    }

    fn unacceptable_name(&mut self, expr: &Expr, name: &str) {
        let label = label::with_article(expr);
        let message = format!("Unacceptable name. The name '{name}' is unacceptable as the name of {label}");
        self.error("illegal-definition-name", expr, message);
    }

    fn reserved_type(&mut self, expr: &Expr, name: &str) {
        if RESERVED_TYPES.contains(&name) {
            let label = label::with_article(expr);
            let message =
                format!("The name: '{name}' is already defined by Puppet and can not be used as the name of {label}.");
            self.error("reserved-type-name", expr, message);
        }
    }

    fn future_word(&mut self, expr: &Expr, name: &str) {
        if name == "plan" {
            let message = format!("Use of future reserved word: '{name}'");
            self.warning("future-reserved-word", expr.span, expr.at, message);
        }
    }

    fn unsupported(&mut self, expr: &Expr) {
        let label = label::with_article(expr);
        let message = format!("Expressions of type {label} are not supported in this version of Puppet");
        self.error("unsupported-expression", expr, message);
    }

    fn type_reference(&mut self, expr: &Expr, container: &str) {
        let name = match &expr.node {
            Node::Access { left, .. } => left,
            _ => expr,
        };
        match &name.node {
            Node::Reference(name) => self.future_word(expr, &name.to_lowercase()),
            _ => self.illegal(expr, "a type reference", container),
        }
    }

    fn with_parameters(&mut self, expr: &Expr, parameters: &[Parameter], body: &Expr) {
        self.no_captures(parameters, &label::of(expr));
        self.unique(parameters);
        for parameter in parameters.iter().filter(|parameter| matches!(&*parameter.name, "name" | "title")) {
            let message =
                format!("The parameter ${} redefines a built in parameter in the {}", parameter.name, label::of(expr));
            self.error_at("reserved-parameter", parameter.span, parameter.at, message);
        }
        self.no_idle_end(expr, body);
    }

    fn no_captures(&mut self, parameters: &[Parameter], container: &str) {
        for parameter in parameters.iter().filter(|parameter| parameter.captures_rest) {
            let message = format!(
                "Parameter ${} has 'captures rest' - not supported in {} {container}",
                parameter.name,
                label::article(container)
            );
            self.error_at("captures-rest-not-supported", parameter.span, parameter.at, message);
        }
    }

    fn unique(&mut self, parameters: &[Parameter]) {
        let mut seen = HashSet::new();
        for parameter in parameters {
            if !seen.insert(&parameter.name) {
                let message =
                    format!("The parameter '{}' is declared more than once in the parameter list", parameter.name);
                self.error_at("duplicate-parameter", parameter.span, parameter.at, message);
            }
        }
    }

    fn no_idle_end(&mut self, expr: &Expr, body: &Expr) {
        let Some(last) = ending(body).filter(|last| untitled(last).is_none()) else { return };
        let message = format!(
            "This {} has no effect. {} can not end with a value-producing expression without other effect",
            label::of(last),
            label::with_article_capitalized(expr)
        );
        self.error("idem-not-allowed-last", last, message);
    }

    /// Definitions stand at the top, or in classes.
    fn top(&mut self, expr: &Expr) {
        let absolute = matches!(expr.node, Node::Function(_) | Node::TypeAlias(_) | Node::TypeDefinition { .. });
        for (depth, around) in self.path.iter().enumerate().rev() {
            // A body counts as a block even if there is only one statement in it.
            let body = matches!(
                around,
                Around::Lambda
                    | Around::Part("Case Option")
                    | Around::Node(Expr {
                        node: Node::Class(_)
                            | Node::Define(_)
                            | Node::Function(_)
                            | Node::Plan(_)
                            | Node::NodeDefinition(_),
                        ..
                    })
            );
            if body && absolute && depth + 1 == self.path.len() {
                let label = label::with_article_capitalized(expr);
                return self.error("not-absolute-top-level", expr, format!("{label} may only appear at toplevel"));
            }
            match around {
                Around::Program => return,
                Around::Node(Expr { node: Node::Class(_) | Node::Apply { .. }, .. }) => return,
                Around::Node(Expr { node: Node::Block(_), .. }) => {
                    let outermost = matches!(self.path.get(depth.wrapping_sub(1)), Some(Around::Program));
                    if !outermost && absolute {
                        let label = label::with_article_capitalized(expr);
                        return self.error(
                            "not-absolute-top-level",
                            expr,
                            format!("{label} may only appear at toplevel"),
                        );
                    }
                }
                _ => {
                    let message = "Classes, definitions, and nodes may only appear at toplevel or inside other classes";
                    return self.error("not-top-level", expr, message);
                }
            }
        }
    }

    /// In a file of a module only definitions stand at the top.
    fn top_constructs(&mut self, body: &Expr) {
        if matches!(self.namespace, Namespace::Any) || matches!(body.node, Node::Nop) {
            return;
        }
        let statements = match &body.node {
            Node::Block(statements) => &statements[..],
            _ => std::slice::from_ref(body),
        };
        for statement in statements {
            let name = match &statement.node {
                Node::Function(_) | Node::Plan(_) | Node::Class(_) | Node::Define(_) | Node::TypeAlias(_) => continue,
                Node::TypeMapping { .. } | Node::TypeDefinition { .. } => continue,
                _ => label::of(statement),
            };
            let message = format!("This {name} is unacceptable as a top level construct in this location");
            self.error("illegal-top-construct-location", statement, message);
        }
    }

    fn host_name(&mut self, node: &Expr, host: &Expr) {
        match &host.node {
            Node::Literal(Value::String(name)) | Node::Name(name) | Node::Reference(name) => {
                if !name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')) {
                    let message = format!(
                        "The hostname '{name}' contains illegal characters (only letters, digits, '_', '-', and '.' are allowed)"
                    );
                    self.error("illegal-hostname-chars", host, message);
                }
            }
            Node::Literal(_) | Node::Integer { .. } | Node::Regexp(_) => {}
            Node::Concatenated(segments) => {
                let message = "An interpolated expression is not allowed in a hostname of a node";
                match segments.iter().find(|segment| matches!(segment.node, Node::Text(_))) {
                    Some(segment) => self.error("illegal-hostname-interpolation", segment, message),
                    None => self.error("illegal-hostname-interpolation", host, message),
                }
            }
            _ => self.illegal(host, "hostname", &label::with_article(node)),
        }
    }
}

/// The name in `name { a => 1 }`, which looks like a resource without a title.
fn untitled(expr: &Expr) -> Option<&Str> {
    let Node::Block(statements) = &expr.node else { return None };
    match &statements[..] {
        [Expr { node: Node::Name(name), .. }, Expr { node: Node::Hash(_), .. }] => Some(name),
        _ => None,
    }
}

fn is_default(expr: &Expr) -> bool {
    matches!(&expr.node, Node::Literal(Value::Rich(rich)) if matches!(**rich, Rich::Default))
}

/// The value of an expression that says it literally.
fn literal(expr: &Expr) -> Option<Value> {
    match &expr.node {
        Node::Literal(value) => Some(value.clone()),
        Node::Integer { value, .. } => Some(Value::Integer(*value)),
        Node::Name(name) => Some(Value::String(name.clone())),
        Node::List(all) => all.iter().map(literal).collect::<Option<Vec<Value>>>().map(Value::from),
        _ => None,
    }
}
