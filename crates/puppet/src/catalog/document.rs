//! A finished catalog as a document, as `puppet catalog compile` prints it.

use hieratic_value::{Hash, Value};
use rustc_hash::FxHashMap;

use super::data::converted;
use super::{CompiledCatalog, CompiledResource};

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

/// Texts of which a document says many the same: it has each only once.
#[derive(Default)]
struct Shared<'c>(FxHashMap<&'c str, Value>);

impl<'c> Shared<'c> {
    fn text(&mut self, text: &'c str) -> Value {
        self.0.entry(text).or_insert_with(|| text.into()).clone()
    }

    fn hash(&mut self, pairs: impl IntoIterator<Item = (&'c str, Value)>) -> Value {
        Value::from(pairs.into_iter().map(|(name, value)| (self.text(name), value)).collect::<Hash>())
    }
}

impl CompiledCatalog {
    /// The catalog as the reference writes it, except its number (`catalog_uuid`) and its time (`version`).
    ///
    /// Values that JSON cannot hold are written out as rich data is sent to agents, or become text; of the latter it warns.
    pub fn to_data(&self, rich: bool) -> (Value, Vec<Lossy>) {
        let (mut lossy, mut shared) = (Vec::new(), Shared::default());
        let resources: Vec<Value> = self
            .resources
            .iter()
            .enumerate()
            .map(|(at, resource)| {
                let mut warn = |message| lossy.push(Lossy { message, resource: at });
                resource.data(rich, &mut shared, &mut warn)
            })
            .collect();
        let references: Vec<Value> = self.resources.iter().map(|one| one.reference().into()).collect();
        let reference = |at: usize| references.get(at).cloned().unwrap_or_else(|| "".into());
        let edges: Vec<Value> = self
            .edges
            .iter()
            .map(|(source, target)| shared.hash([("source", reference(*source)), ("target", reference(*target))]))
            .collect();
        let data = shared.hash([
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
        self.data(rich, &mut Shared::default(), warn)
    }

    fn data<'c>(&'c self, rich: bool, shared: &mut Shared<'c>, warn: &mut dyn FnMut(String)) -> Value {
        let mut data: Vec<(&str, Value)> = Vec::with_capacity(9);
        data.push(("type", shared.text(&self.kind)));
        data.push(("title", self.title.as_str().into()));
        data.push(("tags", self.tags.iter().map(|tag| Value::String(tag.clone())).collect()));
        data.extend(self.file.as_deref().map(|file| ("file", shared.text(file))));
        data.extend(self.line.map(|line| ("line", i64::from(line).into())));
        let exported = ("exported", self.exported.into());
        let kind = ("kind", shared.text(self.sort));
        data.extend(if self.exported_unsaid { [kind, exported] } else { [exported, kind] });
        if !self.parameters.is_empty() {
            let parameters: Hash = self
                .parameters
                .iter()
                .map(|one| {
                    let path = || format!("{}['{}']", self.reference(), one.name);
                    (one.name.clone(), converted(&one.value, rich, path, warn))
                })
                .collect();
            data.push(("parameters", parameters.into()));
        }
        if !self.sensitive.is_empty() {
            let names = self.sensitive.iter().map(|name| Value::String(name.clone())).collect();
            data.push(("sensitive_parameters", names));
        }
        shared.hash(data)
    }
}
