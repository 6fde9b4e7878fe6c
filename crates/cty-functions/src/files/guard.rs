//! What may be read.

use std::path::{Path, PathBuf};

use super::paths;

/// Keeps reading within a folder, unless all may be read.
pub(super) struct Guard {
    base: String,
    outside: bool,
}

impl Guard {
    pub fn new(base: &str, outside: bool) -> Self {
        Self { base: base.to_owned(), outside }
    }

    /// # Errors
    ///
    /// The path is outside of the folder, by its steps or by symbolic links.
    pub fn check(&self, path: &str) -> Result<(), String> {
        if self.outside {
            return Ok(());
        }
        let told =
            || Err(format!("{path} is outside of the folder {}, below which alone files may be read", self.base));
        if !within(&absolute(path), &absolute(&self.base)) {
            return told();
        }
        // Links are followed as far as there is something; what is not there leads nowhere.
        let Ok(base) = std::fs::canonicalize(if self.base.is_empty() { "." } else { self.base.as_str() }) else {
            return Ok(());
        };
        let mut existing = Some(Path::new(path));
        while let Some(path) = existing.filter(|path| !path.as_os_str().is_empty()) {
            if let Ok(real) = std::fs::canonicalize(path) {
                return if real.starts_with(&base) { Ok(()) } else { told() };
            }
            if path.symlink_metadata().is_ok() {
                // A link that leads nowhere, or in a circle: nobody knows where it will lead.
                return if path.exists() { told() } else { Ok(()) };
            }
            existing = path.parent();
        }
        Ok(())
    }
}

/// A path from the root on, by its steps alone.
fn absolute(path: &str) -> PathBuf {
    let current = || std::env::current_dir().ok().and_then(|current| current.to_str().map(str::to_owned));
    if path.starts_with('/') {
        return paths::clean(path).into();
    }
    paths::joined(&current().unwrap_or_else(|| "/".into()), path).into()
}

fn within(path: &Path, base: &Path) -> bool {
    path.starts_with(base)
}
