//! Types as strings: `to_s` of the reference, the names in messages, and the form with expanded aliases.

use std::fmt::{self, Write};

use crate::quantities::{Timespan, Timestamp};

use crate::alias::Alias;
use crate::assignable::accepts_undef;
use crate::check::Check;
use crate::object;
use crate::quote::quote_on;
use crate::range::{IntegerRange, RangeParameters, TimeRange};
use crate::types::{CallableType, StringType, StructElement, TupleType, Type};

impl fmt::Display for Type {
    /// Writes the type in Puppet syntax. A user-defined alias is followed by its type (`Port = Integer[1, 65535]`), but
    /// only at the top level.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expand = matches!(self, Type::Alias(_) | Type::Object(_) | Type::TypeSet(_));
        Printer::new(f, expand).print(self)
    }
}

/// Writes the name of a type between two strings.
macro_rules! named {
    ($kind:expr, $before:literal, $behind:literal) => {
        match $kind {
            Type::Any => concat!($before, "Any", $behind),
            Type::Undef => concat!($before, "Undef", $behind),
            Type::Unit => concat!($before, "Unit", $behind),
            Type::Default => concat!($before, "Default", $behind),
            Type::Scalar => concat!($before, "Scalar", $behind),
            Type::ScalarData => concat!($before, "ScalarData", $behind),
            Type::Numeric => concat!($before, "Numeric", $behind),
            Type::Integer(_) => concat!($before, "Integer", $behind),
            Type::Float(_) => concat!($before, "Float", $behind),
            Type::Boolean(_) => concat!($before, "Boolean", $behind),
            Type::String(_) => concat!($before, "String", $behind),
            Type::Enum(_) => concat!($before, "Enum", $behind),
            Type::Pattern(_) => concat!($before, "Pattern", $behind),
            Type::Regexp(_) => concat!($before, "Regexp", $behind),
            Type::Collection(_) => concat!($before, "Collection", $behind),
            Type::Array(_) => concat!($before, "Array", $behind),
            Type::Hash(_) => concat!($before, "Hash", $behind),
            Type::Tuple(_) => concat!($before, "Tuple", $behind),
            Type::Struct(_) => concat!($before, "Struct", $behind),
            Type::Variant(_) => concat!($before, "Variant", $behind),
            Type::Optional(_) => concat!($before, "Optional", $behind),
            Type::NotUndef(_) => concat!($before, "NotUndef", $behind),
            Type::Sensitive(_) => concat!($before, "Sensitive", $behind),
            Type::Type(_) => concat!($before, "Type", $behind),
            Type::Iterable(_) => concat!($before, "Iterable", $behind),
            Type::Iterator(_) => concat!($before, "Iterator", $behind),
            Type::Callable(_) => concat!($before, "Callable", $behind),
            Type::Runtime(_) => concat!($before, "Runtime", $behind),
            Type::Binary => concat!($before, "Binary", $behind),
            Type::Timestamp(_) => concat!($before, "Timestamp", $behind),
            Type::Timespan(_) => concat!($before, "Timespan", $behind),
            Type::SemVer(_) => concat!($before, "SemVer", $behind),
            Type::SemVerRange => concat!($before, "SemVerRange", $behind),
            Type::Uri | Type::UriOf(_) => concat!($before, "URI", $behind),
            Type::Object(_) => concat!($before, "Object", $behind),
            Type::ObjectOf(_) => concat!($before, "ObjectTypeExtension", $behind),
            Type::TypeSet(_) => concat!($before, "TypeSet", $behind),
            Type::Init(_) => concat!($before, "Init", $behind),
            Type::CatalogEntry => concat!($before, "CatalogEntry", $behind),
            Type::Class(_) => concat!($before, "Class", $behind),
            Type::Resource(_) => concat!($before, "Resource", $behind),
            Type::Reference(_) => concat!($before, "TypeReference", $behind),
            Type::Alias(_) => concat!($before, "TypeAlias", $behind),
        }
    };
}

impl Type {
    /// Returns the type with every user-defined alias expanded, as in messages.
    pub fn to_expanded_string(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = Printer::new(&mut text, true).print(self);
        text
    }

    /// Returns the name without parameters: `Integer` for `Integer[0, 10]`.
    pub fn simple_name(&self) -> &'static str {
        named!(self, "", "")
    }

    /// The reference's class of the type, as its messages show it: `Puppet::Pops::Types::PIntegerType`.
    pub(crate) fn ruby_class(&self) -> &'static str {
        match self {
            Type::ObjectOf(_) => "Puppet::Pops::Types::PObjectTypeExtension",
            other => named!(other, "Puppet::Pops::Types::P", "Type"),
        }
    }

    /// Returns the name of an alias, or else the simple name.
    pub fn name(&self) -> &str {
        match self {
            Type::Alias(alias) => alias.name(),
            Type::TypeSet(None) => "DefaultTypeSet",
            Type::TypeSet(Some(set)) => set.name.as_deref().unwrap_or_default(),
            Type::Object(Some(object)) => object.label(),
            Type::ObjectOf(object) => object.base().label(),
            _ => self.simple_name(),
        }
    }

    /// Returns the simple name of the type; for an object type, the last segment of its qualified name.
    pub(crate) fn last_name(&self) -> &str {
        match self {
            Type::Object(Some(_)) | Type::ObjectOf(_) => {
                let name = self.name();
                name.rsplit("::").next().unwrap_or(name)
            }
            other => other.simple_name(),
        }
    }

    /// Returns the name, with the name of a contained type if there is one: `Sensitive[String]`.
    pub(crate) fn short_name(&self) -> String {
        let contained = match self {
            Type::Init(Some(init)) => Some(&init.kind),
            other => other.contained(),
        };
        match contained {
            // The bare `Object` has no name in the reference.
            Some(Type::Object(None)) => format!("{}[]", self.name()),
            Some(inner) if *inner != Type::Any => format!("{}[{}]", self.name(), inner.name()),
            _ => self.name().to_owned(),
        }
    }
}

/// The reference's output for the bare `TypeSet`.
const DEFAULT_TYPE_SET: &str = "TypeSet[{pcore_uri => 'http://puppet.com/2016.1/pcore', pcore_version => '1.0.0', \
    name_authority => 'http://puppet.com/2016.1/runtime', name => 'DefaultTypeSet', version => '0.0.0'}]";

/// Writes a type directly to its destination.
pub(crate) struct Printer<'a, W: Write> {
    pub out: &'a mut W,
    /// Whether aliases and object types are printed with their definitions.
    pub expand: bool,
    /// The indentation of a new line, in steps; `None` writes everything on one line.
    pub indent: Option<usize>,
    /// The aliases that are being written.
    opened: Vec<Alias>,
}

impl<'a, W: Write> Printer<'a, W> {
    pub fn new(out: &'a mut W, expand: bool) -> Printer<'a, W> {
        Printer { out, expand, indent: None, opened: Vec::new() }
    }

    /// Writes an opening bracket. The content may be written on several lines.
    pub fn open(&mut self, bracket: char) -> fmt::Result {
        self.indent = self.indent.map(|indent| indent + 1);
        self.out.write_char(bracket)
    }

    /// Writes the separator before the part at an index.
    pub fn separate(&mut self, index: usize) -> fmt::Result {
        match self.indent {
            None => self.comma(index),
            Some(_) => {
                self.out.write_str(if index > 0 { "," } else { "" })?;
                self.new_line()
            }
        }
    }

    /// Writes a closing bracket.
    pub fn close(&mut self, bracket: char) -> fmt::Result {
        self.indent = self.indent.map(|indent| indent.saturating_sub(1));
        if self.indent.is_some() {
            self.new_line()?;
        }
        self.out.write_char(bracket)
    }

    fn new_line(&mut self) -> fmt::Result {
        write!(self.out, "\n{}", "  ".repeat(self.indent.unwrap_or(0)))
    }

    pub fn print(&mut self, one: &Type) -> fmt::Result {
        match one {
            Type::Boolean(Some(value)) => write!(self.out, "Boolean[{value}]"),
            Type::Integer(range) => self.with_texts("Integer", range.parameters()),
            Type::Float(range) => self.with_texts("Float", range.parameters()),
            Type::String(StringType::Size(size)) => self.with_texts("String", size.parameters()),
            Type::Collection(size) => self.with_texts("Collection", size_parameters(size.as_ref())),
            Type::Enum(listed) if !listed.values().is_empty() => {
                self.out.write_str("Enum[")?;
                for (index, value) in listed.values().iter().enumerate() {
                    self.comma(index)?;
                    quote_on(self.out, value)?;
                }
                self.out.write_str(if listed.is_case_insensitive() { ", true]" } else { "]" })
            }
            Type::Pattern(patterns) if !patterns.as_slice().is_empty() => {
                self.out.write_str("Pattern[")?;
                for (index, pattern) in patterns.as_slice().iter().enumerate() {
                    self.comma(index)?;
                    write!(self.out, "{pattern}")?;
                }
                self.out.write_char(']')
            }
            Type::Regexp(Some(pattern)) => write!(self.out, "Regexp[{pattern}]"),
            Type::Array(array) if array.size.as_ref().is_some_and(IntegerRange::is_zero) => {
                self.out.write_str("Array[0, 0]")
            }
            Type::Array(array) if !Type::is_bare_array(array) => {
                self.with_types("Array", &[&array.element], size_parameters(array.size.as_ref()))
            }
            Type::Hash(hash) if hash.size.as_ref().is_some_and(IntegerRange::is_zero) => {
                self.out.write_str("Hash[0, 0]")
            }
            Type::Hash(hash) if !Type::is_bare_hash(hash) => {
                self.with_types("Hash", &[&hash.key, &hash.value], size_parameters(hash.size.as_ref()))
            }
            Type::Tuple(tuple) if !tuple.types.is_empty() => self.tuple("Tuple", tuple),
            Type::Struct(structure) if !structure.elements.is_empty() => {
                self.out.write_str("Struct[")?;
                self.open('{')?;
                for (index, element) in structure.elements.iter().enumerate() {
                    self.separate(index)?;
                    self.element(element)?;
                }
                self.close('}')?;
                self.out.write_char(']')
            }
            Type::Variant(variants) if !variants.as_slice().is_empty() => {
                let types: Vec<&Type> = variants.as_slice().iter().collect();
                self.with_types("Variant", &types, Vec::new())
            }
            Type::Optional(Some(inner)) => self.wrapped("Optional", inner),
            Type::NotUndef(Some(inner)) if **inner != Type::Any => self.wrapped("NotUndef", inner),
            Type::Sensitive(inner) if **inner != Type::Any => self.with_types("Sensitive", &[inner], Vec::new()),
            Type::Type(Some(inner)) => self.with_types("Type", &[inner], Vec::new()),
            Type::Iterable(Some(inner)) => self.with_types("Iterable", &[inner], Vec::new()),
            Type::Iterator(Some(inner)) => self.with_types("Iterator", &[inner], Vec::new()),
            Type::Callable(callable) => self.callable(callable),
            Type::Runtime(runtime) if runtime.runtime.is_some() || runtime.name.is_some() => {
                write!(self.out, "Runtime[{}, ", runtime.runtime.as_deref().unwrap_or("undef"))?;
                match &runtime.name {
                    Some(name) => quote_on(self.out, name)?,
                    None => self.out.write_str("undef")?,
                }
                self.out.write_char(']')
            }
            Type::Class(Some(name)) => write!(self.out, "Class[{name}]"),
            Type::Resource(resource) => {
                let Some(name) = &resource.name else { return self.out.write_str("Resource") };
                self.out.write_str(name)?;
                let Some(title) = &resource.title else { return Ok(()) };
                self.out.write_char('[')?;
                quote_on(self.out, title)?;
                self.out.write_char(']')
            }
            Type::Reference(text) => {
                self.out.write_str("TypeReference[")?;
                quote_on(self.out, text)?;
                self.out.write_char(']')
            }
            Type::Alias(alias) => {
                self.out.write_str(alias.name())?;
                // A recursive alias is expanded once.
                if self.expand && !alias.is_builtin() && !self.opened.contains(alias) {
                    self.out.write_str(" = ")?;
                    self.opened.push(alias.clone());
                    self.print(alias.resolved())?;
                    self.opened.pop();
                }
                Ok(())
            }
            Type::Timestamp(range) => {
                let text = |end| Timestamp::new(end).map(|end| end.to_string()).unwrap_or_default();
                self.times("Timestamp", range, text)
            }
            Type::Timespan(range) => {
                let text = |end| Timespan::new(end).map(|end| end.to_string()).unwrap_or_default();
                self.times("Timespan", range, text)
            }
            Type::SemVer(ranges) => {
                self.with_texts("SemVer", ranges.as_slice().iter().map(|range| format!("'{range}'")).collect())
            }
            Type::UriOf(uri) => {
                self.out.write_str("URI[")?;
                object::print_value(self, uri.parameters())?;
                self.out.write_char(']')
            }
            Type::Object(None) if self.expand => self.out.write_str("Object[{}]"),
            Type::Object(Some(object)) => object::print_type(self, object, true),
            Type::ObjectOf(object) => object::print_extension(self, object),
            Type::TypeSet(Some(set)) => object::print_type_set(self, set),
            Type::TypeSet(None) => self.out.write_str(DEFAULT_TYPE_SET),
            Type::Init(Some(init)) => {
                self.out.write_str("Init[")?;
                self.print(&init.kind)?;
                for argument in &init.arguments {
                    self.out.write_str(", ")?;
                    object::print_value(self, argument)?;
                }
                self.out.write_char(']')
            }
            bare => self.out.write_str(bare.simple_name()),
        }
    }

    fn comma(&mut self, index: usize) -> fmt::Result {
        if index > 0 { self.out.write_str(", ") } else { Ok(()) }
    }

    /// Writes a range of times; a single time is written once.
    fn times(&mut self, name: &str, range: &TimeRange, text: impl Fn(i128) -> String) -> fmt::Result {
        let quoted = |end: i128| format!("'{}'", text(end));
        let ends = match (range.from(), range.to()) {
            (None, None) => Vec::new(),
            (from, to) => {
                let first = from.map_or_else(|| "default".to_owned(), quoted);
                let second = to.filter(|to| Some(*to) != from).map(quoted);
                std::iter::once(first).chain(second).collect()
            }
        };
        self.with_texts(name, ends)
    }

    fn with_texts(&mut self, name: &str, parameters: Vec<String>) -> fmt::Result {
        self.out.write_str(name)?;
        if parameters.is_empty() { Ok(()) } else { write!(self.out, "[{}]", parameters.join(", ")) }
    }

    fn with_types(&mut self, name: &str, types: &[&Type], size: Vec<String>) -> fmt::Result {
        self.out.write_str(name)?;
        self.out.write_char('[')?;
        for (index, one) in types.iter().enumerate() {
            self.comma(index)?;
            self.print(one)?;
        }
        for (index, text) in size.iter().enumerate() {
            self.comma(index + types.len())?;
            self.out.write_str(text)?;
        }
        self.out.write_char(']')
    }

    fn tuple(&mut self, name: &str, tuple: &TupleType) -> fmt::Result {
        let types: Vec<&Type> = tuple.types.iter().collect();
        self.with_types(name, &types, size_parameters(tuple.size.as_ref()))
    }

    /// The wrapped type of a single string is written as the string: `Optional['a']`.
    fn wrapped(&mut self, name: &str, inner: &Type) -> fmt::Result {
        let Type::String(StringType::Value(text)) = inner else {
            return self.with_types(name, &[inner], Vec::new());
        };
        write!(self.out, "{name}[")?;
        quote_on(self.out, text)?;
        self.out.write_char(']')
    }

    /// Writes a wrapper around a key only where it deviates from the rule that a key is optional if its value accepts
    /// `undef`.
    fn element(&mut self, element: &StructElement) -> fmt::Result {
        let wrapper = match (element.key.optional, accepts_undef(&element.value, &Check::default())) {
            (true, false) => Some("Optional["),
            (false, true) => Some("NotUndef["),
            _ => None,
        };
        self.out.write_str(wrapper.unwrap_or_default())?;
        quote_on(self.out, &element.key.name)?;
        self.out.write_str(if wrapper.is_some() { "] => " } else { " => " })?;
        self.print(&element.value)
    }

    fn callable(&mut self, callable: &CallableType) -> fmt::Result {
        let CallableType { parameters, block, returns } = callable;
        self.out.write_str("Callable")?;
        match (parameters, returns) {
            (None, None) => Ok(()),
            (None, Some(returns)) => {
                self.out.write_str("[[], ")?;
                self.print(returns)?;
                self.out.write_char(']')
            }
            (Some(parameters), None) => self.callable_parameters(parameters, block.as_ref()),
            (Some(parameters), Some(returns)) => {
                self.out.write_char('[')?;
                self.callable_parameters(parameters, block.as_ref())?;
                self.out.write_str(", ")?;
                self.print(returns)?;
                self.out.write_char(']')
            }
        }
    }

    fn callable_parameters(&mut self, parameters: &TupleType, block: Option<&Type>) -> fmt::Result {
        let mut size = size_parameters(parameters.size.as_ref());
        if parameters.types.is_empty() {
            size = vec!["0".into(), "0".into()];
        }
        if let Some(block) = block {
            let mut text = String::new();
            let opened = self.opened.clone();
            Printer { out: &mut text, expand: self.expand, indent: self.indent, opened }.print(block)?;
            size.push(text);
        }
        let types: Vec<&Type> = parameters.types.iter().filter(|one| **one != Type::Unit).collect();
        self.with_types("", &types, size)
    }
}

fn size_parameters(size: Option<&IntegerRange>) -> Vec<String> {
    size.map(IntegerRange::parameters).unwrap_or_default()
}
