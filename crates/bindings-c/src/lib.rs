//! The library for C: `#include <hieratic.h>`.
//!
//! Every function of the header is here: it takes strings and handles, and returns JSON as a string, a handle, or an
//! error. cbindgen generates `include/hieratic.h` from this crate; the test `header` compares them.
//!
//! All unsafe code handles the pointers that a caller passes. It is in `ffi.rs` and in the first lines of functions.
//! A function that has read its arguments works with safe code only, and no panic leaves it. Options decide the
//! permissions of a repository, like the flags of the command.

mod documents;
mod environment;
mod failure;
mod ffi;
mod lookups;
mod node;
mod options;
mod programs;
mod settings;
mod typed;

pub use documents::*;
pub use environment::*;
pub use failure::*;
pub use lookups::*;
pub use node::*;
pub use programs::*;
pub use typed::*;

use std::ffi::{CString, c_char};

use crate::ffi::catch_panic;

/// Checks that threads may share the handles.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<environment::Environment>();
    is_shared::<node::Node>();
    is_shared::<failure::Failure>();
    is_shared::<typed::TypedValue>();
};

/// The version of the library, such as "0.1.0". The string is never freed.
#[unsafe(no_mangle)]
pub extern "C" fn hieratic_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// Frees a string that a function has returned (not those of an error, which the error owns). NULL is allowed.
///
/// # Safety
/// `text` is NULL, or a string that a function of this library has returned and that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_string_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: the caller passes a string from `CString::into_raw` that was not freed.
        catch_panic(|| drop(unsafe { CString::from_raw(text) }));
    }
}
