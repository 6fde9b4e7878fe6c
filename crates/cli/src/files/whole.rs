//! [`whole`]: files that appear only when they are complete.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

/// Writes a file that appears only when it is complete.
pub(crate) fn whole<T>(path: &Path, write: impl FnOnce(File) -> io::Result<T>) -> io::Result<T> {
    let name = path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    let part = path.with_file_name(format!(".{}.{}.part", name.to_string_lossy(), super::private::process_number()));
    let file = OpenOptions::new().write(true).create_new(true).open(&part)?;
    let written = file.try_clone().and_then(write).and_then(|value| {
        file.sync_all()?;
        fs::rename(&part, path)?;
        Ok(value)
    });
    if written.is_err() {
        // The partial file is useless. A failure to remove it changes nothing.
        let _ = fs::remove_file(&part);
    }
    written
}
