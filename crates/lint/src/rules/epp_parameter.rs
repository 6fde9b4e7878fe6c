//! # epp-parameter
//!
//! A call of an EPP template passes other parameters than it has. (error)
//!
//! ## What is found
//!
//! A call such as `epp('ntp/ntp.conf.epp', { servers => $servers })` names a parameter that the template does not
//! declare, or lacks one that has no default. So does a call of `inline_epp` with a literal string. Calls with a
//! computed template or computed parameters are not checked, nor are templates without a list of parameters, which
//! accept any, and those of missing modules.
//!
//! ## Why it matters
//!
//! Every catalog that reaches the call fails: `has no parameter named 'server'`.
//!
//! ## How to fix it
//!
//! Correct the name, pass the parameter, or give it a default in the template.
//!
//! ## Example
//!
//! ```puppet
//! $text = epp('ntp/ntp.conf.epp', { 'server' => $servers })
//! ```
//!
//! becomes
//!
//! ```puppet
//! $text = epp('ntp/ntp.conf.epp', { 'servers' => $servers })
//! ```
//!
//! A comment `# hieratic: ignore epp-parameter` on the same line or the line before accepts the finding.
