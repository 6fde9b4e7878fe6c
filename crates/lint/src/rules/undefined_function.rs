//! # undefined-function
//!
//! A function does not exist. (error)
//!
//! ## What is found
//!
//! A call of a function that neither the language, nor stdlib, nor a module in Puppet or Ruby defines. The name of a
//! module that is present is enough to be certain. If modules are missing, a name without a module is reported as a
//! warning, and only if it resembles a function of the language. `import`, which Puppet refuses since version 4, is an
//! error everywhere.
//!
//! ## Why it matters
//!
//! Every catalog that reaches the code fails.
//!
//! ## How to fix it
//!
//! Correct the name, or install the module that has the function.
//!
//! ## Example
//!
//! ```puppet
//! $name = uppcase($facts['kernel'])
//! notice($name)
//! ```
//!
//! becomes
//!
//! ```puppet
//! $name = upcase($facts['kernel'])
//! notice($name)
//! ```
//!
//! A comment `# hieratic: ignore undefined-function` on the same line or the line before accepts the finding.
