//! Metadata of an open file on Windows that the standard library does not provide.

#![allow(unsafe_code, reason = "the functions of Windows are in C")]

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::windows::ffi::OsStringExt;
use std::os::windows::io::AsRawHandle;
use std::path::PathBuf;

use windows_sys::Win32::Storage::FileSystem::GetFinalPathNameByHandleW;

/// The path of an opened file with all links followed, in the form `\\?\C:\...`, as [`std::fs::canonicalize`] returns it.
pub(crate) fn path_of(file: &File) -> io::Result<PathBuf> {
    let mut path = vec![0u16; 512];
    loop {
        let room = u32::try_from(path.len()).map_err(io::Error::other)?;
        // SAFETY: the handle is open as long as `file` is borrowed, and the buffer has `room` units.
        let length = unsafe { GetFinalPathNameByHandleW(file.as_raw_handle(), path.as_mut_ptr(), room, 0) };
        match length as usize {
            0 => return Err(io::Error::last_os_error()),
            length if length < path.len() => return Ok(OsString::from_wide(&path[..length]).into()),
            // The length that it needs, with the zero at its end.
            needed => path.resize(needed + 1, 0),
        }
    }
}
