//! [`Secrecy`]: which parts of findings may be shown to those who may see no secret.
//!
//! `check` speaks to people who have the files. Pages also have readers who do not, so a line of data is shown only where it is known that
//! no lookup of its key is secret: neither on the nodes that there are, nor on one that reads the file.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::powers::{Budget, Limits};
use hieratic::{Mask, Node, Object, Query, quoted_key};
use hieratic_audit::{DataFile, View};

use crate::Service;
use crate::environments::Opened;
use crate::fleet::Index;

/// The parts of a finding that may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shows {
    /// All of it.
    All,
    /// The message without the line.
    Message,
    /// That there is such a finding.
    Rule,
}

/// The maximum number of requests for the index of all nodes during one check.
const MOST_TURNS: usize = 40;

/// Decides which parts of findings may be shown, from the secrets of an environment.
pub(crate) struct Secrecy<'s> {
    service: &'s Service,
    environment: &'s str,
    views: Vec<View>,
    masks: Vec<Mask>,
    /// The answers of all nodes, once they are needed: they take the longest.
    index: OnceCell<Option<Arc<Index>>>,
    limits: Limits,
    files: RefCell<HashMap<PathBuf, Option<Known>>>,
}

/// A file of data.
struct Known {
    view: usize,
    file: Arc<DataFile>,
    /// The offsets of its keys, in order.
    starts: Vec<(usize, String)>,
    /// A node that reads it.
    node: Option<Node>,
    judged: HashMap<String, Shows>,
}

impl Secrecy<'_> {
    pub(crate) fn new<'s>(
        service: &'s Service,
        environment: &'s str,
        opened: &Opened,
        views: Vec<View>,
    ) -> Secrecy<'s> {
        let limits = service.limits.of_answer();
        let mut masks = vec![opened.mask.clone()];
        masks.extend(views.iter().map(|view| Mask::new(view.environment().secrets(), false)));
        let (index, files) = (OnceCell::new(), RefCell::default());
        Secrecy { service, environment, views, masks, index, limits, files }
    }

    fn index(&self) -> Option<&Index> {
        let made = || {
            let mut index = None;
            for _ in 0..MOST_TURNS {
                // Without the answers, nothing is known to be open, and nothing is shown.
                index = self.service.fleet.index(self.service, self.environment, &Budget::new(self.limits)).ok();
                if index.as_ref().is_none_or(|index| index.is_settled()) {
                    break;
                }
            }
            index
        };
        self.index.get_or_init(made).as_deref()
    }

    /// Redacts the known secrets in a message.
    pub(crate) fn message(&self, text: &str) -> String {
        self.masks.iter().fold(text.to_owned(), |text, mask| mask.message(&text).into_owned())
    }

    /// Redacts the known secrets in a source line.
    pub(crate) fn line(&self, text: &str) -> String {
        self.masks.iter().fold(text.to_owned(), |text, mask| mask.text(&text).into_owned())
    }

    /// Returns the parts of a finding at an offset of a file that may be shown.
    pub(crate) fn of(&self, path: &Path, start: usize, line: &str) -> Shows {
        let mut files = self.files.borrow_mut();
        let known = files.entry(path.to_owned()).or_insert_with(|| self.file(path));
        let Some(known) = known else { return of_code(path, line) };
        let at = known.starts.partition_point(|(begin, _)| *begin <= start);
        let Some((_, key)) = at.checked_sub(1).and_then(|at| known.starts.get(at)) else { return Shows::Message };
        if key == Node::OPTIONS_KEY {
            return Shows::All;
        }
        if let Some(judged) = known.judged.get(key) {
            return *judged;
        }
        let (key, judged) = (key.clone(), self.judge(known, key));
        known.judged.insert(key, judged);
        judged
    }

    fn file(&self, path: &Path) -> Option<Known> {
        let found = self.views.iter().enumerate().find_map(|(at, view)| Some((at, view.file(path)?.clone())));
        let (view, file) = found?;
        let names = file.content().0.iter().filter_map(|(key, _)| key.as_str());
        let mut starts: Vec<(usize, String)> =
            names.map(|key| (file.key_span(key).range().start, key.to_string())).collect();
        starts.sort();
        let node = self.views.get(view).and_then(|view| view.node_that_reads(&file)).map(|(_, node)| node);
        Some(Known { view, file, starts, node, judged: HashMap::new() })
    }

    /// Returns the parts of a finding about the value of a key that may be shown.
    fn judge(&self, known: &Known, key: &str) -> Shows {
        let module = self.views.get(known.view).and_then(|view| view.module_of(&known.file));
        let is_foreign =
            module.is_some_and(|module| !key.strip_prefix(module).is_some_and(|rest| rest.starts_with("::")));
        if is_foreign {
            return Shows::Message;
        }
        let asked = known.node.as_ref().and_then(|node| self.ask(node, key));
        if asked == Some(false) {
            return Shows::Rule;
        }
        let Some(index) = self.index() else { return Shows::Message };
        let rows = index.rows_of(key);
        if rows.iter().any(|row| row.is_covered()) {
            return Shows::Rule;
        }
        let is_answered = !rows.is_empty() && rows.iter().all(|row| !row.is_fault);
        match index.is_complete() && (asked == Some(true) || is_answered) {
            true => Shows::All,
            false => Shows::Message,
        }
    }

    /// Returns whether a node sees no secret under a key; `None` if that is unknown.
    fn ask(&self, node: &Node, key: &str) -> Option<bool> {
        let quoted = quoted_key(key);
        let query = Query { conceal: true, budget: Budget::new(self.limits), ..Query::new(&quoted) };
        let is_open = |object: &Object| !object.has_secret() && !object.has_hidden();
        let answer = node.lookup_traced(&query);
        // An unknown value is not shown, whatever the reason.
        let levels = node.survey_of(&query).ok()?;
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
pub(crate) fn may_be_quoted(path: &Path, message: &str) -> bool {
    of_code(path, message) == Shows::All
}

/// Returns the parts of a finding that may be shown for a file that is not read as data. Code marks its secrets; unread
/// data may contain any.
fn of_code(path: &Path, line: &str) -> Shows {
    const DATA: [&str; 8] = ["yaml", "yml", "json", "eyaml", "conf", "hocon", "tfvars", "hcl"];
    let is_data = path.extension().and_then(|end| end.to_str()).is_some_and(|end| DATA.contains(&end));
    let is_configuration = path.file_name().is_some_and(|name| name == "hiera.yaml");
    match is_data && !is_configuration || line.to_lowercase().contains("sensitive") {
        true => Shows::Message,
        false => Shows::All,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_code_are_shown_and_those_of_unknown_data_are_not() {
        let of = |path: &str, line: &str| of_code(Path::new(path), line);
        assert_eq!(of("manifests/site.pp", "$a = 1"), Shows::All);
        assert_eq!(of("hiera.yaml", "version: 5"), Shows::All);
        assert_eq!(of("manifests/site.pp", "$a = Sensitive('x')"), Shows::Message);
        assert_eq!(of("stray/a.yaml", "password: x"), Shows::Message);
    }
}
