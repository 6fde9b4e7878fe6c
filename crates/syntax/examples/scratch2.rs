//! scratch
use hieratic_diagnostics::Source;
use hieratic_syntax::ast::*;
use hieratic_syntax::{Options, parse};
use hieratic_value::Value;
use std::io::Write;
type O = Vec<(String, u32)>;
fn es(v: &[Expr], o: &mut O) { for e in v { w(e, o) } }
fn ops(v: &[Operation], o: &mut O) {
    for p in v { match p {
        Operation::Attribute { value, span, .. } => { o.push(("AttributeOperation".into(), span.start)); w(value, o) }
        Operation::Splat { value, span } => { o.push(("AttributesOperation".into(), span.start)); w(value, o) }
    } }
}
fn params(v: &[Parameter], o: &mut O) { for p in v { o.push(("Parameter".into(), p.at)); if let Some(e)=&p.kind {w(e,o)} if let Some(e)=&p.default {w(e,o)} } }
fn lam(l: &Lambda, o: &mut O) { o.push(("LambdaExpression".into(), l.span.start)); params(&l.parameters,o); if let Some(r)=&l.returns {w(r,o)} w(&l.body,o) }
fn w(e: &Expr, o: &mut O) {
    let mut n = |s: &str| o.push((s.to_string(), e.at));
    match &e.node {
        Node::Nop => {}
        Node::Literal(v) => n(match v { Value::Undef=>"LiteralUndef", Value::Boolean(_)=>"LiteralBoolean", Value::Float(_)=>"LiteralFloat", Value::String(_)=>"LiteralString", _=>"LiteralDefault"}),
        Node::Integer{..} => n("LiteralInteger"),
        Node::Regexp(_) => n("LiteralRegularExpression"),
        Node::Name(_) => n("QualifiedName"),
        Node::Reference(_) => n("QualifiedReference"),
        Node::Reserved{..} => n("ReservedWord"),
        Node::Variable(_) => n("VariableExpression"),
        Node::Concatenated(s) => { n("ConcatenatedString"); es(s,o) }
        Node::Text(t) => { n("TextExpression"); w(t,o) }
        Node::Heredoc{text,..} => { n("HeredocExpression"); w(text,o) }
        Node::List(l) => { n("LiteralList"); es(l,o) }
        Node::Hash(l) => { n("LiteralHash"); for x in l { o.push(("KeyedEntry".into(), x.at)); w(&x.key,o); w(&x.value,o) } }
        Node::Parenthesized(x) => { n("ParenthesizedExpression"); w(x,o) }
        Node::Not(x) => { n("NotExpression"); w(x,o) }
        Node::Minus(x) => { n("UnaryMinusExpression"); w(x,o) }
        Node::Unfold(x) => { n("UnfoldExpression"); w(x,o) }
        Node::Arithmetic(_,a,b) => { n("ArithmeticExpression"); w(a,o); w(b,o) }
        Node::Comparison(_,a,b) => { n("ComparisonExpression"); w(a,o); w(b,o) }
        Node::Match{left,right,..} => { n("MatchExpression"); w(left,o); w(right,o) }
        Node::In(a,b) => { n("InExpression"); w(a,o); w(b,o) }
        Node::And(a,b) => { n("AndExpression"); w(a,o); w(b,o) }
        Node::Or(a,b) => { n("OrExpression"); w(a,o); w(b,o) }
        Node::Assign(_,a,b) => { n("AssignmentExpression"); w(a,o); w(b,o) }
        Node::Relationship(_,a,b) => { n("RelationshipExpression"); w(a,o); w(b,o) }
        Node::Access{left,keys} => { n("AccessExpression"); w(left,o); es(keys,o) }
        Node::NamedAccess(..) => {}
        Node::Call(c) => { n("CallNamedFunctionExpression"); w(&c.functor,o); es(&c.arguments,o); if let Some(l)=&c.lambda { lam(l,o) } }
        Node::Method(c) => { n("CallMethodExpression"); o.push(("NamedAccessExpression".into(), c.dot)); w(&c.receiver,o); es(&c.arguments,o); if let Some(l)=&c.lambda { lam(l,o) } }
        Node::Block(s) => es(s,o),
        Node::If(c) => { n("IfExpression"); w(&c.test,o); w(&c.then,o); if let Some(e)=&c.otherwise {w(e,o)} }
        Node::Unless(c) => { n("UnlessExpression"); w(&c.test,o); w(&c.then,o); if let Some(e)=&c.otherwise {w(e,o)} }
        Node::Case(c) => { n("CaseExpression"); w(&c.test,o); for x in &c.options { o.push(("CaseOption".into(), x.at)); es(&x.values,o); w(&x.then,o) } }
        Node::Selector(l,s) => { n("SelectorExpression"); w(l,o); for x in s { o.push(("SelectorEntry".into(), x.at)); w(&x.matching,o); w(&x.value,o) } }
        Node::Lambda(_) => {}
        Node::Function(f) => { n("FunctionDefinition"); params(&f.parameters,o); if let Some(r)=&f.returns {w(r,o)} w(&f.body,o) }
        Node::Plan(f) => { n("PlanDefinition"); params(&f.parameters,o); w(&f.body,o) }
        Node::Apply{arguments,body} => { n("ApplyExpression"); es(arguments,o); if let Some(b)=body {w(b,o)} }
        Node::Class(f) => { n("HostClassDefinition"); params(&f.parameters,o); w(&f.body,o) }
        Node::Define(f) => { n("ResourceTypeDefinition"); params(&f.parameters,o); w(&f.body,o) }
        Node::NodeDefinition(f) => { n("NodeDefinition"); es(&f.matches,o); if let Some(p)=&f.parent {w(p,o)} w(&f.body,o) }
        Node::TypeAlias(a) => { n("TypeAlias"); w(&a.kind,o) }
        Node::TypeMapping{left,right} => { n("TypeMapping"); w(left,o); w(right,o) }
        Node::TypeDefinition{body,..} => { n("TypeDefinition"); if let Some(b)=body {w(b,o)} }
        Node::Resource(r) => { n("ResourceExpression"); w(&r.kind,o); for b in &r.bodies { w(&b.title,o); ops(&b.operations,o) } }
        Node::ResourceDefaults(r) => { n("ResourceDefaultsExpression"); w(&r.kind,o); ops(&r.operations,o) }
        Node::ResourceOverride(r) => { n("ResourceOverrideExpression"); w(&r.resources,o); ops(&r.operations,o) }
        Node::Collect(c) => { n("CollectExpression"); w(&c.kind,o); if let Some(q)=&c.query {w(q,o)} ops(&c.operations,o) }
        Node::Epp(x) => { if let Some(p)=&x.parameters {params(p,o)} w(&x.body,o) }
        Node::RenderString(_) => n("RenderStringExpression"),
        Node::Render(x) => { n("RenderExpression"); w(x,o) }
    }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in text.lines() {
        let code: String = serde_json::from_str(line).unwrap();
        let parsed = parse(&Source::new("f", code), &Options { epp: args.len() > 2, tasks: false });
        let mut o = vec![];
        if let Some(p) = &parsed.program { w(&p.body, &mut o) }
        o.sort();
        writeln!(out, "{}", serde_json::to_string(&o).unwrap()).unwrap();
    }
}
