//! [`TemplateSearch`]: finds the values that contain some words, if most nodes have their own values.
//!
//! One template represents thousands of nodes, and is not rendered for each of them. A word can occur in the literal
//! parts, in the value of a placeholder, or across the boundary between them. The literal parts around a placeholder,
//! and the values that overlap with the word, show whether it can occur across a boundary. The template is only
//! rendered for the few nodes with both.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use hieratic::budget::Budget;
use hieratic::value::ids::IndexVec;

use super::ids::{ClassId, NodeId, ValueId, VariableId};
use super::index::{Row, Table, Value};
use super::template::{Bindings, Template, value_of};
use crate::nodes::exhausted;
use crate::problem::Problem;
use crate::words::Words;

/// A search in the values of a table.
pub(crate) struct TemplateSearch<'i> {
    table: &'i Table,
    words: &'i Words,
    /// The occurrences of each word in the values of placeholders.
    matches: Vec<WordMatch>,
}

/// The occurrences of a word in the values of placeholders.
struct WordMatch {
    /// Whether each value contains the word, or overlaps with it at an edge.
    near: IndexVec<ValueId, bool>,
    /// The overlaps of the values of each variable with the word.
    variables: HashMap<VariableId, VariableMatch>,
}

/// The overlaps of the values of one variable with a word.
struct VariableMatch {
    /// Whether any value contains the word.
    inside: bool,
    /// For each way to split the word: whether some value ends with the first part or is a suffix of it, and whether
    /// some value begins with the second part or is a prefix of it.
    cuts: Vec<(bool, bool)>,
}

impl<'i> TemplateSearch<'i> {
    pub(crate) fn new(table: &'i Table, words: &'i Words, budget: &Budget) -> Result<TemplateSearch<'i>, Problem> {
        let values: IndexVec<ValueId, String> = table.bindings.values.map(|value| value.to_lowercase());
        let mut matches = Vec::new();
        for word in words.as_slice() {
            budget.steps(values.len() as u64).map_err(exhausted)?;
            let near = values.map(|value| value.contains(word) || overlap(value, word));
            let mut variables = HashMap::new();
            for (variable, of) in &table.bindings.by_variable {
                budget.steps(of.len() as u64).map_err(exhausted)?;
                let texts = || of.iter().map(|value| &values[*value]);
                let cut = |(start, rest): (&str, &str)| {
                    let ends = texts().any(|text| text.ends_with(start) || start.ends_with(&**text));
                    let begins = texts().any(|text| text.starts_with(rest) || rest.starts_with(&**text));
                    (ends, begins)
                };
                let inside = texts().any(|text| text.contains(word));
                variables.insert(*variable, VariableMatch { inside, cuts: cuts(word).map(cut).collect() });
            }
            matches.push(WordMatch { near, variables });
        }
        Ok(TemplateSearch { table, words, matches })
    }

    /// The values of a key that hold the words, sorted. `rows` are those of the key.
    pub(crate) fn values(&self, rows: &'i [Row], budget: &Budget) -> Result<Vec<Value>, Problem> {
        let mut found = Vec::new();
        for row in rows.iter().filter(|row| !row.is_error) {
            budget.step().map_err(exhausted)?;
            if row.template.is_literal() {
                if self.words.find(&row.key, row.template.literal()) {
                    found.push(self.table.literal_value(row));
                }
                continue;
            }
            match self.candidate_nodes(row) {
                CandidateNodes::None => {}
                CandidateNodes::All => {
                    found.extend(self.table.render_row(row, budget, |_| true, |_| true)?);
                }
                CandidateNodes::Near(words) => {
                    let is_near =
                        |bindings: &Bindings| words.iter().all(|any| self.may_occur_with(&row.template, bindings, any));
                    let is_it = |text: &str| self.words.find(&row.key, text);
                    found.extend(self.table.render_row(row, budget, is_near, is_it)?);
                }
            }
        }
        Ok(Value::merge_equal(found))
    }

    /// Returns the nodes on which the template of a row can contain the words.
    fn candidate_nodes(&self, row: &Row) -> CandidateNodes {
        let key = row.key.to_lowercase();
        let pieces: Vec<String> = row.template.literal_parts().map(str::to_lowercase).collect();
        let is_written = |word: &String| pieces.iter().any(|piece| piece.contains(word));
        let words = || self.words.as_slice().iter().enumerate();
        let needed: Vec<usize> =
            words().filter(|(_, word)| !key.contains(*word) && !is_written(word)).map(|(at, _)| at).collect();
        if !needed.is_empty() {
            if !needed.iter().all(|at| self.may_occur_in(&row.template, &pieces, *at)) {
                return CandidateNodes::None;
            }
            return CandidateNodes::Near(needed.into_iter().map(|at| vec![at]).collect());
        }
        // All words occur, in the key or in the literal text. At least one of them has to be in the value.
        if words().any(|(_, word)| is_written(word)) {
            return CandidateNodes::All;
        }
        let any: Vec<usize> =
            words().map(|(at, _)| at).filter(|at| self.may_occur_in(&row.template, &pieces, *at)).collect();
        if any.is_empty() { CandidateNodes::None } else { CandidateNodes::Near(vec![any]) }
    }

    /// Returns whether a word that is not in the literal text can occur in a rendered template. The pieces are in lower
    /// case.
    fn may_occur_in(&self, text: &Template, pieces: &[String], word: usize) -> bool {
        let (Some(matches), Some(word)) = (self.matches.get(word), self.words.as_slice().get(word)) else {
            return false;
        };
        let last = pieces.len().saturating_sub(1);
        text.variables().zip(pieces.windows(2)).enumerate().any(|(at, (variable, outer))| {
            let ([before, after], Some(variable_match)) = (outer, matches.variables.get(&variable)) else {
                return false;
            };
            // The literal text after the placeholder continues with the rest of the word, or is a part of the rest that
            // the next placeholder continues.
            let continues = |rest: &str| after.starts_with(rest) || at + 1 < last && rest.starts_with(&**after);
            let begins = |start: &str| before.ends_with(start) || at > 0 && start.ends_with(&**before);
            let crosses = |((start, rest), (ends_with_start, begins_with_rest)): ((&str, &str), &(bool, bool))| {
                *ends_with_start && continues(rest) || *begins_with_rest && begins(start)
            };
            variable_match.inside || cuts(word).zip(&variable_match.cuts).any(crosses)
        })
    }

    /// Returns whether one of some words can occur in a template on a node, judging by the node's values.
    fn may_occur_with(&self, text: &Template, bindings: &Bindings, words: &[usize]) -> bool {
        words
            .iter()
            .filter_map(|word| self.matches.get(*word))
            .any(|matches| text.variables().any(|variable| matches.near[value_of(variable, bindings)]))
    }
}

enum CandidateNodes {
    None,
    All,
    /// On the nodes where each of these lists has a word that can occur.
    Near(Vec<Vec<usize>>),
}

/// Returns whether a word can begin or end inside a value, or contain it.
fn overlap(value: &str, word: &str) -> bool {
    word.contains(value) || cuts(word).any(|(start, rest)| value.ends_with(start) || value.starts_with(rest))
}

/// The ways to cut a word in two.
fn cuts(word: &str) -> impl Iterator<Item = (&str, &str)> {
    word.char_indices().skip(1).map(|(at, _)| word.split_at(at))
}

impl Table {
    /// Renders a row on the nodes with suitable bindings, and returns the values that match.
    pub(super) fn render_row(
        &self,
        row: &Row,
        budget: &Budget,
        accepts: impl Fn(&Bindings) -> bool,
        is_it: impl Fn(&str) -> bool,
    ) -> Result<Vec<Value>, Problem> {
        let mut found: HashMap<String, Vec<NodeId>> = HashMap::new();
        for class in self.classes_of(row) {
            budget.step().map_err(exhausted)?;
            let bindings = &self.bindings.by_class[class];
            if !accepts(bindings) {
                continue;
            }
            let text = row.template.render(bindings, &self.bindings.values);
            if is_it(&text) {
                found.entry(text.into_owned()).or_default().extend_from_slice(&self.classes[class]);
            }
        }
        let value = |(text, mut nodes): (String, Vec<NodeId>)| {
            nodes.sort_unstable();
            Value { text: text.into(), is_error: row.is_error, positions: row.positions.clone(), nodes }
        };
        Ok(found.into_iter().map(value).collect())
    }

    /// Returns the values of the rows of a key on some nodes, sorted.
    ///
    /// # Errors
    /// The budget is exhausted.
    pub(crate) fn values_on(&self, rows: &[Row], nodes: &[NodeId], budget: &Budget) -> Result<Vec<Value>, Problem> {
        let mut values = Vec::new();
        let mut by_class: BTreeMap<ClassId, Vec<NodeId>> = BTreeMap::new();
        for node in nodes {
            by_class.entry(self.class_of(*node)).or_default().push(*node);
        }
        for row in rows {
            for (class, members) in &by_class {
                budget.step().map_err(exhausted)?;
                // The classes of a piece are in the order of their ids.
                if !row.pieces.iter().any(|piece| self.answers[*piece].binary_search(class).is_ok()) {
                    continue;
                }
                let text = row.template.render(&self.bindings.by_class[*class], &self.bindings.values).into_owned();
                values.push(Value {
                    text: text.into(),
                    is_error: row.is_error,
                    positions: row.positions.clone(),
                    nodes: members.clone(),
                });
            }
        }
        Ok(Value::merge_equal(values))
    }

    /// Returns the value of a row without placeholders.
    pub(super) fn literal_value(&self, row: &Row) -> Value {
        let text: Arc<str> = row.template.literal().clone();
        Value { text, is_error: row.is_error, positions: row.positions.clone(), nodes: self.nodes_of(row) }
    }
}

#[cfg(test)]
mod tests {
    use hieratic::value::ids::{Id as _, Interner};

    use super::super::ids::AnswerPieceId;
    use super::super::index::TemplateBindings;
    use super::super::lists::IdLists;
    use super::super::template::Extractor;
    use super::*;

    /// A table in which each node is a class, from the variables of each node and its answers to one key.
    fn table(nodes: &[(Vec<String>, Vec<String>)]) -> Table {
        let mut values: Interner<ValueId, Arc<str>> = Interner::default();
        let mut by_class: IndexVec<ClassId, Arc<Bindings>> = IndexVec::new();
        let mut rows: BTreeMap<Template, Vec<ClassId>> = BTreeMap::new();
        for (variables, texts) in nodes {
            let variables: IndexVec<VariableId, String> = IndexVec::from_elements(variables.iter().cloned()).unwrap();
            let binding = |(variable, value): (VariableId, &String)| {
                (variable, values.intern(value.as_str(), Arc::from).unwrap().0)
            };
            let class = by_class.push(variables.entries().map(binding).collect()).unwrap();
            let extractor = Extractor::new(variables.into_entries().collect());
            for text in texts {
                let text = match extractor.as_ref().and_then(|extractor| extractor.extract(text)) {
                    Some((literal, placeholders)) => Template::with_placeholders(literal.into(), &placeholders),
                    None => Template::from_literal(text.as_str().into()),
                };
                rows.entry(text).or_default().push(class);
            }
        }
        let mut answers = Vec::new();
        let row = |(text, classes): (Template, Vec<ClassId>)| {
            answers.push(classes);
            let pieces = vec![AnswerPieceId::from_index(answers.len() - 1).unwrap()];
            Row { key: "app::Key".into(), template: text, is_error: false, positions: Vec::new(), pieces }
        };
        let rows = rows.into_iter().map(row).collect();
        let nodes: IndexVec<NodeId, String> =
            IndexVec::from_elements((0..nodes.len()).map(|node| format!("n{node}"))).unwrap();
        Table {
            rows,
            answers: IdLists::from_lists(answers),
            classes: IndexVec::from_elements(nodes.ids().map(|node| vec![node])).unwrap(),
            nodes,
            bindings: TemplateBindings::new(by_class, values.map(Arc::clone)),
            ..Table::default()
        }
    }

    #[test]
    fn the_search_equals_a_search_of_rendered_templates() {
        let mut state = 5_u64;
        let mut below = move |most: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % most
        };
        let parts = ["ab", "ba", "Abc", "c", "-", "aab", "bca", "key", "é", "B"];
        let mut matches = 0;
        for round in 0..400 {
            let mut text =
                |most: usize| -> String { (0..1 + below(most)).map(|_| parts[below(parts.len())]).collect() };
            let patterns: Vec<[String; 3]> = (0..4).map(|_| [text(2), text(2), text(2)]).collect();
            let nodes: Vec<(Vec<String>, Vec<String>)> = (0..12)
                .map(|_| {
                    let variables = vec![text(3), text(3)];
                    let of =
                        |[one, two, three]: &[String; 3]| format!("{one}{}{two}{}{three}", variables[0], variables[1]);
                    let texts = patterns.iter().map(of).chain([text(3)]).collect();
                    (variables, texts)
                })
                .collect();
            let table = table(&nodes);
            let query =
                [text(2), text(4), format!("{} {}", text(2), text(2)), format!("key {}", text(3)), "key".into()];
            for query in query {
                let words = Words::new(&query).unwrap();
                let mut expected: BTreeMap<&str, Vec<NodeId>> = BTreeMap::new();
                for (node, (_, texts)) in table.nodes.ids().zip(&nodes) {
                    for text in texts.iter().filter(|text| words.find("app::Key", text)) {
                        let nodes = expected.entry(text).or_default();
                        if nodes.last() != Some(&node) {
                            nodes.push(node);
                        }
                    }
                }
                let search = TemplateSearch::new(&table, &words, &Budget::default()).unwrap();
                let found = search.values(&table.rows, &Budget::default()).unwrap();
                let found: BTreeMap<&str, Vec<NodeId>> = found
                    .iter()
                    .map(|value| {
                        let mut nodes = value.nodes.clone();
                        nodes.dedup();
                        (&*value.text, nodes)
                    })
                    .collect();
                assert_eq!(found, expected, "round {round}: {query}");
                matches += found.len();
                let count: std::collections::HashSet<&String> = nodes.iter().flat_map(|(_, texts)| texts).collect();
                assert_eq!(table.count(&table.rows, &Budget::default()).unwrap().0, count.len(), "round {round}");
            }
        }
        assert!(matches > 2000, "only {matches} were found");
    }
}
