//! Values of the language that plain data cannot hold: types, regular expressions, times, versions, addresses, bytes,
//! objects.

mod base64;
mod bytes;
mod matching;
mod opaque;
mod operators;
mod range;
mod regexp;
mod scalars;
mod syntax;
mod type_value;
mod uri;

pub(crate) use base64::{Base64, decode, encode};
pub use bytes::{bytes_include, bytes_of, bytes_value};
pub(crate) use matching::matches_option_in;
pub use opaque::{Opaque, OpaqueContent};
pub use operators::{concatenate, index_object};
pub use range::Range;
pub use regexp::RegexpValue;
pub use scalars::{SemVerRangeValue, SemVerValue, TimespanValue, TimestampValue};
pub(crate) use syntax::{ValueSyntax, special_attribute, value_syntax};
pub use type_value::{TypeValue, given_to_parameter};
pub use uri::UriValue;
pub(crate) use uri::uri_part;
