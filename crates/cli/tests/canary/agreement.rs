//! One question has one answer: however a key is asked for, the same of it is redacted, and the rest is what the data say.
//!
//! Data are made at random. The secrets are ordinary words, numbers, `true` and nothing at all, and so is everything else: most values
//! equal a secret by coincidence. What is secret is told by an evaluation that is slow and simple.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value as Json, json};

use crate::repository::run;
use crate::service::Service;

const NODE: &str = "web01.example.com";
const COVER: &str = "Sensitive [value redacted]";
const WORDS: [&str; 8] = ["root", "80", "15432", "true", "a", "data", "7", "prod"];

/// How many repositories are asked, each in every way.
const ROUNDS: u64 = 6;

/// A part of the data.
#[derive(Clone, Debug)]
enum Tree {
    Word(&'static str),
    /// Encrypted.
    Secret(&'static str),
    Number(i64),
    Truth(bool),
    List(Vec<Tree>),
    Hash(Vec<(Key, Tree)>),
    /// A text with the value of an earlier key in it.
    Inside(String),
    Alias(String),
}

#[derive(Clone, Debug)]
enum Key {
    Word(&'static str),
    /// The value of an earlier key.
    Inside(String),
}

/// A part of an answer as it may be printed.
#[derive(Clone, Debug, PartialEq)]
enum Redacted {
    Open(Json),
    List(Vec<Redacted>),
    Hash(Vec<(String, Redacted)>),
    /// Redacted as a whole.
    Secret,
}

/// Numbers that look random and are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn word(&mut self) -> &'static str {
        WORDS[self.below(WORDS.len())]
    }

    /// A value, which may use those of earlier keys that are texts. Only one file has encrypted values.
    fn tree(&mut self, texts: &[String], depth: usize, may_encrypt: bool) -> Tree {
        let earlier = |random: &mut Random| texts[random.below(texts.len())].clone();
        match self.below(if depth == 0 { 8 } else { 12 }) {
            0 | 1 => Tree::Word(self.word()),
            2 => Tree::Number(self.word().parse().unwrap_or(15432)),
            3 => Tree::Truth(self.below(2) == 0),
            4 | 5 if may_encrypt => Tree::Secret(self.word()),
            6 if !texts.is_empty() => Tree::Inside(earlier(self)),
            7 if !texts.is_empty() => Tree::Alias(earlier(self)),
            8 | 9 => Tree::List((0..self.below(4)).map(|_| self.tree(texts, depth - 1, may_encrypt)).collect()),
            10 | 11 => self.hash(texts, depth, may_encrypt),
            _ => Tree::Word(self.word()),
        }
    }

    fn hash(&mut self, texts: &[String], depth: usize, may_encrypt: bool) -> Tree {
        let mut words: Vec<&'static str> = WORDS.to_vec();
        let mut pairs = Vec::new();
        for _ in 0..self.below(4) {
            let key = match self.below(8) {
                0 if !texts.is_empty() => Key::Inside(texts[self.below(texts.len())].clone()),
                _ => Key::Word(words.remove(self.below(words.len()))),
            };
            pairs.push((key, self.tree(texts, depth.saturating_sub(1), may_encrypt)));
        }
        Tree::Hash(pairs)
    }
}

impl Tree {
    /// As YAML, which JSON is. What is to be encrypted says so.
    fn json(&self) -> Json {
        match self {
            Tree::Word(word) => json!(word),
            Tree::Secret(word) => json!(format!("DEC::PKCS7[{word}]!")),
            Tree::Number(number) => json!(number),
            Tree::Truth(truth) => json!(truth),
            Tree::List(items) => items.iter().map(Tree::json).collect(),
            Tree::Hash(pairs) => pairs.iter().map(|(key, value)| (key.text(), value.json())).collect(),
            Tree::Inside(key) => json!(format!("x-%{{lookup('{key}')}}")),
            Tree::Alias(key) => json!(format!("%{{alias('{key}')}}")),
        }
    }

    fn has_secret_key(&self, repository: &Data) -> bool {
        match self {
            Tree::List(items) => items.iter().any(|item| item.has_secret_key(repository)),
            Tree::Hash(pairs) => {
                pairs.iter().any(|(key, value)| key.redacted(repository).is_none() || value.has_secret_key(repository))
            }
            _ => false,
        }
    }

    fn redacted(&self, repository: &Data) -> Redacted {
        match self {
            Tree::Word(word) => Redacted::Open(json!(word)),
            Tree::Secret(_) => Redacted::Secret,
            Tree::Number(number) => Redacted::Open(json!(number)),
            Tree::Truth(truth) => Redacted::Open(json!(truth)),
            Tree::List(items) => Redacted::List(items.iter().map(|item| item.redacted(repository)).collect()),
            Tree::Hash(pairs) => {
                let mut reported: Vec<(String, Redacted)> = Vec::new();
                for (key, value) in pairs {
                    let Some(key) = key.redacted(repository) else { return Redacted::Secret };
                    let value = value.redacted(repository);
                    match reported.iter_mut().find(|(known, _)| *known == key) {
                        Some((_, known)) => *known = value,
                        None => reported.push((key, value)),
                    }
                }
                Redacted::Hash(reported)
            }
            Tree::Inside(key) => match repository.inside(key) {
                Some(text) => Redacted::Open(json!(format!("x-{text}"))),
                None => Redacted::Secret,
            },
            Tree::Alias(key) => repository.redacted(key),
        }
    }
}

impl Key {
    fn text(&self) -> String {
        match self {
            Key::Word(word) => (*word).to_owned(),
            Key::Inside(key) => format!("k-%{{lookup('{key}')}}"),
        }
    }

    fn redacted(&self, repository: &Data) -> Option<String> {
        match self {
            Key::Word(word) => Some((*word).to_owned()),
            Key::Inside(key) => repository.inside(key).map(|text| format!("k-{text}")),
        }
    }
}

/// The values of keys on two levels, and how they are looked up.
struct Data {
    top: BTreeMap<String, Tree>,
    low: BTreeMap<String, Tree>,
    sensitive: Vec<String>,
    merged: Vec<String>,
}

impl Data {
    fn random(random: &mut Random) -> Data {
        let mut data = Data { top: BTreeMap::new(), low: BTreeMap::new(), sensitive: Vec::new(), merged: Vec::new() };
        let mut texts = Vec::new();
        for index in 0..6 {
            let name = format!("k{index:02}");
            let tree = if random.below(2) == 0 { Tree::Secret(random.word()) } else { Tree::Word(random.word()) };
            data.top.insert(name.clone(), tree);
            if random.below(4) == 0 {
                data.sensitive.push(name.clone());
            }
            texts.push(name);
        }
        for index in 6..20 {
            let name = format!("k{index:02}");
            match random.below(4) {
                // A hash of two levels. A merge takes no Sensitive values.
                0 => {
                    let plain: Vec<String> =
                        texts.iter().filter(|name| !data.sensitive.contains(name)).cloned().collect();
                    data.top.insert(name.clone(), random.hash(&plain, 2, true));
                    data.low.insert(name.clone(), random.hash(&plain, 2, false));
                    data.merged.push(name.clone());
                }
                1 => drop(data.low.insert(name.clone(), random.tree(&texts, 3, false))),
                _ => drop(data.top.insert(name.clone(), random.tree(&texts, 3, true))),
            }
            if random.below(6) == 0 {
                data.sensitive.push(name);
            }
        }
        data
    }

    fn keys(&self) -> Vec<String> {
        let mut keys: Vec<String> = self.top.keys().chain(self.low.keys()).cloned().collect();
        keys.sort();
        keys.dedup();
        keys
    }

    /// What is told of a key.
    fn redacted(&self, key: &str) -> Redacted {
        if self.sensitive.iter().any(|known| known == key) {
            return Redacted::Secret;
        }
        match (self.top.get(key), self.low.get(key)) {
            (Some(top), Some(low)) if self.merged.iter().any(|known| known == key) => {
                // A merge covers what a secret key is anywhere in.
                if top.has_secret_key(self) || low.has_secret_key(self) {
                    return Redacted::Secret;
                }
                match (top.redacted(self), low.redacted(self)) {
                    (Redacted::Hash(top), Redacted::Hash(mut all)) => {
                        for (name, value) in top {
                            match all.iter_mut().find(|(known, _)| *known == name) {
                                Some((_, known)) => *known = value,
                                None => all.push((name, value)),
                            }
                        }
                        Redacted::Hash(all)
                    }
                    _ => Redacted::Secret,
                }
            }
            (Some(one), _) | (None, Some(one)) => one.redacted(self),
            (None, None) => panic!("{key}"),
        }
    }

    /// The value of a key as a part of a text or a key; none if it is secret.
    fn inside(&self, key: &str) -> Option<String> {
        match &self.top[key] {
            Tree::Word(word) if !self.sensitive.iter().any(|known| known == key) => Some((*word).to_owned()),
            _ => None,
        }
    }

    fn write(&self, root: &Path) {
        let keys = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crypto/tests/keys").canonicalize().unwrap();
        let key = |name: &str| keys.join(name).display().to_string();
        let hierarchy = json!({"version": 5, "hierarchy": [
            {"name": "Top", "lookup_key": "eyaml_lookup_key", "path": "top.eyaml", "options": {
                "pkcs7_private_key": key("private_key.pkcs7.pem"), "pkcs7_public_key": key("public_key.pkcs7.pem")}},
            {"name": "Low", "path": "low.yaml"},
        ]});
        fs::create_dir_all(root.join("data")).unwrap();
        fs::write(root.join("hiera.yaml"), hierarchy.to_string()).unwrap();
        let file = |trees: &BTreeMap<String, Tree>| -> Map<String, Json> {
            trees.iter().map(|(key, tree)| (key.clone(), tree.json())).collect()
        };
        let mut low = file(&self.low);
        let mut options = Map::new();
        for key in &self.sensitive {
            options.insert(key.clone(), json!({"convert_to": "Sensitive"}));
        }
        for key in &self.merged {
            let of_key = options.entry(key.clone()).or_insert_with(|| json!({}));
            of_key["merge"] = json!("hash");
        }
        low.insert("lookup_options".into(), options.into());
        fs::write(root.join("data/low.yaml"), Json::Object(low).to_string()).unwrap();
        fs::write(root.join("data/top.plain"), Json::Object(file(&self.top)).to_string()).unwrap();
        let encrypted = run(
            root,
            &["secret", "encrypt", "-e", "data/top.plain", "--pkcs7-public-key", &key("public_key.pkcs7.pem")],
            None,
        );
        assert!(encrypted.status.success(), "{}", String::from_utf8_lossy(&encrypted.stderr));
        fs::write(root.join("data/top.eyaml"), encrypted.stdout).unwrap();
    }
}

impl Redacted {
    fn json(&self) -> Json {
        match self {
            Redacted::Open(json) => json.clone(),
            Redacted::Secret => json!(COVER),
            Redacted::List(items) => items.iter().map(Redacted::json).collect(),
            Redacted::Hash(pairs) => pairs.iter().map(|(key, value)| (key.clone(), value.json())).collect(),
        }
    }

    /// Whether the plain answer of the reference is the same, but for what is secret.
    fn agrees(&self, plain: &Json) -> bool {
        match (self, plain) {
            (Redacted::Secret, _) => true,
            (Redacted::Open(reported), plain) => reported == plain,
            (Redacted::List(items), Json::Array(plain)) => {
                items.len() == plain.len() && items.iter().zip(plain).all(|(item, plain)| item.agrees(plain))
            }
            (Redacted::Hash(pairs), Json::Object(plain)) => {
                pairs.len() == plain.len()
                    && pairs.iter().all(|(key, value)| plain.get(key).is_some_and(|plain| value.agrees(plain)))
            }
            _ => false,
        }
    }
}

fn printed(root: &Path, arguments: &[&str]) -> String {
    let arguments = [arguments, &["--environment-dir", "."]].concat();
    let output = run(root, &arguments, None);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    assert!(output.stderr.is_empty(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// What is printed by a verb that names its environments itself.
fn succeeded(root: &Path, arguments: &[&str]) -> String {
    let output = run(root, arguments, None);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn name_of(key: &Json) -> String {
    key["key"].as_str().unwrap().to_owned()
}

/// The value whose parts are at these paths.
fn assembled(parts: impl Iterator<Item = (Json, Json)>) -> Json {
    let mut whole = Json::Null;
    for (path, value) in parts {
        let mut at = &mut whole;
        for step in path.as_array().unwrap() {
            at = match step {
                Json::Number(number) => {
                    let index = usize::try_from(number.as_u64().unwrap()).unwrap();
                    if !at.is_array() {
                        *at = json!([]);
                    }
                    let items = at.as_array_mut().unwrap();
                    items.resize(items.len().max(index + 1), Json::Null);
                    &mut items[index]
                }
                step => {
                    if !at.is_object() {
                        *at = json!({});
                    }
                    at.as_object_mut().unwrap().entry(step.as_str().unwrap()).or_insert(Json::Null)
                }
            };
        }
        *at = value;
    }
    whole
}

/// The texts in two columns of a Parquet file.
fn texts_of(table: &Path, columns: [&str; 2]) -> Vec<[String; 2]> {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    let reader = SerializedFileReader::new(fs::File::open(table).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap().map(Result::unwrap);
    let text =
        |row: &parquet::record::Row, expected: &str| match row.get_column_iter().find(|(name, _)| *name == expected) {
            Some((_, Field::Str(text))) => text.clone(),
            other => panic!("{expected}: {other:?}"),
        };
    rows.map(|row| columns.map(|column| text(&row, column))).collect()
}

fn json_of(root: &Path, arguments: &[&str]) -> Json {
    let all = [arguments, &["--node", NODE, "--render-as", "json"]].concat();
    serde_json::from_str(&printed(root, &all)).unwrap()
}

/// The cells of the lines of a CSV file.
fn cells(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => cell.extend(letters.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            '\r' if !quoted => {}
            other => cell.push(other),
        }
    }
    rows
}

#[test]
fn one_question_has_one_answer() {
    for round in 0..ROUNDS {
        let mut random = Random(round);
        let data = Data::random(&mut random);
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("environments/production");
        data.write(&root);
        let keys = data.keys();
        let reported: BTreeMap<&str, Redacted> = keys.iter().map(|key| (key.as_str(), data.redacted(key))).collect();
        let expected: Json = reported.iter().map(|(key, reported)| ((*key).to_owned(), reported.json())).collect();
        let names: Vec<&str> = keys.iter().map(String::as_str).collect();
        let case = || format!("round {round} in {}", fs::read_to_string(root.join("data/low.yaml")).unwrap());

        assert_eq!(json_of(&root, &["lookup", "--all"]), expected, "--all: {}", case());
        assert_eq!(json_of(&root, &[&["lookup", "--each"], &names[..]].concat()), expected, "--each: {}", case());
        for (key, reported) in &reported {
            let plain = json_of(&root, &["lookup", key]);
            assert!(reported.agrees(&plain), "{key}: {reported:?} and {plain}: {}", case());
            for way in ["--origins", "--why"] {
                let answer = json_of(&root, &["lookup", key, way]);
                assert_eq!(answer["value"], expected[*key], "{way} of {key}: {}", case());
            }
        }

        // What is redacted in texts is as many times redacted.
        let covers = |text: &str| text.matches(COVER).count();
        for format in ["yaml", "s"] {
            let text = printed(&root, &["lookup", "--all", "--node", NODE, "--render-as", format]);
            assert_eq!(covers(&text), covers(&expected.to_string()), "{format}: {text}: {}", case());
        }

        let facts = folder.path().join("facts");
        fs::create_dir(&facts).unwrap();
        fs::write(facts.join(format!("{NODE}.json")), "{\"user\": \"root\"}").unwrap();
        let facts = facts.to_str().unwrap();
        let rows = printed(&root, &["lookup", "--all", "--nodes", facts, "--render-as", "ndjson"]);
        let rows: Vec<Json> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let answers: Json =
            rows.iter().map(|row| (row["key"].as_str().unwrap().to_owned(), row["value"].clone())).collect();
        assert_eq!(answers, expected, "ndjson: {}", case());
        let rows = cells(&printed(&root, &["lookup", "--all", "--nodes", facts, "--render-as", "csv"]));
        let column = |name: &str| rows[0].iter().position(|title| title == name).unwrap();
        let (of_key, of_value) = (column("key"), column("value"));
        let answers: Json = rows[1..]
            .iter()
            .map(|row| (row[of_key].clone(), serde_json::from_str(&row[of_value]).unwrap_or(json!(row[of_value]))))
            .collect();
        assert_eq!(answers, expected, "csv: {}", case());
        let table = folder.path().join("rows.parquet");
        printed(&root, &["lookup", "--all", "--nodes", facts, "--output", table.to_str().unwrap()]);
        let answers: Json = texts_of(&table, ["key", "value"])
            .into_iter()
            .map(|[key, value]| (key, serde_json::from_str(&value).unwrap_or(json!(value))))
            .collect();
        assert_eq!(answers, expected, "parquet: {}", case());

        // Beside what has no data, every key differs, on one side or the other.
        let empty = folder.path().join("environments/empty");
        fs::create_dir_all(&empty).unwrap();
        fs::write(empty.join("hiera.yaml"), "version: 5\nhierarchy: []\n").unwrap();
        let path = folder.path().join("environments");
        for (from, to, side) in [("production", "empty", "left"), ("empty", "production", "right")] {
            let names = ["--environmentpath", path.to_str().unwrap(), "--environment", from, "--to-environment", to];
            let text = succeeded(&root, &[&["compare", NODE, "--render-as", "json"], &names[..]].concat());
            let compared: Json = serde_json::from_str(&text).unwrap();
            let of_side =
                |part: &Json| (!part[side].is_null()).then(|| (part["path"].clone(), part[side]["value"].clone()));
            let answers: Json = compared["differ"]
                .as_array()
                .unwrap()
                .iter()
                .map(|key| (name_of(key), assembled(key["parts"].as_array().unwrap().iter().filter_map(of_side))))
                .collect();
            assert_eq!(answers, expected, "compare, {side}: {}", case());
            assert_eq!(compared["equal"], 0);
        }
        // The key lies outside of both.
        for (folder, against, side) in [(&root, &empty, "head"), (&empty, &root, "base")] {
            let folders = ["--environment-dir", folder.to_str().unwrap(), "--against", against.to_str().unwrap()];
            let text = succeeded(
                &root,
                &[&["diff", "--facts", facts, "--format", "json", "--allow-outside"], &folders[..]].concat(),
            );
            let compared: Json = serde_json::from_str(&text).unwrap();
            let of_side = |part: &Json| (part["side"] == side).then(|| (part["path"].clone(), part["value"].clone()));
            let answers: Json = compared["groups"]
                .as_array()
                .unwrap()
                .iter()
                .flat_map(|group| group["changes"].as_array().unwrap())
                .map(|key| (name_of(key), assembled(key["parts"].as_array().unwrap().iter().filter_map(of_side))))
                .collect();
            assert_eq!(answers, expected, "diff, {side}: {}", case());
        }

        // Files that were written only just now are waited for.
        std::thread::sleep(std::time::Duration::from_millis(60));
        let environments = folder.path().join("environments");
        let service =
            Service::start(folder.path(), &["--environmentpath", environments.to_str().unwrap(), "--facts", facts]);
        for origins in [false, true] {
            let body = json!({"node": NODE, "keys": names, "origins": origins});
            let answer: Json = serde_json::from_str(&service.post("/v1/lookup", &body.to_string()).text).unwrap();
            let answers = answer["answers"].as_array().unwrap();
            let answers: Json =
                answers.iter().map(|one| (one["key"].as_str().unwrap().to_owned(), one["value"].clone())).collect();
            assert_eq!(answers, expected, "the service: {}", case());
        }
    }
}
