//! `dynamic` blocks: blocks made from the elements of a collection.
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

/// The body with its `dynamic` blocks, at any depth, replaced by the blocks that they stand for.
///
/// `for_each` and `labels` are evaluated in this context; everything in the blocks that are made has the iterators of the
/// `dynamic` blocks around it as variables besides the context that it is evaluated in.
///
/// ```
/// use hieratic_hcl::{Context, File, Schema, dynamic};
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
