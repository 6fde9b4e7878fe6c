//! The syntax tree of HCL's native syntax.
//!
//! A tree is immutable plain data that owns its children, and can be shared between threads. Every node has a
//! [`Span`](crate::Span) of byte offsets into its [`Source`](crate::Source); lines and columns are computed only for
//! messages. A tree with errors is well-formed but incomplete: [`Expression::Error`] replaces what could not be parsed.

mod body;
mod collection;
mod expression;
mod operation;
mod template;
mod traversal;

pub use body::{Attribute, Block, Body, Label};
pub use collection::{ForExpression, ObjectConstructor, ObjectItem, ObjectKey, TupleConstructor};
pub use expression::{Expression, FunctionCall, Literal, Parentheses};
pub use operation::{BinaryOperation, BinaryOperator, Conditional, UnaryOperation, UnaryOperator};
pub use template::{Template, TemplateWrap};
pub use traversal::{Index, RelativeTraversal, ScopeTraversal, Splat, Step};
