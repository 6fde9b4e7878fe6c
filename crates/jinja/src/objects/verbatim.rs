//! Strings among variables that are no templates, whatever is in them.

use std::fmt;
use std::sync::Arc;

use minijinja::value::{Object, ObjectRepr};

/// A string that is marked `!unsafe`.
#[derive(Debug)]
pub struct Verbatim(pub Arc<str>);

impl Object for Verbatim {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// A string that is marked `!vault`, as it is written: it is decrypted when it is used.
#[derive(Debug)]
pub struct Encrypted(pub Arc<str>);

impl Object for Encrypted {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}
