//! [`each`]: work on many nodes, some at a time on all cores, and its results in the order of the nodes.

use std::io;

use hieratic::Facts;
use rayon::prelude::*;

use crate::shard::Shard;
use crate::source::{NodeFault, Source};

/// Which nodes are meant.
pub struct Choice<'c> {
    /// Which nodes are meant, by their facts. An error says why that cannot be told.
    pub chosen: &'c (dyn Fn(&Facts) -> Result<bool, String> + Sync),
    /// Which part of the nodes is meant.
    pub shard: Shard,
}

/// A node with what came of the work on it, or why nothing did; none for one that is not meant.
pub type Met<T> = Result<Option<(String, T)>, NodeFault>;

/// How many nodes are worked on before their results are taken.
const CHUNK: usize = 256;

/// Works on nodes and gives the results to `take`, a part of the nodes at a time, in the order of the nodes. While a part is taken, the next
/// one is worked on. An error of `take` ends the work.
///
/// # Errors
/// What `take` fails with.
pub fn each<T: Send>(
    mut nodes: impl Iterator<Item = Result<Source, NodeFault>>,
    choice: &Choice<'_>,
    work: &(dyn Fn(&str, &Facts) -> Result<T, String> + Sync),
    take: &mut (dyn FnMut(Vec<Met<T>>) -> io::Result<()> + Send),
) -> io::Result<()> {
    let one = |source: Result<Source, NodeFault>| -> Met<T> {
        let facts = source?.facts()?;
        let node = facts.node().unwrap_or("localhost").to_owned();
        let fault = |message: String| NodeFault { place: node.clone(), message };
        if !choice.shard.has(&node) || !(choice.chosen)(&facts).map_err(fault)? {
            return Ok(None);
        }
        let result = work(&node, &facts).map_err(fault)?;
        Ok(Some((node, result)))
    };
    let mut waiting = Vec::new();
    loop {
        let chunk: Vec<Result<Source, NodeFault>> = nodes.by_ref().take(CHUNK).collect();
        let is_last = chunk.is_empty();
        let before = std::mem::take(&mut waiting);
        let worked = || chunk.into_par_iter().map(one).collect::<Vec<_>>();
        let (taken, results) = rayon::join(|| take(before), worked);
        taken?;
        waiting = results;
        if is_last {
            return Ok(());
        }
    }
}
