//! Collectors with queries that an index answers find the resources that a test of each resource finds.

use hieratic_puppet_eval::PuppetVersion;
use serde_json::json;

use crate::catalogs::compile;

/// Numbers that look random and are the same in each run (Knuth's linear congruential generator).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

const VALUES: [&str; 9] = ["'a'", "'A'", "'b'", "'1'", "1", "['a', 'b']", "['B', 2]", "undef", "true"];

fn query(numbers: &mut Numbers, depth: usize) -> String {
    match numbers.below(if depth == 0 { 4 } else { 6 }) {
        0 => format!("title == '{}{}'", numbers.one_of(&["n", "N"]), numbers.below(30)),
        1 => format!("tag == '{}'", numbers.one_of(&["ta", "tb", "outer", "x", "late"])),
        2 => format!("message == {}", numbers.one_of(&["'a'", "'B'", "'1'", "1", "'late'"])),
        3 => format!("message != {}", numbers.one_of(&["'a'", "1"])),
        4 => format!("({} and {})", query(numbers, depth - 1), query(numbers, depth - 1)),
        _ => format!("({} or {})", query(numbers, depth - 1), query(numbers, depth - 1)),
    }
}

/// A manifest with virtual resources and collectors. With `is_plain`, no query can be answered from an index: it also
/// accepts a title that is a number, which no title is.
fn manifest(seed: u64, is_plain: bool) -> String {
    let mut numbers = Numbers(seed);
    let mut code = String::from("define outer() { @notify { \"n${title}x\": message => 'a' } }\n");
    for at in 0..30 {
        let message = numbers.one_of(&VALUES);
        let tag = numbers.one_of(&["", ", tag => 'ta'", ", tag => ['tb', 'x']"]);
        code += &format!("@notify {{ 'n{at}': message => {message}{tag} }}\n");
    }
    code += "outer { ['31', '32']: tag => 'ta' }\n";
    for _ in 0..30 {
        let query = query(&mut numbers, 2);
        let query = if is_plain { format!("({query}) or title == 5") } else { query };
        let change = numbers.one_of(&["", "", "", " { message => 'late' }", " { tag +> 'late' }", " { message => 1 }"]);
        code += &format!("Notify <| {query} |>{change}\n");
    }
    code
}

#[test]
fn an_index_changes_no_collection() {
    let catalog = |code: String| {
        let case = json!({"files": {"manifests/site.pp": code}});
        let outcome = compile(&case, PuppetVersion::V8);
        (outcome.catalog, outcome.error)
    };
    let mut collected = 0;
    for seed in 0..120 {
        let (indexed, plain) = (catalog(manifest(seed, false)), catalog(manifest(seed, true)));
        assert_eq!(indexed, plain, "seed {seed}:\n{}", manifest(seed, false));
        collected += usize::from(indexed.0.is_some_and(|catalog| catalog.to_string().contains("late")));
    }
    assert!(collected > 30, "{collected} catalogs have a change by a collector");
}
