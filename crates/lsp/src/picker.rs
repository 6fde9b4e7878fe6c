//! [`Picker`]: chooses the node whose answers are shown, and asks an [`Inventory`] for other nodes than those of files.

use std::path::PathBuf;
use std::sync::Arc;

use lsp_server::{ErrorCode, ResponseError};
use serde_json::{Value, json};

use crate::client::{failed, unanswered};
use crate::hub::Hub;
use crate::server::{Inventory, Memory};

/// Chooses nodes.
pub(crate) struct Picker {
    pub(crate) hub: Arc<Hub>,
    /// The folder for which a choice is remembered.
    pub(crate) folder: Option<PathBuf>,
    pub(crate) memory: Arc<dyn Memory>,
    pub(crate) inventory: Option<Arc<dyn Inventory>>,
}

/// Which node is chosen, and among which.
pub(crate) fn status(hub: &Hub) -> Value {
    let chosen = hub.world().chosen;
    json!({"node": chosen.name, "nodes": chosen.names()})
}

impl Picker {
    /// Answers the command that chooses a node, or asks which there are.
    pub(crate) fn choose(&self, parameters: &Value) -> Result<Value, ResponseError> {
        let node = match parameters["arguments"].get(0) {
            // Without a name the client asks which there are.
            None => {
                self.list().map_err(failed)?;
                return Ok(status(&self.hub));
            }
            Some(Value::Null) => None,
            Some(Value::String(name)) => Some(name.clone()),
            Some(_) => return Err(unanswered(ErrorCode::InvalidParams, "the argument is the name of a node, or null")),
        };
        if let Some(name) = &node
            && !is_node_name(name)
        {
            return Err(unanswered(ErrorCode::InvalidParams, format!("'{name}' cannot be the name of a node")));
        }
        self.take(node.clone()).map_err(failed)?;
        if let Some(folder) = &self.folder {
            self.memory.choose(folder, node.as_deref());
        }
        Ok(self.tell())
    }

    /// Learns which nodes the inventory has, and the facts of the node that is chosen already.
    pub(crate) fn load(&self) {
        let chosen = self.hub.world().chosen.name.clone();
        let loaded = self.list().and_then(|()| match chosen {
            Some(_) => self.take(chosen),
            None => Ok(()),
        });
        if let Err(why) = loaded {
            self.hub.client.show(format!("hieratic: {why}"));
        }
        self.tell();
    }

    fn list(&self) -> Result<(), String> {
        let Some(inventory) = &self.inventory else { return Ok(()) };
        let names = inventory.names()?;
        self.hub.change_chosen(|chosen, _| chosen.with_others(names));
        Ok(())
    }

    fn take(&self, node: Option<String>) -> Result<(), String> {
        let described = |name: &String| self.hub.world().chosen.describes(name);
        let facts = match (&self.inventory, &node) {
            (Some(inventory), Some(name)) if !described(name) => inventory.facts(name)?,
            _ => None,
        };
        self.hub.change_chosen(|chosen, version| {
            let mut chosen = chosen.choosing(node, version);
            if let Some(facts) = facts {
                chosen.facts = Some(facts);
            }
            chosen
        });
        Ok(())
    }

    /// Has the client show the choice and what depends on it.
    fn tell(&self) -> Value {
        let status = status(&self.hub);
        self.hub.client.notify_by("hieratic/status", status.clone());
        self.hub.refresh();
        status
    }
}

/// Returns whether a string can be the name of a node.
fn is_node_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() < 256
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-:".contains(&byte))
}
