//! Random files of data, put together from parts: moving and removing a key takes its part out, to the byte, and puts
//! it in elsewhere.

use std::path::Path;

use hieratic::Settings;
use hieratic::sandbox::{Memory, Mounted};
use hieratic_refactor::{Plan, prune, relocate};
use proptest::prelude::*;

const ROOT: &str = "/repository";
const HIERA: &str =
    "version: 5\nhierarchy:\n  - {name: Upper, path: upper.yaml}\n  - {name: Lower, path: lower.yaml}\n";

/// Keys in their notation in files, and their values.
const KEYS: [(&str, &str); 6] =
    [("a::x", "a::x"), ("'b'", "b"), ("\"c::y\"", "c::y"), ("d.e", "d.e"), ("'f g'", "f g"), ("h", "h")];

/// The text between two entries that belongs to neither.
const GAPS: [&str; 4] = ["", "\n", "# of nothing\n\n", "\n# a: section\n\n"];
const COMMENTS: [&str; 4] = ["", "# why\n", "# why\n# so: 1\n", "#\n# - old\n"];
const HEADS: [&str; 5] = ["", "---\n", "# head\n---\n", "---\n# head\n\n", "%YAML 1.1\n---\n\n"];
const TAILS: [&str; 5] = ["", "# end\n", "\n# end\n", "...\n", "# end\n...\n"];
const VALUES: [&str; 20] = [
    " 1\n",
    " 'x' # why\n",
    "\n",
    " ~\n",
    " [1,\n  2] # both\n",
    " {x: 1, # one\n  y: 2}\n",
    "\n  - 1 # one\n  - 2\n",
    "\n- 1\n# between\n- 2\n",
    "\n  - 1\n  # - 2\n",
    "\n  x: 1\n\n  # inside\n  y:\n    - z\n    # - zz\n  # last\n",
    " |\n  text\n  # text\n",
    " >-\n  folded\n\n  text\n",
    " |2-\n    text\n",
    " \"more\n  than one\"\n",
    " ENC[PKCS7,MIIBe\n  Qq==]\n",
    " >\n  ENC[PKCS7,MIIBe\n  Qq==]\n",
    " :symbol\n",
    " \"%{lookup('h')} # no comment\"\n",
    " # all below\n  - x\n",
    " 0x1f\n",
];

#[derive(Clone, Debug)]
struct Entry {
    gap: &'static str,
    comment: &'static str,
    key: &'static str,
    name: &'static str,
    value: &'static str,
}

impl Entry {
    fn text(&self) -> String {
        format!("{}{}:{}", self.comment, self.key, self.value)
    }
}

#[derive(Clone, Debug)]
struct Data {
    head: &'static str,
    entries: Vec<Entry>,
    tail: &'static str,
    has_returns: bool,
    ends: bool,
}

impl Data {
    /// The text; `added` is behind all entries.
    fn text(&self, entries: impl Iterator<Item = String>, added: &str) -> String {
        let mut text = format!("{}{}", self.head, entries.collect::<String>());
        // After the end of a document another one begins.
        match self.tail.find("...") {
            Some(at) => text.push_str(&format!("{}{added}{}", &self.tail[..at], &self.tail[at..])),
            None => text.push_str(&format!("{}{added}", self.tail)),
        }
        let text = if self.has_returns { text.replace('\n', "\r\n") } else { text };
        if self.ends || !added.is_empty() && !self.tail.contains("...") {
            text
        } else {
            text.trim_end_matches(['\r', '\n']).to_owned()
        }
    }

    /// Reports whether it ends with an entry, perhaps one of these, without a line break.
    fn ends_within(&self, names: &[&str]) -> bool {
        let last = self.entries.last().filter(|_| !self.ends && self.tail.is_empty());
        last.is_some_and(|entry| names.contains(&entry.name))
    }

    /// Reports whether it ends inside a block scalar: a line break would be part of it.
    fn ends_within_text(&self) -> bool {
        let last = self.entries.last().filter(|_| !self.ends && self.tail.is_empty());
        let is_open = |value: &str| value.starts_with([' ']) && value.trim_start().starts_with(['|', '>']);
        last.is_some_and(|entry| is_open(entry.value) && !entry.value.contains("-\n"))
    }

    fn whole(&self) -> String {
        self.text(self.entries.iter().map(|entry| format!("{}{}", entry.gap, entry.text())), "")
    }

    fn with(&self, added: &str) -> String {
        // A file with one line and no break does not determine the kind of its line breaks.
        let data = Data { has_returns: self.whole().contains('\r'), ..self.clone() };
        data.text(self.entries.iter().map(|entry| format!("{}{}", entry.gap, entry.text())), added)
    }

    /// The text with something in front of its last entry.
    fn with_in_front(&self, added: &str) -> String {
        let last = self.entries.len() - 1;
        let one = |(at, entry): (usize, &Entry)| {
            if at == last {
                format!("{}{added}{}", entry.gap, entry.text())
            } else {
                format!("{}{}", entry.gap, entry.text())
            }
        };
        let data = Data { has_returns: self.whole().contains('\r'), ..self.clone() };
        data.text(self.entries.iter().enumerate().map(one), "")
    }

    /// The text without entries; their comments stay, or go.
    fn without(&self, names: &[&str], keeps_comments: bool) -> String {
        let rest = |entry: &Entry| match (names.contains(&entry.name), keeps_comments) {
            (false, _) => format!("{}{}", entry.gap, entry.text()),
            (true, true) => format!("{}{}", entry.gap, entry.comment),
            (true, false) => entry.gap.to_owned(),
        };
        // The line in front of the last one keeps its break.
        let whole = Data { ends: self.ends || self.ends_within(names), ..self.clone() };
        whole.text(self.entries.iter().map(rest), "")
    }
}

fn entries() -> impl Strategy<Value = Vec<Entry>> {
    let keys = prop::sample::subsequence(KEYS.to_vec(), 1..5).prop_shuffle();
    keys.prop_flat_map(|keys| {
        let entry = |(key, name): (&'static str, &'static str)| {
            let parts = (prop::sample::select(&GAPS), prop::sample::select(&COMMENTS), prop::sample::select(&VALUES));
            parts.prop_map(move |(gap, comment, value)| Entry { gap, comment, key, name, value })
        };
        keys.into_iter().map(entry).collect::<Vec<_>>()
    })
}

fn data() -> impl Strategy<Value = Data> {
    let ends = (prop::bool::weighted(0.2), prop::bool::weighted(0.8));
    (prop::sample::select(&HEADS), entries(), prop::sample::select(&TAILS), ends).prop_map(
        |(head, mut entries, tail, (has_returns, ends))| {
            // A comment at the head of a file is about the file.
            if let Some(first) = entries.first_mut() {
                first.comment = "";
                first.gap = "";
            }
            // An end mark needs a begin mark, or the text is not a document without its last key.
            let tail = if head.contains("---") { tail } else { tail.strip_suffix("...\n").unwrap_or(tail) };
            Data { head, entries, tail, has_returns, ends }
        },
    )
}

fn settings(upper: &str, lower: &str) -> Settings {
    let mut memory = Memory::default();
    for (path, text) in [("hiera.yaml", HIERA), ("data/upper.yaml", upper), ("data/lower.yaml", lower)] {
        memory.insert(path, text.as_bytes().to_vec());
    }
    Settings {
        environment_dir: Some(ROOT.into()),
        hiera_config: Some("/nowhere/hiera.yaml".into()),
        codedir: Some("/nowhere".into()),
        confdir: Some("/nowhere".into()),
        tree: Some(Mounted::new(ROOT, memory)),
        ..Settings::default()
    }
}

fn after(plan: &Plan, file: &str, before: &str) -> String {
    let path = Path::new(ROOT).join(file);
    plan.changes().find(|(own, _)| **own == *path).map_or(before.to_owned(), |(_, change)| change.after.clone())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn a_moved_key_takes_exactly_its_lines(upper in data(), lower in data(), index in any::<prop::sample::Index>()) {
        let moved = index.get(&upper.entries).clone();
        let (whole, target) = (upper.whole(), lower.whole());
        let plan = relocate(&settings(&whole, &target), moved.name, &format!("{ROOT}/data/lower.yaml"), Some(&Path::new(ROOT).join("data/upper.yaml")));
        if lower.entries.iter().any(|entry| entry.name == moved.name) {
            prop_assert!(plan.is_err());
            return Ok(());
        }
        let plan = plan.map_err(|fault| TestCaseError::fail(format!("{}\n{whole}----\n{target}", fault.message)))?;
        prop_assert_eq!(after(&plan, "data/upper.yaml", &whole), upper.without(&[moved.name], false));
        // A line break after a block scalar would be part of it.
        let mut text = moved.text();
        if upper.ends_within(&[moved.name]) && upper.ends_within_text() {
            text = text.replacen(": |\n", ": |-\n", 1).replacen(": >\n", ": >-\n", 1);
        }
        let expected = if lower.ends_within_text() { lower.with_in_front(&text) } else { lower.with(&text) };
        prop_assert_eq!(after(&plan, "data/lower.yaml", &target), expected);
    }

    #[test]
    fn a_pruned_key_leaves_its_comment_and_all_other_bytes(upper in data(), lower in data()) {
        let (whole, target) = (upper.whole(), lower.whole());
        let pruned = prune(&settings(&whole, &target), &[], false).unwrap();
        prop_assert_eq!(pruned.skipped.len(), 0, "{:?}", pruned.skipped);
        for (file, data, text) in [("data/upper.yaml", &upper, &whole), ("data/lower.yaml", &lower, &target)] {
            let path = Path::new(ROOT).join(file);
            let gone = pruned.entries.iter().filter(|entry| entry.file == path).map(|entry| entry.key.as_str());
            let expected = data.without(&gone.collect::<Vec<_>>(), true);
            prop_assert_eq!(after(&pruned.plan, file, text), expected);
        }
    }
}

/// The number of cases; an environment variable can raise it.
fn cases() -> u32 {
    std::env::var("HIERATIC_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(300)
}
