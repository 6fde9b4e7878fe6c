//! File types and permissions as text: `drwxr-xr-x` (<https://pkg.go.dev/io/fs#FileMode.String>).

/// The bits of the file type, and their values for each type that has a letter.
const KIND: u32 = 0o170_000;
const FOLDER: u32 = 0o040_000;
const LINK: u32 = 0o120_000;
const BLOCK_DEVICE: u32 = 0o060_000;
const CHARACTER_DEVICE: u32 = 0o020_000;
const PIPE: u32 = 0o010_000;
const SOCKET: u32 = 0o140_000;

/// Formats a Unix mode.
pub(super) fn text(mode: u32) -> String {
    let kind = mode & KIND;
    let flags = [
        (kind == FOLDER, 'd'),
        (kind == LINK, 'L'),
        (kind == BLOCK_DEVICE || kind == CHARACTER_DEVICE, 'D'),
        (kind == PIPE, 'p'),
        (kind == SOCKET, 'S'),
        (mode & 0o4000 != 0, 'u'),
        (mode & 0o2000 != 0, 'g'),
        (kind == CHARACTER_DEVICE, 'c'),
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

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn modes_print_as_in_go() {
        for (mode, expected) in [
            (0o100_644, "-rw-r--r--"),
            (0o040_755, "drwxr-xr-x"),
            (0o041_777, "dtrwxrwxrwx"),
            (0o020_620, "Dcrw--w----"),
            (0o104_755, "urwxr-xr-x"),
        ] {
            assert_eq!(text(mode), expected, "{mode:o}");
        }
    }
}
