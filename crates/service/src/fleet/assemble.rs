//! [`assemble`]: builds the searchable index of the nodes and answers so far.

use std::path::Path;
use std::sync::Arc;

use hieratic::value::ids::{Id, IndexVec};

use super::classes::Class;
use super::ids::{AnswerId, AnswerPieceId, ClassId, FilePieceId, NodeId};
use super::index::{File, MAX_POSITIONS, Row, Table, TemplateBindings};
use super::lists::{IdLists, Lists};
use super::pool::{Pool, PooledAnswer};
use super::records::NodeRecords;
use super::shared::SharedAnswers;
use super::template::Template;

/// Returns a table with the nodes and their answers. All its ids are those of the builder.
pub(super) fn assemble(shared: &SharedAnswers, records: &NodeRecords) -> Table {
    let (pool, all_classes) = (&shared.pool, &shared.classes.all);
    let mut classes: IndexVec<ClassId, Vec<NodeId>> = IndexVec::from_elem(Vec::new(), all_classes);
    for (node, (_, class)) in records.nodes.entries() {
        classes[*class].push(node);
    }
    let answers = classes_of(all_classes, |class| &class.answers, pool.answer_lists.len());
    let readers = classes_of(all_classes, |class| &class.files, pool.file_lists.len());
    Table {
        nodes: records.nodes.map(|(name, _)| name.clone()),
        class_of: records.nodes.map(|(_, class)| *class),
        faults: records.failures.clone(),
        rows: rows(pool, &answers),
        files: files(pool, &readers),
        answers,
        readers,
        bindings: TemplateBindings::new(all_classes.map(|class| class.bindings.clone()), pool.values()),
        levels: records.levels.iter().map(|level| level.used(&classes, &|key| pool.keys[key].clone())).collect(),
        classes,
        ..Table::default()
    }
}

/// The classes that have each of `count` pieces.
fn classes_of<P: Id>(
    classes: &IndexVec<ClassId, Arc<Class>>,
    pieces: fn(&Class) -> &[P],
    count: usize,
) -> IdLists<P, ClassId> {
    IdLists::grouped(count, || {
        classes.entries().flat_map(|(id, class)| pieces(class).iter().map(move |piece| (*piece, id)))
    })
}

/// The pieces with some class that have each of `count` elements.
fn pieces_of<P: Id, T: Id + 'static>(
    lists: &Lists<P, T>,
    classes_of: &IdLists<P, ClassId>,
    count: usize,
) -> IdLists<T, P> {
    IdLists::grouped(count, || {
        let used = lists.entries().filter(|(piece, _)| !classes_of[*piece].is_empty());
        used.flat_map(|(piece, elements)| elements.iter().map(move |element| (*element, piece)))
    })
}

/// The answers that some class has, as rows: equal values from several positions are one row. Nodes with separate files have as many
/// positions as there are nodes, so that rows are merged before they are made.
fn rows(pool: &Pool, classes_of: &IdLists<AnswerPieceId, ClassId>) -> Vec<Row> {
    let pieces_of = pieces_of(&pool.answer_lists, classes_of, pool.answers.len());
    let mut answers: Vec<(AnswerId, &PooledAnswer)> =
        pool.answers.entries().filter(|(id, _)| !pieces_of[*id].is_empty()).collect();
    fn shown<'p>(pool: &'p Pool, answer: &'p PooledAnswer) -> (&'p Arc<str>, &'p Template, bool) {
        (&pool.keys[answer.key], &answer.template, answer.is_error)
    }
    answers.sort_by(|(_, one), (_, other)| shown(pool, one).cmp(&shown(pool, other)));
    let row = |equal: &[(AnswerId, &PooledAnswer)]| {
        let (_, first) = equal[0];
        let mut pieces: Vec<AnswerPieceId> = equal.iter().flat_map(|(id, _)| &pieces_of[*id]).copied().collect();
        pieces.sort_unstable();
        pieces.dedup();
        pieces.shrink_to_fit();
        let positions = equal.iter().filter_map(|(_, answer)| answer.position);
        let mut positions: Vec<(&Arc<Path>, u32)> = positions.map(|(path, line)| (&pool.paths[path], line)).collect();
        positions.sort_unstable();
        positions.truncate(MAX_POSITIONS);
        Row {
            key: pool.keys[first.key].clone(),
            template: first.template.clone(),
            is_error: first.is_error,
            positions: positions.into_iter().map(|(path, line)| (path.clone(), line)).collect(),
            pieces,
        }
    };
    let equal = || answers.chunk_by(|(_, one), (_, other)| shown(pool, one) == shown(pool, other));
    // There may be as many as answers of single nodes: the list takes no more memory than it needs.
    let mut rows = Vec::with_capacity(equal().count());
    rows.extend(equal().map(row));
    rows
}

/// The files that some class reads, sorted.
fn files(pool: &Pool, classes_of: &IdLists<FilePieceId, ClassId>) -> Vec<File> {
    let pieces_of = pieces_of(&pool.file_lists, classes_of, pool.paths.len());
    let with_readers = pool.paths.entries().filter(|(path, _)| !pieces_of[*path].is_empty());
    let mut files: Vec<File> =
        with_readers.map(|(id, path)| File { path: path.clone(), pieces: pieces_of[id].to_vec() }).collect();
    files.sort_unstable_by(|one, other| one.path.cmp(&other.path));
    files
}
