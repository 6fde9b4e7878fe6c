//! Values that the language has beyond data: types, regular expressions, times, versions, addresses, bytes, objects.

mod opaque;
mod regexp;
mod type_value;

pub use opaque::{Content, Opaque};
pub use regexp::RegexpValue;
pub use type_value::TypeValue;
