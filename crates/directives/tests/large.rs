//! Large documents take time in proportion to their size.

use std::fmt::Write;

use hieratic_directives::{Document, LocalFiles, Options, RestoreOptions, expand, restore};
use hieratic_testing::assert_proportional;
use hieratic_value::{Hash, Value};

const COUNT: usize = 100_000;

fn expanded(text: &str) -> Value {
    let document = Document::parse(text, "main.yaml", ".".as_ref()).unwrap();
    expand(&document, &mut LocalFiles::below(".".as_ref()), &Options::default()).unwrap().to_value()
}

/// Restores a document after a change of its data, and checks the law.
fn restored(text: &str, change: impl FnOnce(Value) -> Value) -> String {
    let document = Document::parse(text, "main.yaml", ".".as_ref()).unwrap();
    let changed = change(expanded(text));
    let mut files = LocalFiles::below(".".as_ref());
    let restored = restore(&document, &changed, &mut files, &RestoreOptions::default()).unwrap().text;
    assert_eq!(expanded(&restored), changed);
    restored
}

/// Data with another value at a key.
fn with(data: Value, key: &str, change: impl FnOnce(Vec<Value>) -> Vec<Value>) -> Value {
    let hash = data.as_hash().unwrap();
    let list = change(hash.get(key).and_then(Value::as_array).unwrap().to_vec());
    let pairs =
        hash.iter().map(|(name, value)| (name.clone(), value.clone())).filter(|(name, _)| name.as_str() != Some(key));
    pairs.chain([(key.into(), list.into())]).collect::<Hash>().into()
}

/// Chains of references may be longer than calls may lead into each other, in whatever order they are written.
#[test]
fn long_chains_are_expanded_forwards_and_backwards() {
    assert_proportional("long chains", 3_000, |count| {
        let link = |n: usize| format!("k{n}: {{+/k{}: , own{}: {n}}}\n", n + 1, n % 5);
        let end = format!("k{count}: {{end: 1}}\n");
        let forwards = (0..count).map(link).collect::<String>() + &end;
        let backwards = end + &(0..count).rev().map(link).collect::<String>();
        let (forwards, backwards) = (expanded(&forwards), expanded(&backwards));
        assert_eq!(forwards.as_hash().and_then(|all| all.get("k0")), backwards.as_hash().and_then(|all| all.get("k0")));
        assert_eq!(
            forwards.as_hash().and_then(|all| all.get("k0")).and_then(Value::as_hash).map(|map| map.len()),
            Some(6)
        );
    });
}

/// A document with two long lists, one merged over the other.
fn lists(count: usize) -> String {
    let mut text = String::from("base:\n  items:\n");
    for number in 0..count {
        let _ = writeln!(text, "  - item {number}");
    }
    text.push_str("web:\n  +/base:\n  items:\n");
    for number in count / 2..count + count / 2 {
        let _ = writeln!(text, "  - item {number}");
    }
    text.push_str("own:\n");
    for number in 0..count {
        let _ = writeln!(text, "- own {number} # c");
    }
    text
}

#[test]
fn long_lists_merge() {
    assert_proportional("long lists merge", COUNT, |count| {
        let data = expanded(&lists(count));
        let web = data.as_hash().and_then(|hash| hash.get("web")).and_then(Value::as_hash).unwrap();
        assert_eq!(web.get("items").and_then(Value::as_array).map(<[Value]>::len), Some(count + count / 2));
    });
}

#[test]
fn lists_of_maps_with_one_key_merge() {
    assert_proportional("lists of maps with one key merge", COUNT, |count| {
        let mut text = String::from("base:\n  items:\n");
        for number in 0..count / 2 {
            let _ = writeln!(text, "  - k{number}: {{a: 1}}");
        }
        text.push_str("web:\n  +/base:\n  items:\n");
        for number in (0..count / 2).rev() {
            let _ = writeln!(text, "  - k{number}: {{b: 1}}");
        }
        expanded(&text);
    });
}

#[test]
fn long_lists_are_restored() {
    assert_proportional("long lists are restored", COUNT, |count| {
        let text = lists(count);
        let reversed = restored(&text, |data| {
            with(data, "own", |mut list| {
                list.reverse();
                list
            })
        });
        assert_eq!(reversed.matches("# c").count(), count, "items that move keep their comments");
        restored(&text, |data| with(data, "own", |list| list.into_iter().step_by(2).collect()));
        restored(&text, |data| with(data, "own", |list| (0..list.len()).map(|at| Value::from(at as i64)).collect()));
        restored(&text, |data| {
            with(data, "own", |list| {
                list.into_iter().map(|item| [("k", item)].into_iter().collect::<Hash>().into()).collect()
            })
        });
    });
}

#[test]
fn long_maps_are_restored() {
    assert_proportional("long maps are restored", COUNT, |count| {
        let mut text = String::from("base:\n");
        for number in 0..count {
            let _ = writeln!(text, "  key {number}: {number}");
        }
        text.push_str("web:\n  +/base:\n");
        for number in (0..count).step_by(2) {
            let _ = writeln!(text, "  key {number}: {} # c", number + 1);
        }
        text.push_str("1: numbers are keys too\n");
        let web = |data: Value, change: &dyn Fn(usize, &Value) -> Option<Value>| -> Value {
            let hash = data.as_hash().unwrap();
            let web = hash.get("web").and_then(Value::as_hash).unwrap();
            let web = web.iter().enumerate().filter_map(|(at, (key, value))| Some((key.clone(), change(at, value)?)));
            let web: Hash = web.collect();
            let pairs = hash.iter().map(|(key, value)| match key.as_str() {
                Some("web") => (key.clone(), web.clone().into()),
                _ => (key.clone(), value.clone()),
            });
            pairs.collect::<Hash>().into()
        };
        // All values, every second value, and the keys that are inherited or written, every third of them.
        restored(&text, |data| web(data, &|at, _| Some(Value::from(at as i64 - 1))));
        restored(&text, |data| web(data, &|at, value| Some(if at % 2 == 0 { Value::Undef } else { value.clone() })));
        restored(&text, |data| web(data, &|at, value| (at % 3 != 0).then(|| value.clone())));
    });
}

#[test]
fn many_directives_are_restored() {
    assert_proportional("many directives are restored", COUNT, |count| {
        let mut text = String::from("base: {a: 1, b: 2}\n");
        for number in 0..count / 10 {
            let _ = writeln!(text, "web{number}:\n  +/base:\n  c: {number}");
        }
        let restored = restored(&text, |data| {
            let pairs = data.as_hash().unwrap().iter().map(|(key, value)| {
                let value = value.as_hash().unwrap().iter().map(|(key, value)| match key.as_str() {
                    Some("a") => (key.clone(), Value::from(5)),
                    _ => (key.clone(), value.clone()),
                });
                (key.clone(), Value::from(value.collect::<Hash>()))
            });
            pairs.collect::<Hash>().into()
        });
        assert_eq!(restored.matches("+/base").count(), count / 10);
        assert_eq!(restored.matches("a: 5").count(), 1);
    });
}

#[test]
fn flow_style_is_restored() {
    assert_proportional("flow style is restored", COUNT, |count| {
        let items: Vec<String> = (0..count).map(|number| format!("k{number}: {number}")).collect();
        let text = format!(
            "a: {{{}}}\nb: {{+/a: }}\nl: [{}]\n",
            items.join(", "),
            (0..count).map(|n| n.to_string()).collect::<Vec<_>>().join(", ")
        );
        restored(&text, |data| with(data, "l", |list| list.into_iter().rev().step_by(2).collect()));
    });
}
