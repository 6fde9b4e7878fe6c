//! The tree that is evaluated: compact, owned, and independent of the parser that made it.
//!
//! Local variables are resolved to a depth and a slot, names are interned, literals are ready. Each expression knows its line.
//! A tree never changes, and is shared between threads.

use std::sync::Arc;

use hieratic_regexp::{Options, Regexp};
use num_bigint::BigInt;

use crate::symbol::Symbol;

/// An expression with its line.
#[derive(Debug)]
pub struct Expr {
    /// The line where it starts, counted from 1.
    pub line: u32,
    /// What it is.
    pub node: Node,
}

/// Where a local variable is: so many scopes up, at a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Local {
    /// How many blocks up.
    pub depth: u32,
    /// The place in that scope.
    pub slot: u32,
}

/// What an expression can be.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum Node {
    Nil,
    True,
    False,
    SelfRef,
    Int(i64),
    Big(BigInt),
    Float(f64),
    /// A rational literal: numerator and denominator.
    Rational(BigInt, BigInt),
    Str(Arc<str>),
    /// A string that is no text in UTF-8.
    Bytes(Arc<[u8]>),
    /// A string with interpolations.
    DStr(Box<[Expr]>),
    Sym(Symbol),
    DSym(Box<[Expr]>),
    Regex(Regexp),
    /// A regular expression with interpolations.
    DRegex(Box<[Expr]>, Options),
    Array(Box<[Expr]>),
    Hash(Box<[Pair]>),
    Range(Option<Box<Expr>>, Option<Box<Expr>>, bool),
    Local(Local),
    LocalSet(Local, Box<Expr>),
    IVar(Symbol),
    IVarSet(Symbol, Box<Expr>),
    GVar(Symbol),
    GVarSet(Symbol, Box<Expr>),
    CVar(Symbol),
    CVarSet(Symbol, Box<Expr>),
    Const(Symbol),
    /// `a::B`, or `::B` without what is before.
    ConstPath(Option<Box<Expr>>, Symbol),
    /// `$1`
    NthRef(u32),
    /// `$~`, `` $` ``, `$'`, `$&`, `$+`
    BackRef(char),
    Call(Box<Call>),
    Super(Box<Call>),
    Yield(Arguments),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Defined(Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    While(Box<While>),
    For(Box<For>),
    Case(Box<Case>),
    CaseIn(Box<CaseIn>),
    /// `value => pattern`, or `value in pattern` whose value is whether it matches.
    Matches {
        value: Box<Expr>,
        pattern: Box<Pattern>,
        required: bool,
    },
    Begin(Box<Begin>),
    Seq(Box<[Expr]>),
    Return(Option<Box<Expr>>),
    Break {
        value: Option<Box<Expr>>,
        in_loop: bool,
    },
    Next {
        value: Option<Box<Expr>>,
        in_loop: bool,
    },
    Redo,
    Retry,
    Assign(Box<Target>, Box<Expr>),
    OpAssign(Box<OpAssign>),
    MultiAssign(Box<Targets>, Box<Expr>),
    Def(Arc<Def>),
    Class(Box<ClassDef>),
    Module(Box<ClassDef>),
    SingletonClass(Box<Expr>, Arc<Body>),
    Lambda(Arc<Block>),
    Alias(Symbol, Symbol),
    Undef(Box<[Symbol]>),
    /// Only inside of arrays and arguments.
    Splat(Option<Box<Expr>>),
    /// `/(?<a>x)/ =~ y`: the call, and the locals that groups are assigned to.
    MatchWrite(Box<Expr>, Box<[(Arc<str>, Local)]>),
    /// Adds text to the string in a local: what a template consists of.
    Append(Local, Box<Expr>),
    /// `__FILE__`
    File,
    /// What is read and cannot be evaluated.
    Unsupported(Arc<str>),
}

/// A pair of a hash literal.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum Pair {
    Pair(Expr, Expr),
    /// `**hash`
    Splat(Expr),
}

/// The arguments of a call.
#[derive(Debug, Default)]
pub struct Arguments {
    /// By position; may have splats.
    pub list: Box<[Expr]>,
    /// Keywords.
    pub keywords: Box<[Pair]>,
    /// Whether there is a splat in the list.
    pub splat: bool,
}

/// What a call passes as its block.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum BlockArgument {
    None,
    Literal(Arc<Block>),
    Pass(Expr),
    /// `&:name`
    Symbol(Symbol),
}

/// A call of a method.
#[derive(Debug)]
pub struct Call {
    /// On what; none for `self`.
    pub receiver: Option<Expr>,
    /// The name.
    pub name: Symbol,
    /// With what.
    pub arguments: Arguments,
    /// The block.
    pub block: BlockArgument,
    /// `&.`
    pub safe: bool,
    /// A name alone, that could be a local variable.
    pub variable: bool,
    /// `a.b = c`, whose value is `c`.
    pub write: bool,
    /// Whether the receiver is `self` written out, or nothing: private methods can be called.
    pub private: bool,
}

/// `while`, and `until` with its condition negated.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct While {
    pub condition: Expr,
    pub negated: bool,
    pub body: Expr,
    /// `begin ... end while`: the body runs first.
    pub body_first: bool,
}

/// `for a in b`
#[derive(Debug)]
#[allow(missing_docs)]
pub struct For {
    pub target: Target,
    pub collection: Expr,
    pub body: Expr,
}

/// `case` with `when`.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Case {
    pub subject: Option<Expr>,
    pub whens: Box<[(Box<[Expr]>, Expr)]>,
    pub otherwise: Option<Expr>,
}

/// `case` with `in`.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct CaseIn {
    pub subject: Expr,
    pub branches: Box<[(Pattern, Option<Expr>, Expr)]>,
    pub otherwise: Option<Expr>,
}

/// A pattern of `in`.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum Pattern {
    /// `===`
    Value(Expr),
    Bind(Local),
    /// `_` without a name, as in `*`.
    Ignore,
    Alternatives(Box<Pattern>, Box<Pattern>),
    Capture(Box<Pattern>, Local),
    Array {
        constant: Option<Box<Expr>>,
        before: Box<[Pattern]>,
        rest: Option<Option<Local>>,
        after: Box<[Pattern]>,
    },
    Find {
        constant: Option<Box<Expr>>,
        before: Option<Local>,
        middle: Box<[Pattern]>,
        after: Option<Local>,
    },
    Hash {
        constant: Option<Box<Expr>>,
        pairs: Box<[(Symbol, Pattern)]>,
        rest: HashRest,
    },
    /// With a guard: `if` or `unless`.
    Guarded(Box<Pattern>, Box<Expr>, bool),
}

/// What a hash pattern says of other keys.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum HashRest {
    Any,
    None,
    Bind(Local),
}

/// `begin`, or a body with `rescue`.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Begin {
    pub body: Expr,
    pub rescues: Box<[Rescue]>,
    pub otherwise: Option<Expr>,
    pub ensure: Option<Expr>,
}

/// One `rescue`.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Rescue {
    pub classes: Box<[Expr]>,
    pub target: Option<Target>,
    pub body: Expr,
}

/// What can be assigned to.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum Target {
    Local(Local),
    IVar(Symbol),
    GVar(Symbol),
    CVar(Symbol),
    Const(Option<Expr>, Symbol),
    /// `a.b =`
    Attribute {
        receiver: Expr,
        name: Symbol,
        safe: bool,
        private: bool,
    },
    /// `a[b] =`
    Index {
        receiver: Expr,
        arguments: Arguments,
    },
    Multi(Box<Targets>),
}

/// The left side of a multiple assignment.
#[derive(Debug)]
pub struct Targets {
    /// Before the splat.
    pub before: Box<[Target]>,
    /// The splat: none, `*` alone, or `*a`.
    pub rest: Option<Option<Target>>,
    /// After it.
    pub after: Box<[Target]>,
}

/// `a += b`, `a ||= b`, `a &&= b`
#[derive(Debug)]
#[allow(missing_docs)]
pub struct OpAssign {
    pub target: Target,
    pub operator: Operator,
    pub value: Expr,
}

/// The operator of an [`OpAssign`].
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Operator {
    Or,
    And,
    Method(Symbol),
}

/// A body of code with its own local variables.
#[derive(Debug)]
pub struct Body {
    /// The names of the slots.
    pub locals: Box<[Symbol]>,
    /// What runs.
    pub expr: Expr,
}

/// The parameters of a method or block.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Parameters {
    pub required: Box<[Parameter]>,
    pub optional: Box<[(u32, Expr)]>,
    pub rest: Option<u32>,
    pub post: Box<[Parameter]>,
    pub keywords: Box<[(Symbol, u32, Option<Expr>)]>,
    pub keyword_rest: Option<u32>,
    /// `**nil`
    pub no_keywords: bool,
    pub block: Option<u32>,
    /// `|a,|`
    pub excess_comma: bool,
    /// Names for `parameters`.
    pub anonymous_rest: bool,
    /// Only required parameters that are plain slots in order.
    pub simple: bool,
}

/// A parameter by position.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum Parameter {
    Slot(u32),
    /// `(a, b)`
    Pattern(Targets),
}

/// A method.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Def {
    pub name: Symbol,
    /// `def self.x`
    pub singleton: Option<Expr>,
    pub parameters: Parameters,
    pub body: Body,
    pub line: u32,
    pub file: Arc<str>,
    /// The number of its program, and its own among the methods there.
    pub number: (u64, u32),
}

/// A block or lambda.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Block {
    pub parameters: Parameters,
    pub body: Body,
    pub line: u32,
    pub file: Arc<str>,
    pub lambda: bool,
    /// How many numbered parameters it uses; `it` counts as one that takes no part in spreading.
    pub numbered: u32,
}

/// A class or module.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct ClassDef {
    /// What is before the name: none for nothing, `Some(None)` for `::`.
    pub scope: Option<Option<Expr>>,
    pub name: Symbol,
    pub superclass: Option<Expr>,
    pub body: Arc<Body>,
}

/// A file that was read.
#[derive(Debug)]
pub struct Program {
    /// Its name, for messages.
    pub file: Arc<str>,
    /// What tells it from others: the same source in the same file has the same number in each thread.
    pub number: u64,
    /// Its code.
    pub body: Body,
    /// Whether it is a part of the implementation, and left out of backtraces.
    pub internal: bool,
}

impl Parameters {
    /// How many arguments have to be given by position.
    pub fn needed(&self) -> usize {
        self.required.len() + self.post.len()
    }

    /// Ruby's `arity` of a method or lambda.
    pub fn arity(&self) -> i64 {
        let needed = self.needed() as i64;
        let needed_keyword = self.keywords.iter().any(|(_, _, default)| default.is_none());
        let open = self.rest.is_some() || !self.optional.is_empty();
        let mandatory = needed + i64::from(needed_keyword);
        let keywords_only_optional = !needed_keyword && (!self.keywords.is_empty() || self.keyword_rest.is_some());
        if open || keywords_only_optional { -mandatory - 1 } else { mandatory }
    }
}
