//! # unset-variable
//!
//! Nothing sets a variable. (warning)
//!
//! ## What is found
//!
//! - A variable without `::` in a class, a defined type or a function that is no parameter, is not set there or in an
//!   inherited class, is no fact, and is not set in the top scope or that of a node. A classifier may set other variables
//!   of the top scope: name them `$::name`.
//! - A variable that is a legacy fact, `$osfamily`: agents of Puppet 8 do not send it. With `--puppet-version 7`, it counts as a fact.
//! - A variable `$class::name` of a class that is here and has no such variable.
//! - A variable `@name` in a template of ERB that none of the classes and defined types sets that render the template,
//!   nor the template itself. Nothing is found if the module also renders templates with computed names.
//! - A variable in a template of EPP with a list of parameters that is none of them, is not set there, is no fact, and is
//!   not set in the top scope. One that resembles a parameter is [epp-variable](epp-variable.md).
//!
//! In the top scope and in nodes, only a legacy fact, and a variable that resembles another one is reported.
//!
//! ## Why it matters
//!
//! The value is `undef`, and with `strict_variables`, which Puppet 8 has by default, the catalog fails.
//!
//! ## How to fix it
//!
//! Correct the name, or set the variable.
//!
//! ## Example
//!
//! ```puppet
//! class profile::web (String $user) {
//!   notice($usr)
//! }
//! ```
//!
//! becomes
//!
//! ```puppet
//! class profile::web (String $user) {
//!   notice($user)
//! }
//! ```
//!
//! A comment `# hieratic: ignore unset-variable` on the same line or the line before accepts the finding.
