//! Operations on path strings (<https://pkg.go.dev/path/filepath>), without file system access.

/// Cleans a path: `a//b/./../c` is `a/c`. An empty path is the current folder.
pub(super) fn clean(path: &str) -> String {
    let rooted = path.starts_with('/');
    let mut steps: Vec<&str> = Vec::new();
    for step in path.split('/') {
        match step {
            "" | "." => {}
            ".." => match steps.last() {
                Some(&last) if last != ".." => drop(steps.pop()),
                _ if rooted => {}
                _ => steps.push(".."),
            },
            step => steps.push(step),
        }
    }
    let joined = steps.join("/");
    match (rooted, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".into(),
        (false, false) => joined,
    }
}

/// Joins two paths and cleans the result. Empty ones are ignored.
pub(super) fn joined(first: &str, second: &str) -> String {
    match (first.is_empty(), second.is_empty()) {
        (true, true) => String::new(),
        (true, false) => clean(second),
        (false, _) => clean(&format!("{first}/{second}")),
    }
}

/// The last step.
pub(super) fn base(path: &str) -> &str {
    if path.is_empty() {
        return ".";
    }
    let path = path.trim_end_matches('/');
    match path.rsplit_once('/') {
        _ if path.is_empty() => "/",
        Some((_, last)) => last,
        None => path,
    }
}

/// All but the last step.
pub(super) fn directory(path: &str) -> String {
    match path.rfind('/') {
        Some(at) => clean(path.get(..=at).unwrap_or_default()),
        None => ".".into(),
    }
}

/// A path as seen from a folder above it.
pub(super) fn relative<'p>(from: &str, path: &'p str) -> Option<&'p str> {
    match from {
        "." => Some(path),
        "/" => path.strip_prefix('/'),
        from => path.strip_prefix(from)?.strip_prefix('/'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clean_removes_dots_and_slashes() {
        for (path, cleaned) in
            [("", "."), ("a//b/./../c/", "a/c"), ("/../a", "/a"), ("../../a/..", "../.."), ("/", "/"), ("./a", "a")]
        {
            assert_eq!(clean(path), cleaned, "{path}");
        }
    }

    #[test]
    fn base_returns_the_last_component() {
        for (path, last, rest) in [
            ("", ".", "."),
            ("/", "/", "/"),
            ("a/b/", "b", "a/b"),
            ("a", "a", "."),
            ("/a", "a", "/"),
            ("a//", "a", "a"),
        ] {
            assert_eq!((base(path), directory(path).as_str()), (last, rest), "{path}");
        }
    }
}
