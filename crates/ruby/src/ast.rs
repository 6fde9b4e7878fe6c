//! The evaluated syntax tree: compact, owned, and independent of the parser.
//!
//! Local variables are resolved to a depth and a slot, names are interned, and literals are values. Each expression has
//! its line. A tree is immutable and is shared between threads. => The syntax tree that the interpreter evaluates. It
//! is compact, owned and independent of the parser.
//!
//! Local variables are resolved to a depth and a slot, names are interned, and literals are values. Each expression has
//! its line. A tree is immutable and is shared between threads.

use std::sync::{Arc, OnceLock};

use hieratic_ruby_regexp::{Options, Regexp};
use num_bigint::BigInt;

use crate::symbol::Symbol;

/// An expression with its line.
#[derive(Debug)]
pub struct Expr {
    /// The line where it starts, counted from 1.
    pub line: u32,
    /// The kind of the expression, with its operands.
    pub node: Node,
}

/// The address of a local variable: the number of scopes to go up, and the slot in that scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Local {
    /// The number of enclosing blocks to go up.
    pub depth: u32,
    /// The slot in that scope.
    pub slot: u32,
}

/// The kinds of expressions.
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
    /// A string that is not valid UTF-8.
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
    /// `a::B`, or `::B` without a left side.
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
    /// pattern`, or `value in pattern` whose value is whether it matches. => `value => pattern`, or `value in pattern`,
    /// which is true if the pattern matches. => pattern`, or `value in pattern` whose value is whether it matches.
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
    /// `*value`, which occurs only in arrays and arguments.
    Splat(Option<Box<Expr>>),
    /// `/(?<a>x)/ =~ y`: the call, and the locals that groups are assigned to.
    MatchWrite(Box<Expr>, Box<[(Arc<str>, Local)]>),
    /// Appends a string to the string in a local. A compiled template is a sequence of these.
    Append(Local, Box<Expr>),
    /// `__FILE__`
    File,
    /// Syntax that is parsed but cannot be evaluated.
    Unsupported(Arc<str>),
}

/// A part of a hash literal.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum Pair {
    Pair(Expr, Expr),
    /// `**hash`
    Splat(Expr),
}

/// The arguments of a call, without the block.
#[derive(Debug, Default)]
pub struct Arguments {
    /// The positional arguments, which may include splats.
    pub list: Box<[Expr]>,
    /// The keyword arguments.
    pub keywords: Box<[Pair]>,
    /// True if `list` includes a splat.
    pub splat: bool,
}

/// The block argument of a call.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum BlockArgument {
    None,
    Literal(Arc<Block>),
    Pass(Expr),
    /// `&:name`
    Symbol(Symbol),
}

/// A method call.
#[derive(Debug)]
pub struct Call {
    /// The receiver; `None` for an implicit `self`.
    pub receiver: Option<Expr>,
    /// The name of the method.
    pub name: Symbol,
    /// The arguments without the block.
    pub arguments: Arguments,
    /// The block or the operand of `&`.
    pub block: BlockArgument,
    /// True for `&.`, which returns nil if the receiver is nil.
    pub safe: bool,
    /// True for a bare name, which could be a local variable.
    pub variable: bool,
    /// True for `a.b = c`, whose value is `c`.
    pub write: bool,
    /// True if the receiver is absent or `self`, so that private methods can be called.
    pub private: bool,
}

/// `while`, and `until` with its condition negated.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct While {
    pub condition: Expr,
    pub negated: bool,
    pub body: Expr,
    /// True for `begin ... end while`, whose body runs before the condition is evaluated.
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
    /// A part without a name, such as `*`.
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
    /// A pattern with a guard; the flag is true for `unless`.
    Guarded(Box<Pattern>, Box<Expr>, bool),
}

/// The rule of a hash pattern for unnamed keys.
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

/// A `rescue` clause.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Rescue {
    pub classes: Box<[Expr]>,
    pub target: Option<Target>,
    pub body: Expr,
}

/// The targets of an assignment.
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
    /// The targets before the splat.
    pub before: Box<[Target]>,
    /// The splat: `None` without one, `Some(None)` for a bare `*`.
    pub rest: Option<Option<Target>>,
    /// The targets after the splat.
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
    /// The expression to evaluate.
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
    /// True for `**nil`, which forbids keywords.
    pub no_keywords: bool,
    pub block: Option<u32>,
    /// True for `|a,|`, which ignores further elements.
    pub excess_comma: bool,
    /// True for a bare `*`, for the names that the method `parameters` returns.
    pub anonymous_rest: bool,
    /// True if all parameters are required, and each is the slot with its index.
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
    /// The object of a singleton method: `self` in `def self.x`.
    pub singleton: Option<Expr>,
    pub parameters: Parameters,
    pub body: Body,
    pub line: u32,
    pub file: Arc<str>,
    /// The fingerprint of the program, and the index of the method in the program.
    pub number: (u64, u32),
    /// The source, for a method of the prelude whose body is parsed on its first call.
    pub unread: Option<UnreadMethod>,
}

/// The source of a method that is parsed on its first call. Most methods of the prelude are never called.
#[derive(Debug)]
pub struct UnreadMethod {
    /// The source of the definition, from `def` to `end`.
    pub source: &'static str,
    /// The parsed method, after the first call.
    pub read: OnceLock<Arc<Def>>,
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
    /// The highest numbered parameter in use. `it` counts as one, but does not spread an array.
    pub numbered: u32,
}

/// A class or module.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct ClassDef {
    /// The scope before the name: `None` without one, `Some(None)` for a leading `::`.
    pub scope: Option<Option<Expr>>,
    pub name: Symbol,
    pub superclass: Option<Expr>,
    pub body: Arc<Body>,
}

/// A parsed file.
#[derive(Debug)]
pub struct Program {
    /// The name of the file, for messages.
    pub file: Arc<str>,
    /// A fingerprint of the file name and the source, which is equal in all threads.
    pub number: u64,
    /// The code of the file.
    pub body: Body,
    /// True for code of the implementation, which backtraces leave out.
    pub internal: bool,
}

impl Parameters {
    /// Returns the number of required positional arguments.
    pub fn needed(&self) -> usize {
        self.required.len() + self.post.len()
    }

    /// Returns Ruby's `arity` of a method or lambda.
    pub fn arity(&self) -> i64 {
        let needed = self.needed() as i64;
        let needed_keyword = self.keywords.iter().any(|(_, _, default)| default.is_none());
        let open = self.rest.is_some() || !self.optional.is_empty();
        let mandatory = needed + i64::from(needed_keyword);
        let keywords_only_optional = !needed_keyword && (!self.keywords.is_empty() || self.keyword_rest.is_some());
        if open || keywords_only_optional { -mandatory - 1 } else { mandatory }
    }
}
