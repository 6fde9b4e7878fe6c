//! Short documents whose expansion exceeds time or memory end with an error that gives advice.

use std::fmt::Write;

use hieratic_budget::{Budget, Limits};
use hieratic_directives::{Document, Expanded, Failure, Files, LocalFiles, Options, RestoreOptions, expand, restore};
use hieratic_sandbox::{self as powers};

fn expanded(text: &str, limits: Limits) -> Result<Expanded, Failure> {
    let document = Document::parse(text, "main.yaml", ".".as_ref())?;
    let options = Options { budget: Budget::new(limits), ..Options::default() };
    expand(&document, &mut LocalFiles::below(".".as_ref()), &options)
}

fn refused(text: &str, limits: Limits) -> Failure {
    let failure = expanded(text, limits).map(|_| ()).unwrap_err();
    let first = failure.diagnostics().first().unwrap();
    assert!(first.help.iter().any(|help| help.contains("--limit")), "{failure}");
    assert!(!first.labels.is_empty(), "{failure}");
    failure
}

/// Maps of which each brings in the one before, and adds a key.
fn chain(length: usize) -> String {
    let mut text = String::from("m0: {a0: 1}\n");
    for n in 1..length {
        let _ = writeln!(text, "m{n}: {{+/m{}: , a{n}: {n}}}", n - 1);
    }
    text
}

#[test]
fn chains_of_maps_cost_as_much_as_their_expansion() {
    // The target is half a million entries; twelve million are too many.
    let expansion = expanded(&chain(1_000), Limits::default()).unwrap();
    assert_eq!(expansion.root().size(), 1_000 * 1_001 / 2 + 1_001);
    assert!(refused(&chain(5_000), Limits::default()).message().contains("more than 536870912 bytes are needed"));
}

#[test]
fn the_steps_of_a_chain_grow_with_its_expansion() {
    // The limit that just suffices for a length, found by trying.
    let steps = |length: usize| {
        let suffices = |steps: &u64| expanded(&chain(length), Limits { steps: *steps, ..Limits::default() }).is_ok();
        let (mut low, mut high) = (0, 1 << 24);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if suffices(&middle) { high = middle } else { low = middle }
        }
        high
    };
    let (small, large) = (steps(20), steps(80));
    assert!(small >= 200 && large <= 18 * small, "{small} and {large}");
}

#[test]
fn exponential_expansion_is_refused() {
    let mut text = String::from("m0: {a: 1, b: 2}\n");
    for n in 1..60 {
        let _ = writeln!(text, "m{n}: {{a: {{+/m{0}: }}, b: {{+/m{0}: }}}}", n - 1);
    }
    assert!(refused(&text, Limits::default()).message().contains("more than 2097152 values"));
}

#[test]
fn deep_nesting_reaches_the_depth_limit() {
    let mut text = String::new();
    for n in 0..200 {
        let _ = writeln!(text, "m{n}: {{x: {{+/m{}: }}}}", n + 1);
    }
    text.push_str("m200: {z: 1}\n");
    assert!(expanded(&text, Limits { steps: 1 << 30, bytes: 1 << 40, ..Limits::default() }).is_ok());
    let failure = refused(&text, Limits { depth: 100, ..Limits::default() });
    assert!(failure.message().contains("deeper than 100 levels"), "{failure}");
}

#[test]
fn restoring_draws_from_the_same_budget() {
    let document = Document::parse(&chain(100), "main.yaml", ".".as_ref()).unwrap();
    let changed = expanded(&chain(101), Limits::default()).unwrap().to_value();
    let restored = |steps: u64| {
        let budget = Budget::new(Limits { steps, ..Limits::default() });
        let options = RestoreOptions { expand: Options { budget, ..Options::default() }, into_includes: false };
        restore(&document, &changed, &mut LocalFiles::below(".".as_ref()), &options)
    };
    assert!(restored(20_000_000).is_ok());
    assert!(restored(6_000).is_err());
}

#[cfg(unix)]
#[test]
fn includes_read_only_allowed_files() {
    let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(outside.path().join("secret.yaml"), "a: 1\n").unwrap();
    std::fs::write(inside.path().join("large.yaml"), "a: 1 # large\n").unwrap();
    std::os::unix::fs::symlink(outside.path().join("secret.yaml"), inside.path().join("link.yaml")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", inside.path().join("zero.yaml")).unwrap();
    let mut files = LocalFiles::from_files(powers::Files::below([inside.path()]).with_largest(4));
    let secret = outside.path().join("secret.yaml");
    for name in ["link.yaml", "zero.yaml", secret.to_str().unwrap(), "../nothing.yaml"] {
        let error = files.read(name, inside.path()).unwrap_err();
        assert!(error.message.contains("is outside of the document's folder") && !error.absent, "{}", error.message);
    }
    let error = files.read("large.yaml", inside.path()).unwrap_err();
    assert!(error.message.contains("more than 4 bytes"), "{}", error.message);
    let error = files.read("nothing.yaml", inside.path()).unwrap_err();
    assert!(error.absent && error.message.starts_with("[Errno 2]"), "{}", error.message);
}

#[test]
fn a_missing_target_is_resolved_once() {
    let twice = |mark: &str| {
        let maps = (0..60).map(|n| format!("d{n}: {{p: {{+{mark}/d{0}: }}, q: {{+{mark}/d{0}: }}}}\n", n + 1));
        maps.collect::<String>()
    };
    // A few steps for each line: the resolution of a path in a map is cached for all its uses.
    let limits = Limits { steps: 5_000, ..Limits::default() };
    let failure = expanded(&twice(""), limits).map(|_| ()).unwrap_err();
    assert_eq!(failure.diagnostics().len(), 2, "{failure}");
    assert!(failure.diagnostics().iter().all(|diagnostic| diagnostic.code == "missing-include"), "{failure}");
    // Two of them that are merged are not walked through.
    let both = format!("{}both: {{+/d1: , +/d2: }}\n", twice(""));
    assert!(refused(&both, limits).message().contains("more than 5000 values"));
    // Optional references leave empty maps, twice as many with each line.
    assert!(refused(&twice("?"), limits).message().contains("more than 5000 values"));
}

#[test]
fn each_unresolved_reference_is_reported() {
    let text: String = (0..5_000).map(|n| format!("key{n}: {{+/kex{n}: }}\n")).collect();
    let failure = expanded(&text, Limits::default()).map(|_| ()).unwrap_err();
    assert_eq!(failure.diagnostics().len(), 5_000);
    // Suggestions are searched for until their total cost is too high.
    let suggested = failure.diagnostics().iter().filter(|reported| !reported.help.is_empty()).count();
    assert!((50..1_000).contains(&suggested), "{suggested}");
}
