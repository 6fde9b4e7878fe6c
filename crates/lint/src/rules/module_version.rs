//! # module-version
//!
//! Versions of modules do not agree. (warning)
//!
//! ## What is found
//!
//! For each module of the `Puppetfile` that is installed here, with its `metadata.json`:
//!
//! - another version is installed than the `Puppetfile` lists
//! - the module needs another one that the `Puppetfile` does not list, and that is not installed
//! - the module needs another version of a module than the one that is listed or installed
//!
//! A module that is not installed is not judged, and neither is a `Puppetfile` whose list is computed.
//!
//! ## Why it matters
//!
//! r10k resolves no dependencies: a module that the `Puppetfile` lacks is missing on every server, and incompatible
//! versions fail when a catalog is compiled.
//!
//! ## How to fix it
//!
//! Add the module, or choose compatible versions.
//!
//! ## Example
//!
//! ```ruby
//! # Puppetfile: apache 12.0.0 needs puppetlabs/concat >= 9.0.0
//! mod 'puppetlabs/apache', '12.0.0'
//! mod 'puppetlabs/concat', '7.0.0'
//! ```
//!
//! becomes
//!
//! ```ruby
//! # Puppetfile
//! mod 'puppetlabs/apache', '12.0.0'
//! mod 'puppetlabs/concat', '9.0.0'
//! ```

use hieratic::layers::Layers;
use hieratic::puppet_types::quantities::SemVer;
use hieratic::sandbox::Files;
use hieratic::value::collections::HashMap;
use hieratic_diagnostics::Source;

use super::RuleContext;
use crate::finding::Finding;
use crate::modules::{Listed, Metadata, Puppetfile, Version, line_of, short_name};
use crate::rules;
use crate::texts;

/// Finds versions that disagree: those in the `Puppetfile`, those that are installed, and those that modules require.
/// Findings are at the line of the module in the `Puppetfile`.
pub(super) fn check(cx: &RuleContext<'_>) {
    let (layers, files) = (cx.workspace.environment.layers(), cx.workspace.readable());
    let file = cx.workspace.root().join("Puppetfile");
    let Ok(source) = texts::read(&file, files) else {
        // Without the file nothing is listed. The check of files reports a file that cannot be read.
        return;
    };
    // The check of files reports errors in the file.
    let Ok((puppetfile, _)) = Puppetfile::read(&source) else { return };
    if puppetfile.computes {
        return;
    }
    let installed = installed(layers, files);
    let listed: HashMap<&str, &Listed> =
        puppetfile.modules.iter().map(|listed| (short_name(&listed.name), listed)).collect();
    for module in &puppetfile.modules {
        let name = short_name(&module.name);
        let Some(metadata) = installed.get(name) else { continue };
        if let (Version::Exact(expected), Some(there)) = (&module.version, &metadata.version)
            && expected != there
        {
            let message = format!("The version {there} of '{name}' is installed here, and not {expected}");
            let help = "install the modules again, for example with `r10k puppetfile install`";
            cx.report(at(&source, module, message).help(help));
        }
        for dependency in &metadata.dependencies {
            let other = short_name(&dependency.name);
            let expected = if dependency.text.is_empty() { "any version" } else { &dependency.text };
            let version = match listed.get(other) {
                Some(Listed { version: Version::Exact(version), .. }) => Some(version),
                Some(_) => installed.get(other).and_then(|metadata| metadata.version.as_ref()),
                None if layers.modules.contains_key(other) => {
                    installed.get(other).and_then(|metadata| metadata.version.as_ref())
                }
                None => {
                    let message =
                        format!("'{name}' needs the module '{}' ({expected}), which is not listed", dependency.name);
                    cx.report(at(&source, module, message).help(format!("add a line: mod '{}'", dependency.name)));
                    continue;
                }
            };
            if let (Some(range), Some(version)) = (&dependency.range, version)
                && !allows(range, version)
            {
                let message = format!("'{name}' needs '{}' {expected}, and the version is {version}", dependency.name);
                cx.report(at(&source, module, message).help("choose versions that go together"));
            }
        }
    }
}

/// Returns whether a version is in a range; a release candidate counts as its release.
fn allows(range: &hieratic::puppet_types::quantities::SemVerRange, version: &SemVer) -> bool {
    range.includes(version) || version.prerelease_text().is_some()
}

fn at(source: &Source, module: &Listed, message: String) -> Finding {
    Finding::new(&rules::MODULE_VERSION, message).at(source, line_of(source, module.line), "")
}

/// The metadata of the modules that are installed.
fn installed(layers: &Layers, files: &Files) -> HashMap<String, Metadata> {
    let mut all = HashMap::default();
    for (name, module) in &layers.modules {
        let file = module.root.join("metadata.json");
        // A module needs no metadata. The check of files reports other reasons why the file cannot be read.
        if let Ok(text) = files.read_text(&file) {
            let (metadata, _) = Metadata::read(&Source::new("metadata.json", text));
            all.insert(name.to_string(), metadata);
        }
    }
    all
}
