//! Signature help: the signatures of the function whose arguments are being typed.

use lsp_types::{ParameterInformation, ParameterLabel, SignatureHelp, SignatureInformation};

use super::functions;
use super::symbol_at::CodeWords;
use crate::document::Document;
use crate::positions::to_u32;
use crate::snapshot::Snapshot;

/// Returns the signatures of the function call around an offset.
pub(crate) fn help(snapshot: &Snapshot, document: &Document, offset: usize) -> Option<SignatureHelp> {
    let words = CodeWords::new(document);
    let index = words.first_behind(offset);
    let (name, _, commas) = words.call_around(index)?;
    let outline = snapshot.outline_of(&document.path);
    let view = snapshot.view_of(&document.path);
    let overloads = functions::find(view, &outline, snapshot.version, &name)?.overloads();
    if overloads.is_empty() {
        return None;
    }
    let active =
        |way: &functions::Overload| if way.rest { commas.min(way.parameters.len().saturating_sub(1)) } else { commas };
    let chosen = overloads.iter().position(|way| way.rest || commas < way.parameters.len()).unwrap_or(0);
    let parameter = overloads.get(chosen).map(|way| to_u32(active(way)));
    let signatures = overloads
        .into_iter()
        .map(|way| SignatureInformation {
            active_parameter: Some(to_u32(active(&way))),
            label: way.label,
            documentation: None,
            parameters: Some(
                way.parameters
                    .into_iter()
                    .map(|label| ParameterInformation { label: ParameterLabel::Simple(label), documentation: None })
                    .collect(),
            ),
        })
        .collect();
    Some(SignatureHelp { signatures, active_signature: Some(to_u32(chosen)), active_parameter: parameter })
}
