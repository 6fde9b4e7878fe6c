//! JSON as values: arrays are tuples, objects are objects.

use std::collections::hash_map::Entry;

use hieratic_hcl_types::{Number, Text, Value, quoted};
use hieratic_value::collections::HashMap;

use super::tokens::{Token, Tokens};
use crate::MAX_DEPTH;

/// An array or object that is open.
enum OpenCollection {
    Array(Vec<Value>),
    Object { entries: Vec<(Text, Value)>, by_name: HashMap<Text, usize>, key: Option<Text> },
}

/// Decodes JSON.
///
/// The reference parses twice, first for the type and then for the value: errors of the first pass are reported before
/// those of the second, regardless of their positions.
pub(super) fn decode(source: &str) -> Result<Value, String> {
    let mut tokens = Tokens::new(source);
    let mut open: Vec<OpenCollection> = Vec::new();
    let mut late: Option<String> = None;
    loop {
        let token = tokens.next()?;
        if let Some(OpenCollection::Object { key: key @ None, .. }) = open.last_mut()
            && let Token::Text(name) = &token
        {
            let text = Value::string(name.as_ref());
            if text.as_str() != Some(name) {
                late.get_or_insert_with(|| format!("unsupported attribute {}", quoted(name)));
            }
            *key = Some(name.as_ref().into());
            continue;
        }
        let value = match token {
            Token::Null => Value::NULL,
            Token::Bool(value) => Value::Bool(value),
            Token::Text(text) => Value::string(text),
            Token::Number(text) => match Number::parse(text) {
                Some(number) => number.into(),
                None => {
                    late.get_or_insert_with(|| "a number is required".into());
                    Number::ZERO.into()
                }
            },
            Token::ArrayStart | Token::ObjectStart => {
                if open.len() >= MAX_DEPTH {
                    return Err(format!("arrays and objects nest deeper than {MAX_DEPTH} levels"));
                }
                open.push(if token == Token::ArrayStart {
                    OpenCollection::Array(Vec::new())
                } else {
                    OpenCollection::Object { entries: Vec::new(), by_name: HashMap::default(), key: None }
                });
                continue;
            }
            Token::ArrayEnd | Token::ObjectEnd => match open.pop() {
                Some(OpenCollection::Array(items)) => Value::tuple(items),
                Some(OpenCollection::Object { entries, .. }) => Value::object(entries),
                // The tokens are properly nested.
                None => Value::NULL,
            },
        };
        match open.last_mut() {
            None => {
                if tokens.more() {
                    return Err("extraneous data after JSON object".into());
                }
                return late.map_or(Ok(value), Err);
            }
            Some(OpenCollection::Array(items)) => items.push(value),
            Some(OpenCollection::Object { entries, by_name, key }) => {
                let name = key.take().unwrap_or_default();
                match by_name.entry(name) {
                    Entry::Vacant(place) => {
                        entries.push((place.key().clone(), value));
                        place.insert(entries.len() - 1);
                    }
                    // A name may repeat as long as the types are the same.
                    Entry::Occupied(place) => {
                        let Some((name, before)) = entries.get_mut(*place.get()) else { continue };
                        if before.ty() != value.ty() {
                            return Err(format!("duplicate {} property in JSON object", quoted(name)));
                        }
                        *before = value;
                    }
                }
            }
        }
    }
}
