//! [`Origin`]: the origin of a parameter's value.

use hieratic_puppet_functions::Site;
use hieratic_value::Str;

/// The origin of a parameter's value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The kind of the origin.
    pub kind: OriginKind,
    /// The position of its definition.
    pub site: Site,
}

/// The kinds of origins of a parameter's value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum OriginKind {
    /// The declaration of the resource.
    #[default]
    Declared,
    /// The function `create_resources`.
    Created,
    /// The default of a parameter of a class or defined type.
    ParameterDefault,
    /// The defaults of a resource type: `File { ... }`.
    ResourceDefault,
    /// Data, under a key.
    Data(Str),
    /// An override: `File['/x'] { ... }`.
    Override,
    /// A collector: `File <| |> { ... }`.
    Collector,
    /// A relationship: `->` and similar operators, or the function `require`.
    Relationship,
    /// The container of the resource: a metaparameter or a stage.
    Container,
    /// The title of the resource.
    Title,
    /// The node classifier.
    Classifier,
    /// The catalog of another node, which exports the resource.
    Exported(Str),
}

impl OriginKind {
    /// Returns the name of the kind for messages.
    pub fn word(&self) -> &'static str {
        match self {
            OriginKind::Declared => "declared",
            OriginKind::Created => "created",
            OriginKind::ParameterDefault => "default",
            OriginKind::ResourceDefault => "resource-default",
            OriginKind::Data(_) => "data",
            OriginKind::Override => "override",
            OriginKind::Collector => "collector",
            OriginKind::Relationship => "relationship",
            OriginKind::Container => "container",
            OriginKind::Title => "title",
            OriginKind::Classifier => "classifier",
            OriginKind::Exported(_) => "exported",
        }
    }
}

impl Origin {
    /// Returns the position for messages: the reference only records it for attributes in code.
    pub(crate) fn place(&self) -> Site {
        match self.kind {
            OriginKind::Declared | OriginKind::ResourceDefault | OriginKind::Override | OriginKind::Collector => {
                Site { column: 0, ..self.site.clone() }
            }
            _ => Site::default(),
        }
    }
}
