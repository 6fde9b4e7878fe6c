//! Values.

use std::sync::Arc;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use crate::compound::{ListValue, MapValue, ObjectValue, SetValue};
use crate::{Number, Text, Type};

/// A value of HCL. Clones share their content.
///
/// [`Value::same`] compares two values exactly. The language's `==` is [`Value::equals`].
#[derive(Clone, Debug)]
pub enum Value {
    /// Null of a type. A bare `null` has [`Type::Dynamic`].
    Null(Type),
    /// An unknown value with its type, if that is known: the result of a failed expression.
    Unknown(Type),
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string in normal form C.
    String(Text),
    /// A list: values of one type, in order.
    List(Arc<ListValue>),
    /// A set: distinct values of one type, in a fixed order.
    Set(Arc<SetValue>),
    /// A map: values of one type, sorted by key.
    Map(Arc<MapValue>),
    /// A tuple: values of any types, in order.
    Tuple(Arc<Vec<Value>>),
    /// An object: values of any types, sorted by name.
    Object(Arc<ObjectValue>),
}

/// The approximate size of a value in memory without its content, in bytes.
const ELEMENT: usize = 32;

impl Value {
    /// A bare `null`.
    pub const NULL: Value = Value::Null(Type::Dynamic);
    /// An unknown value of unknown type: the result of a failed expression.
    pub const DYNAMIC: Value = Value::Unknown(Type::Dynamic);
    /// True.
    pub const TRUE: Value = Value::Bool(true);
    /// False.
    pub const FALSE: Value = Value::Bool(false);

    /// Creates a string, normalized to form C.
    ///
    /// Source: <https://github.com/zclconf/go-cty/blob/main/docs/types.md#ctystring>
    pub fn string(text: impl Into<Text>) -> Value {
        let text = text.into();
        if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
            return Value::String(text);
        }
        Value::String(text.nfc().collect::<String>().into())
    }

    /// Creates a list. All elements must have the type `element`, except for bare nulls and unknowns, which are
    /// converted to it.
    pub fn list(element: Type, mut items: Vec<Value>) -> Value {
        items.iter_mut().for_each(|item| item.take_type(&element));
        Value::List(Arc::new(ListValue { element, items }))
    }

    fn take_type(&mut self, ty: &Type) {
        match self {
            Value::Null(own @ Type::Dynamic) | Value::Unknown(own @ Type::Dynamic) => *own = ty.clone(),
            _ => {}
        }
    }

    /// Creates a set. Duplicates are removed.
    pub fn set(element: Type, mut items: Vec<Value>) -> Value {
        items.iter_mut().for_each(|item| item.take_type(&element));
        Value::Set(Arc::new(SetValue::new(element, items)))
    }

    /// Creates a map. The last of several values with the same key is used.
    pub fn map(element: Type, mut entries: Vec<(Text, Value)>) -> Value {
        entries.iter_mut().for_each(|(_, item)| item.take_type(&element));
        Value::Map(Arc::new(MapValue { element, entries: ObjectValue::new(entries) }))
    }

    /// Creates a tuple.
    pub fn tuple(items: Vec<Value>) -> Value {
        Value::Tuple(Arc::new(items))
    }

    /// Creates an object. The last of several values with the same name is used.
    pub fn object(entries: Vec<(Text, Value)>) -> Value {
        Value::Object(Arc::new(ObjectValue::new(entries)))
    }

    /// Returns the type. It is computed for tuples and objects.
    pub fn ty(&self) -> Type {
        match self {
            Value::Null(ty) | Value::Unknown(ty) => ty.clone(),
            Value::Bool(_) => Type::Bool,
            Value::Number(_) => Type::Number,
            Value::String(_) => Type::String,
            Value::List(list) => Type::list(list.element.clone()),
            Value::Set(set) => Type::set(set.element().clone()),
            Value::Map(map) => Type::map(map.element.clone()),
            Value::Tuple(items) => Type::tuple(items.iter().map(Value::ty).collect()),
            Value::Object(object) => {
                Type::object(object.entries().iter().map(|(name, value)| (name.clone(), value.ty())))
            }
        }
    }

    /// Returns whether the value has a type, without computing [`ty`](Self::ty).
    pub fn is_of(&self, ty: &Type) -> bool {
        match (self, ty) {
            (Value::Null(own) | Value::Unknown(own), ty) => own == ty,
            (Value::Bool(_), Type::Bool) | (Value::Number(_), Type::Number) | (Value::String(_), Type::String) => true,
            (Value::List(list), Type::List(element)) => list.element == **element,
            (Value::Set(set), Type::Set(element)) => set.element() == &**element,
            (Value::Map(map), Type::Map(element)) => map.element == **element,
            (Value::Tuple(items), Type::Tuple(types)) => {
                items.len() == types.len() && items.iter().zip(types.iter()).all(|(item, ty)| item.is_of(ty))
            }
            (Value::Object(object), Type::Object(ty)) => {
                let attributes = ty.attributes();
                object.entries().len() == attributes.len()
                    && object.entries().iter().zip(attributes).all(|((name, value), attribute)| {
                        *name == attribute.name && !attribute.optional && value.is_of(&attribute.ty)
                    })
            }
            _ => false,
        }
    }

    /// Returns whether the value is null, of any type.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null(_))
    }

    /// Returns whether the value itself is known. Its elements may be unknown.
    pub fn is_known(&self) -> bool {
        !matches!(self, Value::Unknown(_))
    }

    /// Returns whether the value and all its elements are known.
    pub fn is_wholly_known(&self) -> bool {
        match self {
            Value::Unknown(_) => false,
            _ => self.elements().all(|element| element.is_wholly_known()),
        }
    }

    /// Returns the string, or `None` for other types.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the number, or `None` for other types.
    pub fn as_number(&self) -> Option<&Number> {
        match self {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the bool, or `None` for other types.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the elements of a list, set or tuple, or `None` for other types.
    pub fn as_slice(&self) -> Option<&[Value]> {
        match self {
            Value::List(list) => Some(&list.items),
            Value::Set(set) => Some(set.items()),
            Value::Tuple(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the entries of a map or an object, sorted by key, or `None` for other types.
    pub fn as_entries(&self) -> Option<&[(Text, Value)]> {
        match self {
            Value::Map(map) => Some(map.entries.entries()),
            Value::Object(object) => Some(object.entries()),
            _ => None,
        }
    }

    /// Returns the value of an object or map with this name.
    pub fn attribute(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Map(map) => map.entries.get(name),
            Value::Object(object) => object.get(name),
            _ => None,
        }
    }

    /// Returns whether the value can be iterated over: a collection, tuple or object that is neither null nor unknown.
    pub fn can_iterate(&self) -> bool {
        self.as_slice().is_some() || self.as_entries().is_some()
    }

    /// Returns the elements, in order. There are none for values that cannot be iterated.
    pub fn elements(&self) -> impl Iterator<Item = &Value> {
        let slice = self.as_slice().unwrap_or_default();
        let entries = self.as_entries().unwrap_or_default();
        slice.iter().chain(entries.iter().map(|(_, value)| value))
    }

    /// Returns whether the value is nested at most `limit` levels deep. Shared parts are visited once.
    ///
    /// Code that nests values without a limit, such as the locals of a file, must check this: functions over values
    /// recurse as deeply as the values.
    ///
    /// ```
    /// use hieratic_hcl_types::Value;
    ///
    /// let nested = Value::tuple(vec![Value::tuple(vec![])]);
    /// assert!(nested.is_within_depth(2) && !nested.is_within_depth(1));
    /// ```
    pub fn is_within_depth(&self, limit: usize) -> bool {
        self.depth(limit, &mut hieratic_value::collections::HashMap::default()).is_some()
    }

    fn depth(&self, left: usize, known: &mut hieratic_value::collections::HashMap<*const u8, usize>) -> Option<usize> {
        let Some(place) = self.elements_address() else { return Some(0) };
        if let Some(depth) = known.get(&place) {
            return (*depth <= left).then_some(*depth);
        }
        let below = left.checked_sub(1)?;
        let mut deepest = 0;
        for element in self.elements() {
            deepest = deepest.max(element.depth(below, known)?);
        }
        known.insert(place, deepest + 1);
        Some(deepest + 1)
    }

    /// Returns the approximate size in bytes, with shared parts counted at every occurrence, as when the value is
    /// printed, converted or compared. Its size in memory can be far smaller: nesting `[a, a]` forty times takes forty
    /// lists, but prints 2⁴⁰ elements.
    ///
    /// ```
    /// use hieratic_hcl_types::Value;
    ///
    /// let doubled = |value: Value| Value::tuple(vec![value.clone(), value]);
    /// let much = (0..40).fold(Value::TRUE, |value, _| doubled(value));
    /// assert!(much.expanded_size() > 1 << 40 && doubled(Value::TRUE).expanded_size() < 1000);
    /// ```
    pub fn expanded_size(&self) -> u64 {
        if self.elements().all(|element| element.length().is_none()) {
            return self.own_size() + self.elements().map(Value::own_size).sum::<u64>();
        }
        self.expanded_size_cached(&mut hieratic_value::collections::HashMap::default())
    }

    fn expanded_size_cached(&self, known: &mut hieratic_value::collections::HashMap<*const u8, u64>) -> u64 {
        let Some(place) = self.elements_address() else { return self.own_size() };
        if let Some(weight) = known.get(&place) {
            return *weight;
        }
        let inside = self.elements().fold(0u64, |sum, element| sum.saturating_add(element.expanded_size_cached(known)));
        let weight = inside.saturating_add(self.own_size());
        known.insert(place, weight);
        weight
    }

    /// The approximate size in bytes, without the content of its elements.
    pub(crate) fn own_size(&self) -> u64 {
        let bytes = match self {
            Value::String(text) => text.len(),
            // It is written without an exponent.
            Value::Number(number) => number.zeros(),
            _ => {
                self.as_slice().map_or(0, <[_]>::len) * ELEMENT + self.as_entries().map_or(0, <[_]>::len) * 2 * ELEMENT
            }
        };
        (bytes + ELEMENT) as u64
    }

    /// The address of its elements, if it has any: equal for values that share them.
    fn elements_address(&self) -> Option<*const u8> {
        Some(match self {
            Value::List(list) => Arc::as_ptr(list).cast::<u8>(),
            Value::Set(set) => Arc::as_ptr(set).cast(),
            Value::Map(map) => Arc::as_ptr(map).cast(),
            Value::Tuple(items) => Arc::as_ptr(items).cast(),
            Value::Object(object) => Arc::as_ptr(object).cast(),
            _ => return None,
        })
    }

    /// Returns the number of elements, or `None` if the value cannot be iterated or is unknown.
    pub fn length(&self) -> Option<usize> {
        self.as_slice().map(<[_]>::len).or_else(|| self.as_entries().map(<[_]>::len))
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Value::Number(Number::from(value))
    }
}

impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Value::Number(Number::from(i64::from(value)))
    }
}

impl From<usize> for Value {
    fn from(value: usize) -> Self {
        Value::Number(Number::from(value))
    }
}

impl From<Number> for Value {
    fn from(value: Number) -> Self {
        Value::Number(value)
    }
}
