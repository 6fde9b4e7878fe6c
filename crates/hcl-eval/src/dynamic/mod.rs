//! `dynamic` blocks: blocks that are generated from the elements of a collection.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/reference/hcl2/expressions#dynamic-blocks>.

mod expand;
mod iteration;
mod specification;
mod unknown;

use crate::{Body, Context};

pub(crate) use expand::Expanded;
pub(crate) use iteration::Iteration;
pub(crate) use unknown::UnknownBody;

/// Expands the `dynamic` blocks of a body, at any depth.
///
/// `for_each` and `labels` are evaluated in this context. Expressions in the generated blocks have the iterators of the
/// enclosing `dynamic` blocks as variables, in addition to the context of their evaluation.
///
/// ```
/// use hieratic_hcl_eval::{Context, File, Schema, dynamic};
///
/// let file = File::native("a.hcl", r#"dynamic "port" {
///   for_each = ["http", "db"]
///   labels   = [port.value]
///   content {}
/// }
/// "#);
/// let context = Context::new();
/// let body = dynamic::expand(file.body(), &context);
/// let (content, _) = body.content(&Schema::new(&[], &[("port", &["name"])]));
/// assert_eq!(content.blocks.iter().map(|block| &*block.labels[0]).collect::<Vec<_>>(), ["http", "db"]);
/// ```
pub fn expand<'a>(body: Body<'a>, context: &'a Context<'a>) -> Body<'a> {
    Body::expanded(Expanded::new(body, context))
}
