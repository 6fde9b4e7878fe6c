//! Hieratic: layered configuration data, looked up in one engine.
//!
//! Open an [`Environment`] once, share it between threads, and look up keys for many nodes:
//!
//! ```
//! use hieratic::{Environment, Facts, Query, Settings};
//!
//! let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/control-repo");
//! let environment = Environment::open(&Settings::discover(root.as_ref()))?;
//! let facts = Facts::named("web01.example.com");
//! let node = environment.node(&facts)?;
//! let port = node.lookup(&Query::new("profile::web::port"))?;
//! assert_eq!(port.inspect(), "8080");
//! // Converted to a Rust type.
//! let port: u16 = node.lookup_as(&Query::new("profile::web::port"))?;
//! assert_eq!(port, 8080);
//! # Ok::<(), hieratic::Error>(())
//! ```
//!
//! Data files are read when they are first needed, and reread only when they have changed. A [`Node`] sees the files as
//! they were when it first needed them. To see later changes, create a new node; that is cheap.
//!
//! The crate combines the crates of the languages. It neither prints nor reads flags.
//!
//! # Files that are not saved
//!
//! A [tree](Settings::tree) replaces a folder. A tree that patches the disk contains files in memory, which are read
//! instead of the saved ones. All other files are read from the disk.
//!
//! ```
//! use std::sync::Arc;
//!
//! use hieratic::sandbox::{Disk, Memory, Mounted, Patched, plain};
//! use hieratic::{Environment, Facts, Query, Settings};
//!
//! let root = plain(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/control-repo").as_ref());
//! let unsaved: Memory = [("data/nodes/web09.yaml", "profile::web::port: 9999")].into_iter().collect();
//! let tree = Mounted::new(&root, Patched::with_files(Arc::new(Disk::new(&root)), unsaved));
//! let environment = Environment::open(&Settings { tree: Some(tree), ..Settings::new(&root) })?;
//! let node = environment.node(&Facts::named("web09"))?;
//! assert_eq!(node.lookup(&Query::new("profile::web::port"))?.inspect(), "9999");
//! // This file is the saved one.
//! assert_eq!(node.lookup(&Query::new("site::domain"))?.inspect(), "\"example.com\"");
//! # Ok::<(), hieratic::Error>(())
//! ```
//!
//! # Modules
//!
//! The root has the types that nearly every program needs. Everything else is in the module of its subject:
//!
//! | module | holds |
//! |---|---|
//! | [`lookup`] | answers with origins, keys, warnings, suggestions for missing keys |
//! | [`formats`] | answers as JSON, YAML and strings |
//! | [`explain`] | explanations: every step, or the reasons |
//! | [`facts`] | folders of facts |
//! | [`layers`] | where the data of an environment is |
//! | [`dependencies`] | what answers depend on, and whether it has changed |
//! | [`secrets`] | secrets and their redaction |
//! | [`codes`] | the codes of errors |
//! | `catalog`, `code` | the Puppet language |
//! | `expressions`, `jinja` | Unfurl's expressions, Jinja2 |
//! | `hcl` | HCL2 |
//! | `templates` | templates of all languages, inventories and roles |
//! | `documents` | documents with merge directives that include others |
//!
//! Its crates are re-exported as modules: [`hiera`], [`value`], [`yaml`], [`puppet_types`] and so on.
//!
//! # Features
//!
//! All are on by default. A program that only looks up keys needs none of them: interpolation, merging,
//! `lookup_options`, eyaml, explanations and origins are always included.
//!
//! | feature | adds |
//! |---|---|
//! | `code` | the Puppet language with Ruby and the stdlib: `Code`, `Compiler`, `Catalog`, `code`, `catalog`; levels whose functions are code of a module |
//! | `expressions` | Unfurl's expressions and the Jinja2 engine: `expressions`, `unfurl`, `jinja` |
//! | `hcl` | HCL2 and Nomad's jobs: `hcl`, `hcl_eval`, `nomad_job`; levels whose data are files of HCL |
//! | `templates` | `Template` and `templates`, which render EPP, ERB, Jinja2 and HCL; it needs the three features above |
//! | `http` | `documents`: pages that a document with merge directives includes |

#[cfg(feature = "templates")]
mod ansible;
mod capabilities;
#[cfg(feature = "code")]
pub mod catalog;
mod classes;
#[cfg(feature = "code")]
pub mod code;
pub mod codes;
#[cfg(feature = "code")]
mod condition;
mod control_repo;
#[cfg(feature = "code")]
mod data_functions;
pub mod dependencies;
#[cfg(feature = "http")]
pub mod documents;
mod environment;
pub mod explain;
#[cfg(feature = "expressions")]
pub mod expressions;
pub mod facts;
mod facts_folder;
pub mod formats;
#[cfg(feature = "hcl")]
pub mod hcl;
mod ini;
#[cfg(feature = "expressions")]
pub mod jinja;
mod keys;
pub mod layers;
mod leaves;
mod links;
pub mod lookup;
mod manifests;
mod missing_hierarchy;
mod origins;
mod permissions;
#[cfg(feature = "http")]
mod project;
mod puppet_settings;
#[cfg(feature = "code")]
mod reading;
mod reasons;
mod redaction;
#[cfg(feature = "code")]
mod run;
mod search_path;
pub mod secrets;
mod settings;
#[cfg(feature = "templates")]
pub mod templates;
#[cfg(feature = "templates")]
mod variables;
#[cfg(feature = "expressions")]
mod vault;
mod why_report;

pub use hieratic_budget as budget;
pub use hieratic_crypto::eyaml;
pub use hieratic_diagnostics as diagnostics;
pub use hieratic_directives as directives;
#[cfg(feature = "hcl")]
pub use hieratic_go_template as go_template;
#[cfg(feature = "hcl")]
pub use hieratic_hcl_eval as hcl_eval;
#[cfg(feature = "hcl")]
pub use hieratic_hcl_types as hcl_types;
#[cfg(feature = "hcl")]
pub use hieratic_hcl1 as hcl1;
pub use hieratic_hiera as hiera;
pub use hieratic_hocon as hocon;
pub use hieratic_json as json;
#[cfg(feature = "hcl")]
pub use hieratic_nomad_job as nomad_job;
#[cfg(feature = "hcl")]
pub use hieratic_nomad_lint as nomad_lint;
#[cfg(feature = "hcl")]
pub use hieratic_nomad_pack as nomad_pack;
#[cfg(feature = "hcl")]
pub use hieratic_nomad_schema as nomad_schema;
#[cfg(feature = "code")]
pub use hieratic_puppet_eval as puppet_eval;
pub use hieratic_puppet_types as puppet_types;
#[cfg(feature = "code")]
pub use hieratic_puppet_validator as puppet_validator;
pub use hieratic_ruby_regexp as ruby_regexp;
pub use hieratic_sandbox as sandbox;
#[cfg(feature = "expressions")]
pub use hieratic_unfurl as unfurl;
pub use hieratic_value as value;
pub use hieratic_yaml as yaml;
pub use hieratic_yaml_edit as yaml_edit;

/// ```
/// use hieratic::{Environment, Settings};
///
/// let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/control-repo");
/// let environment = Environment::open(&Settings::discover(root.as_ref()))?;
/// assert_eq!(environment.name(), "production");
/// # Ok::<(), hieratic::Error>(())
/// ```
pub use environment::Environment;

/// ```
/// use hieratic::{Facts, Value};
///
/// let mut facts = Facts::named("web01.example.com");
/// facts.set("os.family", "Debian");
/// assert_eq!(facts.node(), Some("web01.example.com"));
/// assert_eq!(facts.facts().get("os").map(Value::inspect).as_deref(), Some(r#"{"family"=>"Debian"}"#));
/// ```
pub use facts::Facts;

/// ```
/// use hieratic::{Permissions, Settings};
///
/// let settings = Settings { permissions: Permissions { confined: true, ..Permissions::default() }, ..Settings::new("environments/production") };
/// assert!(settings.permissions.confined && !settings.permissions.programs);
/// ```
pub use permissions::Permissions;

pub use search_path::SearchPath;
pub use secrets::Redactor;
pub use settings::Settings;

#[cfg(feature = "code")]
pub use catalog::Compiler;
#[cfg(feature = "code")]
pub use code::Code;

#[cfg(feature = "templates")]
pub use templates::Template;

/// ```
/// use hieratic::{Limits, Settings};
///
/// let limits = Limits { steps: 10_000, ..Limits::DEFAULT };
/// assert_eq!(Settings { limits, ..Settings::default() }.limits.steps, 10_000);
/// ```
pub use hieratic_budget::Limits;

/// ```
/// use hieratic::{Environment, ErrorKind, Facts, Node, Query, Settings};
///
/// let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/control-repo");
/// let environment = Environment::open(&Settings::discover(root.as_ref()))?;
/// let error = environment.node(&Facts::named("web01.example.com"))?.lookup(&Query::new("nope")).unwrap_err();
/// assert_eq!((error.kind(), error.code()), (ErrorKind::Lookup, Node::NOT_FOUND));
/// # Ok::<(), hieratic::Error>(())
/// ```
pub use hieratic_hiera::Error;

/// ```
/// use hieratic::{Error, ErrorKind, Node};
///
/// let error = Error::new(ErrorKind::Lookup, Node::NOT_FOUND, "no such key");
/// assert_eq!(error.kind(), ErrorKind::Lookup);
/// ```
pub use hieratic_hiera::ErrorKind;

/// ```
/// use hieratic::{Environment, Facts, Query, Settings};
///
/// let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/control-repo");
/// let environment = Environment::open(&Settings::discover(root.as_ref()))?;
/// let node = environment.node(&Facts::named("web01.example.com"))?;
/// assert_eq!(node.lookup(&Query::new("profile::web::port"))?.inspect(), "8080");
/// # Ok::<(), hieratic::Error>(())
/// ```
pub use hieratic_hiera::Node;

/// ```
/// use hieratic::{Query, Value};
///
/// let query = Query { names: vec!["ntp::servers", "servers"], ..Query::new("ntp::servers") };
/// assert_eq!(Query { default: Some("pool.ntp.org".into()), ..query }.default, Some(Value::from("pool.ntp.org")));
/// ```
pub use hieratic_hiera::Query;

/// ```
/// use hieratic::{Query, Strategy};
///
/// let query = Query { merge: Some(Strategy::parse(&"unique".into())?), ..Query::new("ntp::servers") };
/// assert!(query.merge.is_some());
/// # Ok::<(), hieratic::Error>(())
/// ```
pub use hieratic_hiera::Strategy;

/// ```
/// use hieratic::{PuppetVersion, Strict};
///
/// assert_eq!(PuppetVersion::V7.strict(), Strict::Warning);
/// ```
pub use hieratic_puppet_types::{PuppetVersion, Strict};

/// ```
/// use hieratic::{Hash, Value};
///
/// let hash: Hash = [("port", Value::from(80)), ("name", "web".into())].into_iter().collect();
/// assert_eq!(hash.get("port"), Some(&Value::from(80)));
/// assert_eq!(Value::from(hash).inspect(), r#"{"port"=>80, "name"=>"web"}"#);
/// ```
pub use hieratic_value::{Hash, Value};

/// ```
/// use hieratic::catalog::Classification;
/// use hieratic::{Catalog, Compiler, Environment, Facts, Settings};
///
/// let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/catalog");
/// let environment = Environment::open(&Settings::discover(root.as_ref()))?;
/// let compiler = Compiler::new(&environment, environment.language());
/// let compiled = compiler.compile(Facts::named("web01.example.com"), &Classification::default());
/// let catalog: Catalog = compiled.catalog.unwrap();
/// assert!(!catalog.resources.is_empty());
/// # Ok::<(), hieratic::Error>(())
/// ```
#[cfg(feature = "code")]
pub use hieratic_puppet_eval::CompiledCatalog as Catalog;

/// Guarantees that the types can be shared between threads.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<Environment>();
    is_shared::<Node>();
    is_shared::<Facts>();
    is_shared::<Settings>();
    is_shared::<Value>();
    is_shared::<Error>();
    is_shared::<Redactor>();
    #[cfg(feature = "templates")]
    is_shared::<Template>();
    #[cfg(feature = "code")]
    is_shared::<Code<'static>>();
    #[cfg(feature = "code")]
    is_shared::<Compiler<'static>>();
    #[cfg(feature = "code")]
    is_shared::<Catalog>();
};
