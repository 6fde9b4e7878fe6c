//! Infers the types of expressions from the code. The result is `None` for uncertain types.

use hieratic::value::ErasedSort as _;
use hieratic_diagnostics::Span;
use std::cell::Cell;

use hieratic::puppet_types::Type;
use hieratic::puppet_types::infer;
use hieratic_lint::View;
use hieratic_puppet_syntax::ast::{Arithmetic, Assignment, Call, Expr, Lambda, Method, Node, Parameter, Variable};
use hieratic_puppet_syntax::visit::each_expression;

use crate::document::Document;
use crate::outline::{DefinitionKind, Outline, plain};

/// The maximum depth of expressions, including the variables that lead to others.
const MAX_DEPTH: usize = 24;

/// The maximum number of variables that are resolved for one answer; each may lead to several others.
const MAX_STEPS: u32 = 500;

/// The maximum number of variables of a document that get a type at once.
const MAX_VARIABLES: usize = 200;

/// Functions whose results are of one type for all arguments.
const RESULTS: &[(&str, &str)] = &[
    ("all", "Boolean"),
    ("any", "Boolean"),
    ("basename", "String"),
    ("binary_file", "Binary"),
    ("contain", "Array[Class]"),
    ("defined", "Boolean"),
    ("dirname", "String"),
    ("empty", "Boolean"),
    ("epp", "String"),
    ("file", "String"),
    ("find_file", "Optional[String]"),
    ("fqdn_rand", "String"),
    ("include", "Array[Class]"),
    ("inline_epp", "String"),
    ("inline_template", "String"),
    ("join", "String"),
    ("keys", "Array"),
    ("length", "Integer[0]"),
    ("md5", "String"),
    ("member", "Boolean"),
    ("require", "Array[Class]"),
    ("sha1", "String"),
    ("sha256", "String"),
    ("shellquote", "String"),
    ("size", "Integer[0]"),
    ("split", "Array[String]"),
    ("sprintf", "String"),
    ("tagged", "Boolean"),
    ("template", "String"),
    ("to_json", "String"),
    ("to_yaml", "String"),
    ("values", "Array"),
    ("versioncmp", "Integer[-1, 1]"),
];

/// Functions that return their argument, in another order or with fewer elements.
const IDENTITY_FUNCTIONS: [&str; 7] = ["each", "filter", "reverse_each", "sort", "tap", "unique", "with_indent"];

/// Functions that return a string for a string.
const TEXTS: [&str; 8] = ["camelcase", "capitalize", "chomp", "downcase", "lstrip", "rstrip", "strip", "upcase"];

/// Infers the types of one document.
pub(crate) struct TypeInference<'d> {
    view: Option<&'d View>,
    outline: &'d Outline,
    document: &'d Document,
    /// The number of variables that may still be resolved.
    steps: Cell<u32>,
}

/// The surroundings of an expression: the parameters and the body of the definition, and the blocks from the outside in.
struct InferenceScope<'t> {
    parameters: &'t [Parameter],
    body: &'t Expr,
    blocks: Vec<&'t Lambda>,
}

impl<'d> TypeInference<'d> {
    pub(crate) fn new(view: Option<&'d View>, outline: &'d Outline, document: &'d Document) -> TypeInference<'d> {
        TypeInference { view, outline, document, steps: Cell::new(MAX_STEPS) }
    }

    /// Returns the type and the span of the smallest typed expression at an offset.
    pub(crate) fn at(&self, offset: usize) -> Option<(Type, Span)> {
        let program = self.document.parsed().program.as_ref()?;
        let mut best: Option<(usize, &Expr)> = None;
        each_expression(&program.body, &mut |expr| {
            let (start, end) = (expr.span.first(), expr.span.behind());
            let is_value = !matches!(expr.node, Node::Nop | Node::Block(_) | Node::Name(_) | Node::RenderString(_));
            let is_smaller = best.is_none_or(|(length, _)| end - start <= length);
            if is_value && start <= offset && offset <= end && is_smaller {
                best = Some((end - start, expr));
            }
        });
        let (_, expr) = best?;
        let span = expr.span;
        Some((self.infer(expr, &self.around(&program.body, span.first()), 0)?, span))
    }

    /// Returns the types of assigned variables, each with the offset after the variable.
    pub(crate) fn variable_types(&self, within: std::ops::Range<usize>) -> Vec<(usize, Type)> {
        let Some(program) = self.document.parsed().program.as_ref() else { return Vec::new() };
        let mut found = Vec::new();
        each_expression(&program.body, &mut |expr| {
            let Node::Assign(Assignment::Set, left, right) = &expr.node else { return };
            let at = left.span.behind();
            if within.start <= at && at <= within.end && matches!(left.node, Node::Variable(Variable::Local(_))) {
                found.push((at, right));
            }
        });
        found.sort_erased_by_key(|(at, _)| *at);
        let typed = found.into_iter().take(MAX_VARIABLES).filter_map(|(at, right)| {
            self.steps.set(MAX_STEPS);
            Some((at, self.infer(right, &self.around(&program.body, right.span.first()), 0)?))
        });
        typed.collect()
    }

    /// Returns the type of a variable at an offset.
    pub(crate) fn variable_type(&self, name: &str, offset: usize) -> Option<Type> {
        let program = self.document.parsed().program.as_ref()?;
        // The variable also has a type at its assignment.
        self.variable(name, usize::MAX, &self.around(&program.body, offset), 0)
    }

    fn around<'t>(&self, body: &'t Expr, offset: usize) -> InferenceScope<'t> {
        let mut outer = InferenceScope { parameters: &[], body, blocks: Vec::new() };
        let mut innermost = usize::MAX;
        let holds = |start: u32, end: u32| (start as usize) <= offset && offset <= end as usize;
        let mut blocks: Vec<&'t Lambda> = Vec::new();
        each_expression(body, &mut |expr| {
            let length = (expr.span.end - expr.span.start) as usize;
            if !holds(expr.span.start, expr.span.end) {
                return;
            }
            let lambda = match &expr.node {
                Node::Call(call) => call.lambda.as_ref(),
                Node::Method(method) => method.lambda.as_ref(),
                _ => None,
            };
            blocks.extend(lambda.map(|lambda| &**lambda).filter(|lambda| holds(lambda.span.start, lambda.span.end)));
            let found: Option<(&'t [Parameter], &'t Expr)> = match &expr.node {
                Node::Class(one) => Some((&one.parameters, &one.body)),
                Node::Define(one) => Some((&one.parameters, &one.body)),
                Node::Function(one) | Node::Plan(one) => Some((&one.parameters, &one.body)),
                Node::NodeDefinition(one) => Some((&[], &one.body)),
                _ => None,
            };
            if let Some((parameters, body)) = found
                && length <= innermost
            {
                innermost = length;
                (outer.parameters, outer.body) = (parameters, body);
            }
        });
        blocks.sort_erased_by_key(|block| std::cmp::Reverse(block.span.end - block.span.start));
        outer.blocks = blocks;
        outer
    }

    fn text(&self, expr: &Expr) -> &str {
        self.document.slice(expr.span)
    }

    /// The type that an expression names.
    fn type_of_name(&self, expr: &Expr) -> Option<Type> {
        self.view?.type_of(self.text(expr))
    }

    fn parse_type(&self, text: &str) -> Option<Type> {
        hieratic::puppet_types::parse(text).ok()
    }

    fn infer(&self, expr: &Expr, outer: &InferenceScope<'_>, depth: usize) -> Option<Type> {
        if depth > MAX_DEPTH {
            return None;
        }
        let deeper = |expr: &Expr| self.infer(expr, outer, depth + 1);
        match &expr.node {
            Node::Literal(value) => Some(infer(value).generalize()),
            Node::Integer { .. } => Some(Type::INTEGER),
            Node::Regexp(_) => self.parse_type("Regexp"),
            Node::Concatenated(_) | Node::Text(_) | Node::Heredoc { .. } => Some(Type::STRING),
            Node::Not(_) | Node::Comparison(..) | Node::Match { .. } | Node::In(..) | Node::And(..) | Node::Or(..) => {
                Some(Type::BOOLEAN)
            }
            Node::Parenthesized(inner) => deeper(inner),
            Node::Minus(inner) => deeper(inner).filter(is_number).map(|kind| kind.generalize()),
            Node::List(all) => {
                let of = |expr: &Expr| match &expr.node {
                    Node::Unfold(_) => None,
                    Node::Name(_) => Some(Type::STRING),
                    _ => deeper(expr),
                };
                let kinds: Option<Vec<Type>> = all.iter().map(of).collect();
                Some(match kinds {
                    Some(kinds) if !kinds.is_empty() => Type::array(Type::variant(kinds)),
                    _ => self.parse_type("Array")?,
                })
            }
            Node::Hash(entries) => {
                let all = |of: &dyn Fn(&hieratic_puppet_syntax::ast::Entry) -> Option<Type>| {
                    let kinds: Option<Vec<Type>> = entries.iter().map(of).collect();
                    kinds.filter(|kinds| !kinds.is_empty()).map(Type::variant)
                };
                let word = |expr: &Expr| match &expr.node {
                    Node::Name(_) | Node::Reserved { .. } => Some(Type::STRING),
                    _ => deeper(expr),
                };
                match (all(&|entry| word(&entry.key)), all(&|entry| word(&entry.value))) {
                    (Some(key), Some(value)) => Some(Type::hash(key, value)),
                    _ => self.parse_type("Hash"),
                }
            }
            Node::Arithmetic(operator, left, right) => self.arithmetic(*operator, deeper(left)?, deeper(right)?),
            Node::Assign(Assignment::Set, _, right) => deeper(right),
            Node::Access { left, keys } => self.access(expr, left, keys, outer, depth),
            Node::Reference(_) => self.type_of_name(expr).map(Type::of_type),
            Node::Call(call) => self.call(call, outer, depth),
            Node::Method(method) => self.method(method, outer, depth),
            Node::Selector(_, entries) => union(entries.iter().map(|entry| self.value(&entry.value, outer, depth))),
            Node::If(one) => {
                let otherwise = one.otherwise.as_ref()?;
                union([&one.then, otherwise].into_iter().map(|branch| self.last(branch, outer, depth)))
            }
            Node::Case(case) => {
                let is_default = |expr: &Expr| self.text(expr) == "default";
                // Without a default there may be no value.
                case.options.iter().any(|option| option.values.iter().any(is_default)).then_some(())?;
                union(case.options.iter().map(|option| self.last(&option.then, outer, depth)))
            }
            Node::Variable(Variable::Local(name)) => self.variable(name, expr.span.first(), outer, depth),
            Node::Variable(Variable::Qualified(name)) => {
                let (class, last) = plain(name).rsplit_once("::")?;
                let class = self.outline.find(DefinitionKind::Class, class)?;
                let parameter = class.parameters.iter().find(|one| one.name == last)?;
                self.view?.type_of(parameter.kind.as_deref()?)
            }
            _ => None,
        }
    }

    /// The type of a value that may be a bare word.
    fn value(&self, expr: &Expr, outer: &InferenceScope<'_>, depth: usize) -> Option<Type> {
        match &expr.node {
            Node::Name(_) => Some(Type::STRING),
            _ => self.infer(expr, outer, depth + 1),
        }
    }

    /// The type of what statements leave.
    fn last(&self, expr: &Expr, outer: &InferenceScope<'_>, depth: usize) -> Option<Type> {
        match &expr.node {
            Node::Block(all) => self.value(all.last()?, outer, depth),
            _ => self.value(expr, outer, depth),
        }
    }

    fn arithmetic(&self, operator: Arithmetic, left: Type, right: Type) -> Option<Type> {
        let (left, right) = (left.resolved().clone(), right.resolved().clone());
        match (operator, &left, &right) {
            (Arithmetic::Add, Type::Array(_) | Type::Tuple(_), _) => self.parse_type("Array"),
            (Arithmetic::Add, Type::Hash(_) | Type::Struct(_), _) => self.parse_type("Hash"),
            (_, Type::Integer(_), Type::Integer(_)) => Some(Type::INTEGER),
            (_, Type::Float(_), other) | (_, other, Type::Float(_)) if is_number(other) => Some(Type::FLOAT),
            _ => None,
        }
    }

    fn access(
        &self,
        whole: &Expr,
        left: &Expr,
        keys: &[Expr],
        outer: &InferenceScope<'_>,
        depth: usize,
    ) -> Option<Type> {
        if let Node::Reference(_) = &left.node {
            return self.type_of_name(whole).map(Type::of_type);
        }
        let kind = self.infer(left, outer, depth + 1)?;
        let [key] = keys else {
            // Two keys select a part of a list or a string.
            return match kind.resolved() {
                Type::String(_) | Type::Enum(_) | Type::Pattern(_) => Some(Type::STRING),
                Type::Array(of) => Some(Type::array(of.element().clone())),
                _ => None,
            };
        };
        match kind.resolved() {
            Type::Struct(of) => {
                let Node::Literal(name) = &key.node else { return None };
                let name = name.as_str()?;
                let element = of.elements().iter().find(|element| &*element.key.name == name)?;
                Some(if element.key.optional { optional(element.value.clone()) } else { element.value.clone() })
            }
            Type::Hash(of) if !matches!(of.value(), Type::Any) => Some(optional(of.value().clone())),
            Type::Array(of) if !matches!(of.element(), Type::Any) => Some(optional(of.element().clone())),
            Type::Tuple(of) => match &key.node {
                Node::Integer { value, .. } => of.types().get(usize::try_from(*value).ok()?).cloned(),
                _ => None,
            },
            Type::String(_) | Type::Enum(_) | Type::Pattern(_) => Some(Type::STRING),
            _ => None,
        }
    }

    fn call(&self, call: &Call, outer: &InferenceScope<'_>, depth: usize) -> Option<Type> {
        let name = match &call.functor.node {
            Node::Name(name) => plain(name).to_owned(),
            // `Integer('1')` makes one.
            Node::Reference(_) => {
                return self.type_of_new(self.type_of_name(&call.functor)?, call.arguments.first(), outer, depth);
            }
            _ => return None,
        };
        if matches!(name.as_str(), "lookup" | "hiera")
            && let Some(kind) = call.arguments.get(1)
            && matches!(kind.node, Node::Reference(_) | Node::Access { .. })
        {
            return self.type_of_name(kind);
        }
        self.function(&name, call.arguments.first(), call.lambda.as_deref(), outer, depth)
    }

    fn method(&self, method: &Method, outer: &InferenceScope<'_>, depth: usize) -> Option<Type> {
        if &*method.name == "new" {
            let kind = self.type_of_name(&method.receiver)?;
            return self.type_of_new(kind, method.arguments.first(), outer, depth);
        }
        self.function(&method.name, Some(&method.receiver), method.lambda.as_deref(), outer, depth)
    }

    /// Returns the type of `Type.new` and `Type(...)`.
    fn type_of_new(&self, kind: Type, from: Option<&Expr>, outer: &InferenceScope<'_>, depth: usize) -> Option<Type> {
        Some(match (kind.resolved(), from) {
            (Type::Sensitive(_), Some(from)) => {
                Type::sensitive(self.infer(from, outer, depth + 1).unwrap_or(Type::Any))
            }
            (Type::Numeric, _) => self.parse_type("Numeric")?,
            // The result of a type without parameters depends on its argument.
            (Type::Init(_) | Type::Type(_) | Type::Any | Type::Object(_), _) => return None,
            _ => kind,
        })
    }

    fn function(
        &self,
        name: &str,
        first: Option<&Expr>,
        block: Option<&Lambda>,
        outer: &InferenceScope<'_>,
        depth: usize,
    ) -> Option<Type> {
        if let Some(defined) = self.outline.find(DefinitionKind::Function, name) {
            return self.view?.type_of(defined.returns.as_deref()?);
        }
        let of_first = || self.value(first?, outer, depth);
        if let Some((_, result)) = RESULTS.iter().find(|(known, _)| *known == name) {
            return self.parse_type(result);
        }
        match name {
            _ if IDENTITY_FUNCTIONS.contains(&name) => {
                let kind = of_first()?;
                Some(match (name, kind.resolved()) {
                    ("filter", Type::Array(of)) => Type::array(of.element().clone()),
                    ("filter", Type::Hash(of)) => Type::hash(of.key().clone(), of.value().clone()),
                    ("filter", _) => return None,
                    (_, Type::Array(of)) => Type::array(of.element().clone()),
                    ("each" | "tap", _) => kind,
                    _ => return None,
                })
            }
            _ if TEXTS.contains(&name) => matches!(of_first()?.resolved(), Type::String(_)).then_some(Type::STRING),
            "map" => {
                let inner = block.filter(|_| depth < MAX_DEPTH).and_then(|block| {
                    let mut blocks = outer.blocks.clone();
                    blocks.push(block);
                    let inside = InferenceScope { parameters: outer.parameters, body: outer.body, blocks };
                    self.last(&block.body, &inside, depth + 1)
                });
                inner.map(Type::array).or_else(|| self.parse_type("Array"))
            }
            _ => None,
        }
    }

    /// The type of a variable: of the innermost block that has it, of a parameter, or of all that it is set to.
    fn variable(&self, name: &str, offset: usize, outer: &InferenceScope<'_>, depth: usize) -> Option<Type> {
        let left = self.steps.get().checked_sub(1)?;
        self.steps.set(left);
        if depth > MAX_DEPTH {
            return None;
        }
        let declared = |parameters: &[Parameter]| {
            let one = parameters.iter().find(|one| &*one.name == name)?;
            let kind = one.kind.as_ref().and_then(|kind| self.type_of_name(kind));
            Some(match (kind, one.captures_rest) {
                (Some(kind), true) => Some(Type::array(kind)),
                (kind, _) => kind,
            })
        };
        for block in outer.blocks.iter().rev() {
            if let Some(kind) = declared(&block.parameters) {
                return kind;
            }
        }
        if let Some(kind) = declared(outer.parameters) {
            return kind;
        }
        // The variable may be set in the blocks, or outside of them.
        let mut set: Vec<&Expr> = Vec::new();
        let bodies = outer.blocks.iter().map(|block| &block.body).chain([outer.body]);
        for body in bodies {
            each_expression(body, &mut |expr| {
                if let Node::Assign(Assignment::Set, left, right) = &expr.node
                    && matches!(&left.node, Node::Variable(Variable::Local(known)) if &**known == name)
                {
                    set.push(right);
                }
            });
        }
        set.sort_erased_by_key(|expr| expr.span.start);
        set.dedup_by_key(|expr| expr.span.start);
        if set.is_empty() || set.iter().all(|expr| expr.span.first() > offset) {
            return None;
        }
        let kind = union(set.iter().map(|expr| self.value(expr, outer, depth + 1)))?;
        // A variable that is set under a condition only may have no value.
        let is_certain = |expr: &Expr| match &expr.node {
            Node::Block(all) => all.iter().any(|one| sets(one, name)),
            _ => sets(expr, name),
        };
        let is_set = outer.blocks.iter().map(|block| &block.body).chain([outer.body]).any(is_certain);
        Some(if is_set { kind } else { optional(kind) })
    }
}

fn sets(expr: &Expr, name: &str) -> bool {
    let Node::Assign(Assignment::Set, left, _) = &expr.node else { return false };
    matches!(&left.node, Node::Variable(Variable::Local(known)) if &**known == name)
}

/// Returns the union of some types; `None` if one of them is unknown.
fn union(kinds: impl Iterator<Item = Option<Type>>) -> Option<Type> {
    let kinds: Vec<Type> = kinds.collect::<Option<_>>()?;
    (!kinds.is_empty()).then(|| Type::variant(kinds))
}

fn optional(kind: Type) -> Type {
    match kind {
        Type::Optional(_) | Type::Undef | Type::Any => kind,
        kind => Type::optional(kind),
    }
}

fn is_number(kind: &Type) -> bool {
    matches!(kind.resolved(), Type::Integer(_) | Type::Float(_) | Type::Numeric)
}

#[cfg(test)]
mod tests {
    use lsp_types::Url;

    use super::*;
    use crate::document::Language;
    use crate::positions::Encoding;

    fn types_of(text: &str) -> Vec<String> {
        let uri = Url::parse("file:///a.pp").unwrap();
        let document = Document::new("/a.pp".into(), uri, None, Language::Manifest, text, Encoding::Utf8);
        let outline = Outline::default();
        let types = TypeInference::new(None, &outline, &document);
        types
            .variable_types(0..text.len())
            .into_iter()
            .map(|(at, kind)| format!("{}: {kind}", before(text, at)))
            .collect()
    }

    fn before(text: &str, at: usize) -> &str {
        text[..at].rsplit('$').next().unwrap_or_default()
    }

    #[test]
    fn assigned_variables_have_types() {
        let text = "$a = 1\n$b = \"x ${a}\"\n$c = [1, 'x']\n$d = { 'k' => true }\n$e = $a + 2 * 3\n$f = $d['k']\n$g = $a > 1\n\
                    $h = if $g { 'x' } else { 2 }\n$i = $c.map |$x| { \"${x}\" }\n$j = join($c, ',')\n$k = nobody_knows()\n\
                    $l = $g ? { true => 1, default => 'y' }\n$m = $k + 1\n$n = - 1.5\n$o = split($b, ' ')[0]\n";
        let mut found = types_of(text);
        found.sort();
        assert_eq!(
            found,
            [
                "a: Integer",
                "b: String",
                "c: Array[Variant[Integer, String]]",
                "d: Hash[String, Boolean]",
                "e: Integer",
                "f: Optional[Boolean]",
                "g: Boolean",
                "h: Variant[String, Integer]",
                "i: Array[String]",
                "j: String",
                "l: Variant[Integer, String]",
                "n: Float",
                "o: Optional[String]",
            ]
        );
    }

    #[test]
    fn cyclic_variables_terminate() {
        let chain: String = (1..60).map(|n| format!("$v{n} = $v{0} + $v{0}\n", n - 1)).collect();
        assert!(types_of(&format!("$v0 = 1\n{chain}")).len() >= 8);
        assert_eq!(types_of("$a = $b\n$b = $a\n"), [] as [String; 0]);
    }

    #[test]
    fn variables_that_may_be_unset_are_optional() {
        let mut found = types_of("if $x {\n  $a = 1\n}\n$b = $a\nclass c { $d = 'x' }\n$e = $e\n");
        found.sort();
        assert_eq!(found, ["a: Integer", "b: Optional[Integer]", "d: String"]);
    }
}
