//! [`Program`]: the definitions outside of the checked file.

use std::sync::Arc;

use hieratic::puppet_eval::{AllowedValues, RubySignatures};
use hieratic::puppet_types::{PuppetVersion, Type};

use crate::index::Index;
use crate::summary::Definition;

/// A resource type that is not a defined type, as far as it is known.
#[derive(Clone, Debug)]
pub enum ResourceAnswer {
    /// It exists, with these attributes, those that every resource has left out.
    Known(Arc<[String]>),
    /// It exists, and its attributes are not known.
    Opaque,
    /// It does not exist in the visible code.
    Absent,
}

/// The code around a file. Implementations cache their answers: every method is called often.
pub trait Program {
    /// The version of the language.
    fn version(&self) -> PuppetVersion;

    /// The definitions of all manifests.
    fn index(&self) -> &Index;

    /// Returns whether every module that code can name without a qualifier is present.
    fn is_complete(&self) -> bool;

    /// Returns whether a module is present with all its code, and no other module of this name can come before it.
    fn has_module(&self, name: &str) -> bool;

    /// Returns whether a module defines a function in Ruby. The name is in full.
    fn has_ruby_function(&self, name: &str) -> bool;

    /// Returns the signatures of a function in Ruby of a module; `None` if they are not known.
    fn ruby_function(&self, name: &str) -> Option<Arc<RubySignatures>>;

    /// Returns a resource type of the agent or of a module in Ruby, by its name in lower case.
    fn resource_type(&self, name: &str) -> ResourceAnswer;

    /// Returns the type that an expression in the language is; `None` if it is unknown.
    fn data_type(&self, text: &str) -> Option<Type> {
        self.index().data_type(text)
    }

    /// Returns the values that an attribute of a resource type in Ruby allows; `None` if it takes any value, or that is not
    /// known.
    fn allowed_values(&self, _resource_type: &str, _attribute: &str) -> Option<Arc<AllowedValues>> {
        None
    }

    /// The providers of a resource type that modules add, by the names of their files.
    fn providers(&self, _resource_type: &str) -> Vec<&str> {
        Vec::new()
    }

    /// The names of the functions in Ruby of modules.
    fn ruby_function_names(&self) -> Vec<&str> {
        Vec::new()
    }

    /// The names of the resource types in Ruby of modules.
    fn ruby_type_names(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Returns whether a module defines a data type in Ruby.
    fn has_ruby_data_type(&self, name: &str) -> bool;

    /// Returns whether a module has a file; `None` if that cannot be seen. `folder` is `files` or `templates`.
    fn has_file(&self, module: &str, folder: &str, path: &str) -> Option<bool>;

    /// Returns the parameters of a template of EPP; `None` if it has no list of them or cannot be read.
    fn template(&self, module: &str, path: &str) -> Option<Arc<Definition>>;

    /// Returns whether Facter, a module or a node adds a fact of this name.
    fn is_fact(&self, name: &str) -> bool;

    /// Returns the fact that replaces a legacy one which agents of the version omit, as an expression.
    fn successor_of_fact(&self, _name: &str) -> Option<String> {
        None
    }

    /// The names of the facts that modules and nodes add.
    fn fact_names(&self) -> Vec<&str> {
        Vec::new()
    }
}
