//! Copies the metadata of a file to its replacement: owner, permissions, and extended attributes, which include access
//! control lists and labels of security modules.

use std::fs::File;
use std::io::{Error, Result};

/// Copies the metadata of the old file to the new one.
///
/// # Errors
/// Metadata that cannot be copied, and the reason.
pub(super) fn copy(new: &File, old: &File) -> Result<()> {
    let before = old.metadata()?;
    keep_owner(new, &before).map_err(|error| with_context("its owner", &error))?;
    // WebAssembly has no permissions: its host keeps those of a file that is replaced.
    if !cfg!(target_os = "wasi") {
        new.set_permissions(before.permissions()).map_err(|error| with_context("its permissions", &error))?;
    }
    // Access control lists are copied last, because setting permissions changes them.
    keep_extended(new, old)
}

fn with_context(subject: &str, error: &Error) -> Error {
    Error::new(error.kind(), format!("{subject} cannot be kept: {error}"))
}

/// Sets the owner and group of the new file to those of the old one, if they differ.
#[cfg(unix)]
fn keep_owner(new: &File, before: &std::fs::Metadata) -> Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let now = new.metadata()?;
    if (now.uid(), now.gid()) == (before.uid(), before.gid()) {
        return Ok(());
    }
    fchown(new, Some(before.uid()), Some(before.gid()))
}

/// A file of Windows belongs to the user who creates it. Its access control list is copied below.
#[cfg(not(unix))]
fn keep_owner(_: &File, _: &std::fs::Metadata) -> Result<()> {
    Ok(())
}

#[cfg(target_os = "linux")]
fn keep_extended(new: &File, old: &File) -> Result<()> {
    use rustix::fs::{XattrFlags, fsetxattr};
    /// The attributes that the kernel computes from the content of a file.
    const OF_THE_BYTES: [&[u8]; 2] = [b"security.ima", b"security.evm"];
    let names = attributes(old)?;
    for name in names.split(|byte| *byte == 0).filter(|name| !name.is_empty() && !OF_THE_BYTES.contains(name)) {
        let copied = || -> Result<()> {
            let value = value(old, name)?;
            // A label that the new file has already need not be allowed to be set.
            if self::value(new, name).ok().as_ref() == Some(&value) {
                return Ok(());
            }
            Ok(fsetxattr(new, name, &value, XattrFlags::empty())?)
        };
        copied().map_err(|error| with_context(&format!("its attribute {}", String::from_utf8_lossy(name)), &error))?;
    }
    Ok(())
}

#[cfg(windows)]
fn keep_extended(new: &File, old: &File) -> Result<()> {
    super::windows::copy_access(new, old).map_err(|error| with_context("its access control list", &error))
}

#[cfg(not(any(windows, target_os = "linux")))]
fn keep_extended(_: &File, _: &File) -> Result<()> {
    Ok(())
}

/// The names of a file's attributes, each terminated by a zero byte; empty if the file system has no attributes.
#[cfg(target_os = "linux")]
fn attributes(file: &File) -> Result<Vec<u8>> {
    use rustix::fs::flistxattr;
    use rustix::io::Errno;
    match read(|buffer| flistxattr(file, buffer)) {
        Err(Errno::NOTSUP | Errno::NOSYS) => Ok(Vec::new()),
        names => Ok(names?),
    }
}

#[cfg(target_os = "linux")]
fn value(file: &File, name: &[u8]) -> Result<Vec<u8>> {
    Ok(read(|buffer| rustix::fs::fgetxattr(file, name, buffer))?)
}

/// Reads the result of a call into a buffer. Linux limits values and lists of names to this size.
#[cfg(target_os = "linux")]
fn read(call: impl Fn(&mut [u8]) -> rustix::io::Result<usize>) -> rustix::io::Result<Vec<u8>> {
    const LONGEST: usize = 1 << 16;
    let mut buffer = vec![0; LONGEST];
    let length = call(&mut buffer)?;
    buffer.truncate(length);
    Ok(buffer)
}
