//! A finished catalog as a document, as `puppet catalog compile` prints it.

use hieratic_value::{Hash, Value};

use super::{CompiledCatalog, CompiledResource, plain_data, rich_data};

/// What a catalog says of itself: the version of its format.
const FORMAT: i64 = 2;

/// What was turned into text on the way into a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lossy {
    /// The reference's warning.
    pub message: String,
    /// The place of the resource in the catalog.
    pub resource: usize,
}

impl CompiledCatalog {
    /// The catalog as the reference writes it, except its number (`catalog_uuid`) and its time (`version`).
    ///
    /// Values that JSON cannot hold are written out as rich data is sent to agents, or become text; of the latter it warns.
    pub fn to_data(&self, rich: bool) -> (Value, Vec<Lossy>) {
        let mut lossy = Vec::new();
        let resources: Vec<Value> = self
            .resources
            .iter()
            .enumerate()
            .map(|(at, resource)| {
                let mut warn = |message| lossy.push(Lossy { message, resource: at });
                resource.to_data(rich, &mut warn)
            })
            .collect();
        let reference =
            |at: usize| Value::from(self.resources.get(at).map(CompiledResource::reference).unwrap_or_default());
        let edges: Vec<Value> = self
            .edges
            .iter()
            .map(|(source, target)| hash([("source", reference(*source)), ("target", reference(*target))]))
            .collect();
        let data = hash([
            ("tags", self.tags.iter().map(|tag| Value::String(tag.clone())).collect()),
            ("name", self.name.as_str().into()),
            ("code_id", Value::Undef),
            ("catalog_format", FORMAT.into()),
            ("environment", self.environment.as_str().into()),
            ("resources", resources.into()),
            ("edges", edges.into()),
            ("classes", self.classes.iter().map(|class| Value::String(class.clone())).collect()),
        ]);
        (data, lossy)
    }
}

impl CompiledResource {
    /// The resource as the reference writes it.
    pub fn to_data(&self, rich: bool, warn: &mut dyn FnMut(String)) -> Value {
        let mut data: Vec<(&str, Value)> = vec![
            ("type", self.kind.as_str().into()),
            ("title", self.title.as_str().into()),
            ("tags", self.tags.iter().map(|tag| Value::String(tag.clone())).collect()),
        ];
        data.extend(self.file.as_deref().map(|file| ("file", file.into())));
        data.extend(self.line.map(|line| ("line", i64::from(line).into())));
        let exported = ("exported", self.exported.into());
        let kind = ("kind", self.sort.into());
        data.extend(if self.exported_unsaid { [kind, exported] } else { [exported, kind] });
        if !self.parameters.is_empty() {
            let convert = if rich { rich_data } else { plain_data };
            let reference = self.reference();
            let parameters: Hash = self
                .parameters
                .iter()
                .map(|one| (one.name.clone(), convert(&one.value, &format!("{reference}['{}']", one.name), warn)))
                .collect();
            data.push(("parameters", parameters.into()));
        }
        if !self.sensitive.is_empty() {
            let names = self.sensitive.iter().map(|name| Value::String(name.clone())).collect();
            data.push(("sensitive_parameters", names));
        }
        hash(data)
    }
}

fn hash<'k>(pairs: impl IntoIterator<Item = (&'k str, Value)>) -> Value {
    pairs.into_iter().collect::<Hash>().into()
}
