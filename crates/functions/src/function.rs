//! [`Function`]: a function with the ways in which it can be called.

use std::sync::OnceLock;

use hieratic_pcore::{Parameter, PuppetVersion, Signature, Type, describe_call, parse_with};
use hieratic_value::{Str, Value};

use crate::{Block, Fault, Flow, Host, Outcome, Site, local_types};

/// Returns whether a version has a certain change.
type IsOfVersion = fn(PuppetVersion) -> bool;

/// A function of the language.
///
/// The signatures are written as text and read when the function is first called, so that a table of hundreds of
/// functions costs nothing until then.
pub struct Function {
    /// The name in full, lower case.
    pub name: &'static str,
    ways: Ways,
    /// A predicate for the versions that have these dispatches, and the dispatches of the other versions.
    before: Option<(IsOfVersion, Ways)>,
    /// Which versions have one more change, and their ways.
    latest: Option<(IsOfVersion, Ways)>,
}

/// The ways to call a function; the first that takes the arguments is used.
struct Ways {
    dispatches: &'static [Dispatch],
    signatures: OnceLock<Vec<Signature>>,
}

/// One way to call a function.
pub struct Dispatch {
    /// The parameters, each as `Type name`: `?` after the name if it is optional, `*` before it if any number may be
    /// given, `+` before it if at least one; the last may be a block, `&Type name`, `&?Type name` if it is optional. A
    /// leading `!` marks a signature of wrong calls: its function returns the error, and no message lists it.
    pub parameters: &'static [&'static str],
    /// The implementation.
    pub run: fn(&mut Call<'_>) -> Outcome,
}

/// A call in progress: its arguments fit the dispatch that is running.
pub struct Call<'a> {
    /// The caller: it provides blocks, logs, other functions and files.
    pub host: &'a mut dyn Host,
    /// The arguments.
    pub arguments: &'a [Value],
    /// The block, if one was given.
    pub block: Option<&'a Block>,
}

impl Call<'_> {
    /// Calls the block. Without a block this is an error; signatures with a required block prevent it.
    pub fn yield_block(&mut self, arguments: &[Value]) -> Outcome {
        match self.block {
            Some(block) => self.host.call_block(block, arguments),
            None => Err(Fault::new("no block was given").into()),
        }
    }

    /// Takes from the budget what something costs that is made for every part of a value, shared parts as often as they are there.
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

    /// The text of an argument that the signature takes for a string only.
    pub(crate) fn text(&self, index: usize) -> Str {
        match self.arguments.get(index) {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_text().into(),
            None => Str::default(),
        }
    }

    /// Warns once of something that should not be used any more. The reference does not know the place.
    pub(crate) fn deprecated(&mut self, message: &str) {
        self.host.warn_once(format!("{message}\n   (file & line not available)"));
    }

    /// Warns once, and shows the place of the call.
    pub(crate) fn deprecated_here(&mut self, message: &str) {
        let Site { file, line, .. } = self.host.site();
        let file = file.as_deref().unwrap_or("unknown");
        self.host.warn_once(format!("{message}\n   (file: {file}, line: {line})"));
    }
}

impl Function {
    /// A function with its ways to be called.
    pub const fn new(name: &'static str, dispatches: &'static [Dispatch]) -> Function {
        Function { name, ways: Ways::new(dispatches), before: None, latest: None }
    }

    /// A function that versions call in different ways: those that have the change, and all others.
    pub const fn changed(
        name: &'static str,
        has_change: fn(PuppetVersion) -> bool,
        dispatches: &'static [Dispatch],
        before: &'static [Dispatch],
    ) -> Function {
        Function { name, ways: Ways::new(dispatches), before: Some((has_change, Ways::new(before))), latest: None }
    }

    /// Creates a function that was changed in two versions.
    pub const fn changed_twice(
        name: &'static str,
        has_change: fn(PuppetVersion) -> bool,
        dispatches: &'static [Dispatch],
        before: &'static [Dispatch],
        has_latest: fn(PuppetVersion) -> bool,
        latest: &'static [Dispatch],
    ) -> Function {
        let before = Some((has_change, Ways::new(before)));
        Function { name, ways: Ways::new(dispatches), before, latest: Some((has_latest, Ways::new(latest))) }
    }

    fn ways(&self, version: PuppetVersion) -> &Ways {
        if let Some((has_change, latest)) = &self.latest
            && has_change(version)
        {
            return latest;
        }
        match &self.before {
            Some((has_change, before)) if !has_change(version) => before,
            _ => &self.ways,
        }
    }

    /// The ways to call it under a version.
    pub fn dispatches(&self, version: PuppetVersion) -> &'static [Dispatch] {
        self.ways(version).dispatches
    }

    /// Calls the function.
    ///
    /// # Errors
    /// Arguments that no dispatch takes, in the reference's words; whatever the function itself refuses.
    pub fn call(&self, host: &mut dyn Host, arguments: &[Value], block: Option<&Block>) -> Outcome {
        let ways = self.ways(host.puppet_version());
        let block_type = block.map(|block| block.callable_type());
        for (dispatch, signature) in ways.dispatches.iter().zip(ways.all_signatures()) {
            if signature.accepts(arguments, block_type) {
                let outcome = (dispatch.run)(&mut Call { host, arguments, block });
                return match outcome {
                    Err(Flow::Fault(mut fault)) if dispatch.is_mistake() => {
                        fault.message = format!("'{}' {}", self.name, fault.message);
                        Err(Flow::Fault(fault))
                    }
                    outcome => outcome,
                };
            }
        }
        Err(Fault::new(describe_call(self.name, &ways.signatures(), arguments, block_type)).into())
    }

    /// The first dispatch that takes the arguments, for functions whose bodies are elsewhere.
    ///
    /// # Errors
    /// Arguments that no dispatch takes, in the reference's words.
    pub fn choose(&self, version: PuppetVersion, arguments: &[Value], block: Option<&Block>) -> Result<usize, Fault> {
        let ways = self.ways(version);
        let kind = block.map(|block| block.callable_type());
        let found = ways.all_signatures().iter().position(|signature| signature.accepts(arguments, kind));
        found.ok_or_else(|| Fault::new(describe_call(self.name, &ways.signatures(), arguments, kind)))
    }

    /// Returns the signatures in a version, in the order of the dispatches, without those of wrong calls.
    pub fn signatures(&self, version: PuppetVersion) -> Vec<Signature> {
        self.ways(version).signatures()
    }
}

impl Ways {
    const fn new(dispatches: &'static [Dispatch]) -> Ways {
        Ways { dispatches, signatures: OnceLock::new() }
    }

    /// Returns the signatures, in the order of the dispatches, without those of wrong calls.
    fn signatures(&self) -> Vec<Signature> {
        let all = self.dispatches.iter().zip(self.all_signatures());
        all.filter(|(dispatch, _)| !dispatch.is_mistake()).map(|(_, signature)| signature.clone()).collect()
    }

    fn all_signatures(&self) -> &[Signature] {
        self.signatures.get_or_init(|| self.dispatches.iter().map(|one| signature(one.parameters)).collect())
    }
}

impl Dispatch {
    /// Returns whether this is a signature of wrong calls.
    fn is_mistake(&self) -> bool {
        self.parameters.first() == Some(&"!")
    }
}

/// Reads the text of a dispatch's parameters.
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
        // The tables are tested: every type in them reads.
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
