//! [`Template`]: templates for answers that differ between nodes only in the values of variables. Each is stored once.
//!
//! `http://10.0.0.1:80/` of one node and `http://10.0.0.2:80/` of another are the same template with a placeholder, and
//! each node has its value. It does not matter whether the data uses this variable: the template, rendered with the
//! node's variables, equals the original answer byte for byte.

use std::borrow::Cow;
use std::sync::Arc;

use aho_corasick::{AhoCorasick, MatchKind};
use hieratic::value::ids::IndexVec;
use hieratic::value::text::REDACTED;

use super::ids::{ValueId, VariableId};

/// The minimum length of a value that becomes a placeholder, in bytes: shorter values occur at random.
const MIN_VALUE_LENGTH: usize = 3;

/// The maximum number of variables of a node that become placeholders.
const MAX_VARIABLES: usize = 200;

/// A placeholder for the value of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Placeholder {
    /// The offset in the literal text, in bytes.
    at: u32,
    variable: VariableId,
}

/// A string, which may have placeholders.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Template {
    /// The literal text, without the placeholders.
    literal: Arc<str>,
    /// Sorted by where they are.
    placeholders: Box<[Placeholder]>,
}

/// The values of a node for its variables, sorted.
pub(super) type Bindings = [(VariableId, ValueId)];

/// The values of variables by their ids.
pub(super) type Values = IndexVec<ValueId, Arc<str>>;

impl Template {
    /// Creates a template without placeholders.
    pub(super) fn from_literal(text: Arc<str>) -> Template {
        Template { literal: text, placeholders: Box::default() }
    }

    pub(super) fn is_literal(&self) -> bool {
        self.placeholders.is_empty()
    }

    /// Returns the literal text, without the placeholders.
    pub(super) fn literal(&self) -> &Arc<str> {
        &self.literal
    }

    /// Returns the size of the placeholders, in bytes.
    pub(super) fn placeholder_bytes(&self) -> usize {
        self.placeholders.len() * size_of::<Placeholder>()
    }

    /// Returns the placeholders: pairs of offset and variable.
    pub(super) fn placeholders(&self) -> impl Iterator<Item = (u32, VariableId)> {
        self.placeholders.iter().map(|placeholder| (placeholder.at, placeholder.variable))
    }

    /// The variables that are left out, in their order.
    pub(super) fn variables(&self) -> impl Iterator<Item = VariableId> {
        self.placeholders.iter().map(|placeholder| placeholder.variable)
    }

    /// Returns the literal parts before, between and after the placeholders.
    pub(super) fn literal_parts(&self) -> impl Iterator<Item = &str> {
        let starts = [0].into_iter().chain(self.placeholders.iter().map(|placeholder| placeholder.at as usize));
        let ends = self.placeholders.iter().map(|placeholder| placeholder.at as usize).chain([self.literal.len()]);
        starts.zip(ends).map(|(start, end)| self.literal.get(start..end).unwrap_or_default())
    }

    /// Renders the template for a node.
    pub(super) fn render(&self, bindings: &Bindings, values: &Values) -> Cow<'_, str> {
        if self.is_literal() {
            return Cow::Borrowed(&self.literal);
        }
        let mut text = String::with_capacity(self.literal.len() + 16 * self.placeholders.len());
        self.rendered_parts(bindings, values).for_each(|part| text.push_str(part));
        Cow::Owned(text)
    }

    /// Returns the parts of the rendered template: literal parts, and the values between them.
    pub(super) fn rendered_parts<'t>(
        &'t self,
        bindings: &'t Bindings,
        values: &'t Values,
    ) -> impl Iterator<Item = &'t str> {
        let between = self.variables().map(|variable| &*values[value_of(variable, bindings)]).chain([""]);
        self.literal_parts().zip(between).flat_map(|(piece, value)| [piece, value])
    }
}

/// Returns the value of a variable of a placeholder.
pub(super) fn value_of(variable: VariableId, bindings: &Bindings) -> ValueId {
    match bindings.binary_search_by_key(&variable, |(other, _)| *other) {
        Ok(at) => bindings[at].1,
        // A node has a value for each variable in its answers: they were found by its values, or those of a node with
        // the same values.
        Err(_) => panic!("{variable:?} of a placeholder has no value"),
    }
}

/// Replaces the values of the variables of one node by placeholders.
pub(super) struct Extractor {
    search: AhoCorasick,
    /// The variables whose values are searched.
    variables: Vec<VariableId>,
}

impl Extractor {
    /// Creates an extractor for variables and their values; `None` if no value is suitable.
    pub(super) fn new(variables: Vec<(VariableId, String)>) -> Option<Extractor> {
        let mut known: Vec<(VariableId, String)> = Vec::new();
        for (variable, value) in variables {
            // Of variables with the same value, such as two names of a node, the first represents the others.
            if value.len() >= MIN_VALUE_LENGTH
                && known.len() < MAX_VARIABLES
                && known.iter().all(|(_, other)| *other != value)
            {
                known.push((variable, value));
            }
        }
        if known.is_empty() {
            return None;
        }
        let values = known.iter().map(|(_, value)| value);
        let search = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(values).ok()?;
        Some(Extractor { search, variables: known.into_iter().map(|(variable, _)| variable).collect() })
    }

    /// Returns the literal text of a string, and its placeholders: pairs of offset and variable.
    pub(super) fn extract(&self, text: &str) -> Option<(String, Vec<(u32, VariableId)>)> {
        // Redaction is recognized by the literal text. And the lower case of `Σ` depends on its neighbors, which the
        // search in parts does not see.
        if text.contains(REDACTED) || text.contains('Σ') {
            return None;
        }
        let mut literal = String::with_capacity(text.len());
        let mut placeholders = Vec::new();
        let mut last = 0;
        for found in self.search.find_iter(text) {
            literal.push_str(text.get(last..found.start())?);
            last = found.end();
            let variable = *self.variables.get(found.pattern().as_usize())?;
            placeholders.push((u32::try_from(literal.len()).ok()?, variable));
        }
        literal.push_str(text.get(last..)?);
        (!placeholders.is_empty()).then_some((literal, placeholders))
    }
}

impl Template {
    /// Creates a template with placeholders: pairs of offset and variable.
    pub(super) fn with_placeholders(literal: Arc<str>, placeholders: &[(u32, VariableId)]) -> Template {
        Template {
            literal,
            placeholders: placeholders
                .iter()
                .map(|(at, variable)| Placeholder { at: *at, variable: *variable })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use hieratic::value::ids::Id as _;

    use super::*;

    fn variable(index: usize) -> VariableId {
        VariableId::from_index(index).unwrap()
    }

    fn extract(text: &str, variables: &[(usize, &str)]) -> Option<Template> {
        let variables = variables.iter().map(|(index, value)| (variable(*index), value.to_string())).collect();
        let (literal, placeholders) = Extractor::new(variables)?.extract(text)?;
        Some(Template::with_placeholders(literal.into(), &placeholders))
    }

    #[test]
    fn extracted_templates_render_to_the_original() {
        let values: Values = IndexVec::from_elements(["web1.example.com", "web1", "10.0.0.1"].map(Arc::from)).unwrap();
        let [fqdn, host, address] = values.ids().collect::<Vec<_>>().try_into().unwrap();
        let variables = [(7, "web1.example.com"), (4, "web1"), (9, "10.0.0.1"), (11, "10.0.0.1")];
        let bindings = [(variable(4), host), (variable(7), fqdn), (variable(9), address)];
        for (text, literal, placeholders) in [
            ("\"http://10.0.0.1:80/web1\"", "\"http://:80/\"", vec![9, 4]),
            ("web1.example.comweb1", "", vec![7, 4]),
            ("web1.example.org", ".example.org", vec![4]),
        ] {
            let result = extract(text, &variables).unwrap();
            let found: Vec<usize> = result.variables().map(VariableId::index).collect();
            assert_eq!((&**result.literal(), found), (literal, placeholders), "{text}");
            assert_eq!(result.render(&bindings, &values), text);
        }
        assert_eq!(extract("nothing of it", &variables), None);
    }

    #[test]
    #[should_panic(expected = "VariableId(4) of a placeholder has no value")]
    fn a_placeholder_without_a_value_is_reported() {
        extract("at web1", &[(4, "web1")]).unwrap().render(&[], &Values::new());
    }

    #[test]
    fn redacted_and_short_strings_have_no_placeholders() {
        assert_eq!(extract(&format!("{REDACTED} web1"), &[(0, "web1")]), None);
        assert_eq!(extract("ab", &[(0, "ab")]), None);
        assert_eq!(Template::from_literal("a".into()).render(&[], &Values::new()), "a");
    }

    #[test]
    fn literal_parts_surround_the_placeholders() {
        let placeholders = [(0, 1), (1, 2), (1, 3), (2, 1)].map(|(at, index)| (at, variable(index)));
        let text = Template::with_placeholders("ab".into(), &placeholders);
        assert_eq!(text.literal_parts().collect::<Vec<&str>>(), ["", "a", "", "b", ""]);
    }
}
