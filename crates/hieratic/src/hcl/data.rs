//! `data_hash: hcl_data`: files of HCL as data of Hiera.
//!
//! Attributes are keys, blocks are nested hashes: below their type, and below each of their labels. A type that occurs
//! several times with the same labels is an array of hashes. Expressions have no variables, and the functions of
//! Nomad's job specifications except those that read files or are not deterministic. Bodies keep the order of the
//! source; objects are sorted by name, as in HCL.

use std::path::Path;
use std::sync::Arc;

use hieratic_budget::{Budget, Limits};
use hieratic_hcl_eval::{Body, Context, File, Functions, Problem, Severity, Source, Span};
use hieratic_hcl_syntax::ast;
use hieratic_hcl_types::{CallError, Function, Parameter, Type};
use hieratic_hiera::{DataReader, Error, ErrorKind, Place};
use hieratic_json::{Position, Positions};
use hieratic_value::collections::HashMap;
use hieratic_value::{Hash, HashBuilder, Str, Value};

use super::{from_cty, hcl_functions};
use hieratic_sandbox::SlashPath as _;

/// The functions with a different result on each call: data that is cached for all nodes cannot use them.
const NONDETERMINISTIC: [&str; 3] = ["bcrypt", "timestamp", "uuidv4"];

/// Reads files of HCL.
#[derive(Debug)]
pub(crate) struct HclData {
    functions: Functions,
    limits: Limits,
}

/// The divisor of the answer's steps that gives the steps of one data file, and the additional steps for each of its bytes. A
/// repository can have many files, so one file never takes the whole budget.
const PART_OF_STEPS: u64 = 100;
const STEPS_OF_BYTE: u64 = 100;

impl HclData {
    pub(crate) fn new(limits: Limits) -> HclData {
        let mut functions = hcl_functions(None);
        for name in NONDETERMINISTIC {
            let refused = move |_: &[hieratic_hcl_types::Value]| {
                Err(CallError::call(format!(
                    "{name} returns different values on every call and cannot be used in data"
                )))
            };
            let any = Parameter::new("argument", Type::Dynamic).nullable();
            functions.add(name, Function::new(Vec::new(), Type::Dynamic, refused).with_variadic(any));
        }
        HclData { functions, limits }
    }

    /// The work that a file of this size may be.
    fn budget(&self, size: usize) -> Budget {
        let most = u64::try_from(size).unwrap_or(u64::MAX).saturating_mul(STEPS_OF_BYTE);
        let steps = (self.limits.steps / PART_OF_STEPS).saturating_add(most).min(self.limits.steps);
        Budget::new(Limits { steps, ..self.limits })
    }
}

impl DataReader for HclData {
    fn name(&self) -> &'static str {
        "hcl_data"
    }

    fn read(&self, bytes: &[u8], file: &Path) -> Result<(Value, Positions), Error> {
        let name = file.to_slashes();
        let parsed = File::native(&name, bytes);
        let refuse =
            |found: &hieratic_hcl_eval::Problems| match found.iter().find(|one| one.severity == Severity::Error) {
                Some(first) => Err(fault(first, file)),
                None => Ok(()),
            };
        refuse(parsed.problems())?;
        let body = parsed.body();
        let Some((source, native)) = body.as_native() else { return Ok((Value::Undef, Positions::default())) };
        let budget = self.budget(bytes.len());
        let context = Context::new().with_budget(&budget).with_functions(&self.functions);
        let reader = BodyReader { body: &body, source, context: &context, file };
        let tree = reader.body(native)?;
        Ok(tree.into_value(Position::START))
    }
}

fn fault(problem: &Problem, file: &Path) -> Error {
    let text = match &*problem.detail {
        "" => problem.summary.to_string(),
        detail => format!("{}; {detail}", problem.summary),
    };
    let start = problem.subject.as_ref().map(hieratic_hcl_eval::Range::start);
    let at = start.map_or(String::new(), |start| format!(":{},{}", start.line, start.column));
    let error = Error::new(
        ErrorKind::Lookup,
        hieratic_hiera::codes::DATA_SYNTAX,
        format!("Unable to parse ({}{at}): {text}", file.display()),
    );
    let place = Place::new(file, start.map(|start| Position { line: start.line, column: start.column }));
    let error = error.at(match &problem.subject {
        Some(range) => place.showing(range.source.as_text().clone(), range.span),
        None => place,
    });
    match &*problem.summary {
        "Invalid template directive" | "Invalid template control keyword" => {
            error.help("for Hiera interpolation write %%{...}: in HCL, %{ starts a template directive")
        }
        "Variables not allowed" => error.help("HCL data cannot use variables; Hiera resolves %%{facts.name}"),
        _ => error,
    }
}

/// The content of a body, while it is read.
#[derive(Default)]
struct BodyTree {
    entries: Vec<(Str, Entry)>,
    /// The index of each name among the entries.
    places: HashMap<Str, usize>,
}

/// The content of a name.
enum Entry {
    /// The value of an attribute.
    Value { at: Position, value: Value, positions: Positions },
    /// Blocks with a label more, by the label.
    Labels { at: Position, below: BodyTree },
    /// Blocks without another label.
    Bodies { at: Position, bodies: Vec<(Position, BodyTree)> },
}

impl BodyTree {
    fn entry(&mut self, name: &str) -> Option<&mut Entry> {
        let at = *self.places.get(name)?;
        self.entries.get_mut(at).map(|(_, entry)| entry)
    }

    /// Adds an entry with a new name.
    fn add(&mut self, name: Str, entry: Entry) {
        self.places.insert(name.clone(), self.entries.len());
        self.entries.push((name, entry));
    }

    fn into_value(self, at: Position) -> (Value, Positions) {
        let mut hash = HashBuilder::default();
        let mut places = Vec::with_capacity(self.entries.len());
        for (name, entry) in self.entries {
            let (key_at, (value, positions)) = match entry {
                Entry::Value { at, value, positions } => (at, (value, positions)),
                Entry::Labels { at, below } => (at, below.into_value(at)),
                Entry::Bodies { at, bodies } => {
                    let mut bodies: Vec<(Value, Positions)> =
                        bodies.into_iter().map(|(at, body)| body.into_value(at)).collect();
                    match (bodies.len(), bodies.pop()) {
                        (1, Some(only)) => (at, only),
                        (_, last) => {
                            let (values, places): (Vec<_>, Vec<_>) = bodies.into_iter().chain(last).unzip();
                            (at, (Value::from(values), Positions::array(at, places)))
                        }
                    }
                }
            };
            hash.insert(Value::String(name), value);
            places.push((key_at, positions));
        }
        (Hash::from(hash).into(), Positions::hash(at, places))
    }
}

struct BodyReader<'r> {
    body: &'r Body<'r>,
    source: &'r Arc<Source>,
    context: &'r Context<'r>,
    file: &'r Path,
}

impl<'r> BodyReader<'r> {
    fn at(&self, span: Span) -> Position {
        let at = self.source.position(span.start);
        Position { line: at.line, column: at.column }
    }

    fn body(&self, native: &'r ast::Body) -> Result<BodyTree, Error> {
        let mut tree = BodyTree::default();
        // Attributes and blocks are in separate lists; they are merged in source order.
        let mut blocks = native.blocks.iter().peekable();
        for attribute in native.attributes() {
            while let Some(block) = blocks.next_if(|block| block.kind_span.start < attribute.span.start) {
                self.block(&mut tree, block)?;
            }
            self.attribute(&mut tree, attribute)?;
        }
        blocks.try_for_each(|block| self.block(&mut tree, block))?;
        Ok(tree)
    }

    fn attribute(&self, tree: &mut BodyTree, attribute: &'r ast::Attribute) -> Result<(), Error> {
        if tree.entry(&attribute.name).is_some() {
            return Err(self.ambiguous_name(&attribute.name, attribute.name_span, "is a block above"));
        }
        let (value, found) = self.body.expression(self.source, &attribute.expression).value(self.context);
        if let Some(first) = found.iter().find(|one| one.severity == Severity::Error) {
            return Err(fault(first, self.file));
        }
        let value = from_cty(&value);
        let positions = self.positions(&attribute.expression, &value);
        let at = self.at(attribute.name_span);
        tree.add(Str::from(&*attribute.name), Entry::Value { at, value, positions });
        Ok(())
    }

    fn block(&self, tree: &mut BodyTree, block: &'r ast::Block) -> Result<(), Error> {
        // The parser bounds how deep blocks may nest; the stack grows with them.
        let content = stacker::maybe_grow(64 << 10, 1 << 20, || self.body(&block.body))?;
        let at = self.at(block.kind_span);
        let mut tree = tree;
        let mut name: &str = &block.kind;
        for label in &block.labels {
            if tree.entry(name).is_none() {
                tree.add(name.into(), Entry::Labels { at, below: BodyTree::default() });
            }
            match tree.entry(name) {
                Some(Entry::Labels { below, .. }) => tree = below,
                _ => return Err(self.ambiguous_name(name, block.kind_span, "has no labels above")),
            }
            name = &label.text;
        }
        match tree.entry(name) {
            None => tree.add(name.into(), Entry::Bodies { at, bodies: vec![(at, content)] }),
            Some(Entry::Bodies { bodies, .. }) => bodies.push((at, content)),
            Some(Entry::Value { .. }) => {
                return Err(self.ambiguous_name(name, block.kind_span, "is an attribute above"));
            }
            Some(Entry::Labels { .. }) => {
                return Err(self.ambiguous_name(name, block.kind_span, "has more labels above"));
            }
        }
        Ok(())
    }

    /// Returns the error for a name with two kinds of content, which cannot be one hash.
    fn ambiguous_name(&self, name: &str, span: Span, reason: &str) -> Error {
        let detail = format!(
            "\"{name}\" {reason}; under one name there can be an attribute or blocks with equally many labels."
        );
        fault(&Problem::error("Ambiguous name", detail).at(self.source, span), self.file)
    }

    /// Returns the positions of a value's parts. Parts of literal lists and objects have their own positions; a
    /// computed value has the position of its expression.
    fn positions(&self, expression: &ast::Expression, value: &Value) -> Positions {
        let mut expression = expression;
        while let ast::Expression::Parentheses(inner) = expression {
            expression = &inner.expression;
        }
        let at = self.at(expression.span());
        match (expression, value) {
            (ast::Expression::Tuple(tuple), Value::Array(elements)) if tuple.items.len() == elements.len() => {
                let places =
                    tuple.items.iter().zip(elements.iter()).map(|(item, element)| {
                        stacker::maybe_grow(64 << 10, 1 << 20, || self.positions(item, element))
                    });
                Positions::array(at, places.collect::<Vec<_>>())
            }
            (ast::Expression::Object(object), Value::Hash(hash)) => {
                // The last item of a name is the one that counts.
                let items: HashMap<String, &ast::ObjectItem> =
                    object.items.iter().map(|item| (self.key(&item.key), item)).collect();
                let place = |(key, value): (&Value, &Value)| match items.get(&key.to_text()) {
                    Some(item) => {
                        let inside = stacker::maybe_grow(64 << 10, 1 << 20, || self.positions(&item.value, value));
                        (self.at(item.key.span()), inside)
                    }
                    None => (at, uniform_positions(at, value)),
                };
                Positions::hash(at, hash.iter().map(place).collect::<Vec<_>>())
            }
            _ => uniform_positions(at, value),
        }
    }

    fn key(&self, written: &ast::ObjectKey) -> String {
        match written.literal_name() {
            Some(name) => name.to_owned(),
            None => {
                let (value, _) = self.body.expression(self.source, &written.expression).value(self.context);
                from_cty(&value).to_text()
            }
        }
    }
}

/// Returns the positions of a value whose parts all have the same position.
fn uniform_positions(at: Position, value: &Value) -> Positions {
    match value {
        Value::Array(elements) => Positions::array(at, elements.iter().map(|element| uniform_positions(at, element))),
        Value::Hash(hash) => Positions::hash(at, hash.iter().map(|(_, value)| (at, uniform_positions(at, value)))),
        _ => Positions::scalar(at),
    }
}
