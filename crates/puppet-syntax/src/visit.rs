//! Visitors of the syntax tree.
//!
//! A [`Visitor`] receives the direct parts of an expression, in the order of the reference's model, and descends with
//! [`children`]. The default methods descend. [`each_child`] and [`each_expression`] are for callers that need
//! expressions only.

use crate::ast::{
    CaseOption, Entry, Epp, Expr, Lambda, Node, Operation, Parameter, ResourceBody, SelectorEntry, Variable,
};

/// A visitor of the parts of a tree.
pub trait Visitor<'t> {
    /// Visits an expression. An implementation calls [`children`] to visit its parts.
    fn expression(&mut self, expr: &'t Expr);

    /// Visits the body of a definition, a lambda, an option of a `case` or a template, which is a block even if it is a
    /// single statement. `at` is the start of that construct.
    fn body(&mut self, body: &'t Expr, at: u32) {
        let _ = at;
        self.expression(body);
    }

    /// Visits the code of an `apply`. `at` is the position of `apply`.
    fn applied(&mut self, body: &'t Expr, at: u32) {
        self.body(body, at);
    }

    /// Visits the lambda of a call, or a lambda that is an expression.
    fn lambda(&mut self, lambda: &'t Lambda) {
        self::lambda(self, lambda);
    }

    /// Visits a template with its parameters. `at` is its start.
    fn template(&mut self, epp: &'t Epp, at: u32) {
        self::template(self, epp, at);
    }

    /// Visits a parameter of a definition, a lambda or a template.
    fn parameter(&mut self, parameter: &'t Parameter) {
        self::parameter(self, parameter);
    }

    /// Visits a key with its value.
    fn entry(&mut self, entry: &'t Entry) {
        self.expression(&entry.key);
        self.expression(&entry.value);
    }

    /// Visits an option of a `case`.
    fn case_option(&mut self, option: &'t CaseOption) {
        self::case_option(self, option);
    }

    /// Visits an entry of a selector.
    fn selector_entry(&mut self, entry: &'t SelectorEntry) {
        self.expression(&entry.matching);
        self.expression(&entry.value);
    }

    /// Visits the title and the attributes of a resource.
    fn resource_body(&mut self, body: &'t ResourceBody) {
        self::resource_body(self, body);
    }

    /// Visits an attribute of a resource, or a hash of attributes.
    fn operation(&mut self, operation: &'t Operation) {
        self.expression(value_of(operation));
    }
}

/// Visits everything directly in an expression.
pub fn children<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, expr: &'t Expr) {
    match &expr.node {
        Node::Nop
        | Node::Literal(_)
        | Node::Integer { .. }
        | Node::Regexp(_)
        | Node::Name(_)
        | Node::Reference(_)
        | Node::Reserved { .. }
        | Node::RenderString(_)
        | Node::Variable(Variable::Local(_) | Variable::Qualified(_) | Variable::Match(_)) => {}
        Node::Variable(Variable::Computed(inner))
        | Node::Text(inner)
        | Node::Parenthesized(inner)
        | Node::Not(inner)
        | Node::Minus(inner)
        | Node::Unfold(inner)
        | Node::Render(inner)
        | Node::Heredoc { text: inner, .. } => visitor.expression(inner),
        Node::Concatenated(all) | Node::List(all) | Node::Block(all) => expressions(visitor, all),
        Node::Hash(entries) => entries.iter().for_each(|entry| visitor.entry(entry)),
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
            visitor.expression(left);
            visitor.expression(right);
        }
        Node::Access { left, keys } => {
            visitor.expression(left);
            expressions(visitor, keys);
        }
        Node::Call(call) => {
            visitor.expression(&call.functor);
            expressions(visitor, &call.arguments);
            call.lambda.iter().for_each(|lambda| visitor.lambda(lambda));
        }
        Node::Method(method) => {
            visitor.expression(&method.receiver);
            expressions(visitor, &method.arguments);
            method.lambda.iter().for_each(|lambda| visitor.lambda(lambda));
        }
        Node::If(one) | Node::Unless(one) => {
            visitor.expression(&one.test);
            visitor.expression(&one.then);
            expressions(visitor, &one.otherwise);
        }
        Node::Case(case) => {
            visitor.expression(&case.test);
            case.options.iter().for_each(|option| visitor.case_option(option));
        }
        Node::Selector(subject, entries) => {
            visitor.expression(subject);
            entries.iter().for_each(|entry| visitor.selector_entry(entry));
        }
        Node::Lambda(lambda) => visitor.lambda(lambda),
        Node::Function(one) | Node::Plan(one) => {
            parameters(visitor, &one.parameters);
            visitor.body(&one.body, expr.at);
            expressions(visitor, &one.returns);
        }
        Node::Class(one) => {
            parameters(visitor, &one.parameters);
            visitor.body(&one.body, expr.at);
        }
        Node::Define(one) => {
            parameters(visitor, &one.parameters);
            visitor.body(&one.body, expr.at);
        }
        Node::NodeDefinition(one) => {
            expressions(visitor, &one.parent);
            expressions(visitor, &one.matches);
            visitor.body(&one.body, expr.at);
        }
        Node::TypeAlias(one) => visitor.expression(&one.kind),
        Node::TypeDefinition(definition) => definition.body.iter().for_each(|body| visitor.body(body, expr.at)),
        Node::Apply { arguments, body } => {
            expressions(visitor, arguments);
            body.iter().for_each(|body| visitor.applied(body, expr.at));
        }
        Node::Resource(resource) => {
            visitor.expression(&resource.kind);
            resource.bodies.iter().for_each(|body| visitor.resource_body(body));
        }
        Node::ResourceDefaults(defaults) => {
            visitor.expression(&defaults.kind);
            operations(visitor, &defaults.operations);
        }
        Node::ResourceOverride(one) => {
            visitor.expression(&one.resources);
            operations(visitor, &one.operations);
        }
        Node::Collect(collect) => {
            visitor.expression(&collect.kind);
            collect.query.iter().for_each(|query| visitor.expression(query));
            operations(visitor, &collect.operations);
        }
        Node::Epp(epp) => visitor.template(epp, expr.at),
    }
}

/// Visits expressions in order.
pub fn expressions<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, all: impl IntoIterator<Item = &'t Expr>) {
    all.into_iter().for_each(|one| visitor.expression(one));
}

/// Visits parameters.
pub fn parameters<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, parameters: &'t [Parameter]) {
    parameters.iter().for_each(|parameter| visitor.parameter(parameter));
}

/// Visits attributes.
pub fn operations<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, operations: &'t [Operation]) {
    operations.iter().for_each(|operation| visitor.operation(operation));
}

/// Visits the parts of a lambda.
pub fn lambda<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, lambda: &'t Lambda) {
    parameters(visitor, &lambda.parameters);
    visitor.body(&lambda.body, lambda.span.start);
    expressions(visitor, &lambda.returns);
}

/// Visits the parts of a template.
pub fn template<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, epp: &'t Epp, at: u32) {
    parameters(visitor, epp.parameters.as_deref().unwrap_or_default());
    visitor.body(&epp.body, at);
}

/// Visits the default and the type of a parameter.
pub fn parameter<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, parameter: &'t Parameter) {
    expressions(visitor, &parameter.default);
    expressions(visitor, &parameter.kind);
}

/// Visits the parts of an option of a `case`.
pub fn case_option<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, option: &'t CaseOption) {
    expressions(visitor, &option.values);
    visitor.body(&option.then, option.at);
}

/// Visits the title and the attributes of a resource.
pub fn resource_body<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, body: &'t ResourceBody) {
    visitor.expression(&body.title);
    operations(visitor, &body.operations);
}

/// Returns the value of an attribute, or the hash of attributes.
pub fn value_of(operation: &Operation) -> &Expr {
    let (Operation::Attribute { value, .. } | Operation::Splat { value, .. }) = operation;
    value
}

/// Calls a function for every direct subexpression, including those inside of entries, options, parameters and
/// attributes. Lambdas are excluded because they have their own scope.
pub fn each_child<'t>(expr: &'t Expr, give: &mut dyn FnMut(&'t Expr)) {
    struct ChildVisitor<'g, 't>(&'g mut dyn FnMut(&'t Expr));
    impl<'t> Visitor<'t> for ChildVisitor<'_, 't> {
        fn expression(&mut self, expr: &'t Expr) {
            (self.0)(expr);
        }

        fn lambda(&mut self, _: &'t Lambda) {}
    }
    children(&mut ChildVisitor(give), expr);
}

/// Calls a function for an expression and for all expressions in it, including those in lambdas and definitions.
///
/// ```
/// use hieratic_diagnostics::Source;
/// use hieratic_puppet_syntax::ast::Node;
/// use hieratic_puppet_syntax::visit::each_expression;
///
/// let source = Source::new("", "f([1, 2]) |$x = 3| >> Integer[0, 9] { if $x > 4 { 5 } }");
/// let program = hieratic_puppet_syntax::parse(&source, &Default::default()).program.unwrap();
/// let mut numbers = 0;
/// each_expression(&program.body, &mut |expr| numbers += usize::from(matches!(expr.node, Node::Integer { .. })));
/// assert_eq!(numbers, 7);
/// ```
pub fn each_expression<'t>(expr: &'t Expr, give: &mut dyn FnMut(&'t Expr)) {
    struct ExpressionStack<'t>(Vec<&'t Expr>);
    impl<'t> Visitor<'t> for ExpressionStack<'t> {
        fn expression(&mut self, expr: &'t Expr) {
            self.0.push(expr);
        }
    }
    // Code may be nested deeper than calls can be.
    let mut open = ExpressionStack(vec![expr]);
    while let Some(expr) = open.0.pop() {
        give(expr);
        children(&mut open, expr);
    }
}
