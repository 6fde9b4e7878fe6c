//! Types of Python that minijinja lacks, as its objects.

mod big;
mod callables;
mod dict;
mod hostvars;
mod key;
mod list;
mod markup;
mod missing;
mod opaque;
mod scopes;
mod set;
mod shared;
mod source;
mod time;
mod tuple;
mod verbatim;

pub use big::Big;
pub use callables::{Cycler, Joiner, Macro, Method};
pub use dict::{Dict, Entries, Side};
pub use hostvars::{HostVariables, HostVars, Hosts};
pub use key::Key;
pub use list::List;
pub use markup::Markup;
pub use missing::{Missing, UndefinedOrigin};
pub use opaque::OpaqueValue;
pub use scopes::{Module, Namespace};
pub use set::Set;
pub use shared::{copied, detached, distinguish, give, in_source_of, is_collection};
pub use source::{Convert, Source, SourceData, SourceView};
pub use time::{Datetime, Daytime, SECOND, Timedelta, Zone};
pub use tuple::{Names, Tuple};
pub use verbatim::{Encrypted, Undecrypted, Verbatim, undecrypted};

use minijinja::Value;

/// Drops values in sequence where they would drop each other, however deeply they nest.
fn drop_flat(mut values: Vec<Value>) {
    while let Some(value) = values.pop() {
        // Only the last owner of a value takes its content out, so that it is dropped empty.
        if let Some(list) = value.downcast_object::<List>() {
            drop(value);
            if std::sync::Arc::strong_count(&list) == 1 {
                values.append(&mut list.take());
            }
        } else if let Some(dict) = value.downcast_object::<Dict>() {
            drop(value);
            if std::sync::Arc::strong_count(&dict) == 1 {
                values.extend(dict.take().into_values());
            }
        } else if let Some(tuple) = value.downcast_object::<Tuple>() {
            drop(value);
            if let Some(mut tuple) = std::sync::Arc::into_inner(tuple) {
                values.append(&mut tuple.take());
            }
        }
    }
}
