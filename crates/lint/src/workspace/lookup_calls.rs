//! [`LookupCalls`]: the lookups in code, with their keys, merge strategies and defaults.

use std::sync::LazyLock;

use hieratic::value::collections::HashMap;
use hieratic_diagnostics::{Source, Span};
use hieratic_puppet_syntax::ast::{Expr, Node, Program};
use hieratic_puppet_syntax::visit::each_expression;
use regex::Regex;

/// A call of a function that looks something up.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LookupCall {
    /// The key or keys.
    pub(crate) key: CallKey,
    /// The merge strategy, if the call has one.
    pub(crate) merge: Merge,
    /// Whether the call handles a missing value.
    pub(crate) has_default: bool,
    /// The position in a manifest; `None` in other files.
    pub(crate) place: Option<(Source, Span)>,
    /// The name and where it is written, if it is written out.
    pub(crate) written: Option<(String, Span)>,
}

/// The key or keys that a call looks up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CallKey {
    /// The key of a literal name, without the path that it digs into.
    Key(String),
    /// Keys that begin and end like this; both can be empty.
    Like(String, String),
}

impl CallKey {
    /// Returns whether the call can look a key up.
    pub(crate) fn may_be(&self, key: &str) -> bool {
        match self {
            CallKey::Key(own) => own == key,
            CallKey::Like(begin, end) => {
                key.len() >= begin.len() + end.len() && key.starts_with(begin.as_str()) && key.ends_with(end.as_str())
            }
        }
    }

    /// Returns whether the call can look up any key.
    pub(crate) fn is_anything(&self) -> bool {
        matches!(self, CallKey::Like(begin, end) if begin.is_empty() && end.is_empty())
    }
}

/// The merge strategy of a call.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Merge {
    /// By the options of the key.
    Options,
    /// By the strategy of this name.
    Named(&'static str),
    /// In a way that is not known here.
    Unknown,
}

/// All calls of a repository.
#[derive(Debug, Default)]
pub(crate) struct LookupCalls {
    by_key: HashMap<String, Vec<LookupCall>>,
    computed: Vec<LookupCall>,
}

impl LookupCalls {
    /// Adds the calls of a part of the code.
    pub(crate) fn add(&mut self, requests: impl IntoIterator<Item = LookupCall>) {
        for request in requests {
            match &request.key {
                CallKey::Key(key) => self.by_key.entry(key.clone()).or_default().push(request),
                CallKey::Like(..) => self.computed.push(request),
            }
        }
    }

    /// The calls that may look a key up.
    pub(crate) fn for_key<'s>(&'s self, key: &'s str) -> impl Iterator<Item = &'s LookupCall> + 's {
        let computed = self.computed.iter().filter(move |request| request.key.may_be(key));
        self.by_key.get(key).into_iter().flatten().chain(computed)
    }

    /// The calls of keys that are written out, by key.
    pub(crate) fn by_key(&self) -> impl Iterator<Item = (&str, &[LookupCall])> {
        self.by_key.iter().map(|(key, requests)| (key.as_str(), requests.as_slice()))
    }

    /// The calls of keys that code computes.
    pub(crate) fn computed(&self) -> &[LookupCall] {
        &self.computed
    }
}

/// The calls in a manifest.
pub(crate) fn of_program(program: &Program) -> Vec<LookupCall> {
    let mut requests = Vec::new();
    each_expression(&program.body, &mut |expr| {
        let place = || Some((program.source.clone(), expr.span));
        match &expr.node {
            Node::Call(call) => {
                if let Node::Name(name) = &call.functor.node {
                    let arguments: Vec<&Expr> = call.arguments.iter().collect();
                    requests.extend(request(name, &arguments, call.lambda.is_some(), place));
                }
            }
            Node::Method(method) => {
                let arguments: Vec<&Expr> = std::iter::once(&method.receiver).chain(&method.arguments).collect();
                requests.extend(request(&method.name, &arguments, method.lambda.is_some(), place));
            }
            _ => {}
        }
    });
    requests
}

/// The requests of a call, if it is one of a function that looks something up.
fn request(
    function: &str,
    arguments: &[&Expr],
    has_block: bool,
    place: impl Fn() -> Option<(Source, Span)>,
) -> Vec<LookupCall> {
    let own = match function {
        "lookup" => None,
        "hiera" => Some(Merge::Options),
        "hiera_array" | "hiera_include" => Some(Merge::Named("unique")),
        "hiera_hash" => Some(Merge::Named("hash")),
        _ => return Vec::new(),
    };
    let (names, merge, has_default) = match (own, arguments) {
        (_, []) => return Vec::new(),
        (Some(merge), [names, rest @ ..]) => (Some(*names), merge, !rest.is_empty() || has_block),
        // `lookup({name => ..., merge => ...})`
        (None, [only]) if matches!(only.node, Node::Hash(_)) => {
            let options = CallOptions::parse(only);
            (options.name, options.merge, options.has_default || has_block)
        }
        (None, [names, options]) if matches!(options.node, Node::Hash(_)) => {
            let options = CallOptions::parse(options);
            (Some(*names), options.merge, options.has_default || has_block)
        }
        // A splat can be any further arguments.
        (None, all) if all.iter().any(|one| matches!(one.node, Node::Unfold(_))) => {
            (all.first().copied(), Merge::Unknown, true)
        }
        (None, [names, rest @ ..]) => {
            let merge = rest.get(1).map_or(Merge::Options, |merge| merge_of(merge));
            (Some(*names), merge, rest.len() > 2 || has_block)
        }
    };
    let asks = match names {
        // `lookup(['a', 'b'])` looks up the second name if the first is missing.
        Some(Expr { node: Node::List(names), .. }) => {
            names.iter().map(|name| (call_key(name), written(name), true)).collect()
        }
        Some(name) => vec![(call_key(name), written(name), false)],
        None => vec![(CallKey::Like(String::new(), String::new()), None, true)],
    };
    asks.into_iter()
        .map(|(key, written, is_one_of)| LookupCall {
            key,
            written,
            merge: merge.clone(),
            has_default: has_default || is_one_of,
            place: place(),
        })
        .collect()
}

/// The options hash of a call.
struct CallOptions<'e> {
    name: Option<&'e Expr>,
    merge: Merge,
    has_default: bool,
}

impl CallOptions<'_> {
    fn parse(hash: &Expr) -> CallOptions<'_> {
        let mut options = CallOptions { name: None, merge: Merge::Options, has_default: false };
        let Node::Hash(entries) = &hash.node else { return options };
        for entry in entries {
            match word(&entry.key) {
                Some("name") => options.name = Some(&entry.value),
                Some("merge") => options.merge = merge_of(&entry.value),
                Some("default_value" | "default_values_hash" | "override") => options.has_default = true,
                Some("value_type") => {}
                _ => options.merge = Merge::Unknown,
            }
        }
        options
    }
}

/// A name that is written out, and where.
fn written(expr: &Expr) -> Option<(String, Span)> {
    Some((word(expr)?.to_owned(), expr.span))
}

fn word(expr: &Expr) -> Option<&str> {
    match &expr.node {
        Node::Literal(value) => value.as_str(),
        Node::Name(name) => Some(name),
        _ => None,
    }
}

fn merge_of(expr: &Expr) -> Merge {
    match &expr.node {
        Node::Literal(value) if value.is_undef() => Merge::Options,
        Node::Hash(entries) => match entries.as_slice() {
            [only] if word(&only.key) == Some("strategy") => merge_of(&only.value),
            _ => Merge::Unknown,
        },
        _ => match word(expr) {
            Some("first" | "default") => Merge::Named("first"),
            Some("unique") => Merge::Named("unique"),
            Some("hash") => Merge::Named("hash"),
            Some("deep") => Merge::Named("deep"),
            _ => Merge::Unknown,
        },
    }
}

/// The keys that an expression names.
fn call_key(expr: &Expr) -> CallKey {
    let anything = || CallKey::Like(String::new(), String::new());
    match &expr.node {
        Node::Parenthesized(inner) => call_key(inner),
        Node::Concatenated(segments) => {
            let begin = segments.first().and_then(word).unwrap_or_default();
            let end = segments.last().filter(|_| segments.len() > 1).and_then(word).unwrap_or_default();
            // The part after a dot is a path into the value.
            let has_dot = |segment: &Expr| word(segment).is_some_and(|text| text.contains('.'));
            match (begin.contains('.'), segments.iter().any(has_dot)) {
                (true, _) => CallKey::Key(root_of(begin)),
                (false, true) => CallKey::Like(begin.to_owned(), String::new()),
                (false, false) => CallKey::Like(begin.to_owned(), end.to_owned()),
            }
        }
        _ => word(expr).map_or_else(anything, |name| CallKey::Key(root_of(name))),
    }
}

/// The root key of a name, without the path that it digs into.
fn root_of(name: &str) -> String {
    match hieratic::lookup::Key::parse(name) {
        Ok(key) => key.root().to_string(),
        Err(_) => name.split('.').next().unwrap_or(name).to_owned(),
    }
}

/// Calls in templates and Ruby.
static CALLS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"\b(?:function_|scope\.)?(lookup|hiera(?:_array|_hash|_include)?)['"]?\s*[(,\s]\s*\[?\s*(?:'([^'\n]*)'|"([^"\n#$]*)"|(["$@\w]))"#).ok()
});

/// The calls that a template or a file of Ruby seems to contain. Their merge strategy is unknown.
pub(crate) fn of_text(text: &str) -> Vec<LookupCall> {
    let Some(calls) = CALLS.as_ref() else { return Vec::new() };
    calls
        .captures_iter(text)
        .map(|found| LookupCall {
            key: match found.get(2).or(found.get(3)) {
                Some(name) => CallKey::Key(root_of(name.as_str())),
                None => CallKey::Like(String::new(), String::new()),
            },
            merge: Merge::Unknown,
            has_default: true,
            place: None,
            written: found
                .get(2)
                .or(found.get(3))
                .map(|name| (name.as_str().to_owned(), Span::new(name.start(), name.end()))),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requests(code: &str) -> Vec<(CallKey, Merge, bool)> {
        let program = hieratic_puppet_syntax::parse(&Source::new("a.pp", code), &Default::default()).program.unwrap();
        let mut all: Vec<_> = of_program(&program).into_iter().collect();
        all.sort_by_key(|request| request.place.as_ref().map(|(_, span)| span.start));
        all.into_iter().map(|request| (request.key, request.merge, request.has_default)).collect()
    }

    #[test]
    fn calls_in_manifests_are_read() {
        let key = |key: &str| CallKey::Key(key.to_owned());
        let like = |begin: &str, end: &str| CallKey::Like(begin.to_owned(), end.to_owned());
        for (code, expected) in [
            ("lookup('a')", (key("a"), Merge::Options, false)),
            ("$x = 'a.b'.lookup", (key("a"), Merge::Options, false)),
            ("lookup(\"'a.b'.c\")", (key("a.b"), Merge::Options, false)),
            ("lookup('a', Hash, 'deep')", (key("a"), Merge::Named("deep"), false)),
            ("lookup('a', Hash, {strategy => deep})", (key("a"), Merge::Named("deep"), false)),
            ("lookup('a', Hash, {strategy => deep, knockout_prefix => '--'})", (key("a"), Merge::Unknown, false)),
            ("lookup('a', Hash, undef, 1)", (key("a"), Merge::Options, true)),
            ("lookup('a', {default_value => 1, merge => 'hash'})", (key("a"), Merge::Named("hash"), true)),
            ("lookup({name => 'a', merge => unique})", (key("a"), Merge::Named("unique"), false)),
            ("lookup(\"a::${b}::c\")", (like("a::", "::c"), Merge::Options, false)),
            ("lookup(\"a::${b}.c\")", (like("a::", ""), Merge::Options, false)),
            ("lookup(\"a.${b}\")", (key("a"), Merge::Options, false)),
            ("lookup($a)", (like("", ""), Merge::Options, false)),
            ("hiera_hash('a', {})", (key("a"), Merge::Named("hash"), true)),
            ("lookup('a') |$k| { 1 }", (key("a"), Merge::Options, true)),
            ("lookup('a', *$b)", (key("a"), Merge::Unknown, true)),
            ("lookup(*$b)", (like("", ""), Merge::Unknown, true)),
            ("[1].each |$i| { lookup('a', Array, $m) }", (key("a"), Merge::Unknown, false)),
        ] {
            assert_eq!(requests(code), [expected], "{code}");
        }
        assert_eq!(requests("lookup(['a', $b])").len(), 2);
        assert!(requests("notice('a')\nlookup()").is_empty());
    }

    #[test]
    fn calls_in_templates_are_found() {
        let keys = |text| of_text(text).into_iter().map(|request| request.key).collect::<Vec<_>>();
        assert_eq!(keys("<%= scope.call_function('lookup', ['a.b']) %>"), [CallKey::Key("a".into())]);
        assert_eq!(keys("<%= scope.function_hiera(['a', 1]) %>"), [CallKey::Key("a".into())]);
        assert_eq!(keys("<%= lookup('a') %>"), [CallKey::Key("a".into())]);
        assert_eq!(keys("call_function('lookup', name)"), [CallKey::Like(String::new(), String::new())]);
    }
}
