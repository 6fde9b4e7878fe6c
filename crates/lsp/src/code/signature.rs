//! The ways to call the function whose arguments are being typed.

use lsp_types::{ParameterInformation, ParameterLabel, SignatureHelp, SignatureInformation};

use super::functions;
use super::thing::Words;
use crate::document::Document;
use crate::world::World;

/// The ways to call the function around a place.
pub(crate) fn help(world: &World, document: &Document, offset: usize) -> Option<SignatureHelp> {
    let words = Words::of(document);
    let index = words.first_behind(offset);
    let (name, _, commas) = words.call_around(index)?;
    let outline = world.outline_of(&document.path);
    let view = world.view_of(&document.path);
    let ways = functions::find(view, &outline, world.version, &name)?.ways();
    if ways.is_empty() {
        return None;
    }
    let active = |way: &functions::Way| match way.rest {
        true => commas.min(way.parameters.len().saturating_sub(1)),
        false => commas,
    };
    let chosen = ways.iter().position(|way| way.rest || commas < way.parameters.len()).unwrap_or(0);
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let parameter = ways.get(chosen).map(|way| number(active(way)));
    let signatures = ways
        .into_iter()
        .map(|way| SignatureInformation {
            active_parameter: Some(number(active(&way))),
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
    Some(SignatureHelp { signatures, active_signature: Some(number(chosen)), active_parameter: parameter })
}
