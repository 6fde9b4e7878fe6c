//! Kinds and rights of files as text: `drwxr-xr-x` (<https://pkg.go.dev/io/fs#FileMode.String>).

use std::fs::Metadata;

#[cfg(unix)]
pub(super) fn text(metadata: &Metadata) -> String {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};

    let kind = metadata.file_type();
    let mode = metadata.mode();
    let flags = [
        (kind.is_dir(), 'd'),
        (kind.is_symlink(), 'L'),
        (kind.is_block_device() || kind.is_char_device(), 'D'),
        (kind.is_fifo(), 'p'),
        (kind.is_socket(), 'S'),
        (mode & 0o4000 != 0, 'u'),
        (mode & 0o2000 != 0, 'g'),
        (kind.is_char_device(), 'c'),
        (mode & 0o1000 != 0, 't'),
    ];
    let mut text: String = flags.iter().filter(|(set, _)| *set).map(|(_, letter)| letter).collect();
    if text.is_empty() {
        text.push('-');
    }
    text.extend("rwxrwxrwx".chars().enumerate().map(
        |(index, letter)| {
            if mode & (0o400 >> index) != 0 { letter } else { '-' }
        },
    ));
    text
}

#[cfg(not(unix))]
pub(super) fn text(metadata: &Metadata) -> String {
    let kind = if metadata.is_dir() { 'd' } else { '-' };
    let rights = if metadata.permissions().readonly() { "r--r--r--" } else { "rw-rw-rw-" };
    format!("{kind}{rights}")
}
