//! Object types and values in Puppet syntax.

use std::fmt::{self, Write};

use hieratic_value::{Hash, Rich, Value, text};

use super::{Attribute, AttributeKind, Function, ObjectExtension, ObjectType, ObjectValue};
use crate::display::Printer;
use crate::infer::infer;
use crate::pattern::Pattern;
use crate::quote::quote_on;
use crate::type_set::TypeSetType;
use crate::types::Type;
use crate::values::{ValueSyntax, value_syntax};

/// Writes an object type: its name, or its definition.
pub(crate) fn print_type<W: Write>(printer: &mut Printer<'_, W>, kind: &ObjectType, named: bool) -> fmt::Result {
    if !printer.expand {
        return printer.out.write_str(kind.label());
    }
    // Nested types are written by name.
    printer.expand = false;
    let written = definition(printer, kind, named);
    printer.expand = true;
    written
}

/// Writes the definition of a type set, with its types by their names in the set.
pub(crate) fn print_type_set<W: Write>(printer: &mut Printer<'_, W>, set: &TypeSetType) -> fmt::Result {
    let expand = std::mem::replace(&mut printer.expand, false);
    let mut entries: Vec<(&str, DefinitionEntry<'_>)> =
        set.entries().into_iter().map(|(key, value)| (key, DefinitionEntry::Value(value))).collect();
    let types: Vec<(&str, &Type)> = set.types().collect();
    if !types.is_empty() {
        entries.push(("types", DefinitionEntry::Types(types)));
    }
    let references = set.reference_entries();
    if !references.is_empty() {
        entries.push(("references", DefinitionEntry::References(references)));
    }
    printer.out.write_str("TypeSet[")?;
    print_entries(printer, &entries, |out, key| out.write_str(key), |printer, entry| entry.print(printer))?;
    printer.expand = expand;
    printer.out.write_char(']')
}

/// Writes an object type with parameters.
pub(crate) fn print_extension<W: Write>(printer: &mut Printer<'_, W>, kind: &ObjectExtension) -> fmt::Result {
    printer.out.write_str(kind.base.label())?;
    match kind.init_parameters() {
        Value::Array(parameters) => print_list(printer, &parameters),
        other => {
            printer.out.write_char('[')?;
            print_value(printer, &other)?;
            printer.out.write_char(']')
        }
    }
}

fn definition<W: Write>(printer: &mut Printer<'_, W>, kind: &ObjectType, named: bool) -> fmt::Result {
    let mut entries: Vec<(&str, DefinitionEntry<'_>)> = Vec::new();
    if let Some(annotations) = &kind.annotations {
        entries.push(("annotations", DefinitionEntry::Value(annotations.clone())));
    }
    if let Some(name) = kind.name.as_ref().filter(|_| named) {
        entries.push(("name", DefinitionEntry::Value(name.into())));
    }
    if let Some(parent) = &kind.parent {
        entries.push(("parent", DefinitionEntry::Type(parent)));
    }
    if !kind.type_parameters.is_empty() {
        entries.push(("type_parameters", DefinitionEntry::Attributes(kind.type_parameters.iter().collect())));
    }
    let is_constant = |one: &&Attribute| {
        one.kind == Some(AttributeKind::Constant)
            && one.value.as_ref().is_some_and(|value| infer(value).generalize() == one.value_type)
    };
    let (constants, attributes): (Vec<&Attribute>, Vec<&Attribute>) = kind.attributes.iter().partition(is_constant);
    if !attributes.is_empty() {
        entries.push(("attributes", DefinitionEntry::Attributes(attributes)));
    }
    if !constants.is_empty() {
        let values: Hash = constants.iter().map(|one| (&one.name, one.value.clone().unwrap_or_default())).collect();
        entries.push(("constants", DefinitionEntry::Value(Value::from(values))));
    }
    if !kind.functions.is_empty() {
        entries.push(("functions", DefinitionEntry::Functions(&kind.functions)));
    }
    if let Some(equality) = &kind.equality {
        entries.push(("equality", DefinitionEntry::Value(equality.iter().map(Value::from).collect())));
    }
    if let Some(checks) = &kind.checks {
        entries.push(("checks", DefinitionEntry::Value(checks.clone())));
    }
    printer.out.write_str("Object[")?;
    print_entries(printer, &entries, |out, key| out.write_str(key), |printer, entry| entry.print(printer))?;
    printer.out.write_char(']')
}

/// The value of a key in a definition.
enum DefinitionEntry<'a> {
    Value(Value),
    Type(&'a Type),
    Attributes(Vec<&'a Attribute>),
    Functions(&'a [Function]),
    /// The types of a set.
    Types(Vec<(&'a str, &'a Type)>),
    /// The sets that a set refers to.
    References(Vec<(&'a str, Hash)>),
}

impl DefinitionEntry<'_> {
    fn print<W: Write>(&self, printer: &mut Printer<'_, W>) -> fmt::Result {
        match self {
            DefinitionEntry::Value(value) => print_value(printer, value),
            DefinitionEntry::Type(kind) => printer.print(kind),
            DefinitionEntry::Attributes(attributes) => {
                let members: Vec<(&str, MemberPrinter<'_>)> =
                    attributes.iter().map(|one| (&*one.name, MemberPrinter::of_attribute(one))).collect();
                print_entries(printer, &members, quoted, |printer, member| member.print(printer))
            }
            DefinitionEntry::Functions(functions) => {
                let members: Vec<(&str, MemberPrinter<'_>)> =
                    functions.iter().map(|one| (&*one.name, MemberPrinter::of_function(one))).collect();
                print_entries(printer, &members, quoted, |printer, member| member.print(printer))
            }
            DefinitionEntry::Types(types) => print_entries(
                printer,
                types,
                |out, key| out.write_str(key),
                |printer, kind| match kind {
                    Type::Object(Some(object)) => {
                        printer.expand = true;
                        let printed = print_type(printer, object, false);
                        printer.expand = false;
                        printed
                    }
                    Type::Alias(alias) => printer.print(alias.resolved()),
                    other => printer.print(other),
                },
            ),
            DefinitionEntry::References(references) => print_entries(
                printer,
                references,
                |out, key| out.write_str(key),
                |printer, reference| print_hash(printer, reference),
            ),
        }
    }
}

fn quoted<W: Write>(out: &mut W, key: &str) -> fmt::Result {
    quote_on(out, key)
}

/// An attribute or a function: its type alone, if there are no other properties.
struct MemberPrinter<'a> {
    kind: &'a Type,
    more: Vec<(&'static str, Detail<'a>)>,
    /// Whether the keys of the hash are quoted.
    quotes: bool,
}

enum Detail<'a> {
    Type(&'a Type),
    Value(Value),
    Word(&'static str),
}

impl<'a> MemberPrinter<'a> {
    fn new(kind: &'a Type, is_final: bool, is_override: bool, annotations: Option<&Value>) -> MemberPrinter<'a> {
        let mut more = Vec::new();
        let mut say = |condition: bool, key| {
            if condition {
                more.push((key, Detail::Value(Value::from(true))));
            }
        };
        say(is_final, "final");
        say(is_override, "override");
        if let Some(annotations) = annotations {
            more.push(("annotations", Detail::Value(annotations.clone())));
        }
        MemberPrinter { kind, more, quotes: false }
    }

    fn of_attribute(one: &'a Attribute) -> MemberPrinter<'a> {
        let is_final = one.is_final && one.kind != Some(AttributeKind::Constant);
        let mut member = MemberPrinter::new(&one.value_type, is_final, one.is_override, one.annotations.as_ref());
        if let Some(kind) = one.kind {
            member.more.push(("kind", Detail::Word(kind.name())));
        }
        if one.is_type_parameter {
            member.quotes = true;
            if let Type::Optional(Some(inner)) = &one.value_type {
                member.kind = inner;
            }
        }
        match &one.value {
            Some(Value::Undef) if one.is_type_parameter => {}
            Some(value) => member.more.push(("value", Detail::Value(value.clone()))),
            None => {}
        }
        member
    }

    fn of_function(one: &'a Function) -> MemberPrinter<'a> {
        MemberPrinter::new(&one.callable, one.is_final, one.is_override, one.annotations.as_ref())
    }

    fn print<W: Write>(&self, printer: &mut Printer<'_, W>) -> fmt::Result {
        if self.more.is_empty() {
            return printer.print(self.kind);
        }
        let first = Detail::Type(self.kind);
        let mut entries = vec![("type", &first)];
        entries.extend(self.more.iter().map(|(key, detail)| (*key, detail)));
        let quotes = self.quotes;
        let key = move |out: &mut W, key: &str| if quotes { quote_on(out, key) } else { out.write_str(key) };
        print_entries(printer, &entries, key, |printer, detail| match detail {
            Detail::Type(kind) => printer.print(kind),
            Detail::Value(value) => print_value(printer, value),
            Detail::Word(word) => printer.out.write_str(word),
        })
    }
}

/// Writes keys and values in braces.
fn print_entries<W: Write, K: AsRef<str>, T>(
    printer: &mut Printer<'_, W>,
    entries: &[(K, T)],
    key: impl Fn(&mut W, &str) -> fmt::Result,
    value: impl Fn(&mut Printer<'_, W>, &T) -> fmt::Result,
) -> fmt::Result {
    printer.open('{')?;
    for (index, (name, entry)) in entries.iter().enumerate() {
        printer.separate(index)?;
        key(printer.out, name.as_ref())?;
        printer.out.write_str(" => ")?;
        value(printer, entry)?;
    }
    printer.close('}')
}

/// Writes a hash as a type's parameters show it.
pub(crate) fn print_hash<W: Write>(printer: &mut Printer<'_, W>, hash: &Hash) -> fmt::Result {
    printer.open('{')?;
    for (index, (key, value)) in hash.iter().enumerate() {
        printer.separate(index)?;
        print_value(printer, key)?;
        printer.out.write_str(" => ")?;
        print_value(printer, value)?;
    }
    printer.close('}')
}

/// Writes values between brackets.
pub(crate) fn print_list<W: Write>(printer: &mut Printer<'_, W>, values: &[Value]) -> fmt::Result {
    if printer.indent.is_some_and(|indent| !is_short(values, indent)) {
        printer.open('[')?;
        for (index, value) in values.iter().enumerate() {
            printer.separate(index)?;
            print_value(printer, value)?;
        }
        return printer.close(']');
    }
    printer.out.write_char('[')?;
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            printer.out.write_str(", ")?;
        }
        print_value(printer, value)?;
    }
    printer.out.write_char(']')
}

/// Returns whether the elements fit on one line.
fn is_short(values: &[Value], indent: usize) -> bool {
    let width: usize = values
        .iter()
        .map(|value| match value {
            Value::Undef => 3,
            Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => value.inspect().chars().count(),
            Value::String(text) => 2 + text.chars().count(),
            Value::Array(elements) if elements.is_empty() => 2,
            Value::Hash(hash) if hash.is_empty() => 2,
            _ => 1000,
        })
        .sum();
    values.is_empty() || 100 > width + indent * 2
}

/// Writes a value in Puppet syntax.
pub(crate) fn print_value<W: Write>(printer: &mut Printer<'_, W>, value: &Value) -> fmt::Result {
    match value {
        Value::Undef => printer.out.write_str("undef"),
        Value::Boolean(truth) => write!(printer.out, "{truth}"),
        Value::Integer(number) => write!(printer.out, "{number}"),
        Value::Float(number) => printer.out.write_str(&text::float(*number)),
        Value::String(text) => quote_on(printer.out, text),
        Value::Array(elements) => print_list(printer, elements),
        Value::Hash(hash) => print_hash(printer, hash),
        Value::Rich(rich) => match &**rich {
            Rich::Default => printer.out.write_str("default"),
            Rich::Symbol(name) => printer.out.write_str(name),
            Rich::BigInteger(number) => write!(printer.out, "{number}"),
            Rich::Sensitive(_) | Rich::Binary(_) | Rich::Extended(_) => print_extended(printer, value),
        },
    }
}

fn print_extended<W: Write>(printer: &mut Printer<'_, W>, value: &Value) -> fmt::Result {
    if let Some(object) = value.extended::<ObjectValue>() {
        printer.out.write_str(object.kind.label())?;
        printer.out.write_char('(')?;
        print_hash(printer, &object.init_hash())?;
        return printer.out.write_char(')');
    }
    match value_syntax(value) {
        ValueSyntax::Type(kind) => printer.print(kind),
        ValueSyntax::Regexp(regexp) => write!(printer.out, "{}", Pattern::from(regexp)),
        ValueSyntax::Quoted(text) => write!(printer.out, "'{text}'"),
        ValueSyntax::Call(name, text) => {
            write!(printer.out, "{name}(")?;
            quote_on(printer.out, &text)?;
            printer.out.write_char(')')
        }
        ValueSyntax::Opaque => {
            printer.out.write_str("Instance of ")?;
            printer.print(&infer(value))
        }
    }
}

/// Writes a value in Puppet syntax, over several lines if an indentation is given.
pub(crate) fn write_value<W: Write>(out: &mut W, value: &Value, indent: Option<usize>) -> fmt::Result {
    let mut printer = Printer::new(out, false);
    printer.indent = indent;
    print_value(&mut printer, value)
}
