//! [`LazyHash`]: a hash that is computed on first use.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, LazyLock};

use crate::Hash;

/// A function that makes a hash.
type Make = Box<dyn FnOnce() -> Hash + Send + Sync>;

/// A hash that is computed on first use, once for all clones. It is for tables that most commands never read.
///
/// ```
/// use hieratic_value::{Hash, LazyHash, Value};
///
/// let ports = LazyHash::new(|| [("http", Value::from(80))].into_iter().collect());
/// assert_eq!(ports.get("http"), Some(&Value::Integer(80)));
/// ```
#[derive(Clone)]
pub struct LazyHash(Arc<LazyLock<Hash, Make>>);

impl LazyHash {
    /// Creates a hash whose content `make` returns. `make` is called at most once.
    pub fn new(make: impl FnOnce() -> Hash + Send + Sync + 'static) -> LazyHash {
        LazyHash(Arc::new(LazyLock::new(Box::new(make))))
    }
}

impl Deref for LazyHash {
    type Target = Hash;

    fn deref(&self) -> &Hash {
        &self.0
    }
}

impl From<Hash> for LazyHash {
    fn from(hash: Hash) -> LazyHash {
        LazyHash::new(move || hash)
    }
}

impl Default for LazyHash {
    fn default() -> LazyHash {
        Hash::default().into()
    }
}

impl fmt::Debug for LazyHash {
    /// Writes the hash if it is there; it is not made for this.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}
