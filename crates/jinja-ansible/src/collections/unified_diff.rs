//! The unified difference of two lists of lines, with the choices that Python's `difflib` makes.

use std::collections::HashMap;

use hieratic_jinja::extend::{Result, work};

/// The number of equal lines around a change.
const CONTEXT: usize = 3;

/// A part of the lines of both sides.
#[derive(Clone)]
struct Part {
    equal: bool,
    old: (usize, usize),
    new: (usize, usize),
}

/// Equal lines: their first places on both sides, and their number.
type Block = (usize, usize, usize);

/// Compares lines, which keep their ends. Returns the lines of the difference.
pub fn unified_diff(old: &[String], new: &[String]) -> Result<Vec<String>> {
    let parts = parts(&blocks(old, new)?);
    let mut out = Vec::new();
    for group in groups(parts) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        if out.is_empty() {
            out.extend(["--- before\n".to_owned(), "+++ after\n".to_owned()]);
        }
        let range = |(from, _): (usize, usize), (_, to): (usize, usize)| written_range(from, to);
        out.push(format!("@@ -{} +{} @@\n", range(first.old, last.old), range(first.new, last.new)));
        for Part { equal, old: (i1, i2), new: (j1, j2) } in group {
            let mut write = |sign: &str, lines: &[String], from: usize, to: usize| -> Result<()> {
                for line in lines.get(from..to).unwrap_or_default() {
                    work::bytes(line.len())?;
                    out.push(format!("{sign}{line}"));
                }
                Ok(())
            };
            if equal {
                write(" ", old, i1, i2)?;
            } else {
                write("-", old, i1, i2)?;
                write("+", new, j1, j2)?;
            }
        }
    }
    Ok(out)
}

fn written_range(from: usize, to: usize) -> String {
    match to - from {
        0 => format!("{from},0"),
        1 => format!("{}", from + 1),
        length => format!("{},{length}", from + 1),
    }
}

/// Returns the equal blocks, in order, with an empty one at the end.
fn blocks(old: &[String], new: &[String]) -> Result<Vec<Block>> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, line) in new.iter().enumerate() {
        work::scan(line.len())?;
        places.entry(line).or_default().push(at);
    }
    // Lines that are frequent in a long text do not begin a block.
    if new.len() >= 200 {
        let most = new.len() / 100 + 1;
        places.retain(|_, places| places.len() <= most);
    }
    let mut found: Vec<Block> = Vec::new();
    let mut open = vec![((0, old.len()), (0, new.len()))];
    while let Some((in_old, in_new)) = open.pop() {
        let (i, j, length) = longest(old, new, &places, in_old, in_new)?;
        if length == 0 {
            continue;
        }
        found.push((i, j, length));
        if in_old.0 < i && in_new.0 < j {
            open.push(((in_old.0, i), (in_new.0, j)));
        }
        if i + length < in_old.1 && j + length < in_new.1 {
            open.push(((i + length, in_old.1), (j + length, in_new.1)));
        }
    }
    found.sort_unstable();
    let mut joined: Vec<Block> = Vec::new();
    for (i, j, length) in found {
        match joined.last_mut() {
            Some(last) if last.0 + last.2 == i && last.1 + last.2 == j => last.2 += length,
            _ => joined.push((i, j, length)),
        }
    }
    joined.push((old.len(), new.len(), 0));
    Ok(joined)
}

/// Returns the longest equal block, of several the first.
fn longest(
    old: &[String],
    new: &[String],
    places: &HashMap<&str, Vec<usize>>,
    in_old: (usize, usize),
    in_new: (usize, usize),
) -> Result<Block> {
    let mut best = (in_old.0, in_new.0, 0);
    // The length of the equal block that ends at a line of the new text, for the previous line of the old one.
    let mut lengths: HashMap<usize, usize> = HashMap::new();
    for (i, line) in old.iter().enumerate().take(in_old.1).skip(in_old.0) {
        work::steps(1)?;
        let mut next = HashMap::new();
        for &j in places.get(line.as_str()).map_or(&[][..], Vec::as_slice) {
            work::steps(1)?;
            if j < in_new.0 {
                continue;
            }
            if j >= in_new.1 {
                break;
            }
            let length = j.checked_sub(1).and_then(|before| lengths.get(&before)).map_or(1, |length| length + 1);
            next.insert(j, length);
            if length > best.2 {
                best = (i + 1 - length, j + 1 - length, length);
            }
        }
        lengths = next;
    }
    let (mut i, mut j, mut length) = best;
    // Frequent lines were left out: they extend a block.
    while i > in_old.0 && j > in_new.0 && old.get(i - 1) == new.get(j - 1) {
        work::steps(1)?;
        (i, j, length) = (i - 1, j - 1, length + 1);
    }
    while i + length < in_old.1 && j + length < in_new.1 && old.get(i + length) == new.get(j + length) {
        work::steps(1)?;
        length += 1;
    }
    Ok((i, j, length))
}

/// Returns the equal parts and the changes between them.
fn parts(blocks: &[Block]) -> Vec<Part> {
    let (mut i, mut j) = (0, 0);
    let mut parts = Vec::new();
    for &(old, new, length) in blocks {
        if i < old || j < new {
            parts.push(Part { equal: false, old: (i, old), new: (j, new) });
        }
        (i, j) = (old + length, new + length);
        if length > 0 {
            parts.push(Part { equal: true, old: (old, i), new: (new, j) });
        }
    }
    parts
}

/// Groups changes whose contexts meet.
fn groups(mut parts: Vec<Part>) -> Vec<Vec<Part>> {
    if let Some(first) = parts.first_mut().filter(|part| part.equal) {
        first.old.0 = first.old.0.max(first.old.1.saturating_sub(CONTEXT));
        first.new.0 = first.new.0.max(first.new.1.saturating_sub(CONTEXT));
    }
    if let Some(last) = parts.last_mut().filter(|part| part.equal) {
        last.old.1 = last.old.1.min(last.old.0 + CONTEXT);
        last.new.1 = last.new.1.min(last.new.0 + CONTEXT);
    }
    let mut groups = vec![Vec::new()];
    for mut part in parts {
        let far = part.equal && part.old.1 - part.old.0 > 2 * CONTEXT;
        if far {
            let before = Part {
                equal: true,
                old: (part.old.0, part.old.0 + CONTEXT),
                new: (part.new.0, part.new.1.min(part.new.0 + CONTEXT)),
            };
            if let Some(group) = groups.last_mut() {
                group.push(before);
            }
            groups.push(Vec::new());
            part.old.0 = part.old.1 - CONTEXT;
            part.new.0 = part.new.0.max(part.new.1.saturating_sub(CONTEXT));
        }
        if let Some(group) = groups.last_mut() {
            group.push(part);
        }
    }
    groups.retain(|group| group.iter().any(|part| !part.equal));
    groups
}
