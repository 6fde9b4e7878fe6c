//! Joins and prints paths as the reference does, because explanations show them.

use std::path::{Path, PathBuf};

/// Joins a relative path to a directory as Ruby's `Pathname#+` does: each leading `..` removes a component of the
/// directory, and the rest stays as written. An absolute path is returned unchanged.
pub(crate) fn join(base: &Path, path: &str) -> PathBuf {
    if path.starts_with('/') {
        return PathBuf::from(path);
    }
    let mut rest = path;
    let mut base = base.to_string_lossy().trim_end_matches('/').to_string();
    loop {
        let component = rest.split('/').next().unwrap_or("");
        match component {
            "." => {}
            "" if !rest.is_empty() => {}
            ".." => match base.rfind('/') {
                Some(end) if !base.ends_with("/..") => base.truncate(end),
                None if base.is_empty() => {}
                _ => break,
            },
            _ => break,
        }
        rest = rest[component.len()..].trim_start_matches('/');
        if rest.is_empty() {
            break;
        }
    }
    if rest.is_empty() || rest == "." {
        return PathBuf::from(if base.is_empty() { "/" } else { &base });
    }
    PathBuf::from(format!("{base}/{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leading_dots_are_taken_off_by_name() {
        for (base, path, joined) in [
            ("/a/b", "c.yaml", "/a/b/c.yaml"),
            ("/a/b", "../c", "/a/c"),
            ("/a/b", "../../../c", "/c"),
            ("/a/b", "./c", "/a/b/c"),
            ("/a/b", "c/../d", "/a/b/c/../d"),
            ("/a/b", "/x/y", "/x/y"),
            ("/a/b", "..", "/a"),
            ("/a/b", ".", "/a/b"),
            ("/a/b", "", "/a/b"),
            ("/a/b/", "c", "/a/b/c"),
        ] {
            assert_eq!(join(Path::new(base), path), PathBuf::from(joined), "{base} + {path}");
        }
    }
}
