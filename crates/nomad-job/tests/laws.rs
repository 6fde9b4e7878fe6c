//! Laws that hold for any job.

use hieratic_nomad_job::schema::{JOB, Kind, Scalar, Struct};
use hieratic_nomad_job::{Job, Options};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::subsequence;
use serde_json::{Map, Value, json};

fn scalar(of: Scalar) -> BoxedStrategy<Value> {
    match of {
        Scalar::Text | Scalar::Named(_) => {
            "\\PC{0,8}|[<>&\u{0}-\u{1f}\u{2028}\"\\\\]{1,3}".prop_map(Value::from).boxed()
        }
        Scalar::Bool => any::<bool>().prop_map(Value::from).boxed(),
        Scalar::Integer | Scalar::Duration => any::<i64>().prop_map(Value::from).boxed(),
        Scalar::Int(bits) => (i64::MIN..=i64::MAX).prop_map(move |n| json!(n >> (64 - bits))).boxed(),
        Scalar::Uint(bits) => (0..=u64::MAX).prop_map(move |n| json!(n >> (64 - bits))).boxed(),
    }
}

fn anything() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        (-1e300..1e300_f64).prop_map(Value::from),
        "\\PC{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            btree_map("[a-z]{0,3}", inner, 0..3).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
    .boxed()
}

fn map_of(value: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    btree_map("\\PC{0,4}", value, 0..3).prop_map(|map| Value::Object(map.into_iter().collect())).boxed()
}

fn field(kind: Kind, depth: u32) -> BoxedStrategy<Value> {
    match kind {
        Kind::Plain(of) | Kind::Maybe(of) => scalar(of),
        Kind::List(of) => vec(scalar(of), 0..3).prop_map(Value::from).boxed(),
        Kind::Map(of) => map_of(scalar(of)),
        Kind::MapOfLists(of) => map_of(vec(scalar(of), 0..3).prop_map(Value::from).boxed()),
        Kind::Any => map_of(anything()),
        Kind::Bytes => prop_oneof![Just("aGk="), Just(""), Just("AQID")].prop_map(Value::from).boxed(),
        Kind::One(of) => structure(of, depth),
        Kind::Many(of) => vec(structure(of, depth), 0..3).prop_map(Value::from).boxed(),
        Kind::Keyed(of) => map_of(structure(of, depth)),
    }
}

/// A structure with some of its fields; deep inside with none.
fn structure(of: &'static Struct, depth: u32) -> BoxedStrategy<Value> {
    if depth == 0 || of.fields.is_empty() {
        return Just(Value::Object(Map::new())).boxed();
    }
    subsequence(of.fields.iter().collect::<Vec<_>>(), 0..=of.fields.len().min(4))
        .prop_flat_map(move |fields| {
            fields.into_iter().map(|f| (Just(f.name.to_owned()), field(f.kind, depth - 1))).collect::<Vec<_>>()
        })
        .prop_map(|members| Value::Object(members.into_iter().collect()))
        .boxed()
}

fn read(text: &str) -> Job {
    Job::parse(text, &Options { json: true, ..Options::default() }).unwrap()
}

proptest! {
    /// What is printed reads back as what it was, and prints the same.
    #[test]
    fn printed_jobs_are_the_jobs(job in structure(&JOB, 4)) {
        let first = read(&json!({ "Job": job }).to_string());
        let printed = first.to_json().unwrap();
        let second = read(&printed);
        prop_assert_eq!(second.to_json().unwrap(), printed.as_str());
        let mut written = Vec::new();
        first.write_json(&mut written).unwrap();
        prop_assert_eq!(written, printed.into_bytes());
        for origin in first.origins() {
            prop_assert!(origin.place.is_none());
        }
    }

    /// No text makes it panic, and messages are never empty.
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,40}|[a-z{}\"$=\\[\\]. \n0-9]{0,60}") {
        for json in [false, true] {
            if let Err(failure) = Job::parse(text.as_str(), &Options { json, ..Options::default() }) {
                prop_assert!(!failure.to_string().is_empty());
            }
        }
    }

    /// Parts of a job in any order and number are read or refused, and what is read is printed.
    #[test]
    fn arbitrary_parts_never_panic(parts in vec(0..PARTS.len(), 0..12)) {
        let body: String = parts.iter().map(|at| format!("  {}\n", PARTS[*at])).collect();
        let source = format!("job \"j\" {{\n{body}}}\n");
        match Job::parse(source, &Options::default()) {
            Ok(job) => prop_assert!(!job.to_json().unwrap().contains("Pending")),
            Err(failure) => prop_assert!(!failure.problems().is_empty()),
        }
    }
}

/// What a job may hold, right and wrong.
const PARTS: &[&str] = &[
    "type = \"batch\"",
    "priority = 70",
    "priority = \"high\"",
    "datacenters = [\"a\", attr.x]",
    "meta = { a = 1, \"b.c\" = true }",
    "meta { a = null }",
    "meta { b = 2 }",
    "vault { env = false }",
    "vault { policies = \"p\" }",
    "secret \"s\" { provider = \"p\" }",
    "task \"t\" {\n driver = \"docker\"\n config {\n  a = [{ b = 1 }, null]\n  c \"d\" { e = f.g }\n }\n }",
    "group \"g\" {\n count = 2\n task \"t\" {\n  env = { A = 1 }\n }\n scaling { max = 3 }\n }",
    "group \"g\" {\n network {\n  port \"p\" { static = 80 }\n  port \"q\" {}\n }\n }",
    "group {}",
    "constraint { distinct_hosts = false }",
    "constraint { version = 1 }",
    "affinity { weight = 300.5 }",
    "update { stagger = \"30s\" }",
    "update { stagger = 30 }",
    "update { stagger = true }",
    "dynamic \"group\" {\n for_each = [1, \"b\"]\n labels = [\"g-${group.value}\"]\n content { count = group.key }\n }",
    "nosuch = 1",
];
