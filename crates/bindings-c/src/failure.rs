//! [`Failure`]: an error of the interface, and the functions that read it.

use std::ffi::{CString, c_char};

use hieratic_bindings_core::{BindingError, BindingErrorKind, ErrorParts};

use crate::ffi::free_handle;

/// The kind of an error.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The key has no value.
    NotFound = 1,
    /// An argument or an option is invalid: NULL, not UTF-8, not JSON, an unknown name.
    Argument = 2,
    /// The engine returned an error: see hieratic_error_code.
    Failed = 3,
    /// The library is at fault: please report it.
    Internal = 4,
    /// A file or folder that the caller named does not exist.
    FileNotFound = 5,
    /// A limit of work or of time is reached.
    Limit = 6,
}

/// An error: free it with hieratic_error_free. Its strings live as long as it does. Threads may read it at the same
/// time.
#[derive(Debug)]
pub struct Failure {
    kind: Kind,
    code: Option<CString>,
    message: CString,
    file: Option<CString>,
    line: u32,
    column: u32,
    help: Option<CString>,
    report: CString,
}

impl Failure {
    /// An error that is about no file.
    pub(crate) fn new(kind: Kind, message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::from_parts(kind, BindingError::plain(message, help).parts())
    }

    /// An argument that makes no sense.
    pub(crate) fn argument(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::new(Kind::Argument, message, help)
    }

    pub(crate) fn panicked() -> Failure {
        Failure::new(Kind::Internal, "the library panicked", "report this as a bug, with the output on standard error")
    }

    fn from_parts(kind: Kind, parts: ErrorParts) -> Failure {
        let ErrorParts { kind: _, code, message, file, line, column, help, report } = parts;
        Failure {
            kind,
            code: code.map(c_text),
            message: c_text(message),
            file: file.map(c_text),
            line: line.unwrap_or(0),
            column: column.unwrap_or(0),
            help: (!help.is_empty()).then(|| c_text(help.join("\n"))),
            report: c_text(report),
        }
    }

    #[cfg(test)]
    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }
}

impl From<BindingError> for Failure {
    fn from(error: BindingError) -> Failure {
        let parts = error.parts();
        let kind = match parts.kind {
            BindingErrorKind::Failed => Kind::Failed,
            BindingErrorKind::KeyNotFound => Kind::NotFound,
            BindingErrorKind::FileNotFound => Kind::FileNotFound,
            BindingErrorKind::Limit | BindingErrorKind::Time => Kind::Limit,
        };
        Failure::from_parts(kind, parts)
    }
}

/// A string for C. A NUL would end it, so it becomes the replacement character.
fn c_text(text: String) -> CString {
    let text = if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text };
    CString::new(text).unwrap_or_default()
}

fn pointer(text: Option<&CString>) -> *const c_char {
    text.map_or(std::ptr::null(), |text| text.as_ptr())
}

/// The kind of the error; HIERATIC_ERROR_KIND_ARGUMENT for NULL.
///
/// # Safety
/// `error` is NULL, or an error of this library that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_error_get_kind(error: *const Failure) -> Kind {
    // SAFETY: the caller passes NULL or a living error.
    unsafe { error.as_ref() }.map_or(Kind::Argument, |error| error.kind)
}

/// The code of the error, as docs/errors lists it, such as "key-not-found". NULL if it has none. The error owns the string.
///
/// # Safety
/// `error` is NULL, or an error of this library that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_error_code(error: *const Failure) -> *const c_char {
    // SAFETY: the caller passes NULL or a living error.
    pointer(unsafe { error.as_ref() }.and_then(|error| error.code.as_ref()))
}

/// The message: one sentence. NULL for NULL. The error owns the string.
///
/// # Safety
/// `error` is NULL, or an error of this library that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_error_message(error: *const Failure) -> *const c_char {
    // SAFETY: the caller passes NULL or a living error.
    pointer(unsafe { error.as_ref() }.map(|error| &error.message))
}

/// The file of the error, or NULL. The error owns the string.
///
/// # Safety
/// `error` is NULL, or an error of this library that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_error_file(error: *const Failure) -> *const c_char {
    // SAFETY: the caller passes NULL or a living error.
    pointer(unsafe { error.as_ref() }.and_then(|error| error.file.as_ref()))
}

/// The line in the file, counted from 1, or 0.
///
/// # Safety
/// `error` is NULL, or an error of this library that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_error_line(error: *const Failure) -> u32 {
    // SAFETY: the caller passes NULL or a living error.
    unsafe { error.as_ref() }.map_or(0, |error| error.line)
}

/// The column in the line, counted from 1, or 0.
///
/// # Safety
/// `error` is NULL, or an error of this library that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_error_column(error: *const Failure) -> u32 {
    // SAFETY: the caller passes NULL or a living error.
    unsafe { error.as_ref() }.map_or(0, |error| error.column)
}

/// The help: what to try, one suggestion per line, or NULL. The error owns the string.
///
/// # Safety
/// `error` is NULL, or an error of this library that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_error_help(error: *const Failure) -> *const c_char {
    // SAFETY: the caller passes NULL or a living error.
    pointer(unsafe { error.as_ref() }.and_then(|error| error.help.as_ref()))
}

/// The full report, as the command prints it, with excerpts of the source. NULL for NULL. The error owns the string.
///
/// # Safety
/// `error` is NULL, or an error of this library that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_error_report(error: *const Failure) -> *const c_char {
    // SAFETY: the caller passes NULL or a living error.
    pointer(unsafe { error.as_ref() }.map(|error| &error.report))
}

/// Frees an error and its strings. NULL is allowed.
///
/// # Safety
/// `error` is NULL, or an error of this library that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_error_free(error: *mut Failure) {
    // SAFETY: the contract of this function requires the same.
    unsafe { free_handle(error) }
}
