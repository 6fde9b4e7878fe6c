//! [`Function`]: a function with its dispatches.

use std::ops::Deref;
use std::sync::OnceLock;

use hieratic_puppet_types::{Parameter, PuppetVersion, Signature, Type, describe_call, parse_with};
use hieratic_value::collections::HashMap;
use hieratic_value::{Str, Value};

use crate::{Block, EvalError, Flow, Host, Outcome, Site, legacy, local_types};

/// Returns whether a version has a certain change.
type VersionPredicate = fn(PuppetVersion) -> bool;

/// The documentation of a function, for the page of the stdlib module and hovers of editors.
///
/// ```
/// use hieratic_puppet_functions::find;
/// let doc = find("join").unwrap().doc;
/// assert_eq!((doc.summary, doc.example), ("The elements as one string.", Some("join(['a', 'b'], ', ') # 'a, b'")));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Doc {
    /// A sentence.
    pub summary: &'static str,
    /// A call, with its result as a comment.
    pub example: Option<&'static str>,
    /// The current name of the function, if this one is deprecated.
    pub renamed: Option<&'static str>,
}

impl Doc {
    /// Creates documentation without an example.
    pub const fn new(summary: &'static str) -> Doc {
        Doc { summary, example: None, renamed: None }
    }

    /// Creates the documentation of a deprecated name.
    pub const fn renamed(name: &'static str) -> Doc {
        Doc { summary: "The former name of another function.", example: None, renamed: Some(name) }
    }

    /// Sets the example.
    pub const fn example(self, example: &'static str) -> Doc {
        Doc { example: Some(example), ..self }
    }
}

/// A function of the language: its name, its documentation, and its signatures with their implementations.
#[derive(Clone, Copy)]
pub struct Function {
    /// The name in full, lower case.
    pub name: &'static str,
    /// The documentation of the function.
    pub doc: Doc,
    dispatches: &'static [Dispatch],
    /// A predicate for the versions that have these dispatches, and the dispatches of the other versions.
    before: Option<(VersionPredicate, &'static [Dispatch])>,
    /// A predicate for the versions with a second change, and their dispatches.
    latest: Option<(VersionPredicate, &'static [Dispatch])>,
}

/// A function of a table. The signatures are strings that are parsed on the first call, so that a table of hundreds of
/// functions costs nothing.
pub struct LoadedFunction {
    function: Function,
    /// By [`Since`].
    signatures: [OnceLock<Vec<Signature>>; 3],
}

/// Functions by their names.
pub struct FunctionTable(HashMap<&'static str, LoadedFunction>);

/// The dispatches of a version; the first whose signature fits the arguments is used.
#[derive(Clone, Copy)]
enum Since {
    /// Those before the first change.
    Before,
    /// Those since the first change, or of all versions.
    Change,
    /// Those since the second change.
    Latest,
}

/// A signature of a function with its implementation.
pub struct Dispatch {
    /// The parameters, each as `Type name`. `name?` is optional, `*name` may be repeated, `+name` must occur at least
    /// once. The last may be a block: `&Type name`, or `&?Type name` if it is optional. A leading `!` marks a signature
    /// for wrong calls: its function returns the error, and messages do not list it.
    pub parameters: &'static [&'static str],
    /// The implementation.
    pub run: fn(&mut Call<'_>) -> Outcome,
}

/// A running call, whose arguments match the dispatch.
pub struct Call<'a> {
    /// The caller: it provides blocks, logs, other functions and files.
    pub host: &'a mut dyn Host,
    /// The arguments.
    pub arguments: &'a [Value],
    /// The block, if the call has one.
    pub block: Option<&'a Block>,
}

impl Call<'_> {
    /// Calls the block. It is an error if the call has no block, which signatures with a required block prevent.
    pub fn yield_block(&mut self, arguments: &[Value]) -> Outcome {
        match self.block {
            Some(block) => self.host.call_block(block, arguments),
            None => Err(EvalError::new("no block was given").into()),
        }
    }

    /// Charges bytes for every part of a value; shared parts count once for each occurrence.
    pub(crate) fn charge_parts(&self, value: &Value, bytes: usize) -> Result<(), Flow> {
        let budget = self.host.budget();
        let mut waiting = vec![value];
        while let Some(value) = waiting.pop() {
            budget.step()?;
            budget.bytes(bytes)?;
            match value {
                Value::Array(elements) => waiting.extend(elements.iter()),
                Value::Hash(hash) => waiting.extend(hash.iter().flat_map(|(key, value)| [key, value])),
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns an argument that the signature requires to be a string.
    pub(crate) fn text(&self, index: usize) -> Str {
        match self.arguments.get(index) {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_text().into(),
            None => Str::default(),
        }
    }

    /// Logs a deprecation warning once. The reference does not know the position.
    pub(crate) fn deprecated(&mut self, message: &str) {
        self.host.warn_once(format!("{message}\n   (file & line not available)"));
    }

    /// Logs a deprecation warning once, with the position of the call.
    pub(crate) fn deprecated_here(&mut self, message: &str) {
        let Site { file, line, .. } = self.host.site();
        let file = file.as_deref().unwrap_or("unknown");
        self.host.warn_once(format!("{message}\n   (file: {file}, line: {line})"));
    }
}

impl Function {
    /// Creates a function from its dispatches.
    pub const fn new(name: &'static str, doc: Doc, dispatches: &'static [Dispatch]) -> Function {
        Function { name, doc, dispatches, before: None, latest: None }
    }

    /// Creates a function whose dispatches were changed in a version.
    pub const fn changed(
        name: &'static str,
        doc: Doc,
        has_change: fn(PuppetVersion) -> bool,
        dispatches: &'static [Dispatch],
        before: &'static [Dispatch],
    ) -> Function {
        Function { name, doc, dispatches, before: Some((has_change, before)), latest: None }
    }

    /// Creates a function whose dispatches were changed in two versions.
    pub const fn changed_twice(
        name: &'static str,
        doc: Doc,
        has_change: fn(PuppetVersion) -> bool,
        dispatches: &'static [Dispatch],
        before: &'static [Dispatch],
        has_latest: fn(PuppetVersion) -> bool,
        latest: &'static [Dispatch],
    ) -> Function {
        let (before, latest) = (Some((has_change, before)), Some((has_latest, latest)));
        Function { name, doc, dispatches, before, latest }
    }

    /// Returns the dispatches of a version.
    pub fn dispatches(&self, version: PuppetVersion) -> &'static [Dispatch] {
        self.ways(version).1
    }

    fn ways(&self, version: PuppetVersion) -> (Since, &'static [Dispatch]) {
        if let Some((has_change, latest)) = &self.latest
            && has_change(version)
        {
            return (Since::Latest, latest);
        }
        match &self.before {
            Some((has_change, before)) if !has_change(version) => (Since::Before, before),
            _ => (Since::Change, self.dispatches),
        }
    }
}

impl FunctionTable {
    /// Creates a table of functions.
    pub fn new(functions: impl Iterator<Item = &'static Function>) -> FunctionTable {
        FunctionTable(functions.map(|function| (function.name, LoadedFunction::new(function))).collect())
    }

    /// Returns a function by its name.
    pub fn find(&self, name: &str) -> Option<&LoadedFunction> {
        self.0.get(name)
    }

    /// Returns the names of all functions, in no particular order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.keys().copied()
    }
}

impl Deref for LoadedFunction {
    type Target = Function;

    fn deref(&self) -> &Function {
        &self.function
    }
}

impl LoadedFunction {
    /// Creates a function whose signatures are not yet parsed.
    pub fn new(function: &Function) -> LoadedFunction {
        LoadedFunction { function: *function, signatures: Default::default() }
    }

    /// Calls the function.
    ///
    /// # Errors
    /// The arguments do not match a dispatch, or the function fails. The messages are the reference's.
    pub fn call(&self, host: &mut dyn Host, arguments: &[Value], block: Option<&Block>) -> Outcome {
        let version = host.puppet_version();
        let (since, dispatches) = self.ways(version);
        let block_type = block.map(|block| block.callable_type());
        for (dispatch, signature) in dispatches.iter().zip(self.all_signatures(since, dispatches)) {
            if signature.accepts(arguments, block_type) {
                let outcome = (dispatch.run)(&mut Call { host, arguments, block });
                return match outcome {
                    Err(Flow::Error(mut error)) if dispatch.rejects_call() => {
                        error.message = format!("'{}' {}", self.name, error.message);
                        Err(Flow::Error(error))
                    }
                    outcome => outcome,
                };
            }
        }
        Err(EvalError::new(describe_call(self.name, &self.signatures(version), arguments, block_type)).into())
    }

    /// Returns the first dispatch that takes the arguments, for functions whose bodies are elsewhere.
    ///
    /// # Errors
    /// Arguments that no dispatch takes, in the reference's words.
    pub fn choose(
        &self,
        version: PuppetVersion,
        arguments: &[Value],
        block: Option<&Block>,
    ) -> Result<usize, EvalError> {
        let (since, dispatches) = self.ways(version);
        let kind = block.map(|block| block.callable_type());
        let signatures = self.all_signatures(since, dispatches);
        let found = signatures.iter().position(|signature| signature.accepts(arguments, kind));
        found.ok_or_else(|| EvalError::new(describe_call(self.name, &self.signatures(version), arguments, kind)))
    }

    /// Returns the signatures in a version, in the order of the dispatches, without those of wrong calls.
    pub fn signatures(&self, version: PuppetVersion) -> Vec<Signature> {
        let (since, dispatches) = self.ways(version);
        let all = dispatches.iter().zip(self.all_signatures(since, dispatches));
        all.filter(|(dispatch, _)| !dispatch.rejects_call()).map(|(_, signature)| signature.clone()).collect()
    }

    fn all_signatures(&self, since: Since, dispatches: &[Dispatch]) -> &[Signature] {
        self.signatures[since as usize].get_or_init(|| dispatches.iter().map(|one| signature(one.parameters)).collect())
    }
}

impl Dispatch {
    /// Creates a signature with its implementation.
    pub const fn new(parameters: &'static [&'static str], run: fn(&mut Call<'_>) -> Outcome) -> Dispatch {
        Dispatch { parameters, run }
    }

    /// Creates an implementation that checks its arguments itself, as functions with the API of Puppet 3 do.
    pub const fn untyped(run: fn(&mut Call<'_>) -> Outcome) -> Dispatch {
        Dispatch { parameters: legacy::ANY, run }
    }

    /// Returns whether this is a signature of wrong calls.
    fn rejects_call(&self) -> bool {
        self.parameters.first() == Some(&"!")
    }
}

/// Parses the parameters of a dispatch.
fn signature(parameters: &[&'static str]) -> Signature {
    let mut result = Signature::default();
    for text in parameters.iter().filter(|text| **text != "!") {
        let (block, text) = match text.strip_prefix('&') {
            Some(rest) => (true, rest),
            None => (false, *text),
        };
        let (block_optional, text) = match text.strip_prefix('?') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        // A lone word is the name of a parameter of any type.
        let (kind, name) = text.rsplit_once(' ').unwrap_or(("Any", text));
        // A test checks that every type in the tables parses.
        let kind = parse_with(kind, &local_types::resolve).unwrap_or(Type::Any);
        if block {
            result.block = Some((name.into(), if block_optional { Type::optional(kind) } else { kind }));
        } else {
            result.parameters.push(match (name.strip_prefix('*'), name.strip_prefix('+'), name.strip_suffix('?')) {
                (Some(name), ..) => Parameter { name: name.into(), kind, required: false, repeated: true },
                (_, Some(name), _) => Parameter { name: name.into(), kind, required: true, repeated: true },
                (.., Some(name)) => Parameter { name: name.into(), kind, required: false, repeated: false },
                _ => Parameter { name: name.into(), kind, required: true, repeated: false },
            });
        }
    }
    result
}
