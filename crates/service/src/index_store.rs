//! [`IndexStore`]: where indexes of all nodes are kept between starts of the service.

use std::io;

/// Keeps indexes of all nodes between starts of the service.
pub trait IndexStore: std::fmt::Debug + Send + Sync {
    /// Identifies the program: an index of another one is not used.
    fn program(&self) -> &str;

    /// Returns the bytes that were kept under a name; `None` without.
    ///
    /// # Errors
    /// They cannot be read.
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>>;

    /// Keeps bytes under a name, in place of those before: both or neither is seen by others.
    ///
    /// # Errors
    /// They cannot be written.
    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()>;
}
