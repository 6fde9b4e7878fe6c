//! [`Picker`]: chooses the node whose answers are shown, and queries an [`Inventory`] for nodes without files.

use std::path::PathBuf;
use std::sync::Arc;

use lsp_server::ResponseError;
use serde_json::Value;

use crate::client::{failed, invalid_parameters};
use crate::extensions::Status;
use crate::global_state::GlobalState;
use crate::options::{Inventory, NodeMemory};
use crate::status::{ServerStatus, status};

/// Chooses nodes.
pub(crate) struct Picker {
    pub(crate) global: Arc<GlobalState>,
    /// The folder for which a choice is remembered.
    pub(crate) folder: Option<PathBuf>,
    pub(crate) memory: Arc<dyn NodeMemory>,
    pub(crate) inventory: Option<Arc<dyn Inventory>>,
}

impl Picker {
    /// Chooses a node, or no node if the argument is null. Without an argument, the nodes are listed.
    pub(crate) fn choose(&self, argument: Option<&Value>) -> Result<ServerStatus, ResponseError> {
        let node = match argument {
            // Without a name the client asks which there are.
            None => {
                self.list().map_err(failed)?;
                return Ok(status(&self.global));
            }
            Some(Value::Null) => None,
            Some(Value::String(name)) => Some(name.clone()),
            Some(_) => {
                return Err(invalid_parameters("the argument is the name of a node, or null"));
            }
        };
        if let Some(name) = &node
            && !is_node_name(name)
        {
            return Err(invalid_parameters(format!("'{name}' cannot be the name of a node")));
        }
        self.take(node.clone()).map_err(failed)?;
        if let Some(folder) = &self.folder {
            self.memory.choose(folder, node.as_deref());
        }
        Ok(self.send_status())
    }

    /// Learns which nodes the inventory has, and the facts of the node that is chosen already.
    pub(crate) fn load(&self) {
        let chosen = self.global.snapshot().chosen.name.clone();
        let loaded = self.list().and_then(|()| match chosen {
            Some(_) => self.take(chosen),
            None => Ok(()),
        });
        if let Err(reason) = loaded {
            self.global.client.show_warning(format!("hieratic: {reason}"));
        }
        self.send_status();
    }

    fn list(&self) -> Result<(), String> {
        let Some(inventory) = &self.inventory else { return Ok(()) };
        let names = inventory.names()?;
        self.global.change_chosen(|chosen, _| chosen.with_others(names));
        Ok(())
    }

    fn take(&self, node: Option<String>) -> Result<(), String> {
        let described = |name: &String| self.global.snapshot().chosen.describes(name);
        let facts = match (&self.inventory, &node) {
            (Some(inventory), Some(name)) if !described(name) => inventory.facts(name)?,
            _ => None,
        };
        self.global.change_chosen(|chosen, version| {
            let mut chosen = chosen.with_node(node, version);
            if let Some(facts) = facts {
                chosen.facts = Some(facts);
            }
            chosen
        });
        Ok(())
    }

    /// Has the client show the choice and what depends on it.
    fn send_status(&self) -> ServerStatus {
        let status = status(&self.global);
        self.global.client.notify::<Status>(status.clone());
        self.global.refresh();
        status
    }
}

/// Returns whether a string can be the name of a node.
fn is_node_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() < 256
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-:".contains(&byte))
}
