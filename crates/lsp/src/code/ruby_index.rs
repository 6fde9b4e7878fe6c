//! [`RubyIndex`]: the names that the modules of an environment declare in Ruby.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hieratic::value::collections::HashMap;
use hieratic_diagnostics::Span;
use hieratic_lint::{Hierarchy, View};

use super::references::files;
use super::ruby::{RubyKind, declarations, documentation};
use crate::snapshot::Snapshot;

/// The maximum number of files of facts that are read.
const MAX_FACT_FILES: usize = 2_000;

/// A fact of a module.
#[derive(Clone, Debug)]
pub(crate) struct ModuleFact {
    pub(crate) file: PathBuf,
    /// The span of its name.
    pub(crate) span: Span,
    pub(crate) docs: String,
}

/// The names that modules declare in Ruby.
#[derive(Debug, Default)]
pub(crate) struct RubyIndex {
    /// The files of functions by their names.
    pub(crate) functions: BTreeMap<String, PathBuf>,
    /// The files of resource types by their names.
    pub(crate) types: BTreeMap<String, PathBuf>,
    /// The facts by their names; several files may resolve one.
    pub(crate) facts: BTreeMap<String, Vec<ModuleFact>>,
}

/// An index, with its dependencies.
struct CachedIndex {
    hierarchy: Hierarchy,
    /// The number of changes of Ruby files so far.
    changes: u64,
    index: Arc<RubyIndex>,
}

/// The index of each environment, by its folder.
#[derive(Clone, Default)]
pub(crate) struct RubyIndexCache(Arc<Mutex<HashMap<PathBuf, CachedIndex>>>);

impl RubyIndex {
    /// The index of an environment. It is built once, until a file of Ruby changes.
    pub(crate) fn of(snapshot: &Snapshot, view: &View) -> Arc<RubyIndex> {
        let (hierarchy, changes) = (view.hierarchy(), snapshot.ruby_changes);
        let known = || snapshot.ruby.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cached) = known().get(view.root())
            && cached.hierarchy.is_same(&hierarchy)
            && cached.changes == changes
        {
            return cached.index.clone();
        }
        let index = Arc::new(RubyIndex::read(snapshot, view));
        // A list of a cancelled request is not whole.
        if snapshot.check_cancelled().is_ok() {
            let cached = CachedIndex { hierarchy, changes, index: index.clone() };
            known().insert(view.root().to_owned(), cached);
        }
        index
    }

    fn read(snapshot: &Snapshot, view: &View) -> RubyIndex {
        let mut index = RubyIndex::default();
        let folders = ["lib/puppet/functions", "lib/puppet/parser/functions", "lib/puppet/type", "lib/facter"];
        let mut facts = 0;
        for path in files(snapshot, view, &folders) {
            if snapshot.check_cancelled().is_err() {
                break;
            }
            if path.extension().is_none_or(|extension| extension != "rb") {
                continue;
            }
            if let Some(name) = name_below(&path, &["functions"]) {
                index.functions.entry(name).or_insert(path);
            } else if let Some(name) = name_below(&path, &["puppet", "type"]) {
                index.types.entry(name).or_insert(path);
            } else if facts < MAX_FACT_FILES {
                facts += 1;
                index.add_facts(snapshot, path);
            }
        }
        index
    }

    fn add_facts(&mut self, snapshot: &Snapshot, path: PathBuf) {
        // A file that cannot be read has no facts that the editor can show.
        let Some(document) = snapshot.document(&path) else { return };
        for one in declarations(&document.text).into_iter().filter(|one| one.kind == RubyKind::Fact) {
            let docs = documentation(&document.text, one.span);
            let fact = ModuleFact { file: path.clone(), span: one.span, docs };
            self.facts.entry(one.name).or_default().push(fact);
        }
    }
}

/// The name that the path of a file below some folders spells: `functions/a/up.rb` is `a::up`.
fn name_below(path: &Path, folders: &[&str]) -> Option<String> {
    let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
    let at = parts.windows(folders.len()).rposition(|window| window == folders)?;
    let below = parts.get(at + folders.len()..)?;
    let name = below.join("::");
    Some(name.strip_suffix(".rb")?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_spell_names() {
        let name = |path: &str, folders: &[&str]| name_below(path.as_ref(), folders);
        assert_eq!(name("/m/lib/puppet/functions/a/up.rb", &["functions"]), Some("a::up".to_owned()));
        assert_eq!(name("/m/lib/puppet/parser/functions/old.rb", &["functions"]), Some("old".to_owned()));
        assert_eq!(name("/m/lib/puppet/type/vhost.rb", &["puppet", "type"]), Some("vhost".to_owned()));
        assert_eq!(name("/m/lib/facter/rack.rb", &["functions"]), None);
    }
}
