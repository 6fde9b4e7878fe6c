//! The library for C: `#include <hieratic.h>`.
//!
//! Every function of the header is here: it takes text and handles, and gives text as JSON, a handle, or an error. `include/hieratic.h` is
//! made from this crate by cbindgen; the test `header` compares them.
//!
//! Everything that is unsafe has to do with the pointers that a caller passes, and is in `border.rs` and in the first lines of functions.
//! A function that has read its arguments works with safe code only, and no panic leaves it. What a repository may do is decided by
//! options, as by the flags of the command.

mod border;
mod documents;
mod environment;
mod failure;
mod lookups;
mod node;
mod options;
mod programs;
mod settings;

pub use documents::*;
pub use environment::*;
pub use failure::*;
pub use lookups::*;
pub use node::*;
pub use programs::*;

use std::ffi::{CString, c_char};

use crate::border::guarded;

/// What handles are: threads may share them.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<environment::Environment>();
    is_shared::<node::Node>();
    is_shared::<failure::Failure>();
};

/// The version of the library, such as "0.1.0". The text is never freed.
#[unsafe(no_mangle)]
pub extern "C" fn hieratic_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// Frees a text that a function has given (not those of an error, which the error has). NULL is allowed.
///
/// # Safety
/// `text` is NULL, or a text that a function of this library has given and that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_string_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: the caller passes a text that `CString::into_raw` gave, and that nobody else frees.
        guarded(|| drop(unsafe { CString::from_raw(text) }));
    }
}
