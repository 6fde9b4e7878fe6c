//! [`Publisher`]: the diagnostics that the client shows.
//!
//! A file may have thousands of findings, and an editor thousands of files. Findings are therefore shared with the
//! check that created them. They are only converted to diagnostics while they are sent, or for a code action.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hieratic::value::collections::HashMap;
use hieratic_lint::{Finding, Fix, Suggestion};
use lsp_types::{Diagnostic, DiagnosticSeverity, PublishDiagnosticsParams, Range};

use crate::client::Client;
use crate::document::Document;
use crate::findings::{SOURCE, primary, to_diagnostic};
use crate::paths::uri_of;
use crate::positions::{Encoding, Lines};

/// The maximum number of findings of a file that are shown. Editors slow down with more.
pub(crate) const MAX_SHOWN: usize = 1_000;

/// The diagnostics that the client shows for each file.
pub(crate) struct Publisher {
    client: Client,
    encoding: Encoding,
    shown: Mutex<HashMap<PathBuf, PublishedDiagnostics>>,
}

/// The diagnostics that the client shows for a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct PublishedDiagnostics {
    version: Option<i32>,
    /// The serial number of the document; `None` if the file is not open.
    serial: Option<u64>,
    /// The document; `None` if the file is not open.
    document: Option<Arc<Document>>,
    findings: Arc<[Finding]>,
    /// A hash of the diagnostics.
    digest: u64,
}

impl PublishedDiagnostics {
    /// The diagnostics, as the client has them.
    fn diagnostics(&self, encoding: Encoding) -> Vec<Diagnostic> {
        let read: Option<(Arc<str>, Lines)> = match &self.document {
            Some(document) => Some((document.text.clone(), document.lines.clone())),
            None => self.findings.iter().find_map(primary).map(|(source, _)| {
                let text: Arc<str> = source.text().into();
                let lines = Lines::new(&text, encoding);
                (text, lines)
            }),
        };
        let (text, lines) = read.unwrap_or_else(|| ("".into(), Lines::new("", encoding)));
        let first = self.findings.iter().take(MAX_SHOWN);
        let mut diagnostics: Vec<Diagnostic> =
            first.map(|finding| to_diagnostic(finding, &text, &lines, encoding)).collect();
        if let Some(more) = self.findings.len().checked_sub(MAX_SHOWN).filter(|more| *more > 0) {
            diagnostics.push(Diagnostic {
                range: Range::default(),
                severity: Some(DiagnosticSeverity::INFORMATION),
                source: Some(SOURCE.to_owned()),
                message: format!("{more} more findings of this file are not shown: 'hieratic check' lists all of them"),
                ..Diagnostic::default()
            });
        }
        diagnostics
    }

    /// The diagnostics that something fixes, each with that.
    pub(crate) fn fixable(&self, encoding: Encoding) -> Vec<(Diagnostic, Vec<Fix>)> {
        if self.findings.iter().all(|finding| finding.fixes().is_empty()) {
            return Vec::new();
        }
        let all = self.diagnostics(encoding).into_iter().zip(self.findings.iter());
        all.filter(|(_, finding)| !finding.fixes().is_empty())
            .map(|(diagnostic, finding)| (diagnostic, finding.fixes().to_vec()))
            .collect()
    }

    /// The diagnostics with edits that may fix them, if the user decides so.
    pub(crate) fn suggested(&self, encoding: Encoding) -> Vec<(Diagnostic, Suggestion)> {
        if self.findings.iter().all(|finding| finding.suggestion().is_none()) {
            return Vec::new();
        }
        let all = self.diagnostics(encoding).into_iter().zip(self.findings.iter());
        all.filter_map(|(diagnostic, finding)| Some((diagnostic, finding.suggestion()?.clone()))).collect()
    }
}

impl Publisher {
    pub(crate) fn new(client: Client, encoding: Encoding) -> Publisher {
        Publisher { client, encoding, shown: Mutex::default() }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<PathBuf, PublishedDiagnostics>> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows the findings of a file, unless they are shown already or are those of an older text.
    pub(crate) fn publish(&self, path: &Path, document: Option<&Arc<Document>>, findings: Arc<[Finding]>) {
        let Some(uri) = document.map(|document| document.uri.clone()).or_else(|| uri_of(path)) else { return };
        let version = document.and_then(|document| document.version);
        let serial = document.map(|document| document.serial);
        let mut shown = PublishedDiagnostics { version, serial, document: document.cloned(), findings, digest: 0 };
        let encoding = self.encoding;
        let diagnostics = shown.diagnostics(encoding);
        let is_empty = diagnostics.is_empty();
        shown.digest = digest(&diagnostics);
        drop(diagnostics);
        let mut all = self.all();
        let known = all.get(path);
        if known.is_some_and(|known| known.serial > serial && serial.is_some()) {
            return;
        }
        let is_same = match known {
            Some(known) => known.digest == shown.digest && known.version == version,
            None => is_empty && version.is_none(),
        };
        if is_empty && version.is_none() {
            all.remove(path);
        } else {
            all.insert(path.to_owned(), shown.clone());
        }
        // The message is queued while the table is locked, so that the client receives messages in the same order.
        if !is_same {
            self.client.publish_diagnostics(uri.clone(), move || PublishDiagnosticsParams {
                uri,
                diagnostics: shown.diagnostics(encoding),
                version,
            });
        }
    }

    /// Returns the diagnostics of a file that the client shows.
    pub(crate) fn shown(&self, path: &Path) -> Option<PublishedDiagnostics> {
        self.all().get(path).cloned()
    }

    /// Handles a closed file: its diagnostics have no version any more.
    pub(crate) fn close(&self, path: &Path) {
        if let Some(shown) = self.all().get_mut(path) {
            shown.version = None;
            shown.serial = None;
            // The findings still refer to the same content.
            shown.document = None;
        }
    }

    /// The files below a folder of which something is shown.
    pub(crate) fn shown_below(&self, folder: &Path) -> Vec<PathBuf> {
        self.all().keys().filter(|path| path.starts_with(folder)).cloned().collect()
    }

    /// Shows nothing of the files below a folder.
    pub(crate) fn forget_below(&self, folder: &Path) {
        for path in self.shown_below(folder) {
            self.all().remove(&path);
            if let Some(uri) = uri_of(&path) {
                self.client.publish_diagnostics(uri.clone(), move || PublishDiagnosticsParams {
                    uri,
                    diagnostics: Vec::new(),
                    version: None,
                });
            }
        }
    }
}

/// Returns a hash of diagnostics.
fn digest(diagnostics: &[Diagnostic]) -> u64 {
    let mut hasher = DefaultHasher::new();
    // Diagnostics can always be serialized. If one could not, the hash would only miss its content.
    for diagnostic in diagnostics {
        serde_json::to_string(diagnostic).unwrap_or_default().hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use crossbeam_channel::{Receiver, unbounded};
    use lsp_server::Message;

    use super::*;
    use crate::client::DiagnosticsQueue;
    use crate::document::Language;

    /// A publisher, and the messages that it sends.
    fn publisher() -> (Publisher, Receiver<Message>, DiagnosticsQueue) {
        let (out, messages) = unbounded();
        let queue = DiagnosticsQueue::default();
        (Publisher::new(Client::new(out, queue.clone()), Encoding::Utf16), messages, queue)
    }

    /// The parameters of a message as written.
    fn written(queue: &DiagnosticsQueue, message: Message) -> Option<serde_json::Value> {
        match queue.complete(message)? {
            Message::Notification(one) => Some(one.params),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_reopened_file_starts_with_new_diagnostics() {
        let (publisher, messages, queue) = publisher();
        let path = Path::new("/a.yaml");
        let document = |version| {
            let uri = uri_of(path).unwrap();
            Arc::new(Document::new(path.to_owned(), uri, Some(version), Language::Yaml, "a: 1\n", Encoding::Utf16))
        };
        let (old, new) = (document(900), document(1));
        let version = |message: Message| written(&queue, message)?["version"].as_i64();
        let shown = || messages.try_iter().map(version).collect::<Vec<_>>();
        publisher.publish(path, Some(&old), Arc::default());
        assert_eq!(shown(), [Some(900)]);
        // The findings of an earlier version arrive late, but before the first ones of the new version.
        publisher.close(path);
        publisher.publish(path, Some(&old), Arc::default());
        publisher.publish(path, Some(&new), Arc::default());
        publisher.publish(path, Some(&old), Arc::default());
        assert_eq!(shown(), [Some(1)]);
    }

    /// A queued message holds no copy of the findings, and the last diagnostic of a file with too many reports that.
    #[test]
    fn findings_are_shared_until_they_are_sent() {
        let (publisher, messages, queue) = publisher();
        let folder = tempfile::tempdir().unwrap();
        let hiera = "version: 5\nhierarchy:\n  - {name: A, path: a.yaml}\n";
        std::fs::write(folder.path().join("hiera.yaml"), hiera).unwrap();
        std::fs::create_dir(folder.path().join("data")).unwrap();
        let path = folder.path().join("data/a.yaml");
        let text: String = (0..=MAX_SHOWN).map(|number| format!("k{number}: 1\nk{number}: 2\n")).collect();
        std::fs::write(&path, &text).unwrap();
        let report = hieratic_lint::Session::new(hieratic_lint::Options::for_paths([folder.path()])).check(&());
        let findings: Arc<[Finding]> = report.findings.into();
        assert_eq!(findings.len(), MAX_SHOWN + 1);
        publisher.publish(&path, None, findings.clone());
        // Ours, the table's, and the message's.
        assert_eq!(Arc::strong_count(&findings), 3);
        let parameters = written(&queue, messages.try_recv().unwrap()).unwrap();
        assert_eq!(Arc::strong_count(&findings), 2);
        let diagnostics = parameters["diagnostics"].as_array().unwrap();
        assert_eq!(diagnostics.len(), MAX_SHOWN + 1);
        let last = diagnostics.last().unwrap()["message"].as_str().unwrap();
        assert!(last.starts_with("1 more findings of this file are not shown"), "{last}");
        // Unchanged diagnostics are not sent again.
        publisher.publish(&path, None, findings.clone());
        assert!(messages.try_recv().is_err());
        // Those that change before they are written are written once, as they are then.
        publisher.publish(&path, None, findings[..1].into());
        publisher.publish(&path, None, findings[..2].into());
        let parameters: Vec<_> = messages.try_iter().filter_map(|one| written(&queue, one)).collect();
        let [parameters] = parameters.as_slice() else { panic!("{parameters:?}") };
        assert_eq!(parameters["diagnostics"].as_array().unwrap().len(), 2);
    }
}
