//! [`Variable`]: a variable in data or a hierarchy, with a path into its value.

use std::sync::{Arc, Mutex, PoisonError};

use hieratic_value::collections::HashMap;
use hieratic_value::{Str, Value};

use crate::key::{self, Segment, split};
use crate::scope::Scope;

/// A variable and the path into it.
#[derive(Debug)]
pub(crate) struct Variable {
    /// The expression as written.
    pub(crate) text: Str,
    /// Its name, or `None` if the expression is malformed.
    pub(crate) root: Option<Segment>,
    pub(crate) segments: Box<[Segment]>,
    /// The hash of the root's name for [`Scope::get`].
    pub(crate) hash: u64,
    /// The hashes of the path's names as keys of a hash.
    hashes: Box<[u64]>,
}

impl Variable {
    pub(crate) fn parse(text: &str) -> Variable {
        let text: Str = text.into();
        let (root, segments) = match split(&text) {
            Ok(None) => (Some(Segment::Name(text.clone())), Box::default()),
            Ok(Some(mut segments)) => (Some(segments.remove(0)), segments.into_boxed_slice()),
            // The lookup parses the string again and reports the error.
            Err(_) => (None, Box::default()),
        };
        let hash = match &root {
            Some(Segment::Name(name)) => Scope::hash_of(name),
            _ => 0,
        };
        let hashes = segments.iter().map(|segment| match segment {
            Segment::Name(name) => key::hash_of(name),
            Segment::Index(_) => 0,
        });
        Variable { hashes: hashes.collect(), text, root, segments, hash }
    }

    /// Follows the path from a value, if it leads through hashes by names.
    pub(crate) fn follow<'v>(&self, root: &'v Value) -> Option<&'v Value> {
        self.segments.iter().zip(&self.hashes).try_fold(root, |value, (segment, hash)| {
            let (Value::Hash(values), Segment::Name(name)) = (value, segment) else { return None };
            let at = key::position_of(values.as_map(), name, *hash)?;
            values.as_map().get_index(at).map(|(_, value)| value)
        })
    }
}

/// The maximum number of shared variables per source.
const MOST_VARIABLES: usize = 1000;

/// The variables that one source names, each once: hundreds of values name the same few, and then find them in the caches of the processor.
#[derive(Debug, Default)]
pub(crate) struct Variables(Mutex<HashMap<Str, Arc<Variable>>>);

impl Variables {
    /// The variable that an expression names.
    pub(crate) fn named(&self, expression: &str) -> Arc<Variable> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(variable) = known.get(expression) {
            return variable.clone();
        }
        let variable = Arc::new(Variable::parse(expression));
        if known.len() < MOST_VARIABLES {
            known.insert(variable.text.clone(), variable.clone());
        }
        variable
    }
}

#[cfg(test)]
mod tests {
    use hieratic_value::Hash;

    use super::*;

    #[test]
    fn a_path_of_names_leads_through_hashes() {
        let hash = |pairs: [(&str, Value); 1]| Value::from(pairs.into_iter().collect::<Hash>());
        let os = hash([("release", hash([("1", "12".into())]))]);
        let follow = |text: &str| Variable::parse(text).follow(&os).map(Value::to_text);
        assert_eq!(follow("os.release.'1'").as_deref(), Some("12"));
        for text in ["os.release.1", "os.gone", "os.release.'1'.x"] {
            assert_eq!(follow(text), None, "{text}");
        }
        assert_eq!(Variable::parse("os").follow(&os), Some(&os));
    }

    #[test]
    fn values_share_their_variables() {
        let variables = Variables::default();
        assert!(Arc::ptr_eq(&variables.named("facts.os"), &variables.named("facts.os")));
        assert_eq!(&*variables.named("::x").text, "::x");
        for number in 0..2 * MOST_VARIABLES {
            assert_eq!(*variables.named(&number.to_string()).text, *number.to_string());
        }
    }
}
