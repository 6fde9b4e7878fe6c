//! The common type of several types.
//!
//! Source: <https://github.com/zclconf/go-cty/blob/main/docs/convert.md#type-unification>.

use std::cmp::Ordering;
use std::sync::Arc;

use hieratic_value::collections::HashSet;

use crate::conversion::{Conversion, ConversionError, conversion, safe_conversion};
use crate::{ObjectType, Type, Value};

/// The result of [`unify`].
#[derive(Clone, Debug)]
pub struct Unified {
    /// The common type.
    pub ty: Type,
    unsafe_allowed: bool,
    forgets: bool,
    /// The collection that tuples or objects become before they become the common type, where others of the types are collections.
    through: Option<Type>,
}

impl Unified {
    /// Converts one of the values to the common type.
    ///
    /// # Errors
    ///
    /// The value cannot be converted: the conversion exists, but fails for some values, such as a string that is not a
    /// number.
    pub fn convert(&self, value: &Value) -> Result<Value, ConversionError> {
        if self.forgets {
            return Ok(Value::DYNAMIC);
        }
        if value.is_of(&self.ty) {
            return Ok(value.clone());
        }
        if let (Some(through), true) = (&self.through, matches!(value.ty(), Type::Object(_) | Type::Tuple(_))) {
            return self.convert_through(through, value);
        }
        match available(&value.ty(), &self.ty, self.unsafe_allowed) {
            Some(conversion) => conversion.apply(value),
            // The types were unified as collections of unknown types, so the elements may turn out to be incompatible.
            None => late(value, &self.ty),
        }
    }
}

impl Unified {
    /// Applies both conversions to the value itself, as go-cty does: the second one gets elements that the first one
    /// would have converted. If the elements then have several types, there is no result.
    fn convert_through(&self, through: &Type, value: &Value) -> Result<Value, ConversionError> {
        let applied = |from: &Type, to: &Type| match available(from, to, self.unsafe_allowed) {
            Some(conversion) => conversion.apply(value),
            None => late(value, to),
        };
        let first = applied(&value.ty(), through)?;
        if *through == self.ty { Ok(first) } else { applied(through, &self.ty) }
    }
}

fn late(value: &Value, to: &Type) -> Result<Value, ConversionError> {
    match (value, to) {
        (Value::Object(object), Type::Map(element)) => {
            let entry = |(name, value): &(crate::Text, Value)| Ok((name.clone(), crate::convert(value, element)?));
            Ok(Value::map((**element).clone(), object.entries().iter().map(entry).collect::<Result<_, _>>()?))
        }
        (Value::Tuple(items), Type::List(element)) => {
            let items: Result<_, _> = items.iter().map(|item| crate::convert(item, element)).collect();
            Ok(Value::list((**element).clone(), items?))
        }
        _ => crate::convert(value, to),
    }
}

/// Returns the most general type to which all types can be converted. Returns `None` if there is none, and for an empty
/// slice.
///
/// Conversions that fail for some values are allowed: from a string to a number or bool, from a map to an object.
pub fn unify(types: &[Type]) -> Option<Unified> {
    unified(types, true)
}

/// Like [`unify`], with safe conversions only.
pub fn unify_safe(types: &[Type]) -> Option<Unified> {
    unified(types, false)
}

fn unified(types: &[Type], unsafe_allowed: bool) -> Option<Unified> {
    let CommonType { ty, forgets, through } = common(types, unsafe_allowed)?;
    Some(Unified { ty, unsafe_allowed, forgets, through })
}

fn available(from: &Type, to: &Type, unsafe_allowed: bool) -> Option<Conversion> {
    if unsafe_allowed { conversion(from, to) } else { safe_conversion(from, to) }
}

#[derive(Default)]
struct TypeCounts {
    maps: usize,
    lists: usize,
    sets: usize,
    objects: usize,
    tuples: usize,
    dynamics: usize,
}

/// A common type.
struct CommonType {
    ty: Type,
    /// Whether the type is unknown only because one of the unified types is.
    forgets: bool,
    through: Option<Type>,
}

impl CommonType {
    fn new(ty: Type) -> CommonType {
        CommonType { ty, forgets: false, through: None }
    }

    fn open() -> CommonType {
        CommonType { ty: Type::Dynamic, forgets: true, through: None }
    }
}

/// The common type.
fn common(types: &[Type], unsafe_allowed: bool) -> Option<CommonType> {
    // Duplicates do not change the result, and lists of a million equal types are common.
    let types = distinct(types);
    if let [only] = types.as_slice() {
        return Some(CommonType::new(only.clone()));
    }
    let mut count = TypeCounts::default();
    for ty in &types {
        match ty {
            Type::Map(_) => count.maps += 1,
            Type::List(_) => count.lists += 1,
            Type::Set(_) => count.sets += 1,
            Type::Object(_) => count.objects += 1,
            Type::Tuple(_) => count.tuples += 1,
            Type::Dynamic => count.dynamics += 1,
            Type::Bool | Type::Number | Type::String => {}
        }
    }
    let all = types.len();
    let open = count.dynamics > 0;
    if count.maps > 0 && count.maps + count.dynamics == all {
        return collections(&types, Type::map, unsafe_allowed, open);
    } else if count.maps > 0 && count.maps + count.objects + count.dynamics == all {
        if let Some(found) = structural_as_collections(&types, Type::is_object, objects_to_map, unsafe_allowed)
            && matches!(found.ty, Type::Map(_))
        {
            return Some(found);
        }
    } else if count.lists > 0 && count.lists + count.dynamics == all {
        return collections(&types, Type::list, unsafe_allowed, open);
    } else if count.lists > 0 && count.lists + count.tuples + count.dynamics == all {
        if let Some(found) = structural_as_collections(&types, Type::is_tuple, tuples_to_list, unsafe_allowed)
            && matches!(found.ty, Type::List(_))
        {
            return Some(found);
        }
    } else if count.sets > 0 && count.sets + count.dynamics == all {
        return collections(&types, Type::set, unsafe_allowed, open);
    } else if count.objects > 0 && count.objects + count.dynamics == all {
        return if open { Some(CommonType::open()) } else { objects(&types, unsafe_allowed).map(CommonType::new) };
    } else if count.tuples > 0 && count.tuples + count.dynamics == all {
        return if open { Some(CommonType::open()) } else { tuples(&types, unsafe_allowed).map(CommonType::new) };
    } else if count.objects > 0 && count.tuples > 0 {
        return None;
    }
    by_preference(&types, unsafe_allowed).map(CommonType::new)
}

fn distinct(types: &[Type]) -> Vec<Type> {
    let Some((first, rest)) = types.split_first() else { return Vec::new() };
    if rest.iter().all(|ty| ty == first) {
        return vec![first.clone()];
    }
    let mut seen = HashSet::default();
    types.iter().filter(|ty| seen.insert(*ty)).cloned().collect()
}

fn collections(types: &[Type], kind: fn(Type) -> Type, unsafe_allowed: bool, open: bool) -> Option<CommonType> {
    if open {
        return Some(CommonType::open());
    }
    let elements: Vec<Type> = types.iter().filter_map(|ty| ty.element().cloned()).collect();
    let ty = kind(common(&elements, unsafe_allowed)?.ty);
    all_convert(types, &ty, unsafe_allowed).then(|| CommonType::new(ty))
}

fn all_convert(types: &[Type], to: &Type, unsafe_allowed: bool) -> bool {
    types.iter().all(|from| from == to || available(from, to, unsafe_allowed).is_some())
}

/// Objects often represent maps, and tuples lists: they are unified as such, then with the others.
fn structural_as_collections(
    types: &[Type],
    structural: fn(&Type) -> bool,
    as_collection: fn(&[Type], bool) -> Option<Type>,
    unsafe_allowed: bool,
) -> Option<CommonType> {
    let structurals: Vec<Type> = types.iter().filter(|ty| structural(ty)).cloned().collect();
    let collection = as_collection(&structurals, unsafe_allowed)?;
    let replaced: Vec<Type> =
        types.iter().map(|ty| if structural(ty) { collection.clone() } else { ty.clone() }).collect();
    Some(CommonType { through: Some(collection), ..common(&replaced, unsafe_allowed)? })
}

fn objects(types: &[Type], unsafe_allowed: bool) -> Option<Type> {
    let of = |ty: &Type| match ty {
        Type::Object(object) => Arc::clone(object),
        _ => Arc::new(ObjectType::default()),
    };
    let all: Vec<Arc<ObjectType>> = types.iter().map(of).collect();
    let first = all.first()?;
    let same_names = all.iter().all(|object| {
        object.attributes().len() == first.attributes().len()
            && object.attributes().iter().zip(first.attributes()).all(|(a, b)| a.name == b.name)
    });
    if !same_names {
        return objects_to_map(types, unsafe_allowed);
    }
    let mut attributes = Vec::with_capacity(first.attributes().len());
    for (index, attribute) in first.attributes().iter().enumerate() {
        let across: Vec<Type> =
            all.iter().filter_map(|object| object.attributes().get(index)).map(|found| found.ty.clone()).collect();
        attributes.push((attribute.name.clone(), common(&across, unsafe_allowed)?.ty));
    }
    let ty = Type::object(attributes);
    if all_convert(types, &ty, unsafe_allowed) { Some(ty) } else { objects_to_map(types, unsafe_allowed) }
}

fn objects_to_map(types: &[Type], unsafe_allowed: bool) -> Option<Type> {
    let mut all = Vec::new();
    for ty in types {
        if let Type::Object(object) = ty {
            all.extend(object.attributes().iter().map(|attribute| attribute.ty.clone()));
        }
    }
    let ty = Type::map(common_of_some(&all, unsafe_allowed)?);
    all_convert(types, &ty, unsafe_allowed).then_some(ty)
}

fn tuples(types: &[Type], unsafe_allowed: bool) -> Option<Type> {
    let of = |ty: &Type| match ty {
        Type::Tuple(elements) => Arc::clone(elements),
        _ => Arc::new(Vec::new()),
    };
    let all: Vec<Arc<Vec<Type>>> = types.iter().map(of).collect();
    let first = all.first()?;
    if all.iter().any(|elements| elements.len() != first.len()) {
        return tuples_to_list(types, unsafe_allowed);
    }
    let mut elements = Vec::with_capacity(first.len());
    for index in 0..first.len() {
        let across: Vec<Type> = all.iter().filter_map(|tuple| tuple.get(index)).cloned().collect();
        elements.push(common(&across, unsafe_allowed)?.ty);
    }
    let ty = Type::tuple(elements);
    if all_convert(types, &ty, unsafe_allowed) { Some(ty) } else { tuples_to_list(types, unsafe_allowed) }
}

fn tuples_to_list(types: &[Type], unsafe_allowed: bool) -> Option<Type> {
    let mut all = Vec::new();
    for ty in types {
        if let Type::Tuple(elements) = ty {
            all.extend(elements.iter().cloned());
        }
    }
    let ty = Type::list(common_of_some(&all, unsafe_allowed)?);
    all_convert(types, &ty, unsafe_allowed).then_some(ty)
}

fn common_of_some(types: &[Type], unsafe_allowed: bool) -> Option<Type> {
    common(types, unsafe_allowed).map(|common| common.ty)
}

/// The first, in the order of preference, that all others convert to.
fn by_preference(types: &[Type], unsafe_allowed: bool) -> Option<Type> {
    preference(types).into_iter().filter_map(|index| types.get(index)).find_map(|expected| {
        types
            .iter()
            .all(|from| from == expected || available(from, expected, unsafe_allowed).is_some())
            .then(|| expected.clone())
    })
}

/// The more general types first; types that cannot be compared keep their order.
fn preference(types: &[Type]) -> Vec<usize> {
    let mut edges: Vec<Vec<usize>> = vec![Vec::new(); types.len()];
    let mut above: Vec<usize> = vec![0; types.len()];
    for (i, a) in types.iter().enumerate() {
        for (j, b) in types.iter().enumerate().skip(i + 1) {
            let (from, to) = match compare(a, b) {
                Ordering::Less => (i, j),
                Ordering::Greater => (j, i),
                Ordering::Equal => continue,
            };
            if let (Some(edges), Some(above)) = (edges.get_mut(from), above.get_mut(to)) {
                edges.push(to);
                *above += 1;
            }
        }
    }
    let mut order: Vec<usize> = (0..types.len()).filter(|index| above.get(*index) == Some(&0)).collect();
    let mut next = 0;
    while let Some(&index) = order.get(next) {
        next += 1;
        for &below in edges.get(index).map(Vec::as_slice).unwrap_or_default() {
            if let Some(left) = above.get_mut(below) {
                *left -= 1;
                if *left == 0 {
                    order.push(below);
                }
            }
        }
    }
    order
}

/// `Less` if the first is the more general.
fn compare(a: &Type, b: &Type) -> Ordering {
    use Ordering::{Equal, Greater, Less};
    match (a, b) {
        (Type::Dynamic, Type::Dynamic) => Equal,
        (_, Type::Dynamic) => Less,
        (Type::Dynamic, _) => Greater,
        (Type::String, b) if b.is_primitive() && *b != Type::String => Less,
        (a, Type::String) if a.is_primitive() && *a != Type::String => Greater,
        (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) | (Type::Map(a), Type::Map(b)) => compare(a, b),
        (Type::Tuple(_) | Type::List(_), Type::Set(_)) => Less,
        (Type::Set(_), Type::Tuple(_) | Type::List(_)) => Greater,
        (Type::List(_), Type::Tuple(_)) | (Type::Map(_), Type::Object(_)) => Less,
        (Type::Tuple(_), Type::List(_)) | (Type::Object(_), Type::Map(_)) => Greater,
        (Type::Object(a), Type::Object(b)) => {
            let (a, b) = (a.attributes(), b.attributes());
            if a.len() != b.len() || a.iter().zip(b).any(|(a, b)| a.name != b.name) {
                return Equal;
            }
            combine(a.iter().zip(b).map(|(a, b)| compare(&a.ty, &b.ty)))
        }
        (Type::Tuple(a), Type::Tuple(b)) if a.len() == b.len() => {
            combine(a.iter().zip(b.iter()).map(|(a, b)| compare(a, b)))
        }
        _ => Equal,
    }
}

/// Combines the comparisons of the parts; `Equal` if they disagree.
fn combine(parts: impl Iterator<Item = Ordering>) -> Ordering {
    let (mut less, mut greater) = (false, false);
    for part in parts {
        less |= part == Ordering::Less;
        greater |= part == Ordering::Greater;
    }
    match (less, greater) {
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        _ => Ordering::Equal,
    }
}
