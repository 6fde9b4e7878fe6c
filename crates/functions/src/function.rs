//! [`Function`]: a function with the ways in which it can be called.

use std::sync::OnceLock;

use hieratic_pcore::{Parameter, Signature, Type, describe_call, parse};
use hieratic_value::Value;

use crate::{Block, Fault, Host, Outcome};

/// A function of the language.
///
/// The signatures are written as text and read when the function is first called, so that a table of hundreds of
/// functions costs nothing until then.
pub struct Function {
    /// The name in full, lower case.
    pub name: &'static str,
    /// The ways to call it; the first that takes the arguments is used.
    pub dispatches: &'static [Dispatch],
    signatures: OnceLock<Vec<Signature>>,
}

/// One way to call a function.
pub struct Dispatch {
    /// The parameters, each as `Type name`: `?` behind the name if it may be left out, `*` before it if any number may
    /// be given, `+` before it if at least one; the last may be a block, `&Type name`, `&?Type name` if it may be left out.
    pub parameters: &'static [&'static str],
    /// What it does.
    pub run: fn(&mut Call<'_>) -> Outcome,
}

/// One call that is under way: its arguments fit the dispatch that is running.
pub struct Call<'a> {
    /// Whoever calls: blocks, logs, other functions and files go through it.
    pub host: &'a mut dyn Host,
    /// The arguments.
    pub arguments: &'a [Value],
    /// The block, if one was given.
    pub block: Option<&'a Block>,
}

impl Call<'_> {
    /// Calls the block. Whoever wrote the signature knows that there is one; without it this is a fault.
    pub fn yield_block(&mut self, arguments: &[Value]) -> Outcome {
        match self.block {
            Some(block) => self.host.call_block(block, arguments),
            None => Err(Fault::new("no block was given").into()),
        }
    }
}

impl Function {
    /// A function with its ways to be called.
    pub const fn new(name: &'static str, dispatches: &'static [Dispatch]) -> Function {
        Function { name, dispatches, signatures: OnceLock::new() }
    }

    /// Calls the function.
    ///
    /// # Errors
    /// Arguments that no dispatch takes, in the reference's words; whatever the function itself refuses.
    pub fn call(&self, host: &mut dyn Host, arguments: &[Value], block: Option<&Block>) -> Outcome {
        let signatures = self.signatures();
        let block_type = block.map(|block| block.callable_type());
        for (dispatch, signature) in self.dispatches.iter().zip(signatures) {
            if signature.accepts(arguments, block_type) {
                return (dispatch.run)(&mut Call { host, arguments, block });
            }
        }
        Err(Fault::new(describe_call(self.name, signatures, arguments, block_type)).into())
    }

    /// The signatures, in the order of the dispatches.
    pub fn signatures(&self) -> &[Signature] {
        self.signatures.get_or_init(|| self.dispatches.iter().map(|one| signature(one.parameters)).collect())
    }
}

/// Reads the text of a dispatch's parameters.
fn signature(parameters: &[&'static str]) -> Signature {
    let mut result = Signature::default();
    for text in parameters {
        let (block, text) = match text.strip_prefix('&') {
            Some(rest) => (true, rest),
            None => (false, *text),
        };
        let (block_optional, text) = match text.strip_prefix('?') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        // A text without a name is a parameter of that name and of any type.
        let (kind, name) = text.rsplit_once(' ').unwrap_or(("Any", text));
        // The tables are tested: every type in them reads.
        let kind = parse(kind).unwrap_or(Type::Any);
        if block {
            result.block = Some((name, if block_optional { Type::optional(kind) } else { kind }));
        } else {
            result.parameters.push(match (name.strip_prefix('*'), name.strip_prefix('+'), name.strip_suffix('?')) {
                (Some(name), ..) => Parameter { name, kind, required: false, repeated: true },
                (_, Some(name), _) => Parameter { name, kind, required: true, repeated: true },
                (.., Some(name)) => Parameter { name, kind, required: false, repeated: false },
                _ => Parameter { name, kind, required: true, repeated: false },
            });
        }
    }
    result
}
