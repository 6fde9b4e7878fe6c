//! [`Calls`]: the running code: its source, the position of its call, and the output of its templates.

use hieratic_diagnostics::Source;
use hieratic_puppet_functions::Site;
use hieratic_value::Value;

/// The calls in progress.
#[derive(Debug)]
pub(crate) struct Calls {
    /// The source of the running code.
    source: Source,
    /// The position of the running call, in bytes.
    at: u32,
    /// The output of the templates that are being rendered.
    outputs: Vec<Vec<Value>>,
    /// Whether the type of an alias is being resolved.
    in_alias: bool,
}

impl Default for Calls {
    fn default() -> Calls {
        Calls { source: Source::new("", ""), at: 0, outputs: Vec::new(), in_alias: false }
    }
}

impl Calls {
    /// Returns the source of the running code.
    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// Continues in another source, and returns the one before.
    pub(super) fn enter_source(&mut self, source: Source) -> Source {
        std::mem::replace(&mut self.source, source)
    }

    /// Moves to a call, and returns the position before.
    pub(super) fn move_to(&mut self, at: u32) -> u32 {
        std::mem::replace(&mut self.at, at)
    }

    /// Returns the position of the running call.
    pub(super) fn site(&self) -> Site {
        self.site_at(self.at)
    }

    /// Returns whether the type of an alias is being resolved.
    pub(crate) fn is_in_alias(&self) -> bool {
        self.in_alias
    }

    /// Begins or ends the resolution of an alias, and returns whether one was being resolved before.
    pub(super) fn resolve_alias(&mut self, begins: bool) -> bool {
        std::mem::replace(&mut self.in_alias, begins)
    }

    /// Begins the output of a template.
    pub(super) fn open_output(&mut self) {
        self.outputs.push(Vec::new());
    }

    /// Appends to the output of the innermost template.
    pub(super) fn write(&mut self, piece: Value) {
        if let Some(pieces) = self.outputs.last_mut() {
            pieces.push(piece);
        }
    }

    /// Ends the output of the innermost template and returns it.
    pub(super) fn close_output(&mut self) -> Vec<Value> {
        // Each call follows one that began an output.
        self.outputs.pop().unwrap_or_default()
    }
}
