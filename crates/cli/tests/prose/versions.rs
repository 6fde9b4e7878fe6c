//! The page of what differs between versions of Puppet, made from the recorded answers.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::pages;
use crate::program::current;

/// A difference: how to recognize it, and what the table says.
struct Difference {
    /// Whether the answers of 7 and 8 to a case, each as JSON, differ by it.
    is_it: fn(&str, &str) -> bool,
    what: &'static str,
    in_7: &'static str,
    in_8: &'static str,
}

/// What differs between 8 and 9: how to recognize it in the answers of 8 and 9, and what the table says.
const DIFFERENCES_IN_9: &[Difference] = &[
    Difference {
        is_it: |eight, nine| eight.contains("8.28.1") && nine.contains("9.0.0-beta2"),
        what: "the version of the server in `server_facts`",
        in_7: "`8.28.1`",
        in_8: "`9.0.0-beta2`",
    },
    Difference {
        is_it: |_, nine| nine.contains("docs.openvoxproject.org"),
        what: "the warning that `hiera` and its kind are deprecated",
        in_7: "names the documentation of 8",
        in_8: "names the documentation of OpenVox",
    },
    Difference {
        is_it: |eight, _| eight.contains("encoding argument has been ignored") || eight.contains("regsubst("),
        what: "the encoding of `regsubst`",
        in_7: "a warning",
        in_8: "an error; messages about other arguments do not list it",
    },
    Difference {
        is_it: |eight, nine| {
            eight.contains("by Puppet") && nine.contains("by OpenVox") || nine.contains("version of OpenVox")
        },
        what: "messages about what is reserved or not supported",
        in_7: "name Puppet",
        in_8: "name OpenVox",
    },
    Difference {
        is_it: |eight, _| eight.contains("data_provider") || eight.contains("data_binding_terminus"),
        what: "the settings `environment_data_provider` and `data_binding_terminus`",
        in_7: "known",
        in_8: "not known",
    },
];

/// All differences; the first that applies explains a case.
const DIFFERENCES: &[Difference] = &[
    Difference {
        is_it: |_, eight| eight.contains("must be a literal type"),
        what: "a class parameter whose type contains more than literals: `Integer[1 + 1]`",
        in_7: "nothing",
        in_8: "a warning",
    },
    Difference {
        is_it: |seven, eight| eight.contains("declared more than once") && seven.contains("declared more than once"),
        what: "a literal key twice in a hash",
        in_7: "a warning",
        in_8: "an error",
    },
    Difference {
        is_it: |_, eight| eight.contains("declared more than once"),
        what: "a negative number or a type twice as a literal key: `{-1 => a, -1 => b}`",
        in_7: "nothing",
        in_8: "an error; types with equal parameters count as equal",
    },
    Difference {
        is_it: |seven, eight| {
            eight.contains("Undefined variable '")
                || seven.contains("Undefined variable '") && eight.contains("\"exit\":1")
        },
        what: "an unknown variable in data, or in a `datadir` or option of `hiera.yaml`",
        in_7: "a warning, and the empty string",
        in_8: "an error",
    },
    Difference {
        is_it: |seven, eight| {
            // Recorded lookups of what the server says of itself have keys that begin with `sf`.
            seven.contains("the variable of sf")
                || eight.contains("server") && !eight.contains("\"error\":{") && !seven.contains("Undefined")
        },
        what: "`server_facts` and `serverversion` in a lookup",
        in_7: "empty",
        in_8: "known",
    },
    Difference {
        is_it: |_, eight| eight.contains("Interpolation failed with"),
        what: "an unknown variable in a path, glob, URI or mapped path of `hiera.yaml` (version 5)",
        in_7: "the warning `Undefined variable`",
        in_8: "the warning `Interpolation failed`, even if `strict` is `error`",
    },
    Difference {
        is_it: |seven, eight| seven.contains("Undefined variable '") && eight.contains("\"error\":null"),
        what: "an unknown variable in data for which the caller of `lookup` gives a default (`default_values_hash`)",
        in_7: "a warning, and the default",
        in_8: "the default",
    },
    Difference {
        is_it: |seven, eight| seven.contains("Unknown variable: '") || eight.contains("Unknown variable: '"),
        what: "an unknown variable in code, including functions that are backends",
        in_7: "a warning, and `undef`",
        in_8: "an error",
    },
    Difference {
        is_it: |_, eight| eight.contains("was automatically coerced to the numerical value"),
        what: "a string in arithmetic or as an index: `'1' + 1`",
        in_7: "a warning, and the number",
        in_8: "an error",
    },
    Difference {
        is_it: |seven, _| seven.contains("does not contain a valid yaml hash"),
        what: "a data file that contains no hash",
        in_7: "a warning",
        in_8: "an error, unless the file is empty",
    },
    Difference {
        is_it: |seven, _| seven.contains("hiera.yaml version 3 found at the environment root was ignored"),
        what: "a `hiera.yaml` of version 3 in an environment",
        in_7: "ignored, with a warning",
        in_8: "an error",
    },
    Difference {
        is_it: |_, eight| eight.contains("must use keys qualified with the name of the module; got "),
        what: "the warning about keys without their module's name",
        in_7: "does not name the key",
        in_8: "names the key",
    },
    Difference {
        is_it: |seven, _| seven.contains("max(") || seven.contains("min("),
        what: "`max` and `min` of versions, Timespans and Timestamps",
        in_7: "compare them as strings, with a warning",
        in_8: "compare the values",
    },
    Difference {
        is_it: |_, eight| eight.contains("encoding argument has been ignored"),
        what: "the encoding of `regsubst`",
        in_7: "nothing",
        in_8: "a warning",
    },
    Difference {
        is_it: |seven, _| seven.contains("split(") || seven.contains("regsubst("),
        what: "`split` and `regsubst` of Sensitive strings",
        in_7: "an error",
        in_8: "a Sensitive result; the messages about other arguments list more signatures",
    },
    Difference {
        is_it: |_, eight| eight.contains("wrong array length at"),
        what: "arrays of other than two elements added to a hash: `{a => 1} + [[b]]`",
        in_7: "`undef` for a missing value",
        in_8: "an error",
    },
    Difference {
        is_it: |_, eight| eight.contains("deprecated_language.html"),
        what: "the warning that `hiera` and its kind are deprecated",
        in_7: "names the documentation of 7",
        in_8: "names the documentation of 8",
    },
];

/// The text before the tables of the page.
const INTRODUCTION: &str = "<!-- Made from conformance/ by `HIERATIC_UPDATE=1 cargo test -p hieratic-cli --test prose`. Do not edit. -->
# What differs between versions of Puppet

The same questions were asked of Puppet 7.23, OpenVox 8.28 and OpenVox 9.0.0-beta2. `--puppet-version` and the setting `puppet_version`
[choose one](puppet.md#puppet-7-8-and-9); `hieratic check --target-version` reports [what another one makes wrong](../guides/upgrade.md).
A difference has the shortest recorded program that shows it, where there is one.
";

/// The longest program that is shown, in characters.
const LONGEST: usize = 60;

/// The recorded questions that show a difference.
#[derive(Clone, Default)]
struct Shortest {
    count: usize,
    /// The shortest program that shows it.
    program: Option<String>,
}

impl Shortest {
    fn add(&mut self, case: &Value) {
        self.count += 1;
        let length = |program: &str| program.chars().count();
        let Some(program) = case["code"].as_str() else { return };
        // A table has lines, and a bar ends a cell.
        let is_plain = length(program) <= LONGEST && !program.contains(['\n', '|', '`']);
        if is_plain && self.program.as_deref().is_none_or(|other| length(program) < length(other)) {
            self.program = Some(program.to_owned());
        }
    }
}

/// A table of differences.
fn table(before: &str, after: &str, differences: &[Difference], shown: &[Shortest]) -> String {
    let mut table = format!("\n| | {before} | {after} | questions | for example |\n|---|---|---|---|---|\n");
    for (difference, Shortest { count, program }) in differences.iter().zip(shown).filter(|(_, shown)| shown.count > 0)
    {
        let Difference { what: subject, in_7, in_8, .. } = difference;
        let program = program.as_ref().map_or_else(String::new, |program| format!("`{}`", program.trim()));
        table.push_str(&format!("| {subject} | {in_7} | {in_8} | {count} | {program} |\n"));
    }
    table
}

fn cases(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The files of recorded cases, each with what a version answers otherwise than 7.
fn recorded(version: &str) -> Vec<(Vec<Value>, Vec<Value>)> {
    let conformance = pages::root().join("conformance");
    let entries = |folder: &str| {
        let entries = fs::read_dir(conformance.join(folder)).unwrap();
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let scenarios = entries("hiera").into_iter().filter(|path| path.is_dir());
    let topics = entries("puppet").into_iter().filter(|path| path.extension().is_some_and(|end| end == "jsonl"));
    let of_scenarios = scenarios.flat_map(|path| {
        let later = |name: String| cases(&path.join(name));
        let programs = (cases(&path.join("programs.jsonl")), later(format!("on-{version}/programs.jsonl")));
        [(cases(&path.join("cases.jsonl")), later(format!("on-{version}.jsonl"))), programs]
    });
    let of_topics = topics.map(|path| {
        let later = path.parent().unwrap().join(format!("on-{version}")).join(path.file_name().unwrap());
        (cases(&path), cases(&later))
    });
    of_scenarios.chain(of_topics).collect()
}

/// The table of what differs between 8 and 9.
fn table_of_9() -> String {
    let mut shown = vec![Shortest::default(); DIFFERENCES_IN_9.len()];
    let mut unexplained = Vec::new();
    for ((before, on_8), (_, on_9)) in recorded("8").into_iter().zip(recorded("9")) {
        for seven in &before {
            let on = |cases: &[Value]| cases.iter().find(|case| case["id"] == seven["id"]).cloned();
            let whole = |later: Option<Value>| {
                let mut case = seven.as_object().unwrap().clone();
                case.extend(later.iter().flat_map(|later| later.as_object().unwrap().clone()));
                Value::Object(case).to_string()
            };
            let (eight, nine) = (whole(on(&on_8)), whole(on(&on_9)));
            if eight == nine {
                continue;
            }
            match DIFFERENCES_IN_9.iter().position(|difference| (difference.is_it)(&eight, &nine)) {
                Some(at) => shown[at].add(seven),
                None => unexplained.push(seven["id"].clone()),
            }
        }
    }
    assert!(unexplained.is_empty(), "no row of the table says why these differ in 9: {unexplained:?}");
    let all: usize = shown.iter().map(|shown| shown.count).sum();
    let text = format!(
        "\n## Between 8 and 9\n\n{all} of the questions have another answer in 9 than in 8. Catalogs are equal in all three.\n"
    );
    text + &table("8", "9", DIFFERENCES_IN_9, &shown)
}

#[test]
fn the_table_of_versions_equals_the_records() {
    let mut shown = vec![Shortest::default(); DIFFERENCES.len()];
    let (mut all, mut unexplained) = (0, Vec::new());
    for (before, after) in recorded("8") {
        all += before.len();
        for eight in after {
            let seven = before.iter().find(|case| case["id"] == eight["id"]).unwrap();
            let (old, new) = (seven.to_string(), eight.to_string());
            match DIFFERENCES.iter().position(|difference| (difference.is_it)(&old, &new)) {
                Some(at) => shown[at].add(seven),
                None => unexplained.push(eight["id"].clone()),
            }
        }
    }
    assert!(unexplained.is_empty(), "no row of the table says why these differ: {unexplained:?}");
    for (difference, shown) in DIFFERENCES.iter().zip(&shown) {
        assert!(shown.count > 0, "nothing recorded shows this: {}", difference.what);
    }
    let different: usize = shown.iter().map(|shown| shown.count).sum();
    let between =
        format!("\n## Between 7 and 8\n\nOf {all} recorded questions, {different} have a different answer in 8:\n");
    let page = [INTRODUCTION, &between, &table("7", "8", DIFFERENCES, &shown), &table_of_9()].concat();
    current("docs/differences/versions.md", &page);
}
