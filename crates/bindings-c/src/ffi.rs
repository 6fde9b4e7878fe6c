//! The helpers at the boundary to C: pointers to strings and handles, and no panic across it.

use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use engine::Value;

use crate::failure::{Failure, Kind};

/// Runs a function and catches its panics. Returns `None` after a panic: the panic hook has printed the message.
pub(crate) fn catch_panic<T>(work: impl FnOnce() -> T) -> Option<T> {
    // State after a panic is behind locks, which the engine recovers, or is dropped.
    catch_unwind(AssertUnwindSafe(work)).ok()
}

/// Runs the body of a function, and stores its error in `error`: NULL on success. `none` is the result on failure.
///
/// # Safety
/// `error` is NULL, or can be written to.
pub(crate) unsafe fn run_storing_error<T>(
    error: *mut *mut Failure,
    none: T,
    work: impl FnOnce() -> Result<T, Failure>,
) -> T {
    let result = catch_panic(work).unwrap_or_else(|| Err(Failure::panicked()));
    let (result, failure) = match result {
        Ok(result) => (result, std::ptr::null_mut()),
        Err(failure) if error.is_null() => {
            drop(failure);
            return none;
        }
        Err(failure) => (none, Box::into_raw(Box::new(failure))),
    };
    if !error.is_null() {
        // SAFETY: the caller of the function passes NULL or a place for an error.
        unsafe { error.write(failure) };
    }
    result
}

/// A mandatory string.
///
/// # Safety
/// `pointer` is NULL, or points to bytes that end with NUL and do not change while the string is used.
pub(crate) unsafe fn text<'t>(name: &str, pointer: *const c_char) -> Result<&'t str, Failure> {
    // SAFETY: the contract of this function requires the same.
    let text = unsafe { text_or_null(name, pointer) }?;
    text.ok_or_else(|| Failure::argument(format!("{name} is NULL"), "pass a NUL-terminated string"))
}

/// A string that may be NULL.
///
/// # Safety
/// As for [`text`].
pub(crate) unsafe fn text_or_null<'t>(name: &str, pointer: *const c_char) -> Result<Option<&'t str>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: our caller guarantees that the bytes end with NUL and do not change.
    let bytes = unsafe { CStr::from_ptr(pointer) };
    bytes.to_str().map(Some).map_err(|error| {
        Failure::argument(format!("{name} is not valid UTF-8 at byte {}", error.valid_up_to()), "pass UTF-8")
    })
}

/// The object of a handle.
///
/// # Safety
/// `pointer` is NULL, or a handle of this library that is not freed while it is used.
pub(crate) unsafe fn handle<'h, T>(name: &str, pointer: *const T) -> Result<&'h T, Failure> {
    // SAFETY: a handle points to what `Box::into_raw` gave, and is not freed while it is used.
    unsafe { pointer.as_ref() }.ok_or_else(|| Failure::argument(format!("{name} is NULL"), "open it first"))
}

/// Gives a handle to the caller.
pub(crate) fn into_handle<T>(of: T) -> *mut T {
    Box::into_raw(Box::new(of))
}

/// Frees a handle. NULL is allowed.
///
/// # Safety
/// `pointer` is NULL, or comes from [`into_handle`] and was not freed.
pub(crate) unsafe fn free_handle<T>(pointer: *mut T) {
    if !pointer.is_null() {
        // SAFETY: the caller passes what `Box::into_raw` gave, and passes it once.
        catch_panic(|| drop(unsafe { Box::from_raw(pointer) }));
    }
}

/// Transfers a string to the caller.
pub(crate) fn into_c_string(text: String) -> Result<*mut c_char, Failure> {
    let text = CString::new(text).map_err(|error| {
        let message = format!("the string has a NUL character at byte {}", error.nul_position());
        Failure::new(Kind::Failed, message, "remove the NUL: C strings end there")
    })?;
    Ok(text.into_raw())
}

/// Gives a value to the caller, as JSON.
pub(crate) fn into_c_json(value: &Value) -> Result<*mut c_char, Failure> {
    let json = hieratic_output::json(value).map_err(|error| {
        Failure::new(Kind::Failed, format!("the value cannot be written as JSON: {error}"), "convert it to data")
    })?;
    into_c_string(json)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error() {
        let mut error = std::ptr::null_mut();
        // SAFETY: the error can be written to.
        let none = unsafe { run_storing_error(&raw mut error, 7, || panic!("on purpose")) };
        assert_eq!(none, 7);
        // SAFETY: a function that fails sets the error.
        let failure = unsafe { Box::from_raw(error) };
        assert_eq!(failure.kind(), Kind::Internal);
        // SAFETY: nothing can be written to NULL, and nothing is.
        assert_eq!(unsafe { run_storing_error(std::ptr::null_mut(), 7, || panic!("on purpose")) }, 7);
    }
}
