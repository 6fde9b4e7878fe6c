//! Paths that lead out of a folder, without access to files. Source of the rules:
//! <https://pkg.go.dev/path/filepath>.

use hieratic_hcl_types::go::path::clean_components;

/// Returns whether the relative path from a folder to a path begins with two dots. `None` if there is no relative path:
/// only one of them is absolute, or the folder is above their common start.
fn leads_out(folder: &str, path: &str) -> Option<bool> {
    if folder.starts_with('/') != path.starts_with('/') {
        return None;
    }
    let (folder, path) = (clean_components(folder), clean_components(path));
    let common = folder.iter().zip(&path).take_while(|(one, other)| one == other).count();
    match folder.get(common) {
        Some(&"..") => None,
        Some(_) => Some(true),
        // A name may begin with two dots, too; the reference treats it as `..`.
        None => Some(path.get(common).is_some_and(|next| next.starts_with(".."))),
    }
}

/// Returns whether a path relative to a folder of an allocation leads outside of the allocation.
pub(crate) fn escapes_allocation(folder: &str, path: &str) -> bool {
    // Most paths contain no `..`.
    path.contains("..")
        && leads_out("/alloc-dir/alloc-id", &format!("/alloc-dir/alloc-id/{folder}/{path}")).unwrap_or_default()
}

/// Returns whether a path is a folder, or within it.
pub(crate) fn is_within(folder: &str, path: &str) -> bool {
    leads_out(folder, path).is_some_and(|out| !out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_outside_of_the_allocation_are_found() {
        assert!(!escapes_allocation("task", "../x"));
        assert!(!escapes_allocation("task", "../../alloc-id/x"));
        assert!(escapes_allocation("task", "../../x"));
        assert!(escapes_allocation("task", "a/../../.."));
        assert!(!escapes_allocation("task", "/etc/passwd"));
        assert!(escapes_allocation("task", "../..hidden"));
        assert!(!escapes_allocation("task/local/", ".."));
    }

    #[test]
    fn is_within_compares_components() {
        assert!(is_within("/csi", "/csi/a"));
        assert!(is_within("/csi", "/csi/"));
        assert!(!is_within("/csi", "/csi2"));
        assert!(!is_within("/csi", "csi"));
        assert!(is_within("a", "a/b"));
        assert!(!is_within("../a", "b"));
        assert!(!is_within("/csi", "/csi/..a"));
    }
}
