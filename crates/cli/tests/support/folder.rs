//! Folders with files for one test.

use std::fs;

use tempfile::TempDir;

/// A folder with these files: names from the folder, and texts.
pub fn folder_of(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}
