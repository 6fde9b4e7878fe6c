//! The expressions directly in an expression.

use hieratic_syntax::ast::{Expr, Node, Operation, Parameter, Variable};

/// Gives every expression directly in one to a function, in the order of the reference's model. Parts that are no
/// expressions themselves (entries, options, parameters, attributes) are looked through; lambdas are not: theirs is
/// another scope.
pub fn each<'t>(expr: &'t Expr, give: &mut dyn FnMut(&'t Expr)) {
    match &expr.node {
        Node::Nop
        | Node::Literal(_)
        | Node::Integer { .. }
        | Node::Regexp(_)
        | Node::Name(_)
        | Node::Reference(_)
        | Node::Reserved { .. }
        | Node::RenderString(_)
        | Node::Lambda(_)
        | Node::Variable(Variable::Local(_) | Variable::Qualified(_) | Variable::Match(_)) => {}
        Node::Variable(Variable::Computed(inner))
        | Node::Text(inner)
        | Node::Parenthesized(inner)
        | Node::Not(inner)
        | Node::Minus(inner)
        | Node::Unfold(inner)
        | Node::Render(inner)
        | Node::Heredoc { text: inner, .. } => give(inner),
        Node::Concatenated(all) | Node::List(all) | Node::Block(all) => all.iter().for_each(give),
        Node::Hash(entries) => {
            for entry in entries {
                give(&entry.key);
                give(&entry.value);
            }
        }
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
            give(left);
            give(right);
        }
        Node::Access { left, keys } => {
            give(left);
            keys.iter().for_each(give);
        }
        Node::Call(call) => {
            give(&call.functor);
            call.arguments.iter().for_each(give);
        }
        Node::Method(method) => {
            give(&method.receiver);
            method.arguments.iter().for_each(give);
        }
        Node::If(one) | Node::Unless(one) => {
            give(&one.test);
            give(&one.then);
            one.otherwise.iter().for_each(give);
        }
        Node::Case(case) => {
            give(&case.test);
            for option in &case.options {
                option.values.iter().for_each(&mut *give);
                give(&option.then);
            }
        }
        Node::Selector(subject, entries) => {
            give(subject);
            for entry in entries {
                give(&entry.matching);
                give(&entry.value);
            }
        }
        Node::Function(one) | Node::Plan(one) => {
            parameters(&one.parameters, give);
            give(&one.body);
            one.returns.iter().for_each(give);
        }
        Node::Class(one) => {
            parameters(&one.parameters, give);
            give(&one.body);
        }
        Node::Define(one) => {
            parameters(&one.parameters, give);
            give(&one.body);
        }
        Node::NodeDefinition(one) => {
            one.parent.iter().for_each(&mut *give);
            one.matches.iter().for_each(&mut *give);
            give(&one.body);
        }
        Node::TypeAlias(one) => give(&one.kind),
        Node::TypeDefinition(definition) => definition.body.iter().for_each(give),
        Node::Apply { arguments, body } => {
            arguments.iter().for_each(&mut *give);
            body.iter().for_each(|body| give(body));
        }
        Node::Resource(resource) => {
            give(&resource.kind);
            for body in &resource.bodies {
                give(&body.title);
                operations(&body.operations, give);
            }
        }
        Node::ResourceDefaults(defaults) => {
            give(&defaults.kind);
            operations(&defaults.operations, give);
        }
        Node::ResourceOverride(one) => {
            give(&one.resources);
            operations(&one.operations, give);
        }
        Node::Collect(collect) => {
            give(&collect.kind);
            collect.query.iter().for_each(&mut *give);
            operations(&collect.operations, give);
        }
        Node::Epp(epp) => give(&epp.body),
    }
}

fn parameters<'t>(parameters: &'t [Parameter], give: &mut dyn FnMut(&'t Expr)) {
    for parameter in parameters {
        parameter.default.iter().for_each(&mut *give);
        parameter.kind.iter().for_each(&mut *give);
    }
}

fn operations<'t>(operations: &'t [Operation], give: &mut dyn FnMut(&'t Expr)) {
    for operation in operations {
        match operation {
            Operation::Attribute { value, .. } | Operation::Splat { value, .. } => give(value),
        }
    }
}

/// Gives an expression and every expression in it to a function, lambdas and definitions included.
pub fn each_expression<'t>(expr: &'t Expr, give: &mut dyn FnMut(&'t Expr)) {
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        give(expr);
        let lambda = match &expr.node {
            Node::Call(call) => call.lambda.as_ref(),
            Node::Method(method) => method.lambda.as_ref(),
            Node::Lambda(lambda) => Some(lambda),
            _ => None,
        };
        if let Some(lambda) = lambda {
            parameters(&lambda.parameters, &mut |inner| open.push(inner));
            open.push(&lambda.body);
        }
        each(expr, &mut |inner| open.push(inner));
    }
}
