//! [`each`]: processes many nodes on all cores, with results in the order of the nodes.

use std::io;

use hieratic::Facts;
use rayon::prelude::*;

use crate::pipeline::Pipeline;
use crate::shard::Shard;
use crate::source::{NodeError, SeenNames, Source};

/// A selection of nodes.
pub struct NodeSelection<'c> {
    /// Returns whether a node is selected, by its facts. An error is the reason why this is unknown.
    pub chosen: &'c (dyn Fn(&Facts) -> Result<bool, String> + Sync),
    /// The shard to process.
    pub shard: Shard,
}

/// A node with its result, or the error. `None` for a node that is not selected.
pub type NodeResult<T> = Result<Option<(String, T)>, NodeError>;

/// The maximum number of nodes that are processed before their results are consumed.
const CHUNK_SIZE: usize = 256;

/// The size of the results that are consumed together, in bytes, unless each core has less than some nodes.
const CHUNK_BYTES: usize = 4 << 20;
const NODES_PER_CORE: usize = 8;

/// The number of results of a chunk that are weighed, to choose the size of the next chunk.
const WEIGHED: usize = 8;

/// Returns the number of nodes of the next chunk, by the weights of some results of the last one.
fn next_size(last: usize, weights: impl Iterator<Item = usize>) -> usize {
    let (count, total) = weights.fold((0, 0_usize), |(count, total), weight| (count + 1, total.saturating_add(weight)));
    if count == 0 {
        return last;
    }
    let least = (rayon::current_num_threads() * NODES_PER_CORE).min(CHUNK_SIZE);
    // Results of one size may be followed by larger ones.
    (CHUNK_BYTES / (total / count).max(1)).clamp(least, CHUNK_SIZE.min(last * 2).max(least))
}

/// Processes nodes and passes the results to `take` in chunks, in the order of the nodes. While a chunk is consumed,
/// the next ones are processed. A repeated node has an error instead of a result. An error of `take` ends the run.
///
/// # Errors
/// The error of `take`.
pub fn each<T: Send>(
    nodes: impl Iterator<Item = Result<Source, NodeError>>,
    choice: &NodeSelection<'_>,
    work: &(dyn Fn(&str, &Facts) -> Result<T, String> + Sync),
    take: &mut (dyn FnMut(Vec<NodeResult<T>>) -> io::Result<()> + Send),
) -> io::Result<()> {
    each_after(0, nodes, choice, work, &|_| 0, take)
}

/// Like [`each`], after nodes that an earlier run finished: only their names are read, because a node may not occur
/// twice. `weigh` returns the approximate size of a result in bytes.
pub(crate) fn each_after<T: Send>(
    mut done: u64,
    mut nodes: impl Iterator<Item = Result<Source, NodeError>>,
    choice: &NodeSelection<'_>,
    work: &(dyn Fn(&str, &Facts) -> Result<T, String> + Sync),
    weigh: &dyn Fn(&T) -> usize,
    take: &mut (dyn FnMut(Vec<NodeResult<T>>) -> io::Result<()> + Send),
) -> io::Result<()> {
    let mut seen = SeenNames::default();
    let name = |source: Result<Source, NodeError>| Some(name_of(&source.ok()?.facts().ok()?));
    while done > 0 {
        let chunk: Vec<_> =
            nodes.by_ref().take(usize::try_from(done).map_or(CHUNK_SIZE, |done| done.min(CHUNK_SIZE))).collect();
        if chunk.is_empty() {
            return Ok(());
        }
        done -= chunk.len() as u64;
        let names: Vec<Option<String>> = chunk.into_par_iter().map(name).collect();
        for name in names.iter().flatten().filter(|name| choice.shard.has(name)) {
            seen.is_new(name);
        }
    }
    let one = |source: Result<Source, NodeError>| -> Result<ProcessedNode<T>, NodeError> {
        let source = source?;
        let place = source.place();
        let facts = source.facts()?;
        let node = name_of(&facts);
        let answered = if choice.shard.has(&node) {
            match (choice.chosen)(&facts) {
                Ok(true) => Some(work(&node, &facts)),
                Ok(false) => None,
                Err(message) => Some(Err(message)),
            }
        } else {
            None
        };
        Ok(ProcessedNode { node, place, answered })
    };
    let line = Pipeline::new(take);
    let mut size = next_size(CHUNK_SIZE, std::iter::once(CHUNK_BYTES));
    rayon::in_place_scope(|scope| {
        loop {
            let chunk: Vec<Result<Source, NodeError>> = nodes.by_ref().take(size).collect();
            if chunk.is_empty() {
                return;
            }
            let worked: Vec<_> = chunk.into_par_iter().map(one).collect();
            let part: Vec<NodeResult<T>> =
                worked.into_iter().map(|answered| answered?.into_result(&mut seen, choice)).collect();
            let results = part.iter().filter_map(|result| Some(&result.as_ref().ok()?.as_ref()?.1));
            size = next_size(size, results.take(WEIGHED).map(weigh));
            if !line.add(part, scope) {
                return;
            }
        }
    });
    line.outcome()
}

fn name_of(facts: &Facts) -> String {
    facts.node().unwrap_or("localhost").to_owned()
}

/// A node, the place of its facts, and its result; `None` for a node that is not selected.
struct ProcessedNode<T> {
    node: String,
    place: String,
    answered: Option<Result<T, String>>,
}

impl<T> ProcessedNode<T> {
    fn into_result(self, seen: &mut SeenNames, choice: &NodeSelection<'_>) -> NodeResult<T> {
        let ProcessedNode { node, place, answered } = self;
        let is_new = !choice.shard.has(&node) || seen.is_new(&node);
        match answered {
            None => Ok(None),
            Some(_) if !is_new => Err(NodeError::repeated(place, &node)),
            Some(Ok(result)) => Ok(Some((node, result))),
            Some(Err(message)) if place == node => Err(NodeError { place, message }),
            Some(Err(message)) => Err(NodeError { place, message: format!("{node}: {message}") }),
        }
    }
}
