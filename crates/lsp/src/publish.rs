//! [`Publisher`]: which findings the client shows.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hieratic_audit::{Finding, Fix};
use lsp_types::notification::PublishDiagnostics;
use lsp_types::{Diagnostic, PublishDiagnosticsParams};
use rustc_hash::FxHashMap;

use crate::client::Client;
use crate::document::Document;
use crate::findings::{primary, told};
use crate::paths::uri_of;
use crate::positions::{Encoding, Lines};

/// What the client shows of each file.
pub(crate) struct Publisher {
    client: Client,
    encoding: Encoding,
    shown: Mutex<FxHashMap<PathBuf, Shown>>,
}

/// What the client shows of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shown {
    version: Option<i32>,
    /// Which text it is of; none if the file is not open.
    serial: Option<u64>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What fixes each of them.
    pub(crate) fixes: Vec<Vec<Fix>>,
}

impl Publisher {
    pub(crate) fn new(client: Client, encoding: Encoding) -> Publisher {
        Publisher { client, encoding, shown: Mutex::default() }
    }

    fn all(&self) -> MutexGuard<'_, FxHashMap<PathBuf, Shown>> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows the findings of a file, unless they are shown already or are those of an older text.
    pub(crate) fn publish(&self, path: &Path, document: Option<&Document>, findings: &[Finding]) {
        let Some(uri) = document.map(|document| document.uri.clone()).or_else(|| uri_of(path)) else { return };
        let version = document.and_then(|document| document.version);
        let read: Option<(std::sync::Arc<str>, Lines)> = match document {
            Some(document) => Some((document.text.clone(), document.lines.clone())),
            None => findings.iter().find_map(primary).map(|(source, _)| {
                let text: std::sync::Arc<str> = source.text().into();
                let lines = Lines::of(&text, self.encoding);
                (text, lines)
            }),
        };
        let (text, lines) = read.unwrap_or_else(|| ("".into(), Lines::of("", self.encoding)));
        let diagnostics: Vec<Diagnostic> =
            findings.iter().map(|finding| told(finding, &text, &lines, self.encoding)).collect();
        let fixes = findings.iter().map(|finding| finding.fixes().to_vec()).collect();
        let mut all = self.all();
        let known = all.get(path);
        let serial = document.map(|document| document.serial);
        if known.is_some_and(|known| known.serial > serial && serial.is_some()) {
            return;
        }
        let is_same = match known {
            Some(known) => known.diagnostics == diagnostics && known.version == version,
            None => diagnostics.is_empty() && version.is_none(),
        };
        let shown = Shown { version, serial, diagnostics: diagnostics.clone(), fixes };
        match shown.diagnostics.is_empty() && version.is_none() {
            true => all.remove(path),
            false => all.insert(path.to_owned(), shown),
        };
        // Sent while the table is locked, so that the client sees them in the order in which they are noted.
        if !is_same {
            self.client.notify::<PublishDiagnostics>(PublishDiagnosticsParams { uri, diagnostics, version });
        }
    }

    /// What is shown of a file.
    pub(crate) fn of(&self, path: &Path) -> Option<Shown> {
        self.all().get(path).cloned()
    }

    /// A file was closed: what is shown of it has no version any more.
    pub(crate) fn close(&self, path: &Path) {
        if let Some(shown) = self.all().get_mut(path) {
            shown.version = None;
            shown.serial = None;
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
                let parameters = PublishDiagnosticsParams { uri, diagnostics: Vec::new(), version: None };
                self.client.notify::<PublishDiagnostics>(parameters);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;
    use crate::document::Language;

    #[test]
    fn a_file_that_is_opened_again_begins_anew() {
        let (out, messages) = channel();
        let publisher = Publisher::new(Client::new(out), Encoding::Utf16);
        let path = Path::new("/a.yaml");
        let document = |version| {
            let uri = uri_of(path).unwrap();
            Document::new(path.to_owned(), uri, Some(version), Language::Yaml, "a: 1\n", Encoding::Utf16)
        };
        let (old, new) = (document(900), document(1));
        let shown = || messages.try_iter().map(|one| one["params"]["version"].as_i64()).collect::<Vec<_>>();
        publisher.publish(path, Some(&old), &[]);
        assert_eq!(shown(), [Some(900)]);
        // What an earlier text has comes late, but before the first of the new one.
        publisher.close(path);
        publisher.publish(path, Some(&old), &[]);
        publisher.publish(path, Some(&new), &[]);
        publisher.publish(path, Some(&old), &[]);
        assert_eq!(shown(), [Some(900), Some(1)]);
    }
}
