//! [`assemble`]: builds the searchable index of the nodes and answers so far.

use std::sync::Arc;

use hieratic::value::ids::{Id, IndexVec};

use super::classes::Class;
use super::ids::{AnswerPieceId, ClassId, FilePieceId, NodeId};
use super::index::{File, MAX_POSITIONS, Row, Table, TemplateBindings};
use super::lists::Lists;
use super::pool::Pool;
use super::records::NodeRecords;
use super::shared::SharedAnswers;

/// Returns a table with the nodes and their answers. All its ids are those of the builder.
pub(super) fn assemble(shared: &SharedAnswers, records: &NodeRecords) -> Table {
    let (pool, all_classes) = (&shared.pool, &shared.classes.all);
    let mut classes: IndexVec<ClassId, Vec<NodeId>> = IndexVec::from_elem(Vec::new(), all_classes);
    for (node, (_, class)) in records.nodes.entries() {
        classes[*class].push(node);
    }
    let answers = classes_of(all_classes, |class| &class.answers, pool.answer_lists.map(|_| 0));
    let readers = classes_of(all_classes, |class| &class.files, pool.file_lists.map(|_| 0));
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

/// The classes that have each piece. `counts` has a zero for each.
fn classes_of<P: Id>(
    classes: &IndexVec<ClassId, Arc<Class>>,
    pieces: fn(&Class) -> &[P],
    mut counts: IndexVec<P, usize>,
) -> IndexVec<P, Vec<ClassId>> {
    classes.iter().flat_map(|class| pieces(class)).for_each(|piece| counts[*piece] += 1);
    // There are as many lists as answers of single nodes: each takes no more memory than it needs.
    let mut classes_of = counts.map(|count| Vec::with_capacity(*count));
    for (id, class) in classes.entries() {
        for piece in pieces(class) {
            classes_of[*piece].push(id);
        }
    }
    classes_of
}

/// The pieces with some class that have each element. `counts` has a zero for each element.
fn pieces_of<P: Id, T: Id + 'static>(
    lists: &Lists<P, T>,
    classes_of: &IndexVec<P, Vec<ClassId>>,
    mut counts: IndexVec<T, usize>,
) -> IndexVec<T, Vec<P>> {
    let used = || lists.entries().filter(|(piece, _)| !classes_of[*piece].is_empty());
    used().flat_map(|(_, elements)| elements).for_each(|element| counts[*element] += 1);
    let mut pieces_of = counts.map(|count| Vec::with_capacity(*count));
    for (piece, elements) in used() {
        for element in elements {
            pieces_of[*element].push(piece);
        }
    }
    pieces_of
}

/// The answers that some class has, as rows.
fn rows(pool: &Pool, classes_of: &IndexVec<AnswerPieceId, Vec<ClassId>>) -> Vec<Row> {
    let pieces_of = pieces_of(&pool.answer_lists, classes_of, pool.answers.map(|_| 0));
    let mut rows: Vec<Row> = Vec::new();
    for ((_, answer), pieces) in pool.answers.entries().zip(pieces_of) {
        if pieces.is_empty() {
            continue;
        }
        rows.push(Row {
            key: pool.keys[answer.key].clone(),
            template: answer.template.clone(),
            is_error: answer.is_error,
            positions: answer.position.map(|(path, line)| (pool.paths[path].clone(), line)).into_iter().collect(),
            pieces,
        });
    }
    rows.sort_by(|one, other| {
        (&one.key, &one.template, one.is_error).cmp(&(&other.key, &other.template, other.is_error))
    });
    merge_equal(rows)
}

/// Merges rows with equal values from several positions. The rows are sorted.
fn merge_equal(mut rows: Vec<Row>) -> Vec<Row> {
    rows.dedup_by(|row, last| {
        let is_equal = last.key == row.key && last.template == row.template && last.is_error == row.is_error;
        if is_equal {
            last.positions.append(&mut row.positions);
            last.pieces.append(&mut row.pieces);
        }
        is_equal
    });
    for row in &mut rows {
        row.positions.sort_unstable();
        row.positions.truncate(MAX_POSITIONS);
        row.pieces.sort_unstable();
        row.pieces.dedup();
    }
    rows.shrink_to_fit();
    rows
}

/// The files that some class reads, sorted.
fn files(pool: &Pool, classes_of: &IndexVec<FilePieceId, Vec<ClassId>>) -> Vec<File> {
    let pieces_of = pieces_of(&pool.file_lists, classes_of, pool.paths.map(|_| 0));
    let with_readers = pieces_of.into_entries().filter(|(_, pieces)| !pieces.is_empty());
    let mut files: Vec<File> =
        with_readers.map(|(path, pieces)| File { path: pool.paths[path].clone(), pieces }).collect();
    files.sort_unstable_by(|one, other| one.path.cmp(&other.path));
    files
}
