//! # unknown-variable
//!
//! An interpolation uses a variable that is never set. (warning)
//!
//! ## What is found
//!
//! Without nodes: a member that `trusted` or `server_facts` never has, or a misspelled root such as `fact.os`. With
//! `--facts`: a variable that none of the nodes that read the file has. For a node that is known only by its name
//! (`--node` without its facts), no fact is reported as missing.
//!
//! ## Why it matters
//!
//! The interpolation is empty, and a level with it in its path matches no node.
//!
//! ## How to fix it
//!
//! Correct the name, or add the fact.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! motd: "This is %{trusted.certnme}"
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! motd: "This is %{trusted.certname}"
//! ```
//!
//! A comment `# hieratic: ignore unknown-variable` on the same line or the line before accepts the finding.

use crate::finding::Finding;
use crate::rules;
use crate::workspace::list;

/// The members of `trusted`, from the certificate. It has no others.
const TRUSTED: [&str; 6] = ["authenticated", "certname", "domain", "extensions", "external", "hostname"];
/// The members of `server_facts`.
const SERVER_FACTS: [&str; 5] = ["environment", "serverip", "serverip6", "servername", "serverversion"];
/// The variables that every node has.
const ROOTS: [&str; 4] = ["facts", "trusted", "server_facts", "environment"];

/// The finding about a variable that none of the nodes has.
pub(crate) fn of_no_node(written: &str, nodes: &[&str]) -> Finding {
    let message = format!("'{written}' uses a variable that no node has ({})", list(nodes));
    Finding::new(&rules::UNKNOWN_VARIABLE, message).help("fix the name, or add the fact")
}

/// Finds a variable that no node can have.
pub(crate) fn unknown(plain: &str, written: &str) -> Option<Finding> {
    let mut parts = plain.split('.');
    let root = parts.next().unwrap_or_default();
    let members: &[&str] = match root {
        "trusted" => &TRUSTED,
        "server_facts" => &SERVER_FACTS,
        _ => {
            // An unknown structured variable that resembles a known one is misspelled.
            let near = hieratic_diagnostics::nearest(root, ROOTS).filter(|near| *near != root);
            let near = near.filter(|near| parts.next().is_some() && root.len().abs_diff(near.len()) <= 1)?;
            let message = format!("'{written}' uses the variable '{root}', which is never set");
            return Some(Finding::new(&rules::UNKNOWN_VARIABLE, message).help(format!("did you mean '{near}'?")));
        }
    };
    let member = parts.next().filter(|member| !members.contains(&member.trim_matches(['"', '\''])))?;
    let finding =
        Finding::new(&rules::UNKNOWN_VARIABLE, format!("'{written}' is always empty: '{root}' has no '{member}'"));
    Some(finding.help(match hieratic_diagnostics::nearest(member, members.iter().copied()) {
        Some(near) => format!("did you mean '{root}.{near}'?"),
        None => format!("it has {}", members.join(", ")),
    }))
}
