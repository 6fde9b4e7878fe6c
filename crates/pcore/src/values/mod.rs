//! Values that the language has beyond data: types, regular expressions, times, versions, addresses, bytes, objects.

mod bytes;
mod opaque;
mod regexp;
mod type_value;

pub(crate) use bytes::{Base64, encode};
pub use bytes::{bytes_include, bytes_of, bytes_value};
pub use opaque::{Content, Opaque};
pub use regexp::RegexpValue;
pub use type_value::TypeValue;
