//! Operations on path strings (<https://pkg.go.dev/path/filepath>), without access to files.

/// Cleans a path: removes empty components and `.`, and each `..` with the component before it. An empty path is the
/// current folder.
///
/// ```
/// use hieratic_hcl_types::go::path::clean;
///
/// assert_eq!(clean("a//b/./../c"), "a/c");
/// assert_eq!(clean("/../a"), "/a");
/// ```
pub fn clean(path: &str) -> String {
    let joined = clean_components(path).join("/");
    match (path.starts_with('/'), joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".into(),
        (false, false) => joined,
    }
}

/// Returns the components of a cleaned path. In an absolute path, `..` at the root is removed.
pub fn clean_components(path: &str) -> Vec<&str> {
    let is_absolute = path.starts_with('/');
    let mut components: Vec<&str> = Vec::new();
    for component in path.split('/') {
        match component {
            "" | "." => {}
            ".." if components.last().is_some_and(|last| *last != "..") => {
                components.pop();
            }
            ".." if is_absolute => {}
            component => components.push(component),
        }
    }
    components
}

/// Joins two paths and cleans the result. Empty paths are ignored.
pub fn join(first: &str, second: &str) -> String {
    match (first.is_empty(), second.is_empty()) {
        (true, true) => String::new(),
        (true, false) => clean(second),
        (false, _) => clean(&format!("{first}/{second}")),
    }
}

/// Returns the last component.
pub fn base(path: &str) -> &str {
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

/// Returns all but the last component, cleaned.
pub fn directory(path: &str) -> String {
    match path.rfind('/') {
        Some(at) => clean(path.get(..=at).unwrap_or_default()),
        None => ".".into(),
    }
}

/// Returns the extension of the last component, with its dot. It may be empty.
///
/// ```
/// use hieratic_hcl_types::go::path::extension;
///
/// assert_eq!(extension("a.d/b.tar.gz"), ".gz");
/// assert_eq!(extension("a.d/b"), "");
/// ```
pub fn extension(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.rfind('.').and_then(|at| name.get(at..)).unwrap_or_default()
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
