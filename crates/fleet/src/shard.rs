//! [`Shard`]: a part of a fleet.

use std::fmt;
use std::str::FromStr;

/// One of several parts of a fleet. The shard of a node depends only on its name, so that shards from different
/// machines or days can be combined.
///
/// ```
/// use hieratic_fleet::Shard;
///
/// let shards: Vec<Shard> = (1..=3).map(|index| format!("{index}/3").parse().unwrap()).collect();
/// assert_eq!(shards.iter().filter(|shard| shard.has("web01.example.com")).count(), 1);
/// assert!("4/3".parse::<Shard>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Counted from 0.
    index: u64,
    count: u64,
}

impl Default for Shard {
    /// All nodes.
    fn default() -> Shard {
        Shard { index: 0, count: 1 }
    }
}

impl Shard {
    /// Returns whether a node belongs to the shard.
    pub fn has(&self, node: &str) -> bool {
        fnv(node.as_bytes()) % self.count == self.index
    }
}

/// FNV-1a with its high bits mixed in: the same on every machine and in every version, which a hash table's function is not.
fn fnv(bytes: &[u8]) -> u64 {
    let hash = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    hash ^ hash >> 32
}

impl FromStr for Shard {
    type Err = String;

    /// `I/N`, counted from 1.
    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        match parts {
            Some((index, count)) if (1..=count).contains(&index) => Ok(Shard { index: index - 1, count }),
            _ => Err("expected I/N, such as 1/4 for the first of four parts".to_owned()),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.index + 1, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::fnv;

    #[test]
    fn the_parts_of_a_fleet_stay_equal() {
        // Shards of older versions must fit to these.
        let all = ["", "a", "web01.example.com", "ü"].map(|name| fnv(name.as_bytes()) % 1000);
        assert_eq!(all, [945, 824, 928, 693]);
    }
}
