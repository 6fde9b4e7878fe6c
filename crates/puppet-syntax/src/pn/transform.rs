//! Converts the tree to [`Pn`].

use hieratic_value::{Rich, Str, Value};

use super::Pn;
use crate::ast::{
    Call, Class, Collect, Define, Entry, Epp, Expr, Form, Function, If, Lambda, Method, Node, NodeDefinition,
    Operation, Parameter, Resource, Variable,
};
use crate::parser::{MIN_STACK, STACK_SEGMENT};

impl Pn {
    /// Converts an expression.
    pub fn from_expr(expr: &Expr) -> Pn {
        // A tree may be deeper than a small stack allows.
        stacker::maybe_grow(MIN_STACK, STACK_SEGMENT, || Pn::of_node(expr))
    }

    fn of_node(expr: &Expr) -> Pn {
        match &expr.node {
            Node::Nop => call("nop", []),
            Node::Literal(value) => literal(value),
            Node::Integer { value, radix: 10 } => Pn::Integer(*value),
            Node::Integer { value, radix } => {
                let radix = Pn::Integer(i64::from(*radix));
                call("int", [map([("radix", radix), ("value", Pn::Integer(*value))])])
            }
            Node::Regexp(regexp) => call("regexp", [regexp_source(regexp.source())]),
            Node::Name(name) => call("qn", [text(name)]),
            Node::Reference(name) => call("qr", [text(name)]),
            Node::Reserved { word, .. } => call("reserved", [text(word)]),
            Node::Variable(variable) => call("var", [of_variable(variable)]),
            Node::Concatenated(segments) => Pn::Call("concat", all(segments)),
            Node::Text(inner) => call("str", [Pn::from_expr(inner)]),
            Node::Heredoc { syntax, text: inner } => {
                let syntax = syntax.as_ref().map(|syntax| ("syntax", text(syntax)));
                call("heredoc", [map(syntax.into_iter().chain([("text", Pn::from_expr(inner))]))])
            }
            Node::List(elements) => Pn::Call("array", all(elements)),
            Node::Hash(entries) => Pn::Call("hash", entries.iter().map(entry).collect()),
            Node::Parenthesized(inner) => call("paren", [Pn::from_expr(inner)]),
            Node::Not(inner) => call("!", [Pn::from_expr(inner)]),
            Node::Minus(inner) => minus(inner),
            Node::Unfold(inner) => call("unfold", [Pn::from_expr(inner)]),
            Node::Arithmetic(operator, left, right) => binary(operator.symbol(), left, right),
            Node::Comparison(operator, left, right) => binary(operator.symbol(), left, right),
            Node::Match { negated, left, right } => binary(if *negated { "!~" } else { "=~" }, left, right),
            Node::In(left, right) => binary("in", left, right),
            Node::And(left, right) => binary("and", left, right),
            Node::Or(left, right) => binary("or", left, right),
            Node::Assign(operator, left, right) => binary(operator.symbol(), left, right),
            Node::Relationship(edge, left, right) => binary(edge.symbol(), left, right),
            Node::NamedAccess(left, right) => binary(".", left, right),
            Node::Access { left, keys } => {
                Pn::Call("access", std::iter::once(Pn::from_expr(left)).chain(keys.iter().map(Pn::from_expr)).collect())
            }
            Node::Call(called) => of_call(called),
            Node::Method(method) => of_method(method),
            Node::Block(statements) => Pn::Call("block", all(statements)),
            Node::If(conditional) => of_if("if", conditional),
            Node::Unless(conditional) => of_if("unless", conditional),
            Node::Case(case) => {
                let options = case
                    .options
                    .iter()
                    .map(|option| map([("when", Pn::List(all(&option.values))), ("then", block(&option.then))]));
                call("case", [Pn::from_expr(&case.test), Pn::List(options.collect())])
            }
            Node::Selector(left, entries) => {
                let entries = entries.iter().map(|entry| binary("=>", &entry.matching, &entry.value));
                call("?", [Pn::from_expr(left), Pn::List(entries.collect())])
            }
            Node::Lambda(lambda) => of_lambda(lambda),
            Node::Function(function) => of_function("function", function),
            Node::Plan(plan) => of_function("plan", plan),
            Node::Apply { arguments, body } => {
                let body = body.as_ref().map(|body| ("body", block(body)));
                call("apply", [map([("args", Pn::List(all(arguments)))].into_iter().chain(body))])
            }
            Node::Class(class) => of_class(class),
            Node::Define(define) => of_define(define),
            Node::NodeDefinition(definition) => of_node(definition),
            Node::TypeAlias(alias) => call("type-alias", [text(&alias.name), Pn::from_expr(&alias.kind)]),
            Node::TypeMapping { left, right } => binary("type-mapping", left, right),
            Node::TypeDefinition(definition) => {
                let body = match &definition.body {
                    None => call("nop", []),
                    Some(body @ Expr { node: Node::Block(_), .. }) => Pn::from_expr(body),
                    Some(body) => call("block", [Pn::from_expr(body)]),
                };
                let parent = definition.parent.as_ref().map_or(Pn::Nil, text);
                call("type-definition", [text(&definition.name), parent, body])
            }
            Node::Resource(resource) => of_resource(resource),
            Node::ResourceDefaults(defaults) => {
                let entries = [("type", Pn::from_expr(&defaults.kind)), ("ops", operations(&defaults.operations))];
                call("resource-defaults", [map(entries.into_iter().chain(form(defaults.form)))])
            }
            Node::ResourceOverride(overridden) => {
                let entries =
                    [("resources", Pn::from_expr(&overridden.resources)), ("ops", operations(&overridden.operations))];
                call("resource-override", [map(entries.into_iter().chain(form(overridden.form)))])
            }
            Node::Collect(collect) => of_collect(collect),
            Node::Epp(epp) => of_epp(epp),
            Node::RenderString(rendered) => call("render-s", [text(rendered)]),
            Node::Render(inner) => call("render", [Pn::from_expr(inner)]),
        }
    }
}

fn call<const N: usize>(name: &'static str, elements: [Pn; N]) -> Pn {
    Pn::Call(name, elements.into())
}

fn binary(name: &'static str, left: &Expr, right: &Expr) -> Pn {
    call(name, [Pn::from_expr(left), Pn::from_expr(right)])
}

fn map<K: Into<Str>>(entries: impl IntoIterator<Item = (K, Pn)>) -> Pn {
    Pn::Map(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
}

fn text(text: &Str) -> Pn {
    Pn::String(text.clone())
}

fn all(exprs: &[Expr]) -> Vec<Pn> {
    exprs.iter().map(Pn::from_expr).collect()
}

fn literal(value: &Value) -> Pn {
    match value {
        Value::Boolean(value) => Pn::Boolean(*value),
        Value::Integer(value) => Pn::Integer(*value),
        Value::Float(value) => Pn::Float(*value),
        Value::String(value) => text(value),
        Value::Rich(rich) if matches!(**rich, Rich::Default) => call("default", []),
        // The parser creates no other literals except undef.
        _ => Pn::Nil,
    }
}

fn minus(inner: &Expr) -> Pn {
    match inner.node {
        Node::Integer { value, .. } => Pn::Integer(value.wrapping_neg()),
        Node::Literal(Value::Float(value)) => Pn::Float(-value),
        _ => call("-", [Pn::from_expr(inner)]),
    }
}

/// Converts the source of a regular expression. In Ruby, one with a fixed encoding has flags, which are shown.
fn regexp_source(source: &str) -> Pn {
    let mut tied = !source.is_ascii();
    let mut rest = source;
    while let (false, Some(at)) = (tied, rest.find('\\')) {
        let escape = rest.as_bytes().get(at + 1..).unwrap_or(&[]);
        tied = match escape {
            [b'p' | b'P', ..] => true,
            [b'u', b'{', digits @ ..] => {
                digits.split(|byte| *byte == b'}').next().unwrap_or(&[]).split(|byte| *byte == b' ').any(beyond_ascii)
            }
            [b'u', digits @ ..] => beyond_ascii(&digits[..digits.len().min(4)]),
            [b'x', b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F', second, ..] => second.is_ascii_hexdigit(),
            _ => false,
        };
        let length = rest[at + 1..].chars().next().map_or(0, char::len_utf8);
        rest = &rest[at + 1 + length..];
    }
    if tied { Pn::String(format!("(?-imx:{source})").into()) } else { Pn::String(source.into()) }
}

/// Returns whether hexadecimal digits are the code point of a character outside of ASCII.
fn beyond_ascii(digits: &[u8]) -> bool {
    let number = std::str::from_utf8(digits).ok().and_then(|digits| u32::from_str_radix(digits, 16).ok());
    number.is_some_and(|number| number > 0x7f)
}

fn of_variable(variable: &Variable) -> Pn {
    match variable {
        Variable::Local(name) | Variable::Qualified(name) => text(name),
        Variable::Match(number) => Pn::String(number.to_string().into()),
        Variable::Computed(inner) => Pn::from_expr(inner),
    }
}

fn entry(entry: &Entry) -> Pn {
    binary("=>", &entry.key, &entry.value)
}

/// Returns the statements of a block, or a single expression.
fn block(body: &Expr) -> Pn {
    match &body.node {
        Node::Block(statements) => Pn::List(all(statements)),
        _ => Pn::List(vec![Pn::from_expr(body)]),
    }
}

/// Like [`block`], as an entry that is left out for an empty body.
fn body(body: &Expr) -> Option<(&'static str, Pn)> {
    (!matches!(body.node, Node::Nop)).then(|| ("body", block(body)))
}

fn of_call(called: &Call) -> Pn {
    let name = if called.is_value_used { "call" } else { "invoke" };
    let entries = [("functor", Pn::from_expr(&called.functor)), ("args", Pn::List(all(&called.arguments)))];
    let lambda = called.lambda.as_ref().map(|lambda| ("block", of_lambda(lambda)));
    call(name, [map(entries.into_iter().chain(lambda))])
}

fn of_method(method: &Method) -> Pn {
    let functor = call(".", [Pn::from_expr(&method.receiver), call("qn", [text(&method.name)])]);
    let entries = [("functor", functor), ("args", Pn::List(all(&method.arguments)))];
    let lambda = method.lambda.as_ref().map(|lambda| ("block", of_lambda(lambda)));
    call("call-method", [map(entries.into_iter().chain(lambda))])
}

fn of_if(name: &'static str, conditional: &If) -> Pn {
    let then = (!matches!(conditional.then.node, Node::Nop)).then(|| ("then", block(&conditional.then)));
    let otherwise = conditional.otherwise.as_ref().map(|otherwise| ("else", block(otherwise)));
    call(name, [map([("test", Pn::from_expr(&conditional.test))].into_iter().chain(then).chain(otherwise))])
}

fn parameters(parameters: &[Parameter]) -> Option<(&'static str, Pn)> {
    let entries = parameters.iter().map(|parameter| {
        let kind = parameter.kind.as_ref().map(|kind| ("type", Pn::from_expr(kind)));
        let splat = parameter.captures_rest.then_some(("splat", Pn::Boolean(true)));
        let value = parameter.default.as_ref().map(|value| ("value", Pn::from_expr(value)));
        (parameter.name.clone(), map(kind.into_iter().chain(splat).chain(value)))
    });
    (!parameters.is_empty()).then(|| ("params", Pn::Map(entries.collect())))
}

fn returns(returns: &Option<Expr>) -> Option<(&'static str, Pn)> {
    returns.as_ref().map(|kind| ("returns", Pn::from_expr(kind)))
}

fn of_lambda(lambda: &Lambda) -> Pn {
    let entries = parameters(&lambda.parameters).into_iter().chain(returns(&lambda.returns)).chain(body(&lambda.body));
    call("lambda", [map(entries)])
}

fn of_function(kind: &'static str, function: &Function) -> Pn {
    let entries = std::iter::once(("name", text(&function.name)))
        .chain(parameters(&function.parameters))
        .chain(body(&function.body))
        .chain(returns(&function.returns));
    call(kind, [map(entries)])
}

fn of_class(class: &Class) -> Pn {
    let entries = std::iter::once(("name", text(&class.name)))
        .chain(class.parent.as_ref().map(|parent| ("parent", text(parent))))
        .chain(parameters(&class.parameters))
        .chain(body(&class.body));
    call("class", [map(entries)])
}

fn of_define(define: &Define) -> Pn {
    let entries =
        std::iter::once(("name", text(&define.name))).chain(parameters(&define.parameters)).chain(body(&define.body));
    call("define", [map(entries)])
}

fn of_node(definition: &NodeDefinition) -> Pn {
    let entries = std::iter::once(("matches", Pn::List(all(&definition.matches))))
        .chain(definition.parent.as_ref().map(|parent| ("parent", Pn::from_expr(parent))))
        .chain(body(&definition.body));
    call("node", [map(entries)])
}

fn form(form: Form) -> Option<(&'static str, Pn)> {
    let name = match form {
        Form::Regular => return None,
        Form::Virtual => "virtual",
        Form::Exported => "exported",
    };
    Some(("form", Pn::String(name.into())))
}

fn operations(operations: &[Operation]) -> Pn {
    let operations = operations.iter().map(|operation| match operation {
        Operation::Attribute { name, append, value, .. } => {
            call(if *append { "+>" } else { "=>" }, [text(name), Pn::from_expr(value)])
        }
        Operation::Splat { value, .. } => call("splat-hash", [Pn::from_expr(value)]),
    });
    Pn::List(operations.collect())
}

fn of_resource(resource: &Resource) -> Pn {
    let bodies = resource
        .bodies
        .iter()
        .map(|body| map([("title", Pn::from_expr(&body.title)), ("ops", operations(&body.operations))]));
    let entries = [("type", Pn::from_expr(&resource.kind)), ("bodies", Pn::List(bodies.collect()))];
    call("resource", [map(entries.into_iter().chain(form(resource.form)))])
}

fn of_collect(collect: &Collect) -> Pn {
    let name = if collect.exported { "exported-query" } else { "virtual-query" };
    let query = Pn::Call(name, collect.query.iter().map(Pn::from_expr).collect());
    let ops = (!collect.operations.is_empty()).then(|| ("ops", operations(&collect.operations)));
    call("collect", [map([("type", Pn::from_expr(&collect.kind)), ("query", query)].into_iter().chain(ops))])
}

/// A template is a lambda around its body.
fn of_epp(epp: &Epp) -> Pn {
    let inner = match &epp.body.node {
        Node::Nop => call("epp", []),
        Node::Block(statements) => Pn::Call("epp", all(statements)),
        _ => call("epp", [Pn::from_expr(&epp.body)]),
    };
    let parameters = epp.parameters.as_deref().and_then(parameters);
    call("lambda", [map(parameters.into_iter().chain([("body", Pn::List(vec![inner]))]))])
}
