//! # unset-variable
//!
//! Nothing sets a variable. (warning)
//!
//! ## What is found
//!
//! - A variable without `::` in a class, a defined type or a function that is neither a parameter nor a fact, and is
//!   not set there, in an inherited class, in the top scope or in that of a node. A classifier may set other variables
//!   of the top scope: name them `$::name`, once at least, in any file.
//! - A default that reads its own parameter or one after it: parameters get their values in order.
//! - A variable that is a legacy fact, `$osfamily` or `@osfamily` in ERB: agents of Puppet 8 do not send it. With
//!   `--puppet-version 7`, it counts as a fact.
//! - A variable `$class::name` of a class that is present and has no such variable.
//! - A variable `@name` in an ERB template that neither the template nor a class or defined type that renders it sets.
//!   Nothing is found if the module also renders templates with computed names.
//! - A variable in an EPP template with a list of parameters that is neither one of them nor a fact, and is not set
//!   there or in the top scope. One that resembles a parameter is [epp-variable](epp-variable.md).
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
