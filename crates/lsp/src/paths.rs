//! Addresses of files, as clients write them, and paths.

use std::path::{Path, PathBuf};

use lsp_types::Url;

/// Returns the path of an address; `None` if it is not the address of a file.
pub(crate) fn path_of(uri: &Url) -> Option<PathBuf> {
    if uri.scheme() != "file" {
        return None;
    }
    uri.to_file_path().ok().map(|path| hieratic::sandbox::plain(&path))
}

/// The address of a path.
pub(crate) fn uri_of(path: &Path) -> Option<Url> {
    Url::from_file_path(path).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_survive_the_round_trip() {
        for path in ["/srv/a b/c.yaml", "/srv/\u{e9}/%41.pp"] {
            let uri = uri_of(path.as_ref()).unwrap();
            assert_eq!(path_of(&uri), Some(PathBuf::from(path)));
        }
        assert_eq!(path_of(&Url::parse("untitled:x").unwrap()), None);
        assert_eq!(path_of(&Url::parse("file:///a/../b").unwrap()), Some(PathBuf::from("/b")));
    }
}
