//! [`Program`]: the definitions outside of the checked file.

use std::sync::Arc;

use hieratic::puppet_eval::{AllowedValues, DeclaredAttribute, RubySignatures};
use hieratic::puppet_types::{PuppetVersion, Type};
use hieratic::value::Str;

use crate::index::Index;
use crate::summary::Definition;

/// The known properties of a native resource type.
#[derive(Clone, Debug)]
pub enum ResourceAnswer {
    /// It exists and has these attributes, in addition to the metaparameters.
    Known(Arc<[String]>),
    /// It exists, but its attributes are unknown.
    Opaque,
    /// It does not exist in the visible code.
    Absent,
}

/// The code around a file. Implementations cache their answers: every method is called often.
pub trait Program {
    /// Returns the version of the language.
    fn version(&self) -> PuppetVersion;

    /// Returns the definitions of all manifests.
    fn index(&self) -> &Index;

    /// Returns whether all modules whose names code can use without a qualifier are installed.
    fn is_complete(&self) -> bool;

    /// Returns whether a module is installed with all its code, and no other module with this name can precede it.
    fn has_module(&self, name: &str) -> bool;

    /// Returns whether a module defines a function in Ruby. The name is the full one.
    fn has_ruby_function(&self, name: &str) -> bool;

    /// Returns the signatures of a Ruby function of a module. Returns `None` if they are unknown.
    fn ruby_function(&self, name: &str) -> Option<Arc<RubySignatures>>;

    /// Returns a native resource type of the agent or of a module, by its name in lower case.
    fn resource_type(&self, name: &str) -> ResourceAnswer;

    /// Parses a type. Returns `None` if it is unknown.
    fn data_type(&self, text: &str) -> Option<Type> {
        self.index().data_type(text)
    }

    /// Returns the values that an attribute of a Ruby resource type allows. Returns `None` if it allows any value, or
    /// if this is unknown.
    fn allowed_values(&self, _resource_type: &str, _attribute: &str) -> Option<Arc<AllowedValues>> {
        None
    }

    /// Returns what a type of the Resource API declares of an attribute.
    fn declared_attribute(&self, _resource_type: &str, _attribute: &str) -> Option<Arc<DeclaredAttribute>> {
        None
    }

    /// Returns the attribute of a Ruby resource type whose value is the title. Returns `None` if there are several, or if
    /// this is unknown.
    fn name_attribute(&self, _resource_type: &str) -> Option<Str> {
        None
    }

    /// Returns the providers of a resource type in modules, by the names of their files.
    fn providers(&self, _resource_type: &str) -> Vec<&str> {
        Vec::new()
    }

    /// Returns the names of the Ruby functions of modules.
    fn ruby_function_names(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Returns the names of the Ruby resource types of modules.
    fn ruby_type_names(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Returns whether a module defines a data type in Ruby.
    fn has_ruby_data_type(&self, name: &str) -> bool;

    /// Returns whether a module has a file, or `None` if this is unknown. `folder` is `files` or `templates`.
    fn has_file(&self, module: &str, folder: &str, path: &str) -> Option<bool>;

    /// Returns the parameters of an EPP template. Returns `None` if it declares none or cannot be parsed.
    fn template(&self, module: &str, path: &str) -> Option<Arc<Definition>>;

    /// Returns whether Facter, a module or a node has a fact with this name.
    fn is_fact(&self, name: &str) -> bool;

    /// Returns whether some code reads a variable of this name as one of the top scope, which a classifier may set.
    fn is_expected_of_top_scope(&self, _name: &str) -> bool {
        false
    }

    /// Returns whether the top scope may have a variable: code sets it, it is a fact, or a classifier may set it.
    fn may_have_top_variable(&self, name: &str) -> bool {
        self.index().sets_top_variable(name) || self.is_fact(name) || self.is_expected_of_top_scope(name)
    }

    /// Returns the replacement of a legacy fact that agents of this version lack, as an expression.
    fn successor_of_fact(&self, _name: &str) -> Option<String> {
        None
    }

    /// Returns whether the top scope may have a variable, and it is no legacy fact that agents of this version lack.
    fn has_top_variable(&self, name: &str) -> bool {
        self.index().sets_top_variable(name)
            || self.is_fact(name) && self.successor_of_fact(name).is_none()
            || self.is_expected_of_top_scope(name)
    }

    /// Returns the names of the facts of modules and nodes.
    fn fact_names(&self) -> Vec<&str> {
        Vec::new()
    }
}
