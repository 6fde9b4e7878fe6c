//! Python's values that minijinja has no own kind for, as its objects.

mod big;
mod dict;
mod held;
mod list;

pub use big::Big;
pub use dict::Dict;
pub use held::Held;
pub use list::List;
