//! The defaults of optional attributes.

use hieratic_hcl_types::{Text, Type, Value, unify};

/// The default values of optional attributes.
#[derive(Clone, Debug)]
pub struct Defaults {
    ty: Type,
    values: Vec<(Text, Value)>,
    /// Those of the attributes by name, of the elements of a tuple by number, of a collection under the empty name.
    children: Vec<(Text, Defaults)>,
}

impl Defaults {
    pub(super) fn of_elements(ty: Type, element: Defaults) -> Self {
        Self { ty, values: Vec::new(), children: vec![("".into(), element)] }
    }

    pub(super) fn of_parts(ty: Type, values: Vec<(Text, Value)>, children: Vec<(Text, Defaults)>) -> Option<Self> {
        (!values.is_empty() || !children.is_empty()).then_some(Self { ty, values, children })
    }

    /// Returns the value with defaults for missing and null attributes. Convert the result to the type.
    ///
    /// Source: <https://github.com/hashicorp/hcl/blob/main/ext/typeexpr/README.md#optional-object-attributes>.
    pub fn apply(&self, value: &Value) -> Value {
        match value {
            Value::Null(_) | Value::Unknown(_) => value.clone(),
            Value::Map(_) | Value::Object(_) => self.apply_to_entries(value),
            _ => match value.as_slice() {
                Some(items) => self.apply_to_items(value, items),
                None => value.clone(),
            },
        }
    }

    fn apply_to_items(&self, value: &Value, items: &[Value]) -> Value {
        let apply = |(index, item): (usize, &Value)| match self.of_item(index) {
            Some(child) => child.apply(item),
            None => item.clone(),
        };
        let items: Vec<Value> = items.iter().enumerate().map(apply).collect();
        match value {
            Value::Tuple(_) => Value::tuple(items),
            _ if items.is_empty() => value.clone(),
            _ => match (unified(&items), value) {
                (Some((ty, items)), Value::Set(_)) => Value::set(ty, items),
                (Some((ty, items)), _) => Value::list(ty, items),
                (None, _) => Value::tuple(items),
            },
        }
    }

    fn apply_to_entries(&self, value: &Value) -> Value {
        let mut entries: Vec<(Text, Value)> = Vec::new();
        for (name, item) in value.as_entries().unwrap_or_default() {
            let item = match self.of_attribute(name) {
                Some(child) => child.apply(item),
                None => item.clone(),
            };
            entries.push((name.clone(), item));
        }
        for (name, default) in &self.values {
            let applied = || match self.children.iter().find(|(own, _)| own == name) {
                Some((_, child)) => child.apply(default),
                None => default.clone(),
            };
            match entries.iter_mut().find(|(own, _)| own == name) {
                Some((_, item)) if item.is_null() => *item = applied(),
                Some(_) => {}
                None => entries.push((name.clone(), applied())),
            }
        }
        if matches!(value, Value::Object(_)) {
            return Value::object(entries);
        }
        if entries.is_empty() {
            return value.clone();
        }
        let items: Vec<Value> = entries.iter().map(|(_, item)| item.clone()).collect();
        match unified(&items) {
            Some((ty, items)) => {
                let names = entries.into_iter().map(|(name, _)| name);
                Value::map(ty, names.zip(items).collect())
            }
            None => Value::object(entries),
        }
    }

    fn of_item(&self, index: usize) -> Option<&Defaults> {
        match self.ty {
            Type::Tuple(_) => self.child(&index.to_string()),
            _ => self.child(""),
        }
    }

    fn of_attribute(&self, name: &str) -> Option<&Defaults> {
        match self.ty {
            Type::Object(_) => self.child(name),
            _ => self.child(""),
        }
    }

    fn child(&self, name: &str) -> Option<&Defaults> {
        self.children.iter().find(|(own, _)| &**own == name).map(|(_, child)| child)
    }
}

/// The values as values of the one type that they have in common.
fn unified(items: &[Value]) -> Option<(Type, Vec<Value>)> {
    let types: Vec<Type> = items.iter().map(Value::ty).collect();
    let unified = unify(&types)?;
    let items = items.iter().map(|item| unified.convert(item).ok()).collect::<Option<Vec<Value>>>()?;
    Some((unified.ty, items))
}
