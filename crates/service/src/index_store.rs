//! [`IndexStore`]: stores the indexes of all nodes between starts of the service.

use std::io;

/// Stores the indexes of all nodes between starts of the service.
pub trait IndexStore: std::fmt::Debug + Send + Sync {
    /// Returns an id of the program. An index of another program is not used.
    fn program(&self) -> &str;

    /// Returns the bytes that are stored under a name, or `None` if there are none.
    ///
    /// # Errors
    /// The bytes cannot be read.
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>>;

    /// Stores bytes under a name and replaces those before, atomically.
    ///
    /// # Errors
    /// The bytes cannot be written.
    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()>;
}
