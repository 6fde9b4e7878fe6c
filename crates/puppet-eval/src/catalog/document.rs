//! [`CatalogDocument`]: a finished catalog as `puppet catalog compile` prints it.
//!
//! A document is a [`Tree`], which is written from the resources without a copy. A catalog has thousands of them, and
//! building a hash for each took longer than writing the output.

use std::borrow::Cow;
use std::fmt::Write;
use std::slice;

use hieratic_output::{Scalar, Tree, View};
use hieratic_value::{Hash, Str, Value};

use super::data::{DataForm, converted};
use super::{CompiledCatalog, CompiledResource};

/// The version of the catalog's format.
const FORMAT: i64 = 2;

/// A catalog as a document, without the fields `catalog_uuid` and `version`.
#[derive(Debug)]
pub struct CatalogDocument<'c> {
    catalog: &'c CompiledCatalog,
    resources: Vec<ResourceDocument<'c>>,
    references: References,
}

/// The references of edges, concatenated.
#[derive(Debug, Default)]
struct References {
    text: String,
    ends: Vec<usize>,
}

/// A resource as a document.
#[derive(Debug)]
pub struct ResourceDocument<'c> {
    resource: &'c CompiledResource,
    /// The values of its parameters as data; most are shared as they are.
    values: Vec<Cow<'c, Value>>,
}

/// A conversion to a string that lost information.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LossyConversion {
    /// The reference's warning.
    pub message: String,
    /// The index of the resource in the catalog.
    pub resource: usize,
}

impl CompiledCatalog {
    /// Returns the catalog as a document, and the conversions to strings.
    ///
    /// With `rich`, values that JSON cannot represent are serialized as rich data, as for agents. Otherwise, they are
    /// converted to strings, and the conversions are returned.
    pub fn document(&self, rich: bool) -> (CatalogDocument<'_>, Vec<LossyConversion>) {
        self.document_in(if rich { DataForm::Rich } else { DataForm::Strings })
    }

    /// Like [`document`](Self::document), for any form of values.
    pub fn document_in(&self, form: DataForm) -> (CatalogDocument<'_>, Vec<LossyConversion>) {
        let mut lossy = Vec::new();
        let resources = self.resources.iter().enumerate().map(|(at, resource)| {
            let mut warn = |message| lossy.push(LossyConversion { message, resource: at });
            resource.document_in(form, &mut warn)
        });
        let resources = resources.collect();
        let references = References::from_resources(&self.resources);
        (CatalogDocument { catalog: self, resources, references }, lossy)
    }
}

impl References {
    fn from_resources(resources: &[CompiledResource]) -> References {
        let mut all = References::default();
        for resource in resources {
            // Writing to a string cannot fail.
            let _ = write!(all.text, "{}[{}]", resource.kind, resource.title);
            all.ends.push(all.text.len());
        }
        all
    }

    /// Returns the reference of the resource at an index.
    fn get(&self, at: usize) -> Option<&str> {
        let start = at.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        self.text.get(start..*self.ends.get(at)?)
    }
}

impl CompiledResource {
    /// Converts the resource to a document. `warn` receives a warning for each value that is converted to a string.
    pub fn document(&self, rich: bool, warn: &mut dyn FnMut(String)) -> ResourceDocument<'_> {
        self.document_in(if rich { DataForm::Rich } else { DataForm::Strings }, warn)
    }

    fn document_in(&self, form: DataForm, warn: &mut dyn FnMut(String)) -> ResourceDocument<'_> {
        let values = self.parameters.iter().map(|one| {
            let path = || format!("{}['{}']", self.reference(), one.name);
            converted(&one.value, form, path, warn)
        });
        ResourceDocument { resource: self, values: values.collect() }
    }
}

impl<'c> CatalogDocument<'c> {
    /// Returns the document as a writable tree.
    pub fn tree(&self) -> CatalogNode<'_> {
        CatalogNode(FieldKind::Catalog(self))
    }

    /// Converts the document to a value.
    pub fn to_value(&self) -> Value {
        self.tree().to_value()
    }

    fn fields(&'c self) -> Vec<Field<'c>> {
        let catalog = self.catalog;
        vec![
            ("tags", FieldKind::Texts(&catalog.tags)),
            ("name", FieldKind::Text(&catalog.name)),
            ("code_id", FieldKind::Undef),
            ("catalog_format", FieldKind::Integer(FORMAT)),
            ("environment", FieldKind::Text(&catalog.environment)),
            ("resources", FieldKind::Resources(&self.resources)),
            ("edges", FieldKind::Edges(self)),
            ("classes", FieldKind::Texts(&catalog.classes)),
        ]
    }

    fn edge(&'c self, (source, target): (usize, usize)) -> Vec<Field<'c>> {
        let reference = |at: usize| FieldKind::Text(self.references.get(at).unwrap_or_default());
        vec![("source", reference(source)), ("target", reference(target))]
    }
}

impl<'c> ResourceDocument<'c> {
    /// Returns the document as a writable tree.
    pub fn tree(&self) -> CatalogNode<'_> {
        CatalogNode(FieldKind::Resource(self))
    }

    /// Converts the document to a value.
    pub fn to_value(&self) -> Value {
        self.tree().to_value()
    }

    fn fields(&'c self) -> Vec<Field<'c>> {
        let resource = self.resource;
        let mut fields = Vec::with_capacity(9);
        fields.push(("type", FieldKind::Text(&resource.kind)));
        fields.push(("title", FieldKind::Text(&resource.title)));
        fields.push(("tags", FieldKind::Texts(&resource.tags)));
        fields.extend(resource.file.as_deref().map(|file| ("file", FieldKind::Text(file))));
        fields.extend(resource.line.map(|line| ("line", FieldKind::Integer(line.into()))));
        let exported = ("exported", FieldKind::Boolean(resource.exported));
        let kind = ("kind", FieldKind::Text(resource.sort));
        fields.extend(if resource.exported_unsaid { [kind, exported] } else { [exported, kind] });
        if !resource.parameters.is_empty() {
            fields.push(("parameters", FieldKind::Parameters(self)));
        }
        if !resource.sensitive.is_empty() {
            fields.push(("sensitive_parameters", FieldKind::Texts(&resource.sensitive)));
        }
        fields
    }
}

/// A node of a document.
#[derive(Clone, Copy, Debug)]
pub struct CatalogNode<'d>(FieldKind<'d>);

#[derive(Clone, Copy, Debug)]
enum FieldKind<'d> {
    Undef,
    Boolean(bool),
    Integer(i64),
    Text(&'d str),
    Texts(&'d [Str]),
    Value(&'d Value),
    Catalog(&'d CatalogDocument<'d>),
    Resources(&'d [ResourceDocument<'d>]),
    Resource(&'d ResourceDocument<'d>),
    Parameters(&'d ResourceDocument<'d>),
    Edges(&'d CatalogDocument<'d>),
    Edge(&'d CatalogDocument<'d>, (usize, usize)),
}

/// A key and the kind of its value.
type Field<'d> = (&'static str, FieldKind<'d>);

/// The elements of an array in a document.
#[derive(Debug)]
pub struct Elements<'d>(List<'d>);

#[derive(Debug)]
enum List<'d> {
    Texts(slice::Iter<'d, Str>),
    Values(slice::Iter<'d, Value>),
    Resources(slice::Iter<'d, ResourceDocument<'d>>),
    Edges(&'d CatalogDocument<'d>, slice::Iter<'d, (usize, usize)>),
}

impl<'d> Iterator for Elements<'d> {
    type Item = CatalogNode<'d>;

    fn next(&mut self) -> Option<CatalogNode<'d>> {
        Some(CatalogNode(match &mut self.0 {
            List::Texts(texts) => FieldKind::Text(texts.next()?),
            List::Values(values) => FieldKind::Value(values.next()?),
            List::Resources(resources) => FieldKind::Resource(resources.next()?),
            List::Edges(document, edges) => FieldKind::Edge(document, *edges.next()?),
        }))
    }
}

/// The keys and values of a hash of a document.
#[derive(Debug)]
pub struct Pairs<'d>(Table<'d>);

#[derive(Debug)]
enum Table<'d> {
    Fields(std::vec::IntoIter<Field<'d>>),
    Parameters(slice::Iter<'d, super::Parameter>, slice::Iter<'d, Cow<'d, Value>>),
    Values(<&'d Hash as IntoIterator>::IntoIter),
}

impl<'d> Iterator for Pairs<'d> {
    type Item = (CatalogNode<'d>, CatalogNode<'d>);

    fn next(&mut self) -> Option<(CatalogNode<'d>, CatalogNode<'d>)> {
        let (key, value) = match &mut self.0 {
            Table::Fields(fields) => {
                let (name, value) = fields.next()?;
                (FieldKind::Text(name), value)
            }
            Table::Parameters(parameters, values) => {
                (FieldKind::Text(&parameters.next()?.name), FieldKind::Value(values.next()?))
            }
            Table::Values(pairs) => {
                let (key, value) = pairs.next()?;
                (FieldKind::Value(key), FieldKind::Value(value))
            }
        };
        Some((CatalogNode(key), CatalogNode(value)))
    }
}

impl<'d> Tree for CatalogNode<'d> {
    type Elements = Elements<'d>;
    type Pairs = Pairs<'d>;

    fn view(&self) -> View<'_, Self> {
        let fields = |fields: Vec<Field<'d>>| View::Hash(Pairs(Table::Fields(fields.into_iter())));
        View::Scalar(match &self.0 {
            FieldKind::Undef => Scalar::Undef,
            FieldKind::Boolean(boolean) => Scalar::Boolean(*boolean),
            FieldKind::Integer(integer) => Scalar::Integer(*integer),
            FieldKind::Text(text) => Scalar::String(text),
            FieldKind::Texts(texts) => return View::Array(Elements(List::Texts(texts.iter()))),
            FieldKind::Value(value) => match value.view() {
                View::Scalar(scalar) => scalar,
                View::Sensitive(inner) => return View::Sensitive(CatalogNode(FieldKind::Value(inner))),
                View::Array(elements) => return View::Array(Elements(List::Values(elements))),
                View::Hash(pairs) => return View::Hash(Pairs(Table::Values(pairs))),
            },
            FieldKind::Catalog(document) => return fields(document.fields()),
            FieldKind::Resources(resources) => return View::Array(Elements(List::Resources(resources.iter()))),
            FieldKind::Resource(resource) => return fields(resource.fields()),
            FieldKind::Parameters(document) => {
                let parameters = document.resource.parameters.iter();
                return View::Hash(Pairs(Table::Parameters(parameters, document.values.iter())));
            }
            FieldKind::Edges(document) => {
                return View::Array(Elements(List::Edges(document, document.catalog.edges.iter())));
            }
            FieldKind::Edge(document, edge) => return fields(document.edge(*edge)),
        })
    }
}
