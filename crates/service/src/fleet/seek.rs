//! [`Seek`]: finds the values that contain some words, if most nodes have their own values.
//!
//! One template represents thousands of nodes. It is not rendered for each of them to be searched. A word can occur in
//! the literal parts, in the value of a placeholder, or across the boundary between them. The literal parts around a
//! placeholder, and the values that overlap with the word, show whether it can occur across a boundary. The template is
//! only rendered for the few nodes with both.

use std::collections::HashMap;
use std::sync::Arc;

use hieratic::powers::Budget;

use super::holes::{Filling, Text};
use super::index::{Row, Table, Value};
use crate::nodes::exhausted;
use crate::problem::Problem;
use crate::words::Words;

/// A search in the values of a table.
pub(crate) struct Seek<'i> {
    table: &'i Table,
    words: &'i Words,
    /// The occurrences of each word in the values of placeholders.
    met: Vec<Met>,
}

/// The occurrences of a word in the values of placeholders.
struct Met {
    /// Of each value, by its number: whether it has a part in common with the word that may lie across an edge, or holds it.
    near: Vec<bool>,
    /// The overlaps of the values of each variable with the word.
    variables: HashMap<u32, Meets>,
}

/// The overlaps of the values of one variable with a word.
struct Meets {
    /// Whether any value contains the word.
    inside: bool,
    /// For each way to cut the word in two: whether some value ends with the first part or is an end of it, and whether some value begins
    /// with the second part or is a beginning of it.
    cuts: Vec<(bool, bool)>,
}

impl<'i> Seek<'i> {
    pub(crate) fn new(table: &'i Table, words: &'i Words, budget: &Budget) -> Result<Seek<'i>, Problem> {
        let values: Vec<String> = table.fillings.values.iter().map(|value| value.to_lowercase()).collect();
        let mut met = Vec::new();
        for word in words.as_slice() {
            budget.steps(values.len() as u64).map_err(exhausted)?;
            let near = values.iter().map(|value| value.contains(word) || overlap(value, word)).collect();
            let mut variables = HashMap::new();
            for (variable, of) in &table.fillings.of_variables {
                budget.steps(of.len() as u64).map_err(exhausted)?;
                let texts = || of.iter().filter_map(|value| values.get(*value as usize));
                let cut = |(start, rest): (&str, &str)| {
                    let ends = texts().any(|text| text.ends_with(start) || start.ends_with(&**text));
                    let begins = texts().any(|text| text.starts_with(rest) || rest.starts_with(&**text));
                    (ends, begins)
                };
                let inside = texts().any(|text| text.contains(word));
                variables.insert(*variable, Meets { inside, cuts: cuts(word).map(cut).collect() });
            }
            met.push(Met { near, variables });
        }
        Ok(Seek { table, words, met })
    }

    /// The values of a key that hold the words, sorted. `rows` are those of the key.
    pub(crate) fn values(&self, rows: &'i [Row], budget: &Budget) -> Result<Vec<Value>, Problem> {
        let mut found = Vec::new();
        for row in rows.iter().filter(|row| !row.is_fault) {
            budget.step().map_err(exhausted)?;
            if row.text.is_whole() {
                if self.words.find(&row.key, row.text.written()) {
                    found.push(self.table.whole(row));
                }
                continue;
            }
            match self.wanted(row) {
                Wanted::Nowhere => {}
                Wanted::Everywhere => {
                    found.extend(self.table.filled(row, budget, |_| true, |_| true)?);
                }
                Wanted::Where(words) => {
                    let is_near = |filling: &Filling| words.iter().all(|any| self.is_near(&row.text, filling, any));
                    let is_it = |text: &str| self.words.find(&row.key, text);
                    found.extend(self.table.filled(row, budget, is_near, is_it)?);
                }
            }
        }
        Ok(Value::merged(found))
    }

    /// Returns the nodes on which the template of a row can contain the words.
    fn wanted(&self, row: &Row) -> Wanted {
        let key = row.key.to_lowercase();
        let pieces: Vec<String> = row.text.pieces().map(str::to_lowercase).collect();
        let is_written = |word: &String| pieces.iter().any(|piece| piece.contains(word));
        let words = || self.words.as_slice().iter().enumerate();
        let needed: Vec<usize> =
            words().filter(|(_, word)| !key.contains(*word) && !is_written(word)).map(|(at, _)| at).collect();
        if !needed.is_empty() {
            return match needed.iter().all(|at| self.may_fill(&row.text, &pieces, *at)) {
                true => Wanted::Where(needed.into_iter().map(|at| vec![at]).collect()),
                false => Wanted::Nowhere,
            };
        }
        // All words occur, in the key or in the literal text. At least one of them has to be in the value.
        if words().any(|(_, word)| is_written(word)) {
            return Wanted::Everywhere;
        }
        let any: Vec<usize> = words().map(|(at, _)| at).filter(|at| self.may_fill(&row.text, &pieces, *at)).collect();
        match any.is_empty() {
            true => Wanted::Nowhere,
            false => Wanted::Where(vec![any]),
        }
    }

    /// Returns whether a word that is not in the literal text can occur in a rendered template. The pieces are in lower
    /// case.
    fn may_fill(&self, text: &Text, pieces: &[String], word: usize) -> bool {
        let (Some(met), Some(word)) = (self.met.get(word), self.words.as_slice().get(word)) else { return false };
        let last = pieces.len().saturating_sub(1);
        text.variables().zip(pieces.windows(2)).enumerate().any(|(at, (variable, around))| {
            let ([before, behind], Some(meets)) = (around, met.variables.get(&variable)) else { return false };
            // The literal text after the placeholder continues with the rest of the word, or is a part of the rest that
            // the next placeholder continues.
            let continues = |rest: &str| behind.starts_with(rest) || at + 1 < last && rest.starts_with(&**behind);
            let begins = |start: &str| before.ends_with(start) || at > 0 && start.ends_with(&**before);
            let crosses = |((start, rest), (ends_with_start, begins_with_rest)): ((&str, &str), &(bool, bool))| {
                *ends_with_start && continues(rest) || *begins_with_rest && begins(start)
            };
            meets.inside || cuts(word).zip(&meets.cuts).any(crosses)
        })
    }

    /// Returns whether one of some words can occur in a template on a node, judging by the node's values.
    fn is_near(&self, text: &Text, filling: &Filling, words: &[usize]) -> bool {
        let number =
            |variable: u32| filling.iter().find(|(other, _)| *other == variable).map(|(_, value)| *value as usize);
        words
            .iter()
            .filter_map(|word| self.met.get(*word))
            .any(|met| text.variables().filter_map(number).any(|value| met.near.get(value).is_some_and(|near| *near)))
    }
}

enum Wanted {
    Nowhere,
    Everywhere,
    /// On the nodes where each of these lists has a word that can occur.
    Where(Vec<Vec<usize>>),
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
    /// The values of a row on the nodes whose filling and whose text are wanted.
    pub(super) fn filled(
        &self,
        row: &Row,
        budget: &Budget,
        is_wanted: impl Fn(&Filling) -> bool,
        is_it: impl Fn(&str) -> bool,
    ) -> Result<Vec<Value>, Problem> {
        let mut found: HashMap<String, Vec<u32>> = HashMap::new();
        for class in self.classes_of(row) {
            budget.step().map_err(exhausted)?;
            let filling = self.fillings.of_classes.get(class as usize).map_or(&[][..], |filling| filling);
            if !is_wanted(filling) {
                continue;
            }
            let text = row.text.filled(filling, &self.fillings.values);
            if is_it(&text) {
                let nodes = self.classes.get(class as usize).map_or(&[][..], Vec::as_slice);
                found.entry(text.into_owned()).or_default().extend_from_slice(nodes);
            }
        }
        let value = |(text, mut nodes): (String, Vec<u32>)| {
            nodes.sort_unstable();
            Value { text: text.into(), is_fault: row.is_fault, places: row.places.clone(), nodes }
        };
        Ok(found.into_iter().map(value).collect())
    }

    /// The value of a row without holes.
    pub(super) fn whole(&self, row: &Row) -> Value {
        let text: Arc<str> = row.text.written().clone();
        Value { text, is_fault: row.is_fault, places: row.places.clone(), nodes: self.nodes_of(row) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::holes::Leaving;
    use super::super::index::Fillings;
    use super::*;

    /// A table in which each node is a class, from the variables of each node and its answers to one key.
    fn table(nodes: &[(Vec<String>, Vec<String>)]) -> Table {
        let mut values: Vec<Arc<str>> = Vec::new();
        let mut of_classes = Vec::new();
        let mut rows: BTreeMap<Text, Vec<u32>> = BTreeMap::new();
        let mut pieces: Vec<Vec<u32>> = Vec::new();
        for (class, (variables, texts)) in (0..).zip(nodes) {
            let mut filling = Vec::new();
            for (variable, value) in (0..).zip(variables) {
                let number = values.iter().position(|known| **known == **value).unwrap_or_else(|| {
                    values.push(value.as_str().into());
                    values.len() - 1
                });
                filling.push((variable, u32::try_from(number).unwrap()));
            }
            of_classes.push(filling.into());
            let leaving = Leaving::new((0..).zip(variables.iter().cloned()).collect());
            for text in texts {
                let text = match leaving.as_ref().and_then(|leaving| leaving.leave_out(text)) {
                    Some((written, holes)) => Text::with_holes(written.into(), &holes),
                    None => Text::whole(text.as_str().into()),
                };
                rows.entry(text).or_default().push(class);
            }
        }
        let row = |(text, classes): (Text, Vec<u32>)| {
            pieces.push(classes);
            let pieces = vec![u32::try_from(pieces.len() - 1).unwrap()];
            Row { key: "app::Key".into(), text, is_fault: false, places: Vec::new(), pieces }
        };
        Table {
            nodes: (0..nodes.len()).map(|node| format!("n{node}")).collect(),
            rows: rows.into_iter().map(row).collect(),
            answers: pieces,
            classes: (0..u32::try_from(nodes.len()).unwrap()).map(|node| vec![node]).collect(),
            fillings: Fillings::new(of_classes, values),
            ..Table::default()
        }
    }

    #[test]
    fn what_is_found_is_what_every_text_says() {
        let mut state = 5_u64;
        let mut below = move |most: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % most
        };
        let parts = ["ab", "ba", "Abc", "c", "-", "aab", "bca", "key", "é", "B"];
        let mut met = 0;
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
            let asked =
                [text(2), text(4), format!("{} {}", text(2), text(2)), format!("key {}", text(3)), "key".into()];
            for asked in asked {
                let words = Words::new(&asked).unwrap();
                let mut expected: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
                for (node, (_, texts)) in (0..).zip(&nodes) {
                    for text in texts.iter().filter(|text| words.find("app::Key", text)) {
                        let nodes = expected.entry(text).or_default();
                        if nodes.last() != Some(&node) {
                            nodes.push(node);
                        }
                    }
                }
                let seek = Seek::new(&table, &words, &Budget::default()).unwrap();
                let found = seek.values(&table.rows, &Budget::default()).unwrap();
                let found: BTreeMap<&str, Vec<u32>> = found
                    .iter()
                    .map(|value| {
                        let mut nodes = value.nodes.clone();
                        nodes.dedup();
                        (&*value.text, nodes)
                    })
                    .collect();
                assert_eq!(found, expected, "round {round}: {asked}");
                met += found.len();
                let count: std::collections::HashSet<&String> = nodes.iter().flat_map(|(_, texts)| texts).collect();
                assert_eq!(table.count(&table.rows, &Budget::default()).unwrap().0, count.len(), "round {round}");
            }
        }
        assert!(met > 2000, "only {met} were found");
    }
}
