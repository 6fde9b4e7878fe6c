//! [`Cause`]: the line or rule that changes an answer.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use hieratic::dependencies::{DataDependency, LevelDefinition, NodeDependencies, SourceData};
use hieratic::explain::{ChosenBy, Why};
use hieratic::lookup::{Origin, quoted_key};
use hieratic::value::ErasedSort as _;
use hieratic::value::Str;
use hieratic::value::collections::HashMap;
use hieratic::yaml_edit::write::{Style, scalar};
use hieratic::{Node, Query, Value};

use crate::classes::NodePair;
use crate::compare::Options;
use crate::diff::{Diff, Side};
use crate::parts::Part;

/// The line or the rule that changes an answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cause {
    /// A changed line of a file: in the head, or in the base if the line was removed.
    Line {
        /// The file.
        file: Arc<Path>,
        /// The line, counted from 1.
        line: u32,
        /// The side that has the line.
        side: Side,
    },
    /// The merge strategy or the conversion has changed.
    Rule {
        /// The rule in the base.
        base: String,
        /// The rule in the head.
        head: String,
        /// The file and line of the rule, in the head if it is there.
        place: Option<(Arc<Path>, u32)>,
    },
    /// The levels of a hierarchy differ.
    Hierarchy {
        /// The configuration.
        file: Arc<Path>,
        /// The removed levels, in order, with their lines in the base.
        removed: Vec<LevelAt>,
        /// The added levels, with their lines in the head.
        added: Vec<LevelAt>,
        /// The levels with changed settings, with their lines in the head.
        other: Vec<LevelAt>,
        /// Whether the order of the common levels has changed.
        reordered: bool,
    },
    /// Another change of a file, such as code of a backend or a key for encrypted values.
    File {
        /// The file.
        file: Arc<Path>,
    },
    /// The facts of the node have changed.
    Facts,
}

/// A level of a configuration.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LevelAt {
    /// Its name.
    pub name: Str,
    /// The line of its name in the file, counted from 1.
    pub line: Option<u32>,
}

impl From<&LevelDefinition> for LevelAt {
    fn from(level: &LevelDefinition) -> LevelAt {
        LevelAt { name: level.name.clone(), line: level.line }
    }
}

/// The change, as far as causes need it.
pub(crate) struct CauseFinder<'c> {
    pub(crate) has_other_facts: bool,
    /// The files that changed, and the budget for finding causes.
    pub(crate) options: &'c Options<'c>,
}

impl CauseFinder<'_> {
    /// The known causes of a change of the answer to a key on a node.
    pub(crate) fn causes(&self, pair: &NodePair, key: &str, parts: &[Part]) -> Vec<Cause> {
        let mut causes = BTreeSet::new();
        for part in parts {
            let line = |side: Side| match part.values.as_ref().side(side).as_ref()?.origin.as_ref()? {
                Origin::File { file, line, .. } if self.options.changed.contains(&**file) => {
                    Some(Cause::Line { file: file.clone(), line: *line, side })
                }
                _ => None,
            };
            causes.extend(line(Side::Head).or_else(|| line(Side::Base)));
        }
        // A replaced line is not a cause in addition to the line that replaced it.
        let is_in = |cause: &Cause, other: &Cause| match (cause, other) {
            (Cause::Line { file, side: Side::Base, .. }, Cause::Line { file: head, side: Side::Head, .. }) => {
                file == head
            }
            _ => false,
        };
        let all = causes.clone();
        causes.retain(|cause| !all.iter().any(|other| is_in(cause, other)));
        let quoted = quoted_key(key);
        let why = |node: &Node| {
            let query = Query { names: vec![&quoted], budget: self.options.budget(), ..Query::default() };
            node.why(&query)
        };
        let Diff { base, head } = pair.nodes.as_ref().map(why);
        let (base_rule, head_rule) = (rule(&base), rule(&head));
        if base_rule != head_rule {
            let place = head.rule.as_ref().or(base.rule.as_ref()).and_then(|rule| match rule.place.as_ref()? {
                Origin::File { file, line, .. } => Some((file.clone(), *line)),
                _ => None,
            });
            causes.insert(Cause::Rule { base: base_rule, head: head_rule, place });
        }
        if causes.is_empty() {
            causes.extend(self.hierarchies(pair));
        }
        if causes.is_empty() && self.has_other_facts {
            causes.insert(Cause::Facts);
        }
        if causes.is_empty() {
            causes.extend(self.entries(pair, key));
        }
        if causes.is_empty() {
            // The files of the levels that have the key, on either side.
            let of = |why: &Why| -> Vec<Arc<Path>> {
                let layers = why.layers.iter().chain(&why.hidden);
                layers
                    .filter_map(|layer| layer.location.as_deref().map(|location| Path::new(location).into()))
                    .collect()
            };
            let files = of(&base).into_iter().chain(of(&head));
            causes.extend(files.filter(|file| self.options.changed.contains(&**file)).map(|file| Cause::File { file }));
        }
        causes.into_iter().collect()
    }

    /// The lines of the key in changed files, where its value differs.
    fn entries(&self, pair: &NodePair, key: &str) -> Vec<Cause> {
        let footprints = pair.nodes.as_ref().map(|node| node.dependencies(&self.options.budget()));
        let Diff { base: Ok(base), head: Ok(head) } = &footprints else { return Vec::new() };
        let of = |dependencies: &'_ NodeDependencies| -> HashMap<Arc<Path>, SourceData> {
            let own = |dependency: &DataDependency| Some((dependency.path.clone()?, dependency.data.clone()?));
            dependencies
                .places
                .iter()
                .filter_map(own)
                .filter(|(path, _)| self.options.changed.contains(&**path))
                .collect()
        };
        let (base, head) = (of(base), of(head));
        let lines = |here: &HashMap<Arc<Path>, SourceData>, there: &HashMap<Arc<Path>, SourceData>, side: Side| {
            let line = |(file, data): (&Arc<Path>, &SourceData)| {
                let other = there.get(file).and_then(|data| data.written(key));
                data.written(key).filter(|written| Some(*written) != other)?;
                // A replaced line is not a cause in addition to the line that replaced it.
                let is_shown = side == Side::Head || other.is_none();
                Some(Cause::Line { file: file.clone(), line: data.line_of(key).filter(|_| is_shown)?, side })
            };
            here.iter().filter_map(line).collect::<Vec<_>>()
        };
        [lines(&head, &base, Side::Head), lines(&base, &head, Side::Base)].concat()
    }

    /// The configurations that changed, with what became of their levels.
    fn hierarchies(&self, pair: &NodePair) -> Vec<Cause> {
        let Diff { base, head } = pair.nodes.as_ref().map(Node::configurations);
        let mut files: Vec<&Arc<Path>> = base.iter().chain(&head).map(|(file, _)| file).collect();
        files.retain(|file| self.options.changed.contains(&***file));
        files.sort_erased();
        files.dedup();
        let levels = |side: &'_ [(Arc<Path>, Vec<LevelDefinition>)], file: &Arc<Path>| -> Vec<LevelDefinition> {
            side.iter().find(|(of, _)| of == file).map(|(_, levels)| levels.clone()).unwrap_or_default()
        };
        let cause = |file: &Arc<Path>| {
            let all = Diff { base: levels(&base, file), head: levels(&head, file) };
            let by_name = all
                .as_ref()
                .map(|all| all.iter().map(|level| (&level.name, level)).collect::<HashMap<&Str, &LevelDefinition>>());
            let without = |all: &[LevelDefinition], others: &HashMap<&Str, &LevelDefinition>| -> Vec<LevelAt> {
                all.iter().filter(|level| !others.contains_key(&level.name)).map(LevelAt::from).collect()
            };
            let common = |all: &[LevelDefinition], others: &HashMap<&Str, &LevelDefinition>| -> Vec<Str> {
                all.iter().map(|level| &level.name).filter(|name| others.contains_key(name)).cloned().collect()
            };
            let is_other = |level: &&LevelDefinition| {
                by_name.base.get(&level.name).is_some_and(|base| base.settings != level.settings)
            };
            Cause::Hierarchy {
                file: file.clone(),
                removed: without(&all.base, &by_name.head),
                added: without(&all.head, &by_name.base),
                other: all.head.iter().filter(is_other).map(LevelAt::from).collect(),
                reordered: common(&all.base, &by_name.head) != common(&all.head, &by_name.base),
            }
        };
        files.into_iter().map(cause).collect()
    }
}

/// Describes the merge strategy and the conversion, in a few words.
fn rule(why: &Why) -> String {
    let mut text = match (why.merge.chosen_by, why.merge.strategy) {
        (ChosenBy::Nobody, _) => "first".to_owned(),
        (_, strategy) => strategy.to_owned(),
    };
    if !why.merge.options.is_empty() {
        text.push_str(&format!(" {}", yaml(&Value::Hash(why.merge.options.clone()))));
    }
    if let Some(convert) = &why.convert_to {
        text.push_str(&format!(", convert_to {}", yaml(convert)));
    }
    text
}

fn yaml(value: &Value) -> String {
    scalar(value, &Style::block(0))
}
