//! [`Environment`]: the environment variables for substitutions.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::error::Origin;
use super::token::Literal;
use super::value::{Entries, HoconData, HoconField, HoconNode, Object, Shared, list};
use hieratic_source::Position;

/// Environment variables for substitutions without a value in the document.
///
/// Variables named `X.0`, `X.1` and so on are also a list named `X`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment(BTreeMap<String, String>);

impl Environment {
    /// Creates an environment without variables.
    pub fn empty() -> Self {
        Environment::default()
    }

    pub(super) fn object(&self) -> Shared {
        let mut entries = Entries::default();
        let mut lists: BTreeMap<&str, BTreeMap<u64, &str>> = BTreeMap::new();
        for (name, value) in &self.0 {
            let origin = origin(format!("env var {name}"));
            insert(
                &mut entries,
                name,
                HoconNode::shared(origin, HoconData::Literal(Literal::String((&**value).into()))),
            );
            if let Some((list, index)) = name.rsplit_once('.')
                && index.bytes().all(|byte| byte.is_ascii_digit())
                && let Ok(index) = index.parse()
            {
                lists.entry(list).or_default().insert(index, value);
            }
        }
        for (name, values) in lists {
            let origin = origin(format!("env var list {name}"));
            let string =
                |value: &&str| HoconNode::shared(origin.clone(), HoconData::Literal(Literal::String((**value).into())));
            let items = values.values().map(string).collect();
            insert(&mut entries, name, list(origin.clone(), items));
        }
        HoconNode::shared(origin("env variables".into()), HoconData::Object(Object::new(entries, false)))
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Environment {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(variables: I) -> Self {
        Environment(variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

fn origin(description: String) -> Origin {
    Origin { description: description.into(), line: -1, last_line: -1, at: Position::START }
}

fn insert(entries: &mut Entries, name: &str, value: Shared) {
    entries.insert(Rc::from(name), HoconField { key_at: Position::START, value });
}
