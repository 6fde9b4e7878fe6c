//! Lists, sets, maps and objects.

use hieratic_value::collections::HashSet;

use crate::{Text, Type, Value, equality::SetMember, set_order};

/// A list.
#[derive(Clone, Debug)]
pub struct ListValue {
    /// The type of each element.
    pub element: Type,
    /// The elements.
    pub items: Vec<Value>,
}

/// A set. Its elements are distinct, in the order of the reference.
#[derive(Clone, Debug)]
pub struct SetValue {
    element: Type,
    items: Vec<Value>,
}

/// A map.
#[derive(Clone, Debug)]
pub struct MapValue {
    /// The type of each element.
    pub element: Type,
    /// The elements by key.
    pub entries: ObjectValue,
}

/// Named values, sorted by the bytes of the names.
#[derive(Clone, Debug, Default)]
pub struct ObjectValue {
    entries: Vec<(Text, Value)>,
}

impl SetValue {
    pub(crate) fn new(element: Type, items: Vec<Value>) -> Self {
        let mut distinct: Vec<Value> = Vec::with_capacity(items.len());
        let mut seen: HashSet<SetMember> = HashSet::default();
        for item in items {
            // An unknown value does not equal any value, not even itself.
            if !item.is_wholly_known() || seen.insert(SetMember(item.clone())) {
                distinct.push(item);
            }
        }
        set_order::sort(&element, &mut distinct);
        Self { element, items: distinct }
    }

    /// Returns the type of each element.
    pub fn element(&self) -> &Type {
        &self.element
    }

    /// Returns the elements.
    pub fn items(&self) -> &[Value] {
        &self.items
    }
}

impl ObjectValue {
    /// Creates an object from its entries. The last of several values with the same name is used.
    pub fn new(mut entries: Vec<(Text, Value)>) -> Self {
        if !entries.windows(2).all(|pair| pair[0].0 < pair[1].0) {
            entries.reverse();
            // The stable sort puts the last of several entries with one name first, and the removal of duplicates
            // retains that one.
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            entries.dedup_by(|later, first| later.0 == first.0);
        }
        Self { entries }
    }

    /// Returns the entries by name.
    pub fn entries(&self) -> &[(Text, Value)] {
        &self.entries
    }

    /// Returns the value with this name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let at = self.entries.binary_search_by(|(own, _)| own.as_ref().cmp(name)).ok()?;
        self.entries.get(at).map(|(_, value)| value)
    }
}
