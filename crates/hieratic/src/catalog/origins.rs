//! The origins of parameters as text.

use hieratic_puppet_eval::{Origin, OriginKind};

/// Formats the origin of a parameter: its kind, and its position.
pub fn origin_text(origin: &Origin) -> String {
    let place = match (&origin.site.file, origin.site.line) {
        (Some(file), line) if line > 0 => Some(format!("{file}:{line}")),
        (Some(file), _) => Some(file.to_string()),
        _ => None,
    };
    let problem = match &origin.kind {
        OriginKind::Declared => "declared".to_owned(),
        OriginKind::Created => "create_resources".to_owned(),
        OriginKind::ParameterDefault => "default of the parameter".to_owned(),
        OriginKind::ResourceDefault => "default of the resource type".to_owned(),
        OriginKind::Data(key) => format!("data, key {key}"),
        OriginKind::Override => "override".to_owned(),
        OriginKind::Collector => "override of a collector".to_owned(),
        OriginKind::Relationship => "relationship".to_owned(),
        OriginKind::Container => "container".to_owned(),
        OriginKind::Title => "title".to_owned(),
        OriginKind::Classifier => "classifier".to_owned(),
        OriginKind::Exported(node) => format!("exported by {node}"),
    };
    match place {
        Some(place) => format!("{problem}, {place}"),
        None => problem,
    }
}
