//! The types of values.

use std::sync::Arc;

use unicode_normalization::char::is_combining_mark;

use crate::{Text, quoted};

/// The type of a value, or a constraint on one.
///
/// [`Type::Dynamic`] is the placeholder "any type": the type of an untyped null and of an unknown value without a type,
/// and a constraint that every value satisfies.
///
/// Source of the rules: <https://github.com/zclconf/go-cty/blob/main/docs/types.md>.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// An unknown type or, as a constraint, any type.
    Dynamic,
    /// `true` and `false`.
    Bool,
    /// Any number.
    Number,
    /// A Unicode string.
    String,
    /// A sequence whose elements are of one type.
    List(Arc<Type>),
    /// Distinct values of one type.
    Set(Arc<Type>),
    /// Values of one type with string keys.
    Map(Arc<Type>),
    /// A sequence with a type for each element.
    Tuple(Arc<Vec<Type>>),
    /// Named values of different types.
    Object(Arc<ObjectType>),
}

/// The attributes of an object type, sorted by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ObjectType {
    attributes: Vec<AttributeType>,
}

/// One attribute of an object type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AttributeType {
    /// Its name.
    pub name: Text,
    /// Its type.
    pub ty: Type,
    /// Whether a conversion may omit the attribute. Only constraints have optional attributes, not types of values.
    pub optional: bool,
}

impl ObjectType {
    /// Creates the type with these attributes. The last of several attributes with the same name is used.
    pub fn new(attributes: impl IntoIterator<Item = AttributeType>) -> Self {
        let mut attributes: Vec<AttributeType> = attributes.into_iter().collect();
        if !attributes.windows(2).all(|pair| pair[0].name < pair[1].name) {
            attributes.reverse();
            attributes.sort_by(|a, b| a.name.cmp(&b.name));
            attributes.dedup_by(|later, first| later.name == first.name);
        }
        Self { attributes }
    }

    /// Returns all attributes, in the order of their names.
    pub fn attributes(&self) -> &[AttributeType] {
        &self.attributes
    }

    /// Returns the attribute with this name.
    pub fn get(&self, name: &str) -> Option<&AttributeType> {
        let at = self.attributes.binary_search_by(|attribute| attribute.name.as_ref().cmp(name)).ok()?;
        self.attributes.get(at)
    }
}

impl Type {
    /// Creates the type of lists of `element`.
    pub fn list(element: Type) -> Self {
        Type::List(Arc::new(element))
    }

    /// Creates the type of sets of `element`.
    pub fn set(element: Type) -> Self {
        Type::Set(Arc::new(element))
    }

    /// Creates the type of maps of `element`.
    pub fn map(element: Type) -> Self {
        Type::Map(Arc::new(element))
    }

    /// Creates the type of tuples with these elements.
    pub fn tuple(elements: Vec<Type>) -> Self {
        Type::Tuple(Arc::new(elements))
    }

    /// Creates an object type with these required attributes.
    pub fn object(attributes: impl IntoIterator<Item = (Text, Type)>) -> Self {
        Type::Object(Arc::new(ObjectType::new(attributes.into_iter().map(|(name, ty)| AttributeType {
            name,
            ty,
            optional: false,
        }))))
    }

    /// Returns whether the type is string, number or bool.
    pub fn is_primitive(&self) -> bool {
        matches!(self, Type::Bool | Type::Number | Type::String)
    }

    /// Returns whether the type is a list, a set or a map.
    pub fn is_collection(&self) -> bool {
        matches!(self, Type::List(_) | Type::Set(_) | Type::Map(_))
    }

    /// Returns whether the type is a tuple.
    pub fn is_tuple(&self) -> bool {
        matches!(self, Type::Tuple(_))
    }

    /// Returns whether the type is an object.
    pub fn is_object(&self) -> bool {
        matches!(self, Type::Object(_))
    }

    /// Returns the type of the elements of a collection.
    pub fn element(&self) -> Option<&Type> {
        match self {
            Type::List(element) | Type::Set(element) | Type::Map(element) => Some(element),
            _ => None,
        }
    }

    /// Returns whether the type contains "any".
    pub fn has_dynamic(&self) -> bool {
        match self {
            Type::Dynamic => true,
            Type::Bool | Type::Number | Type::String => false,
            Type::List(element) | Type::Set(element) | Type::Map(element) => element.has_dynamic(),
            Type::Tuple(elements) => elements.iter().any(Type::has_dynamic),
            Type::Object(object) => object.attributes.iter().any(|attribute| attribute.ty.has_dynamic()),
        }
    }

    /// Returns whether the type contains an optional attribute.
    pub fn has_optional(&self) -> bool {
        match self {
            Type::Dynamic | Type::Bool | Type::Number | Type::String => false,
            Type::List(element) | Type::Set(element) | Type::Map(element) => element.has_optional(),
            Type::Tuple(elements) => elements.iter().any(Type::has_optional),
            Type::Object(object) => {
                object.attributes.iter().any(|attribute| attribute.optional || attribute.ty.has_optional())
            }
        }
    }

    /// Returns the type of values for this constraint: all attributes are required, at any depth.
    pub fn without_optional(&self) -> Type {
        if !self.has_optional() {
            return self.clone();
        }
        match self {
            Type::List(element) => Type::list(element.without_optional()),
            Type::Set(element) => Type::set(element.without_optional()),
            Type::Map(element) => Type::map(element.without_optional()),
            Type::Tuple(elements) => Type::tuple(elements.iter().map(Type::without_optional).collect()),
            Type::Object(object) => Type::object(
                object.attributes.iter().map(|attribute| (attribute.name.clone(), attribute.ty.without_optional())),
            ),
            plain => plain.clone(),
        }
    }

    /// Returns the name in messages: `string`, `list of number`, `object`, `dynamic`.
    pub fn friendly_name(&self) -> String {
        self.name(false)
    }

    /// Returns the name in messages about accepted values, in which [`Type::Dynamic`] is `any type` or `any single
    /// type`.
    pub fn friendly_constraint(&self) -> String {
        self.name(true)
    }

    fn name(&self, constraint: bool) -> String {
        let element = |kind: &str, ty: &Type| match ty {
            Type::Dynamic if constraint => format!("{kind} of any single type"),
            ty => format!("{kind} of {}", ty.name(constraint)),
        };
        match self {
            Type::Dynamic if constraint => "any type".into(),
            Type::Dynamic => "dynamic".into(),
            Type::Bool => "bool".into(),
            Type::Number => "number".into(),
            Type::String => "string".into(),
            Type::List(ty) => element("list", ty),
            Type::Set(ty) => element("set", ty),
            Type::Map(ty) => element("map", ty),
            Type::Tuple(_) => "tuple".into(),
            Type::Object(_) => "object".into(),
        }
    }

    /// Formats the type as a type constraint: `list(string)`, `object({a=number})`.
    ///
    /// ```
    /// # use hieratic_hcl_types::Type;
    /// assert_eq!(Type::list(Type::tuple(vec![Type::Bool, Type::Dynamic])).constraint(), "list(tuple([bool,any]))");
    /// ```
    pub fn constraint(&self) -> String {
        let mut text = String::new();
        self.write_constraint(&mut text);
        text
    }

    fn write_constraint(&self, to: &mut String) {
        let outer = |to: &mut String, kind: &str, ty: &Type| {
            to.push_str(kind);
            to.push('(');
            ty.write_constraint(to);
            to.push(')');
        };
        match self {
            Type::Dynamic => to.push_str("any"),
            Type::Bool => to.push_str("bool"),
            Type::Number => to.push_str("number"),
            Type::String => to.push_str("string"),
            Type::List(ty) => outer(to, "list", ty),
            Type::Set(ty) => outer(to, "set", ty),
            Type::Map(ty) => outer(to, "map", ty),
            Type::Tuple(elements) => {
                to.push_str("tuple([");
                for (index, ty) in elements.iter().enumerate() {
                    if index > 0 {
                        to.push(',');
                    }
                    ty.write_constraint(to);
                }
                to.push_str("])");
            }
            Type::Object(object) => {
                to.push_str("object({");
                for (index, attribute) in object.attributes.iter().enumerate() {
                    if index > 0 {
                        to.push(',');
                    }
                    if is_identifier(&attribute.name) {
                        to.push_str(&attribute.name);
                    } else {
                        to.push_str(&quoted(&attribute.name));
                    }
                    to.push('=');
                    attribute.ty.write_constraint(to);
                }
                to.push_str("})");
            }
        }
    }
}

fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-') || is_combining_mark(letter))
}
