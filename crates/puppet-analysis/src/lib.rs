//! A static checker for the Puppet language. It finds errors of compilation without compiling a catalog.
//!
//! [`summarize`] collects the definitions of a file, an [`Index`] contains those of all files. [`analyze_file`] checks
//! a file with a [`Program`]: the index, the installed modules, the resource types and functions in Ruby. A [`Finding`]
//! has a [`Check`], a span, a severity, a message, and perhaps a [`Fix`].
//!
//! A finding must be true. The unknown is not checked: a name in a missing module, a value that code computes.
//!
//! ```
//! use hieratic_diagnostics::Source;
//! use hieratic_puppet_analysis::{File, Index, LanguageProgram, analyze_file, summarize};
//!
//! let source = Source::new("site.pp", "file { '/etc/motd': ownr => 'root' }");
//! let tree = hieratic_puppet_syntax::parse(&source, &Default::default()).program.unwrap();
//! let program = LanguageProgram::new([summarize(&tree)].into_iter().collect());
//! let findings = analyze_file(&program, &File::new(&tree));
//! assert_eq!(findings[0].message, "the resource type 'file' has no attribute 'ownr'");
//! assert_eq!(findings[0].help.as_deref(), Some("did you mean 'owner'?"));
//! ```

mod assignments;
mod attribute_values;
mod checks;
mod facts;
mod finding;
mod index;
mod language;
mod names;
mod narrowing;
mod program;
mod scope;
mod summary;
mod templates;
mod types;
mod walk;

pub use finding::{ALL, Check, Edit, Finding, Fix, Related};
pub use index::Index;
pub use language::{LanguageProgram, agent_type};
pub use program::{Program, ResourceAnswer};
pub use summary::{Definition, DefinitionKind, FileSummary, ParameterSummary, TemplateUse, summarize};
pub use templates::{lacks_variable, may_template_see};
pub use walk::{File, analyze_file};

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;
