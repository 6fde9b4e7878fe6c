//! The syntax tree: what a text says, node by node, with its place.
//!
//! A tree is plain data that owns its children and is never changed; it can be shared between threads. Every node has a
//! [`Span`](crate::Span) of byte offsets into its [`Source`](crate::Source); lines and columns are worked out when a message
//! needs them. A tree that comes with errors is sound but incomplete; [`Expression::Error`] stands where nothing could be read.

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
