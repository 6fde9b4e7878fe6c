//! Rows of many nodes, held against the answers that single nodes get.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use hieratic::facts::FactsFolder;
use hieratic::{Environment, Facts, Node, Permissions, Query, Redactor, Settings};
use hieratic_fleet::{Format, Options, Shard, Source, Sources, Summary, export};
use serde_json::Value as Json;

fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

const HIERA: &str = "version: 5\nhierarchy:\n  - {name: Node, path: 'nodes/%{trusted.certname}.yaml'}\n  - {name: Role, path: 'roles/%{facts.role}.yaml'}\n  - {name: Site, path: 'sites/%{facts.site}.yaml'}\n  - {name: Common, path: common.yaml}\n";

/// A repository whose nodes fall into some classes: by role, by site, by a fact that data mentions, and by files of their own. Small
/// numbers from a seed decide everything.
fn fleet(root: &Path, seed: u64, nodes: usize) {
    let mut state = seed;
    let mut next = |most: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    };
    write(root, "hiera.yaml", HIERA);
    let values = [
        "1",
        "x",
        "[a, b]",
        "{a: 1, b: {c: 2}}",
        "~",
        "1.5",
        "true",
        "\"%{facts.zone}\"",
        "\"%{lookup('k0')} of %{facts.role}\"",
        "\"%{alias('k1')}\"",
        "\"%{lookup('nosuch')}\"",
    ];
    let data = |next: &mut dyn FnMut(u64) -> u64| {
        let mut text = String::new();
        for key in 0..8 {
            if next(2) == 0 {
                text.push_str(&format!("k{key}: {}\n", values[next(values.len() as u64) as usize]));
            }
        }
        if text.is_empty() { "{}\n".to_owned() } else { text }
    };
    write(
        root,
        "data/common.yaml",
        &format!("lookup_options: {{k3: {{merge: deep}}}}\n{}", data(&mut next).replace("{}\n", "")),
    );
    for role in 0..2 {
        write(root, &format!("data/roles/r{role}.yaml"), &data(&mut next));
        write(root, &format!("data/sites/s{role}.yaml"), &data(&mut next));
    }
    for node in 0..nodes {
        let facts = format!("role: r{}\nsite: s{}\nzone: z{}\n", next(3), next(3), next(2));
        write(root, &format!("facts/n{node}.yaml"), &facts);
        if next(5) == 0 {
            write(root, &format!("data/nodes/n{node}.yaml"), &data(&mut next));
        }
    }
}

fn open(root: &Path) -> Environment {
    let settings =
        Settings { environment_dir: Some(root.to_owned()), positions: true, once: true, ..Settings::default() };
    Environment::open(&settings).unwrap()
}

fn rows(root: &Path, options: &Options<'_>, format: Format) -> (Vec<u8>, Summary) {
    let mut out = Vec::new();
    let sources = Sources::of(vec![root.join("facts")], Permissions::default());
    let summary = export(&open(root), sources, options, format, &mut out).unwrap();
    (out, summary)
}

fn lines(text: &[u8]) -> Vec<Json> {
    text.split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect()
}

#[test]
fn rows_equal_the_answers_of_each_node() {
    let mut saved = 0;
    for seed in 0..12 {
        let folder = tempfile::tempdir().unwrap();
        fleet(folder.path(), seed, 30);
        let (text, summary) =
            rows(folder.path(), &Options { root: folder.path().into(), ..Options::default() }, Format::Ndjson);
        let mut expected = Vec::new();
        // Another environment, so that nothing is shared.
        let environment = open(folder.path());
        for facts in FactsFolder::new(&folder.path().join("facts"), &Permissions::default()).nodes().unwrap() {
            let facts = facts.unwrap();
            let node = environment.node(&facts).unwrap();
            let mut keys = environment.keys(&node).unwrap();
            keys.sort();
            for key in keys {
                let mut row = BTreeMap::from([("node", facts.node().unwrap().to_owned()), ("key", key.clone())]);
                match node.lookup(&Query::new(&key)) {
                    Ok(value) => row.insert("value", hieratic_output::json(&value).unwrap()),
                    Err(error) if error.code() == Node::NOT_FOUND => continue,
                    Err(error) => row.insert("error", error.to_string()),
                };
                expected.push(row);
            }
        }
        let found: Vec<BTreeMap<&str, String>> = lines(&text)
            .iter()
            .map(|line| {
                let text = |name: &str| line[name].as_str().unwrap().to_owned();
                let mut row = BTreeMap::from([("node", text("node")), ("key", text("key"))]);
                match line.get("value") {
                    Some(value) => row.insert("value", value.to_string()),
                    None => row.insert("error", text("error")),
                };
                row
            })
            .collect();
        assert_eq!(found, expected, "seed {seed}");
        assert_eq!((summary.nodes, summary.rows as usize), (30, expected.len()));
        assert!(summary.classes <= 30);
        saved += 30 - summary.classes;
        for line in lines(&text).iter().filter(|line| line.get("line").is_some()) {
            let file = fs::read_to_string(folder.path().join(line["file"].as_str().unwrap())).unwrap();
            let at = file.lines().nth(line["line"].as_u64().unwrap() as usize - 1).unwrap();
            assert!(at.contains(line["key"].as_str().unwrap()) || at.starts_with("k1"), "{line}: {at}");
        }
    }
    assert!(saved > 40, "nodes that are alike are asked once: only {saved} of 360 were not asked");
}

#[test]
fn parts_of_a_fleet_make_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    fleet(folder.path(), 3, 40);
    let of = |shard: &str| {
        let shard: Shard = shard.parse().unwrap();
        let (text, summary) = rows(folder.path(), &Options { shard, ..Options::default() }, Format::Ndjson);
        (lines(&text), summary.nodes)
    };
    let (whole, nodes) = of("1/1");
    let parts: Vec<(Vec<Json>, usize)> = (1..=3).map(|index| of(&format!("{index}/3"))).collect();
    assert!(
        parts.iter().all(|(_, nodes)| (5..30).contains(nodes)),
        "{:?}",
        parts.iter().map(|(_, n)| n).collect::<Vec<_>>()
    );
    assert_eq!(parts.iter().map(|(_, nodes)| nodes).sum::<usize>(), nodes);
    let sorted = |mut rows: Vec<String>| {
        rows.sort();
        rows
    };
    let texts = |rows: &[Json]| rows.iter().map(Json::to_string).collect::<Vec<_>>();
    assert_eq!(sorted(parts.iter().flat_map(|(rows, _)| texts(rows)).collect()), sorted(texts(&whole)));
}

#[test]
fn facts_come_from_lines_and_broken_lines_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "hiera.yaml", HIERA);
    write(folder.path(), "data/common.yaml", "k: \"%{facts.role}\"\n");
    let nodes = "{\"name\": \"a\", \"values\": {\"role\": \"x\"}}\n\n{\"certname\": \"b\", \"facts\": {\"role\": \"y\"}}\n{\"clientcert\": \"c\", \"role\": \"z\"}\n{\"role\":\n[1]\n{\"role\": \"nobody\"}\n";
    write(folder.path(), "fleet.ndjson", nodes);
    let sources = Sources::of(
        vec![folder.path().join("fleet.ndjson"), folder.path().join("nothing"), folder.path().join("gone.jsonl")],
        Permissions::default(),
    );
    let mut out = Vec::new();
    let summary = export(&open(folder.path()), sources, &Options::default(), Format::Csv, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    // The key belongs to no module.
    let values: Vec<String> =
        text.lines().skip(1).map(|line| line.split(',').take(5).collect::<Vec<_>>().join(",")).collect();
    assert_eq!(values, ["a,k,,\"\"\"x\"\"\",x", "b,k,,\"\"\"y\"\"\",y", "c,k,,\"\"\"z\"\"\",z"]);
    assert_eq!(summary.unanswered, 5, "{:?}", summary.faults);
    let places: Vec<&str> = summary.faults.iter().map(|error| error.place.rsplit('/').next().unwrap()).collect();
    assert_eq!(places, ["fleet.ndjson:5", "fleet.ndjson:6", "fleet.ndjson:7", "nothing", "gone.jsonl"]);
}

#[test]
fn bad_facts_are_reported_with_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "hiera.yaml", HIERA);
    write(folder.path(), "data/common.yaml", "k: \"%{facts.role}\"\n");
    let nested =
        format!("{{\"certname\": \"n\", \"facts\": {{\"x\": {}{}}}}}", "[".repeat(1 << 20), "]".repeat(1 << 20));
    let bad = [
        ("{\"certname\": \"a\", \"facts\": {\"role\": \"x\"}}", ""),
        ("{\"certname\": \"a\", \"facts\": {\"role\": \"y\"}}", "the node a came before; its other facts are used"),
        ("{\"certname\": \"b\", \"facts\": null}", "the facts of b are not an object"),
        ("{\"certname\": \"b\", \"facts\": [1]}", "the facts of b are not an object"),
        ("{\"certname\": null, \"facts\": {}}", "no fact names the node: set certname, "),
        ("{\"certname\": 7, \"role\": \"x\"}", "certname, the name of the node, is not a string"),
        ("{\"certname\": \"\", \"facts\": {}}", "the name of the node is empty"),
        ("null", "expected a JSON object with the facts of a node"),
        (&nested, "nesting of 101 is too deep"),
        ("{\"certname\": \"c\", \"facts\": {\"server_facts\": {}, \"facts\": 1}}", "c: "),
        (
            "{\"certname\": \"d\", \"facts\": {\"role\":",
            "the line ends in the middle of a value: the file is half-written",
        ),
    ];
    let text: Vec<&str> = bad.iter().map(|(line, _)| *line).collect();
    write(folder.path(), "fleet.ndjson", &text.join("\n"));
    let sources = Sources::of(vec![folder.path().join("fleet.ndjson")], Permissions::default());
    let mut out = Vec::new();
    let summary = export(&open(folder.path()), sources, &Options::default(), Format::Ndjson, &mut out).unwrap();
    assert_eq!((summary.nodes, summary.unanswered), (1, bad.len() - 1), "{:?}", summary.faults);
    for (index, (error, (_, message))) in summary.faults.iter().zip(&bad[1..]).enumerate() {
        assert!(error.place.ends_with(&format!("fleet.ndjson:{}", index + 2)), "{error}");
        assert!(error.message.starts_with(message), "{error}");
    }
    assert!(String::from_utf8(out).unwrap().starts_with("{\"node\":\"a\",\"key\":\"k\",\"value\":\"x\""));
}

#[test]
fn columns_hold_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    fleet(folder.path(), 5, 30);
    assert_same_rows(folder.path(), &Options { root: folder.path().into(), ..Options::default() });
}

/// Nodes of a class have the same list of rows, which is encoded once; groups and pages end within lists.
#[test]
fn columns_of_classes_hold_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "hiera.yaml", HIERA);
    let value = |key: usize| match key * key % 11 {
        0..3 => format!("text {}", key % 7),
        3 => "\"at %{facts.site}\"".to_owned(),
        4 => "true".to_owned(),
        5 => key.is_multiple_of(3).to_string(),
        6 => "~".to_owned(),
        7 => "\"%{nosuch('x')}\"".to_owned(),
        8 => format!("[{key}]"),
        9 => format!("{key}.5"),
        _ => key.to_string(),
    };
    let keys = |keys: &[usize]| keys.iter().map(|key| format!("k{key}: {}\n", value(*key))).collect::<String>();
    let all: Vec<usize> = (0..203).collect();
    write(folder.path(), "data/common.yaml", &keys(&all));
    write(
        folder.path(),
        "data/roles/r1.yaml",
        &(0..31).map(|key| format!("k{}: {key}\nown{key}: true\n", key * 5)).collect::<String>(),
    );
    for node in 0..130 {
        write(folder.path(), &format!("facts/n{node:03}.yaml"), &format!("role: r{}\nsite: s{}\n", node % 3, node % 2));
    }
    for group in [97, 1000, 4001, 1 << 20] {
        assert_same_rows(folder.path(), &Options { root: folder.path().into(), group, ..Options::default() });
    }
}

fn assert_same_rows(root: &Path, options: &Options<'_>) {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;
    let (text, _) = rows(root, options, Format::Ndjson);
    let (bytes, _) = rows(root, options, Format::Parquet);
    let path = root.join("fleet.parquet");
    fs::write(&path, bytes).unwrap();
    let reader = SerializedFileReader::new(fs::File::open(&path).unwrap()).unwrap();
    let mut lines = lines(&text);
    let mut read = Vec::new();
    for group in 0..reader.num_row_groups() {
        let of_group = reader.get_row_group(group).unwrap();
        let rows: Vec<_> = of_group.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        let key = |row: &parquet::record::Row| row.get_string(1).unwrap().clone();
        assert!(rows.is_sorted_by_key(key), "the rows of a group are sorted by key");
        read.extend(rows);
    }
    // A node's rows are in the order of their keys in both.
    let place = |row: &parquet::record::Row| (row.get_string(0).unwrap().clone(), row.get_string(1).unwrap().clone());
    read.sort_by_key(place);
    lines.sort_by_key(|line| [&line["node"], &line["key"]].map(|text| text.as_str().unwrap().to_owned()));
    let mut count = 0;
    for (row, line) in read.into_iter().zip(&lines) {
        let text = |column: usize| row.get_string(column).ok().map(String::as_str);
        assert_eq!((text(0), text(1)), (line["node"].as_str(), line["key"].as_str()));
        let value = row.get_string(3).ok().map(|json| serde_json::from_str::<Json>(json).unwrap());
        assert_eq!(value.as_ref(), line.get("value"), "{line}");
        let scalar = (text(4), row.get_long(5).ok(), row.get_double(6).ok(), row.get_bool(7).ok());
        let expected = match line.get("value") {
            Some(Json::String(value)) => (Some(value.as_str()), None, None, None),
            Some(value) if value.is_i64() => (None, value.as_i64(), None, None),
            Some(Json::Number(value)) => (None, None, value.as_f64(), None),
            Some(Json::Bool(value)) => (None, None, None, Some(*value)),
            _ => (None, None, None, None),
        };
        assert_eq!(scalar, expected, "{line}");
        assert_eq!(text(8), line.get("error").and_then(Json::as_str));
        assert_eq!(text(9), line.get("file").and_then(Json::as_str));
        assert_eq!(row.get_int(10).ok().map(i64::from), line.get("line").and_then(Json::as_i64));
        assert_eq!(text(11), line.get("level").and_then(Json::as_str));
        assert_eq!(
            (text(12), text(13)),
            (line.get("layer").and_then(Json::as_str), line.get("merge").and_then(Json::as_str))
        );
        let contributions = text(14).map(|json| serde_json::from_str::<Json>(json).unwrap());
        assert_eq!(contributions.as_ref(), line.get("contributions"), "{line}");
        // A value is from one place or has contributions.
        assert!(contributions.is_none() || text(9).is_none(), "{line}");
        count += 1;
    }
    assert_eq!(count, lines.len());
}

/// Nodes that read the same files share a value into which each inserts its own variables, whatever is in them.
#[test]
fn inserted_variables_may_contain_anything() {
    const ZONES: [&str; 9] =
        ["a", "\"q\"", "two\nlines", "%{facts.role}", "100%", "ü€😀\u{2028}", "", "\\u0041", "{x}"];
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "hiera.yaml", HIERA);
    let data = r#"
lookup_options: {united: {merge: unique}, converted: {convert_to: Array}}
zone: "%{facts.zone}"
quoted: "\"%{facts.zone}\" \\ %{trusted.certname}"
number: 7
numbered: "%{facts.number}-%{lookup('number')}"
chain: "see %{lookup('quoted')} and %{lookup('numbered')}%"
expression: "%%{facts.zone}"
missing: "%{facts.none}"
dug: "%{facts.os.name}"
hash: "%{facts.os}"
literal: "%{literal('%')}{facts.zone}"
list: ["%{facts.zone}"]
united: "%{facts.zone}"
converted: "%{facts.zone}"
circle: "%{lookup('circle')}"
"#;
    write(root, "data/common.yaml", data);
    write(root, "data/nodes/n7.yaml", "number: '%{facts.zone}'\n");
    for node in 0..60 {
        let (zone, number) =
            (ZONES[node % ZONES.len()], if node % 4 == 0 { Json::from(node) } else { Json::from(true) });
        let facts =
            serde_json::json!({"zone": zone, "number": number, "os": {"name": zone}, "role": "r0", "site": "s0"});
        write(root, &format!("facts/n{node}.json"), &facts.to_string());
    }
    let options = Options { root: root.into(), ..Options::default() };
    let mut alone = Vec::new();
    for node in 0..60 {
        let file = Sources::of(vec![root.join(format!("facts/n{node}.json"))], Permissions::default());
        export(&open(root), file, &options, Format::Ndjson, &mut alone).unwrap();
    }
    let sorted = |text: &[u8]| {
        let mut lines: Vec<String> = String::from_utf8(text.to_vec()).unwrap().lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&rows(root, &options, Format::Ndjson).0), sorted(&alone));
    for group in [50, 333, 1 << 20] {
        assert_same_rows(root, &Options { root: root.into(), group, ..Options::default() });
    }
}

#[test]
fn sensitive_values_are_marked_and_redacted_unless_they_are_to_be_revealed() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "hiera.yaml", "version: 5\nhierarchy: [{name: Common, path: common.yaml}]\n");
    let data = "lookup_options: {secret: {convert_to: Sensitive}}\nsecret: {word: staple}\nopen: 1\n";
    write(root.path(), "data/common.yaml", data);
    for reveal in [false, true] {
        let environment = open(root.path());
        let redactor = Redactor::new(environment.secrets(), reveal);
        let options = Options { redactor, ..Options::default() };
        let nodes = [Ok(Source::from(Facts::named("web01")))];
        let mut out = Vec::new();
        export(&environment, nodes.into_iter(), &options, Format::Ndjson, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.contains("staple"), reveal, "{text}");
        let marked: Vec<Json> = lines(text.as_bytes()).into_iter().filter(|row| row["secret"] == true).collect();
        assert_eq!(marked.len(), 1, "{text}");
        assert_eq!(marked[0]["key"], "secret");
    }
}

/// A table of two nodes, with the role as a column, and beside the name in a column of JSON.
fn arrow_file(path: &Path, is_stream: bool) {
    use arrow_array::{RecordBatch, StringArray, StructArray};
    use arrow_schema::{DataType, Field};
    use std::sync::Arc;
    let roles: Arc<dyn arrow_array::Array> = Arc::new(StringArray::from(vec![Some("x"), None]));
    let facts = StructArray::from(vec![(Arc::new(Field::new("role", DataType::Utf8, true)), roles)]);
    let names = StringArray::from(vec!["a", "b"]);
    let columns: [(&str, Arc<dyn arrow_array::Array>); 2] = [("certname", Arc::new(names)), ("facts", Arc::new(facts))];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let file = fs::File::create(path).unwrap();
    if is_stream {
        let mut writer = arrow_ipc::writer::StreamWriter::try_new(file, &batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
    } else {
        let mut writer = arrow_ipc::writer::FileWriter::try_new(file, &batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
    }
}

/// A table of two nodes, with facts in a column of JSON.
fn parquet_file(path: &Path, facts: [&str; 2]) {
    use parquet::data_type::{ByteArray, ByteArrayType};
    use parquet::file::writer::SerializedFileWriter;
    let schema = "message nodes { REQUIRED BYTE_ARRAY name (STRING); REQUIRED BYTE_ARRAY values (STRING); }";
    let schema = std::sync::Arc::new(parquet::schema::parser::parse_message_type(schema).unwrap());
    let properties = parquet::file::properties::WriterProperties::builder();
    let properties = properties.set_compression(parquet::basic::Compression::ZSTD(Default::default())).build();
    let mut writer = SerializedFileWriter::new(fs::File::create(path).unwrap(), schema, properties.into()).unwrap();
    let mut rows = writer.next_row_group().unwrap();
    for column in [["a", "b"], facts] {
        let mut writer = rows.next_column().unwrap().unwrap();
        let column: Vec<ByteArray> = column.iter().map(|text| ByteArray::from(*text)).collect();
        writer.typed::<ByteArrayType>().write_batch(&column, None, None).unwrap();
        writer.close().unwrap();
    }
    rows.close().unwrap();
    writer.close().unwrap();
}

/// What is asked of the nodes of a file: the answers, and what was wrong.
fn answered(root: &Path, file: &Path) -> (Vec<String>, Vec<String>) {
    let mut out = Vec::new();
    let sources = Sources::of(vec![file.to_owned()], Permissions::default());
    let summary = export(&open(root), sources, &Options::default(), Format::Ndjson, &mut out).unwrap();
    let faults = summary.faults.iter().map(|error| error.message.clone()).collect();
    (lines(&out).iter().map(|line| format!("{} {}", line["node"], line["value"])).collect(), faults)
}

#[test]
fn tables_have_a_node_in_each_row() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "hiera.yaml", HIERA);
    write(root, "data/common.yaml", "k: \"%{facts.role}\"\n");
    let files = ["fleet.parquet", "fleet.arrow", "fleet.arrows"].map(|name| root.join(name));
    parquet_file(&files[0], ["{\"role\": \"x\"}", "{}"]);
    arrow_file(&files[1], false);
    arrow_file(&files[2], true);
    for file in &files {
        let whole = (vec!["\"a\" \"x\"".to_owned(), "\"b\" \"\"".to_owned()], Vec::new());
        assert_eq!(answered(root, file), whole, "{}", file.display());
        // A damaged file is an error and never a panic; nodes that are answered are those of the file.
        let bytes = fs::read(file).unwrap();
        let damaged = root.join("damaged").with_extension(file.extension().unwrap());
        for at in (0..bytes.len()).step_by(7) {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x55;
            fs::write(&damaged, &bytes).unwrap();
            answered(root, &damaged);
            fs::write(&damaged, &bytes[..at]).unwrap();
            answered(root, &damaged);
        }
        fs::write(&damaged, &bytes[..bytes.len() / 2]).unwrap();
        let (_, faults) = answered(root, &damaged);
        assert_eq!(faults.len(), 1, "{}: {faults:?}", file.display());
    }
    for (cell, message) in [
        ("{\"role\": \"", "the cell ends in the middle of a value: the file is half-written"),
        ("{\"role\": x}", "the cell is not JSON: expected value at line 1 column 10"),
    ] {
        let file = root.join("cell.parquet");
        parquet_file(&file, ["{}", cell]);
        let (rows, faults) = answered(root, &file);
        assert_eq!(rows, ["\"a\" \"\""], "{cell}");
        assert_eq!(faults, [format!("row 2: column 'values': {message}")], "{cell}");
    }
    write(root, "no.parquet", "PAR1");
    let (rows, faults) = answered(root, &root.join("no.parquet"));
    assert!(rows.is_empty() && faults[0].starts_with("the Parquet file cannot be read: "), "{faults:?}");
}

#[test]
fn keys_with_dots_have_rows_under_their_names() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "hiera.yaml", "version: 5\nhierarchy:\n  - {name: Common, path: common.yaml}\n");
    write(folder.path(), "data/common.yaml", "host.name: web\n\"it's.dotted\": 1\n");
    write(folder.path(), "facts/n1.yaml", "role: web\n");
    let options = Options { selects_key: &|key| key.contains('.'), ..Options::default() };
    let (out, summary) = rows(folder.path(), &options, Format::Ndjson);
    let keys: Vec<String> = lines(&out).iter().map(|row| format!("{}={}", row["key"], row["value"])).collect();
    assert_eq!(keys, ["\"host.name\"=\"web\"", "\"it's.dotted\"=1"]);
    assert_eq!(summary.lookups, 2);
    let untraced = Options { origins: false, ..options };
    let (out, _) = rows(folder.path(), &untraced, Format::Ndjson);
    assert_eq!(lines(&out)[0], serde_json::json!({"node": "n1", "key": "host.name", "value": "web"}));
}
