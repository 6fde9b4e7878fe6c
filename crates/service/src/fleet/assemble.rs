//! [`assemble`]: builds the searchable index of the nodes and answers so far.

use std::sync::Arc;

use hieratic::value::ids::{Id, IndexVec};

use super::classes::Class;
use super::ids::{AnswerId, AnswerPieceId, ClassId, FilePieceId, NodeId, PathId};
use super::index::{File, MAX_POSITIONS, Row, Table, TemplateBindings};
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
    let mut answers: IndexVec<AnswerPieceId, Vec<ClassId>> = pool.answer_lists.map(|_| Vec::new());
    add_classes(all_classes, |class| &class.answers, &mut answers);
    let mut readers: IndexVec<FilePieceId, Vec<ClassId>> = pool.file_lists.map(|_| Vec::new());
    add_classes(all_classes, |class| &class.files, &mut readers);
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

/// Adds each class to the pieces that it has.
fn add_classes<P: Id>(
    classes: &IndexVec<ClassId, Arc<Class>>,
    pieces: fn(&Class) -> &[P],
    classes_of: &mut IndexVec<P, Vec<ClassId>>,
) {
    for (id, class) in classes.entries() {
        for piece in pieces(class) {
            classes_of[*piece].push(id);
        }
    }
}

/// The answers that some class has, as rows.
fn rows(pool: &Pool, classes_of: &IndexVec<AnswerPieceId, Vec<ClassId>>) -> Vec<Row> {
    let mut pieces_of: IndexVec<AnswerId, Vec<AnswerPieceId>> = pool.answers.map(|_| Vec::new());
    for (piece, answers) in pool.answer_lists.entries().filter(|(piece, _)| !classes_of[*piece].is_empty()) {
        for answer in answers {
            pieces_of[*answer].push(piece);
        }
    }
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
fn merge_equal(rows: Vec<Row>) -> Vec<Row> {
    let mut merged: Vec<Row> = Vec::with_capacity(rows.len());
    for row in rows {
        match merged.last_mut() {
            Some(last) if last.key == row.key && last.template == row.template && last.is_error == row.is_error => {
                last.positions.extend(row.positions);
                last.pieces.extend(row.pieces);
            }
            _ => merged.push(row),
        }
    }
    for row in &mut merged {
        row.positions.sort_unstable();
        row.positions.truncate(MAX_POSITIONS);
        row.pieces.sort_unstable();
        row.pieces.dedup();
    }
    merged
}

/// The files that some class reads, sorted.
fn files(pool: &Pool, classes_of: &IndexVec<FilePieceId, Vec<ClassId>>) -> Vec<File> {
    let mut pieces_of: IndexVec<PathId, Vec<FilePieceId>> = pool.paths.map(|_| Vec::new());
    for (piece, paths) in pool.file_lists.entries().filter(|(piece, _)| !classes_of[*piece].is_empty()) {
        for path in paths {
            pieces_of[*path].push(piece);
        }
    }
    let with_readers = pieces_of.into_entries().filter(|(_, pieces)| !pieces.is_empty());
    let mut files: Vec<File> =
        with_readers.map(|(path, pieces)| File { path: pool.paths[path].clone(), pieces }).collect();
    files.sort_unstable_by(|one, other| one.path.cmp(&other.path));
    files
}
