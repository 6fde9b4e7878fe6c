//! [`NodeTypes`]: the types of nodes and data in a service template and its imported files.
//!
//! Each file sees its own types and those of its imports, whose names may have a prefix:
//! <https://docs.unfurl.run/toscadef.html> describes imports and namespaces.

use std::sync::Arc;

use hieratic_budget::{Budget, Exhausted};
use hieratic_value::collections::HashMap;
use hieratic_value::{Hash, Str, Value};

/// The types of nodes and data, by the file that can use them. As in the reference, both kinds share one namespace.
///
/// ```
/// use hieratic_unfurl::{Budget, NodeTypes};
/// use hieratic_value::{Hash, Value};
///
/// let types: Hash = [("Web", Value::Undef)].into_iter().collect();
/// let mut known = NodeTypes::default();
/// let library = known.add_file();
/// known.define(library, &types);
/// known.import(NodeTypes::DOCUMENT, library, Some("lib"), &Budget::default())?;
/// assert!(known.contains(NodeTypes::DOCUMENT, "lib.Web"));
/// # Ok::<(), hieratic_budget::Exhausted>(())
/// ```
#[derive(Clone, Debug)]
pub struct NodeTypes {
    /// The types that each file sees, by their names there.
    files: Vec<HashMap<Str, Arc<NodeType>>>,
    /// The imports that cannot be seen, and why.
    unread: Vec<String>,
}

/// The id of a file that defines or imports types.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct TypesFile(usize);

/// A type of nodes.
#[derive(Debug)]
pub(crate) struct NodeType {
    /// The file that defines it, which sees the type that it is derived from.
    pub(crate) home: TypesFile,
    /// Its name there.
    pub(crate) name: Str,
    pub(crate) definition: Value,
}

impl Default for NodeTypes {
    /// The types of a document that defines none.
    fn default() -> NodeTypes {
        NodeTypes { files: vec![HashMap::default()], unread: Vec::new() }
    }
}

impl NodeTypes {
    /// The service template itself.
    pub const DOCUMENT: TypesFile = TypesFile(0);

    /// Adds a file without types.
    pub fn add_file(&mut self) -> TypesFile {
        self.files.push(HashMap::default());
        TypesFile(self.files.len() - 1)
    }

    /// Adds the types that a file defines. They replace imported ones with the same names.
    pub fn define(&mut self, home: TypesFile, types: &Hash) {
        let names = &mut self.files[home.0];
        for (name, definition) in types.iter() {
            let name: Str = name.to_text().into();
            let definition = definition.clone();
            names.insert(name.clone(), Arc::new(NodeType { home, name, definition }));
        }
    }

    /// Adds the types of an imported file, with a prefix before their names. They replace those that were imported
    /// before.
    ///
    /// # Errors
    ///
    /// The budget is exhausted: the number of names can double with each import.
    pub fn import(
        &mut self,
        into: TypesFile,
        from: TypesFile,
        prefix: Option<&str>,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let seen = self.files[from.0].clone();
        for (name, known) in seen {
            // A name is kept, which costs more than a step.
            budget.steps(16)?;
            let name = match prefix {
                Some(prefix) => {
                    budget.bytes(prefix.len() + name.len())?;
                    format!("{prefix}.{name}").into()
                }
                None => name,
            };
            self.files[into.0].insert(name, known);
        }
        Ok(())
    }

    /// Records an import that was not read.
    pub fn leave_unread(&mut self, import: &str) {
        self.unread.push(import.to_owned());
    }

    /// The advice for a type that no file defines.
    pub(crate) fn advice(&self, name: &str) -> String {
        let missing = format!("the type '{name}' is not defined in the files that were read");
        match &self.unread[..] {
            [] => format!("{missing}: import it"),
            [one, ..] => format!("{missing}; not read was {one}"),
        }
    }

    /// Returns whether a file can use the type with this name.
    pub fn contains(&self, file: TypesFile, name: &str) -> bool {
        self.find(file, name).is_some()
    }

    /// The type that a name means in a file.
    pub(crate) fn find(&self, file: TypesFile, name: &str) -> Option<&NodeType> {
        self.files.get(file.0)?.get(name).map(|known| &**known)
    }
}
