//! Checks that names in trees and in the index are valid for git.

/// Refuses a path of the index, or a name of a tree, that leads on some system out of the root or into the repository
/// itself. The error is the reason. See `verify_path` of git.
pub(crate) fn check_path(path: &[u8]) -> Result<(), String> {
    path.split(|byte| *byte == b'/').try_for_each(check_name)
}

/// Like [`check_path`], for one name.
pub(crate) fn check_name(name: &[u8]) -> Result<(), String> {
    let reason = match name {
        b"" => "it is empty",
        b"." | b".." => "it leads to a parent folder",
        _ if name.iter().any(|byte| matches!(byte, b'/' | 0)) || cfg!(windows) && name.contains(&b'\\') => {
            "it contains a separator"
        }
        // Files of systemd have names with backslashes, which are ordinary characters unless they are separators.
        _ if name.split(|byte| *byte == b'\\').any(is_own_folder) => "it is the folder of the repository itself",
        _ => return Ok(()),
    };
    Err(format!("the name '{}' is not allowed: {reason}", name.escape_ascii()))
}

/// Returns whether some file system takes a name for `.git`: in any case of letters, with dots, spaces or a stream
/// after it, in its short form, or with invisible characters.
fn is_own_folder(name: &[u8]) -> bool {
    let begins_with = |word: &[u8]| name.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    // Nothing is ignored before the end of a name in ASCII, as nearly all are.
    if name.is_ascii() && !begins_with(b".git") && !begins_with(b"git~1") {
        return false;
    }
    let Ok(text) = std::str::from_utf8(name) else { return false };
    // macOS ignores these characters in names.
    let is_ignored =
        |c: char| matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}');
    let seen: String = text.chars().filter(|c| !is_ignored(*c)).map(|c| c.to_ascii_lowercase()).collect();
    let whole = seen.split(':').next().unwrap_or(&seen);
    matches!(whole.trim_end_matches(['.', ' ']), ".git" | "git~1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_refused_that_git_refuses() {
        for name in
            ["a", ".gitignore", ".github", "...", "git", "a.git", "ä", ".gitt", "..a", "git~2", "a:b", "a\\x2db"]
        {
            assert!(check_name(name.as_bytes()).is_ok(), "{name}");
        }
        for name in [
            "",
            ".",
            "..",
            "a/b",
            "a\\.git",
            "a\0b",
            ".git",
            ".GIT",
            ".Git ",
            ".git.",
            ".git...",
            "git~1",
            "GIT~1",
            ".git::$DATA",
            ".g\u{200c}it",
        ] {
            assert!(check_name(name.as_bytes()).is_err(), "{name}");
        }
        assert!(check_path(b"a/b/c").is_ok() && check_name(b"\xff").is_ok());
        for path in ["/a", "a//b", "../a", "a/../b", "a/.git/config", "a/", ""] {
            assert!(check_path(path.as_bytes()).is_err(), "{path}");
        }
    }
}
