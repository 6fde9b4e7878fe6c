//! The status that clients show: the chosen node, and the parts that were not checked.

use std::path::Path;

use hieratic_lint::{Omission, OmissionGroup};
use serde::{Deserialize, Serialize};

use crate::global_state::GlobalState;
use crate::snapshot::Snapshot;
use hieratic::sandbox::SlashPath as _;

/// The maximum number of paths of a group in an answer.
const MAX_PATHS: usize = 100;

/// The chosen node with the nodes to choose from, and the checked files.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ServerStatus {
    pub(crate) node: Option<String>,
    pub(crate) nodes: Vec<String>,
    /// The number of files that were checked.
    pub(crate) files: usize,
    /// The parts that were not judged, in words, as `hieratic check` prints them. Those that may hide an error come first.
    pub(crate) not_judged: Vec<String>,
}

/// The parts that were not judged of a folder or a document.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NotJudged {
    /// The number of files that were checked.
    pub(crate) files: usize,
    pub(crate) groups: Vec<NotJudgedGroup>,
}

/// Files or keys that were not judged for one reason.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NotJudgedGroup {
    /// The kind of each: `manifest`, `key`.
    pub(crate) subject: String,
    pub(crate) reason: String,
    /// A flag or a step that changes it.
    pub(crate) remedy: Option<String>,
    /// Whether errors may be hidden, and not by the choice of the user.
    pub(crate) is_gap: bool,
    pub(crate) count: usize,
    /// The first of them.
    pub(crate) paths: Vec<String>,
}

/// Returns the status of the server.
pub(crate) fn status(global: &GlobalState) -> ServerStatus {
    let snapshot = global.snapshot();
    let analyses = || snapshot.roots.iter().filter_map(|root| root.analysis.as_ref());
    let omissions: Vec<Omission> = analyses().flat_map(|analysis| analysis.omissions.iter().cloned()).collect();
    ServerStatus {
        node: snapshot.chosen.name.clone(),
        nodes: snapshot.chosen.names(),
        files: analyses().map(|analysis| analysis.files).sum(),
        not_judged: OmissionGroup::group(&omissions).iter().map(OmissionGroup::words).collect(),
    }
}

/// Returns the parts that were not checked, of all folders or of one file.
pub(crate) fn not_judged(snapshot: &Snapshot, of: Option<&Path>) -> NotJudged {
    let analyses = || snapshot.roots.iter().filter_map(|root| root.analysis.as_ref());
    let all = analyses().flat_map(|analysis| analysis.omissions.iter());
    let listed = all.filter(|omission| of.is_none_or(|path| omission.path == path));
    let omissions: Vec<Omission> = listed.cloned().collect();
    let groups = OmissionGroup::group(&omissions);
    NotJudged { files: analyses().map(|analysis| analysis.files).sum(), groups: groups.iter().map(described).collect() }
}

fn described(group: &OmissionGroup<'_>) -> NotJudgedGroup {
    NotJudgedGroup {
        subject: group.subject.noun().to_owned(),
        reason: group.reason_words(),
        remedy: group.reason.remedy().map(str::to_owned),
        is_gap: group.reason.is_gap(),
        count: group.paths.len(),
        paths: group.paths.iter().take(MAX_PATHS).map(|path| path.to_slashes()).collect(),
    }
}
