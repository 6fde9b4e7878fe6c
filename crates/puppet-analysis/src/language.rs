//! [`LanguageProgram`]: a program whose only modules are its manifests.

use std::sync::{Arc, LazyLock};

use hieratic::puppet_eval::{self, RubySignatures};
use hieratic::puppet_types::PuppetVersion;
use hieratic::value::collections::HashMap;

use crate::index::Index;
use crate::program::{Program, ResourceAnswer};
use crate::summary::{Definition, DefinitionKind};

/// A program of manifests without modules, for tests and single files.
pub struct LanguageProgram {
    index: Index,
    version: PuppetVersion,
}

impl LanguageProgram {
    /// Creates the program of some definitions.
    pub fn new(index: Index) -> LanguageProgram {
        LanguageProgram { index, version: PuppetVersion::default() }
    }
}

impl Program for LanguageProgram {
    fn version(&self) -> PuppetVersion {
        self.version
    }

    fn index(&self) -> &Index {
        &self.index
    }

    fn is_complete(&self) -> bool {
        true
    }

    fn has_module(&self, name: &str) -> bool {
        let is_of = |known: &str| known.split("::").next() == Some(name);
        self.index.names(DefinitionKind::Class).any(is_of)
    }

    fn has_ruby_function(&self, _: &str) -> bool {
        false
    }

    fn ruby_function(&self, _: &str) -> Option<Arc<RubySignatures>> {
        None
    }

    fn resource_type(&self, name: &str) -> ResourceAnswer {
        agent_type(name)
    }

    fn has_ruby_data_type(&self, _: &str) -> bool {
        false
    }

    fn has_file(&self, _: &str, _: &str, _: &str) -> Option<bool> {
        None
    }

    fn template(&self, _: &str, _: &str) -> Option<Arc<Definition>> {
        None
    }

    fn is_fact(&self, _: &str) -> bool {
        false
    }
}

/// The resource types of the agent, with their attributes.
static AGENT_TYPES: LazyLock<HashMap<&'static str, Arc<[String]>>> = LazyLock::new(|| {
    let attributes =
        |name: &str| puppet_eval::resource_attributes(name).into_iter().flatten().map(str::to_owned).collect();
    puppet_eval::resource_type_names().map(|name| (name, attributes(name))).collect()
});

/// Returns a resource type of the agent, by its name in lower case.
pub fn agent_type(name: &str) -> ResourceAnswer {
    AGENT_TYPES.get(name).map_or(ResourceAnswer::Absent, |attributes| ResourceAnswer::Known(attributes.clone()))
}
