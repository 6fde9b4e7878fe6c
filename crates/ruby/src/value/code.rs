//! Code with its context: local variables, `self`, and the method that runs. => Code with its context: local variables,
//! `self`, and the current method.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::{Class, Generation, Method, Value, Visibility};
use crate::ast::Block;
use crate::symbol::Symbol;
use crate::vm::{Args, Outcome, Vm};

/// The local variables of one execution of a method or block, and the scopes around it.
#[derive(Debug)]
pub(crate) struct Env {
    pub slots: RefCell<SmallVec<[Value; 4]>>,
    pub parent: Option<Rc<Env>>,
    pub generation: Generation,
}

impl Env {
    pub fn new(size: usize, parent: Option<Rc<Env>>) -> Rc<Env> {
        Rc::new(Env { slots: RefCell::new(smallvec![Value::Nil; size]), parent, generation: Generation::current() })
    }

    /// Returns the scope `depth` levels up.
    pub fn up(self: &Rc<Env>, depth: u32) -> &Rc<Env> {
        let mut env = self;
        for _ in 0..depth {
            match &env.parent {
                Some(parent) => env = parent,
                None => break,
            }
        }
        env
    }

    pub fn get(&self, slot: u32) -> Value {
        self.slots.borrow().get(slot as usize).cloned().unwrap_or(Value::Nil)
    }

    pub fn set(&self, slot: u32, value: Value) {
        if let Some(place) = self.slots.borrow_mut().get_mut(slot as usize) {
            *place = value;
        }
    }
}

impl Drop for Env {
    fn drop(&mut self) {
        super::drop_flat(std::mem::take(self.slots.get_mut()).into_iter());
    }
}

/// The classes around a piece of code, innermost first: where constants are looked for, and methods defined.
#[derive(Debug)]
pub(crate) struct Cref {
    pub class: Rc<Class>,
    pub parent: Option<Rc<Cref>>,
}

/// One execution of a method, shared with the blocks in it.
#[derive(Debug)]
pub(crate) struct Frame {
    pub method: Option<Rc<Method>>,
    pub name: Option<Symbol>,
    pub block: Option<Rc<Proc>>,
    pub file: Arc<str>,
    pub internal: bool,
    /// `$~`
    pub last_match: RefCell<Value>,
    /// The visibility that `private` without arguments has set.
    pub visibility: Cell<Visibility>,
    pub module_function: Cell<bool>,
    pub generation: Generation,
}

/// The context in which code runs.
#[derive(Clone, Debug)]
pub(crate) struct Ctx {
    pub me: Value,
    pub env: Rc<Env>,
    pub frame: Rc<Frame>,
    pub cref: Rc<Cref>,
    /// The run that `return` ends.
    pub return_to: u64,
    /// The call that `break` ends.
    pub break_to: u64,
}

/// A block, proc or lambda.
pub(crate) struct Proc {
    pub kind: ProcKind,
    pub lambda: bool,
    #[allow(dead_code, reason = "it counts the procs that there are")]
    pub generation: Generation,
}

/// Code in Rust that a proc runs.
pub(crate) type NativeCode = dyn Fn(&mut Vm<'_>, &Args) -> Outcome;

/// The body of a proc.
pub(crate) enum ProcKind {
    Block {
        code: Arc<Block>,
        ctx: Ctx,
    },
    Symbol(Symbol),
    Method(Rc<BoundMethod>),
    /// Code in Rust, with its arity.
    Native(Rc<NativeCode>, i64),
}

impl fmt::Debug for Proc {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Proc")
    }
}

/// A method with its receiver; without one it is unbound.
#[derive(Debug)]
pub(crate) struct BoundMethod {
    pub receiver: Option<Value>,
    pub method: Rc<Method>,
    pub name: Symbol,
}
