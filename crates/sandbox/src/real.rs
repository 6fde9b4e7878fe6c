//! [`path`]: a path with every link in it followed.

#[cfg(not(target_os = "wasi"))]
pub(crate) use std::fs::canonicalize as path;

#[cfg(target_os = "wasi")]
pub(crate) use by_components as path;

/// The number of links that a path may lead through, as Linux has it.
#[cfg(any(target_os = "wasi", test))]
const MAX_LINKS: usize = 40;

/// Follows the links of a path one by one, for a system without `realpath`.
///
/// # Errors The path does not exist, a part of it is not a folder, or it has too many links.
#[cfg(any(target_os = "wasi", test))]
pub(crate) fn by_components(path: impl AsRef<std::path::Path>) -> std::io::Result<std::path::PathBuf> {
    use std::fs;
    use std::io::{Error, ErrorKind};
    use std::path::{Component, PathBuf};

    let whole = std::path::absolute(path)?;
    let mut rest: Vec<PathBuf> = whole.components().rev().map(|part| part.as_os_str().into()).collect();
    let (mut real, mut links) = (PathBuf::from("/"), 0);
    while let Some(part) = rest.pop() {
        match part.components().next() {
            Some(Component::ParentDir) => {
                real.pop();
            }
            Some(Component::Normal(name)) => {
                let next = real.join(name);
                let about = fs::symlink_metadata(&next)?;
                if about.is_symlink() {
                    links += 1;
                    if links > MAX_LINKS {
                        return Err(Error::other("too many links"));
                    }
                    let target = fs::read_link(&next)?;
                    if target.is_absolute() {
                        real = PathBuf::from("/");
                    }
                    rest.extend(target.components().rev().map(|part| PathBuf::from(part.as_os_str())));
                } else if !about.is_dir() && !rest.is_empty() {
                    return Err(ErrorKind::NotADirectory.into());
                } else {
                    real = next;
                }
            }
            _ => {}
        }
    }
    Ok(real)
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::by_components;

    #[test]
    fn links_are_followed_as_the_system_follows_them() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::write(root.join("a/b/c"), "").unwrap();
        symlink("a/b", root.join("relative")).unwrap();
        symlink(root.join("relative"), root.join("absolute")).unwrap();
        symlink("../relative/c", root.join("a/up")).unwrap();
        symlink("loop", root.join("loop")).unwrap();
        symlink("missing", root.join("dangling")).unwrap();
        for path in [
            ".",
            "a/b/c",
            "relative/c",
            "absolute/c",
            "a/up",
            "a/b/../b/./c",
            "absolute/../b",
            "loop",
            "dangling",
            "a/b/c/d",
            "a/b/c/..",
            "nothing",
        ] {
            let path = root.join(path);
            assert_eq!(by_components(&path).ok(), fs::canonicalize(&path).ok(), "{}", path.display());
        }
    }
}
