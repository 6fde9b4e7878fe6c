//! Bodies and expressions of HCL's JSON syntax.
//!
//! Source: <https://github.com/hashicorp/hcl/blob/main/json/spec.md>.

use std::rc::Rc;
use std::sync::Arc;

use hieratic_hcl_syntax::json::{Node, Property, template_source};
use hieratic_hcl_syntax::{self as syntax, Problem, Problems, Range, Source, Span, ast};
use hieratic_hcl_types::{Text, Type, Value, convert, quoted};
use hieratic_value::collections::HashMap;

use super::{Attribute, Block, Body, Content, Schema};
use crate::references::{self, Reference};
use crate::suggestion::first;
use crate::{Context, Pair, evaluate};

const INCORRECT: &str = "Incorrect JSON value type";

/// The name of properties that are comments.
const COMMENT: &str = "//";

/// A body in JSON syntax, without the items that were already read from it.
#[derive(Clone, Debug)]
pub(super) struct JsonBody<'a> {
    source: &'a Arc<Source>,
    node: &'a Node,
    hidden: Rc<Vec<Arc<str>>>,
}

impl<'a> JsonBody<'a> {
    pub(super) fn new(source: &'a Arc<Source>, node: &'a Node) -> Self {
        Self { source, node, hidden: Rc::default() }
    }

    pub(super) fn parts(&self) -> (&'a Arc<Source>, &'a Node) {
        (self.source, self.node)
    }

    fn range(&self, span: Span) -> Range {
        Range::new(self.source.clone(), span)
    }

    pub(super) fn content(&self, schema: &Schema) -> (Content<'a>, Problems) {
        let (content, rest, mut problems) = self.partial_content(schema);
        let is_hidden = |name: &str| rest.hidden.iter().any(|hidden| &**hidden == name);
        let left = schema.attributes.iter().map(|declared| &*declared.name).filter(|name| !is_hidden(name));
        let names: Vec<&str> = left.chain(schema.blocks.iter().map(|declared| &*declared.kind)).collect();
        let properties = self.properties(self.node, None, &mut problems);
        for property in properties {
            let name = &*property.name;
            if name == COMMENT || is_hidden(name) {
                continue;
            }
            let suggestion = first(name, names.iter().copied());
            let suggestion =
                suggestion.map_or_else(String::new, |suggestion| format!(" Did you mean {}?", quoted(suggestion)));
            let detail = format!("No argument or block type is named {}.{suggestion}", quoted(name));
            problems.push(
                Problem::error("Extraneous JSON object property", detail)
                    .at(self.source, property.name_span)
                    .with_context(self.source, whole(property)),
            );
        }
        (content, problems)
    }

    pub(super) fn partial_content(&self, schema: &Schema) -> (Content<'a>, JsonBody<'a>, Problems) {
        let mut problems = Problems::default();
        let mut content =
            Content { attributes: Vec::new(), blocks: Vec::new(), missing_range: self.missing_item_range() };
        let mut hidden = (*self.hidden).clone();
        for property in self.properties(self.node, None, &mut problems) {
            if self.hidden.contains(&property.name) {
                continue;
            }
            if schema.attributes.iter().any(|declared| *declared.name == *property.name) {
                if let Some(existing) = content.attribute(&property.name) {
                    let detail =
                        format!("The argument {} was already set at {}.", quoted(&property.name), existing.range);
                    problems.push(
                        Problem::error("Duplicate argument", detail)
                            .at(self.source, property.name_span)
                            .with_context(self.source, whole(property)),
                    );
                    continue;
                }
                content.attributes.push(self.attribute(property));
                hidden.push(property.name.clone());
            } else if let Some(declared) = schema.block(&property.name) {
                let mut reader = BlockReader { body: self, property, blocks: &mut content.blocks, labels: Vec::new() };
                reader.read(&property.value, &declared.labels, &mut problems);
                hidden.push(property.name.clone());
            }
        }
        for declared in schema.attributes.iter().filter(|declared| declared.required) {
            if content.attribute(&declared.name).is_none() {
                let detail =
                    format!("The argument {} is required, but no definition was found.", quoted(&declared.name));
                let missing = Problem::error("Missing required argument", detail);
                problems.push(missing.at_range(self.missing_item_range()));
            }
        }
        (content, JsonBody { hidden: Rc::new(hidden), ..self.clone() }, problems)
    }

    pub(super) fn just_attributes(&self) -> (Vec<Attribute<'a>>, Problems) {
        let mut problems = Problems::default();
        let Node::Object(object) = self.node else {
            let detail = "A JSON object is required here, setting the arguments for this block.";
            problems.push(Problem::error(INCORRECT, detail).at(self.source, self.node.start_span()));
            return (Vec::new(), problems);
        };
        let mut attributes: Vec<Attribute<'a>> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::default();
        for property in &object.properties {
            if &*property.name == COMMENT || self.hidden.contains(&property.name) {
                continue;
            }
            let known = places.get(&*property.name).and_then(|at| attributes.get(*at));
            if let Some(existing) = known {
                let detail = format!("The argument {} was already set at {}.", quoted(&property.name), existing.range);
                let duplicate = Problem::error("Duplicate attribute definition", detail);
                problems.push(duplicate.at(self.source, property.name_span));
                continue;
            }
            places.insert(&property.name, attributes.len());
            attributes.push(self.attribute(property));
        }
        (attributes, problems)
    }

    pub(super) fn missing_item_range(&self) -> Range {
        self.range(match self.node {
            Node::Object(object) => object.close_span,
            Node::Array(array) => array.open_span,
            _ => self.node.start_span(),
        })
    }

    fn attribute(&self, property: &'a Property) -> Attribute<'a> {
        Attribute {
            name: property.name.clone(),
            expression: crate::Expression::json(Expression::node(self.source, &property.value)),
            range: self.range(whole(property)),
            name_range: self.range(property.name_span),
        }
    }

    /// The properties of an object, or of all objects of an array.
    fn properties(&self, node: &'a Node, label: Option<&str>, problems: &mut Problems) -> Vec<&'a Property> {
        let purpose = |label: Option<&str>| match label {
            Some(label) => format!("to specify {label} labels for this block."),
            None => "to define arguments and child blocks.".to_owned(),
        };
        let mut wrong = |subject: &str, at: &Node| {
            let detail = format!("{subject} is required here, {}", purpose(label));
            problems.push(Problem::error(INCORRECT, detail).at(self.source, at.start_span()));
        };
        match node {
            Node::Null(_) => Vec::new(),
            Node::Object(object) => object.properties.iter().collect(),
            Node::Array(array) => {
                let mut found = Vec::new();
                for value in &array.items {
                    match value {
                        Node::Object(object) => found.extend(object.properties.iter()),
                        _ => wrong("A JSON object", value),
                    }
                }
                found
            }
            _ => {
                wrong("Either a JSON object or JSON array of objects", node);
                Vec::new()
            }
        }
    }
}

/// Decodes the blocks in a property: one level of objects for each label.
struct BlockReader<'b, 'a> {
    body: &'b JsonBody<'a>,
    property: &'a Property,
    blocks: &'b mut Vec<Block<'a>>,
    labels: Vec<(Arc<str>, Span)>,
}

impl<'a> BlockReader<'_, 'a> {
    fn read(&mut self, node: &'a Node, left: &[std::borrow::Cow<'static, str>], problems: &mut Problems) {
        let source = self.body.source;
        let kind = &*self.property.name;
        if let Some((label, left)) = left.split_first() {
            let properties = self.body.properties(node, Some(label), problems);
            if properties.is_empty() {
                let detail = format!(
                    "At least one object property is required, whose name represents the {kind} block's {label}."
                );
                problems.push(Problem::error("Missing block label", detail).at(source, node.start_span()));
            }
            for property in properties {
                self.labels.push((property.name.clone(), property.name_span));
                self.read(&property.value, left, problems);
                self.labels.pop();
            }
            return;
        }
        match node {
            Node::Null(_) => {}
            Node::Object(object) => self.add(node, object.open_span),
            Node::Array(array) => array.items.iter().for_each(|value| self.add(value, array.open_span)),
            _ => {
                let detail = format!(
                    "Either a JSON object or a JSON array is required, representing the contents of one or more {} \
                     blocks.",
                    quoted(kind)
                );
                problems.push(Problem::error(INCORRECT, detail).at(source, node.start_span()));
            }
        }
    }

    fn add(&mut self, node: &'a Node, def_span: Span) {
        let source = self.body.source;
        self.blocks.push(Block {
            kind: self.property.name.clone(),
            labels: self.labels.iter().map(|(label, _)| label.clone()).collect(),
            body: Body::json(source, node),
            def_range: self.body.range(def_span),
            type_range: self.body.range(self.property.name_span),
            label_ranges: self.labels.iter().map(|(_, span)| self.body.range(*span)).collect(),
            is_unknown: false,
        });
    }
}

fn whole(property: &Property) -> Span {
    property.name_span.to(property.value.span())
}

/// A JSON value as an expression: its strings are templates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expression<'a> {
    source: &'a Arc<Source>,
    what: JsonItem<'a>,
}

#[derive(Clone, Copy, Debug)]
enum JsonItem<'a> {
    Node(&'a Node),
    /// The name of a property, as a string.
    Name(&'a Property),
}

impl<'a> Expression<'a> {
    pub(crate) fn node(source: &'a Arc<Source>, node: &'a Node) -> Self {
        Self { source, what: JsonItem::Node(node) }
    }

    fn name(source: &'a Arc<Source>, property: &'a Property) -> Self {
        Self { source, what: JsonItem::Name(property) }
    }

    /// The string and its span, including the quotes, if the value is one.
    fn text(&self) -> Option<(&'a str, Span)> {
        match self.what {
            JsonItem::Name(property) => Some((&property.name, property.name_span)),
            JsonItem::Node(node) => match node {
                Node::String { value, span } => Some((value, *span)),
                _ => None,
            },
        }
    }

    pub(crate) fn range(&self) -> Range {
        Range::new(
            self.source.clone(),
            match self.what {
                JsonItem::Node(node) => node.span(),
                JsonItem::Name(property) => property.name_span,
            },
        )
    }

    pub(crate) fn start_range(&self) -> Range {
        match self.what {
            JsonItem::Node(node) => Range::new(self.source.clone(), node.start_span()),
            JsonItem::Name(_) => self.range(),
        }
    }

    pub(crate) fn value(&self, context: &Context<'_>) -> (Value, Problems) {
        let mut problems = Problems::default();
        let value = self.evaluated(Some(context), &mut problems);
        (value, problems)
    }

    /// The value, without evaluating the templates in its strings.
    pub(crate) fn literal_value(&self) -> (Value, Problems) {
        let mut problems = Problems::default();
        let value = self.evaluated(None, &mut problems);
        (value, problems)
    }

    fn evaluated(&self, context: Option<&Context<'_>>, problems: &mut Problems) -> Value {
        if let Some((text, _)) = self.text() {
            return self.evaluated_text(text, context, problems);
        }
        let JsonItem::Node(node) = self.what else { return Value::DYNAMIC };
        match node {
            Node::Number { value, .. } => Value::Number(value.clone()),
            Node::Bool { value, .. } => Value::Bool(*value),
            Node::Null(_) => Value::NULL,
            Node::Array(array) => Value::tuple(
                array
                    .items
                    .iter()
                    .map(|item| Expression::node(self.source, item).evaluated(context, problems))
                    .collect(),
            ),
            Node::Object(object) => self.object(&object.properties, context, problems),
            Node::String { .. } | Node::Invalid(_) => Value::DYNAMIC,
        }
    }

    fn evaluated_text(&self, text: &str, context: Option<&Context<'_>>, problems: &mut Problems) -> Value {
        let Some(context) = context.filter(|_| text.contains("${") || text.contains("%{")) else {
            return Value::string(text);
        };
        let Some(parsed) = self.template() else { return Value::DYNAMIC };
        let failed = parsed.problems.has_errors();
        problems.append(parsed.problems);
        if failed {
            return Value::DYNAMIC;
        }
        let (value, found) = evaluate::value(&parsed.source, &parsed.tree, context);
        problems.append(found);
        value
    }

    fn object(&self, properties: &'a [Property], context: Option<&Context<'_>>, problems: &mut Problems) -> Value {
        const INVALID_KEY: &str = "Invalid object key expression";
        let mut entries: Vec<(Text, Value)> = Vec::with_capacity(properties.len());
        let mut places: hieratic_value::collections::HashMap<Text, Span> = Default::default();
        let mut known = true;
        for property in properties {
            let key = Expression::name(self.source, property).evaluated(context, problems);
            let value = Expression::node(self.source, &property.value).evaluated(context, problems);
            let at = property.name_span;
            let problem = match convert(&key, &Type::String) {
                Ok(Value::String(name)) => match places.get(&name) {
                    None => {
                        places.insert(name.clone(), at);
                        entries.push((name, value));
                        continue;
                    }
                    Some(first) => {
                        let first = Range::new(self.source.clone(), *first);
                        let detail = format!("An attribute named {} was already defined at {first}.", quoted(&name));
                        Problem::error("Duplicate object attribute", detail)
                    }
                },
                Ok(Value::Null(_)) => Problem::error(INVALID_KEY, "Cannot use null value as an object key."),
                Ok(_) => {
                    known = false;
                    continue;
                }
                Err(error) => {
                    Problem::error(INVALID_KEY, format!("Cannot use this expression as an object key: {error}."))
                }
            };
            problems.push(problem.at(self.source, at));
        }
        if known { Value::object(entries) } else { Value::DYNAMIC }
    }

    /// The string as a template, positioned after the quote.
    fn template(&self) -> Option<syntax::Parsed<ast::Expression>> {
        let (text, span) = self.text()?;
        Some(syntax::parse_template(template_source(self.source, text, span)))
    }

    /// The string as a separate source, positioned at its quote.
    fn part(&self, text: &str, span: Span) -> Source {
        let first_byte = self.source.first_byte() + span.start;
        Source::at(self.source.name().clone(), text, self.source.position(span.start), first_byte)
    }

    pub(crate) fn native_source(&self) -> Option<Source> {
        let (text, span) = self.text()?;
        Some(self.part(text, span))
    }

    pub(crate) fn variables(&self) -> Vec<Reference> {
        if self.text().is_some() {
            return match self.template() {
                Some(parsed) if !parsed.problems.has_errors() => references::collect(&parsed.source, &parsed.tree),
                _ => Vec::new(),
            };
        }
        let JsonItem::Node(node) = self.what else { return Vec::new() };
        match node {
            Node::Array(array) => {
                array.items.iter().flat_map(|item| Expression::node(self.source, item).variables()).collect()
            }
            Node::Object(object) => {
                let of = |property| {
                    let mut found = Expression::name(self.source, property).variables();
                    found.extend(Expression::node(self.source, &property.value).variables());
                    found
                };
                object.properties.iter().flat_map(of).collect()
            }
            _ => Vec::new(),
        }
    }

    pub(crate) fn as_traversal(&self) -> Option<Reference> {
        let (text, span) = self.text()?;
        let parsed = syntax::parse_traversal_abs(self.part(text, span));
        if parsed.problems.has_errors() {
            return None;
        }
        parsed.tree.map(|traversal| references::traversal(&parsed.source, &traversal))
    }

    pub(crate) fn as_list(&self) -> Option<Vec<crate::Expression<'a>>> {
        let JsonItem::Node(node) = self.what else { return None };
        let Node::Array(array) = node else { return None };
        let item = |item| crate::Expression::json(Expression::node(self.source, item));
        Some(array.items.iter().map(item).collect())
    }

    pub(crate) fn as_map(&self) -> Option<Vec<Pair<'a>>> {
        let JsonItem::Node(node) = self.what else { return None };
        let Node::Object(object) = node else { return None };
        let pair = |property| Pair {
            key: crate::Expression::json(Expression::name(self.source, property)),
            value: crate::Expression::json(Expression::node(self.source, &property.value)),
        };
        Some(object.properties.iter().map(pair).collect())
    }
}
