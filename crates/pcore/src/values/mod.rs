//! Values that the language has beyond data: types, regular expressions, times, versions, addresses, bytes, objects.

mod bytes;
mod matching;
mod opaque;
mod regexp;
mod type_value;
mod written;

pub(crate) use bytes::{Base64, encode};
pub use bytes::{bytes_include, bytes_of, bytes_value};
pub(crate) use matching::matches_option;
pub use opaque::{Content, Opaque};
pub use regexp::RegexpValue;
pub use type_value::TypeValue;
pub(crate) use written::{Written, special_attribute, written};
