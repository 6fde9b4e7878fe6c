//! [`Output`]: the output that the flags of a lookup select.

use hieratic::Error;
use hieratic::explain::Explain;
use hieratic_output::RenderAs;

use super::flags::LookupArguments;
use super::{usage_error, why};
use crate::output;
use crate::variables::VariablesFormat;

/// The output of a lookup for one node. A format is `None` if no flag sets it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Output {
    /// The value of the first key that has one.
    Value(Option<RenderAs>),
    /// The value of each key.
    Each(Option<RenderAs>),
    /// The values of all keys of the hierarchy, or of those that match.
    All(Option<RenderAs>),
    /// The origin of every part of the values of some keys.
    Origins(KeySelection, Option<RenderAs>),
    /// Every step of the lookup.
    Explain(Explain, Option<RenderAs>),
    /// The levels that made the value, and why.
    Why(KeySelection, why::Show),
    /// The values of some keys as a file of variables for other programs.
    Variables(KeySelection, VariablesFormat),
}

/// The keys that an output is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeySelection {
    /// The first with a value.
    First,
    /// Each of the named ones.
    Each,
    /// All of the hierarchy.
    All,
}

impl Output {
    /// Parses the flags.
    pub(super) fn parse(arguments: &LookupArguments) -> Result<Output, Error> {
        let only_options = arguments.explain_options && !arguments.explain;
        if arguments.keys.is_empty() && !arguments.all && !only_options {
            return Err(usage_error("No keys were given to lookup.").help("name a key, or pass --all"));
        }
        let selection = match (arguments.all, arguments.each) {
            (true, _) => KeySelection::All,
            (false, true) => KeySelection::Each,
            (false, false) => KeySelection::First,
        };
        let name = arguments.render_as.as_deref();
        if arguments.why {
            let show = why::Show::parse(name)
                .map_err(|message| usage_error(message).help("the formats of --why are html, json and yaml"));
            return Ok(Output::Why(selection, show?));
        }
        if let Some(format) = name.and_then(VariablesFormat::of_name) {
            if arguments.explain || arguments.explain_options || arguments.origins {
                let message = format!("{} is a format of values", name.unwrap_or_default());
                return Err(usage_error(message).help("the formats of explanations and origins are yaml, json and s"));
            }
            // Each of the chosen keys is a variable.
            let selection = if arguments.all { KeySelection::All } else { KeySelection::Each };
            return Ok(Output::Variables(selection, format));
        }
        let format = output::format(name).map_err(|message| {
            usage_error(message).help(match name {
                Some("html") => "html requires --why".to_owned(),
                _ => {
                    let names = VariablesFormat::NAMES.map(|(name, _)| name).join(", ");
                    format!("the formats are yaml, json and s, and for files of variables {names}")
                }
            })
        })?;
        if arguments.explain || arguments.explain_options {
            return Ok(Output::Explain(Explain { only_options, reveal: arguments.reveal }, format));
        }
        if arguments.origins {
            return Ok(Output::Origins(selection, format));
        }
        Ok(match selection {
            KeySelection::First => Output::Value(format),
            KeySelection::Each => Output::Each(format),
            KeySelection::All => Output::All(format),
        })
    }

    /// Returns whether the positions of values are part of the output.
    pub(super) fn has_positions(self) -> bool {
        match self {
            Output::Origins(..) | Output::Why(..) | Output::Variables(..) => true,
            Output::Explain(explain, _) => !explain.only_options,
            Output::Value(_) | Output::Each(_) | Output::All(_) => false,
        }
    }
}
