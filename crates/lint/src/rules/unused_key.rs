//! # unused-key
//!
//! A key is never looked up. (note)
//!
//! ## What is found
//!
//! With `--unused`: the key is not a parameter of a class, no data looks it up, and no manifest, function or template
//! mentions it in quotes or, if it contains `::`, anywhere. Code computes names of keys such as `"net_${name}_mask"`:
//! keys that begin and end like this count as looked up. A note reports code that computes whole names, because those
//! cannot be tracked.
//!
//! The code is that of the modules in the module path and of the environment, and that of other modules in the
//! checkout: a deployment may put them into the module path. The manifests that `environment.conf` names belong to it
//! wherever they are in the checkout. Keys of a module that is not in the checkout are not reported if the `Puppetfile`
//! names it, or if code declares one of its classes.
//!
//! A key whose value has an anchor of YAML is not reported: aliases in the file may need it.
//!
//! A note says how many bytes shorter the files would be that have the key.
//!
//! ## Why it matters
//!
//! Unused data costs reading and review.
//!
//! ## How to fix it
//!
//! Remove the key if nothing outside the repository looks it up.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! profile::legacy::port: 80
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! # removed
//! ```
//!
//! A comment `# hieratic: ignore unused-key` on the same line or the line before accepts the finding.

use hieratic::value::collections::HashSet;

use super::RuleContext;
use crate::finding::Finding;
use crate::hygiene::{Sizes, shorter};
use crate::rules;
use crate::texts::written_at;
use crate::workspace::Workspace;
use crate::workspace::anchors::keys_with_anchors;
use crate::workspace::key_usage::{KeyUsage, looked_up};

/// Finds keys that are not parameters, and that no code, template or data names.
pub(super) fn check(cx: &RuleContext<'_>) {
    let (workspace, code) = (cx.workspace, cx.code);
    if !cx.options.unused && !cx.options.hygiene {
        return;
    }
    if code.classes.is_empty() && code.names.is_empty() {
        // Without any code every key would be unused, which is not helpful.
        let config = workspace.configs.iter().find_map(|config| config.source.as_ref());
        let message = "Unused keys were not checked: the module path has no code";
        let finding =
            Finding::new(&rules::UNUSED_KEY, message).help("install the modules, or name them with --modulepath");
        return cx.report_all(config.map(|source| finding.at(source, written_at(source, 1, 1), "")));
    }
    let named = looked_up(workspace);
    let misses_modules = workspace.missing_parts.misses_modules();
    let key_usage = KeyUsage::new(code, &workspace.environment, misses_modules);
    let mut reported = HashSet::default();
    let mut sizes = Sizes::default();
    for file in &workspace.files {
        let with_anchors = keys_with_anchors(file);
        for (key, _) in file.entries() {
            if with_anchors.contains(key) || named.contains(key) || key_usage.may_look_up(key) || !reported.insert(key)
            {
                continue;
            }
            let finding = Finding::new(&rules::UNUSED_KEY, format!("The key '{key}' is never looked up"))
                .at(&file.source, file.key_span(key), "")
                .help("remove it, unless something outside of this repository looks it up");
            let finding = match bytes(workspace, &mut sizes, key) {
                Some((1, bytes)) => finding.note(shorter(bytes)),
                Some((files, bytes)) => finding.note(format!("without it, {files} files are {bytes} bytes shorter")),
                None => finding,
            };
            cx.report(if code.computes_names {
                finding.note("some code computes the keys of its lookups, which cannot be checked")
            } else {
                finding
            });
        }
    }
}

/// The number of files that have a key, and the bytes of its entries; `None` if these are unknown.
fn bytes(workspace: &Workspace, sizes: &mut Sizes, key: &str) -> Option<(usize, usize)> {
    let holders = workspace.files.iter().enumerate().filter(|(_, file)| file.hash.contains(key));
    let all: Option<Vec<usize>> = holders.map(|(index, file)| sizes.entry_size(index, file, key)).collect();
    all.map(|all| (all.len(), all.iter().sum()))
}
