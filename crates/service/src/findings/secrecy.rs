//! [`Secrecy`] decides which parts of findings may be shown to readers without access to secrets.
//!
//! `check` reports to people who have the files. Pages also have other readers, so a line of data is shown only if no
//! lookup of its key is secret: neither on the known nodes, nor on any other node that reads the file.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::budget::{Budget, Limits};
use hieratic::lookup::{Object, quoted_key};
use hieratic::value::ErasedSort as _;
use hieratic::{Node, Query, Redactor};
use hieratic_lint::{DataFile, View};

use crate::Service;
use crate::environments::OpenEnvironment;
use crate::fleet::Index;

/// The parts of a finding that may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Disclosure {
    /// The message and the line.
    All,
    /// The message without the line.
    Message,
    /// The rule only.
    Rule,
}

/// The maximum number of requests for the index of all nodes during one check.
const MAX_INDEX_REQUESTS: usize = 40;

/// Decides which parts of findings may be shown, from the secrets of an environment.
pub(crate) struct Secrecy<'s> {
    service: &'s Service,
    environment: &'s str,
    views: Vec<View>,
    masks: Vec<Redactor>,
    /// The answers of all nodes, once they are needed: they take the longest.
    index: OnceCell<Option<Arc<Index>>>,
    limits: Limits,
    files: RefCell<HashMap<PathBuf, Option<DataFileKeys>>>,
}

/// A file of data.
struct DataFileKeys {
    view: usize,
    file: Arc<DataFile>,
    /// The offsets of its keys, in order.
    starts: Vec<(usize, String)>,
    /// A node that reads it.
    node: Option<Node>,
    disclosures: HashMap<String, Disclosure>,
}

impl Secrecy<'_> {
    pub(crate) fn new<'s>(
        service: &'s Service,
        environment: &'s str,
        opened: &OpenEnvironment,
        views: Vec<View>,
    ) -> Secrecy<'s> {
        let limits = service.limits.of_answer();
        let mut masks = vec![opened.redactor.clone()];
        masks.extend(views.iter().map(|view| Redactor::new(view.environment().secrets(), false)));
        let (index, files) = (OnceCell::new(), RefCell::default());
        Secrecy { service, environment, views, masks, index, limits, files }
    }

    fn index(&self) -> Option<&Index> {
        let build = || {
            let mut index = None;
            for _ in 0..MAX_INDEX_REQUESTS {
                // Without the answers, nothing is known to be open, and nothing is shown.
                index = self.service.fleet.index(self.service, self.environment, &Budget::new(self.limits)).ok();
                if index.as_ref().is_none_or(|index| index.is_final()) {
                    break;
                }
            }
            index
        };
        self.index.get_or_init(build).as_deref()
    }

    /// Redacts the known secrets in a message.
    pub(crate) fn redact_message(&self, text: &str) -> String {
        self.masks.iter().fold(text.to_owned(), |text, redactor| redactor.message(&text).into_owned())
    }

    /// Redacts the known secrets in a source line.
    pub(crate) fn redact_line(&self, text: &str) -> String {
        self.masks.iter().fold(text.to_owned(), |text, redactor| redactor.text(&text).into_owned())
    }

    /// Returns the parts of a finding at an offset of a file that may be shown.
    pub(crate) fn disclosure_at(&self, path: &Path, start: usize, line: &str) -> Disclosure {
        let mut files = self.files.borrow_mut();
        let known = files.entry(path.to_owned()).or_insert_with(|| self.load_file(path));
        let Some(known) = known else { return disclosure_of_other_file(path, line) };
        let at = known.starts.partition_point(|(begin, _)| *begin <= start);
        let Some((_, key)) = at.checked_sub(1).and_then(|at| known.starts.get(at)) else { return Disclosure::Message };
        if key == Node::OPTIONS_KEY {
            return Disclosure::All;
        }
        if let Some(judged) = known.disclosures.get(key) {
            return *judged;
        }
        let (key, judged) = (key.clone(), self.disclosure_of_key(known, key));
        known.disclosures.insert(key, judged);
        judged
    }

    fn load_file(&self, path: &Path) -> Option<DataFileKeys> {
        let found = self.views.iter().enumerate().find_map(|(at, view)| Some((at, view.file(path)?.clone())));
        let (view, file) = found?;
        let names = file.content().0.iter().filter_map(|(key, _)| key.as_str());
        let mut starts: Vec<(usize, String)> =
            names.map(|key| (file.key_span(key).range().start, key.to_string())).collect();
        starts.sort_erased();
        let node = self.views.get(view).and_then(|view| view.node_that_reads(&file)).map(|(_, node)| node);
        Some(DataFileKeys { view, file, starts, node, disclosures: HashMap::new() })
    }

    /// Returns the parts of a finding about the value of a key that may be shown.
    fn disclosure_of_key(&self, known: &DataFileKeys, key: &str) -> Disclosure {
        let module = self.views.get(known.view).and_then(|view| view.module_of(&known.file));
        let is_foreign =
            module.is_some_and(|module| !key.strip_prefix(module).is_some_and(|rest| rest.starts_with("::")));
        if is_foreign {
            return Disclosure::Message;
        }
        let is_safe = known.node.as_ref().and_then(|node| self.sees_no_secret(node, key));
        if is_safe == Some(false) {
            return Disclosure::Rule;
        }
        let Some(index) = self.index() else { return Disclosure::Message };
        let rows = index.rows_of(key);
        if rows.iter().any(|row| row.is_redacted()) {
            return Disclosure::Rule;
        }
        let is_answered = !rows.is_empty() && rows.iter().all(|row| !row.is_error);
        if index.is_complete() && (is_safe == Some(true) || is_answered) {
            Disclosure::All
        } else {
            Disclosure::Message
        }
    }

    /// Returns whether a node sees no secret under a key; `None` if that is unknown.
    fn sees_no_secret(&self, node: &Node, key: &str) -> Option<bool> {
        let quoted = quoted_key(key);
        let query = Query { conceal: true, budget: Budget::new(self.limits), ..Query::new(&quoted) };
        let is_open = |object: &Object| !object.has_decrypted() && !object.has_hidden();
        let answer = node.lookup_traced(&query);
        // An unknown value is not shown, whatever the reason.
        let levels = node.survey_query(&query).ok()?;
        let mut all_open = match &answer {
            Ok(answer) => is_open(&answer.value),
            Err(error) if error.code() == Node::NOT_FOUND => true,
            Err(_) => return None,
        };
        for level in &levels {
            match &level.found {
                Ok(found) => all_open &= found.as_ref().is_none_or(is_open),
                Err(_) => return None,
            }
        }
        Some(all_open)
    }
}

/// Returns whether a message about a file may be shown if only the name of the file is known.
pub(crate) fn may_show_message(path: &Path, message: &str) -> bool {
    disclosure_of_other_file(path, message) == Disclosure::All
}

/// Returns the parts of a finding that may be shown for a file that is not read as data. Code marks its secrets; unread
/// data may contain any.
fn disclosure_of_other_file(path: &Path, line: &str) -> Disclosure {
    const DATA: [&str; 8] = ["yaml", "yml", "json", "eyaml", "conf", "hocon", "tfvars", "hcl"];
    let is_data = path.extension().and_then(|end| end.to_str()).is_some_and(|end| DATA.contains(&end));
    let is_configuration = path.file_name().is_some_and(|name| name == "hiera.yaml");
    if is_data && !is_configuration || line.to_lowercase().contains("sensitive") {
        Disclosure::Message
    } else {
        Disclosure::All
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_code_are_shown_and_those_of_unknown_data_are_not() {
        let of = |path: &str, line: &str| disclosure_of_other_file(Path::new(path), line);
        assert_eq!(of("manifests/site.pp", "$a = 1"), Disclosure::All);
        assert_eq!(of("hiera.yaml", "version: 5"), Disclosure::All);
        assert_eq!(of("manifests/site.pp", "$a = Sensitive('x')"), Disclosure::Message);
        assert_eq!(of("stray/a.yaml", "password: x"), Disclosure::Message);
    }
}
