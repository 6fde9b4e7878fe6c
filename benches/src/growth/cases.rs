//! The cases: what grows, from which size on, and the verbs that are asked.

use std::io;

use super::repository::{Parts, Repository, node};

/// A case.
pub(crate) struct Case {
    /// What grows.
    pub(crate) grows: &'static str,
    /// The first size.
    pub(crate) size: usize,
    /// Writes a repository of a size.
    pub(crate) write: fn(&Repository, usize) -> io::Result<()>,
    /// The verbs with their arguments, between single spaces. `{size}` is the size.
    pub(crate) verbs: &'static [&'static str],
}

/// All cases.
pub(crate) const ALL: &[Case] = &[
    Case {
        grows: "keys",
        size: 2_000,
        write: |repository, size| repository.base(&Parts { keys: size, ..Parts::default() }),
        verbs: &[
            "lookup --all --node n000000.example.com --facts facts.ndjson",
            "check --hygiene --facts facts.ndjson",
            "check --unused",
            "refactor rename k::k2 k::new --nodes facts.ndjson",
            "refactor prune --nodes facts.ndjson",
        ],
    },
    Case {
        grows: "nodes, each with its file",
        size: 500,
        write: |repository, size| repository.base(&Parts { nodes: size, files: size, ..Parts::default() }),
        verbs: &[
            "affected data/nodes --nodes facts.ndjson",
            "check --facts facts.ndjson",
            "check --hygiene --facts facts.ndjson",
            "check --catalogs --facts facts.ndjson",
            "lookup --all --nodes facts.ndjson",
            "refactor prune --nodes facts.ndjson",
        ],
    },
    Case {
        grows: "nodes without files",
        size: 1_000,
        write: |repository, size| repository.base(&Parts { nodes: size, ..Parts::default() }),
        verbs: &["check --facts facts.ndjson", "lookup --all --nodes facts.ndjson"],
    },
    Case {
        grows: "nodes, each with other keys",
        size: 500,
        write: |repository, size| {
            repository.base(&Parts { nodes: size, files: size, ..Parts::default() })?;
            (0..size).try_for_each(|index| {
                repository.append(&format!("data/nodes/{}.yaml", node(index)), &format!("own::k{index}: 1\n"))
            })
        },
        verbs: &["affected data/nodes --nodes facts.ndjson", "check --hygiene --facts facts.ndjson"],
    },
    Case {
        grows: "levels",
        size: 50,
        write: |repository, size| repository.base(&Parts { levels: size, ..Parts::default() }),
        verbs: &[
            "lookup deep::k --node n000000.example.com --facts facts.ndjson",
            "lookup --all --nodes facts.ndjson",
            "check",
            "check --hygiene --facts facts.ndjson",
            "refactor prune --nodes facts.ndjson",
        ],
    },
    Case {
        grows: "files of a glob",
        size: 200,
        write: |repository, size| {
            repository.base(&Parts::default())?;
            repository.hierarchy("  - {name: Parts, glob: 'g/*.yaml'}\n")?;
            let write = |index: usize| {
                repository.write(&format!("data/g/{index}.yaml"), &format!("g::k{index}: {index}\nk::k1: {index}\n"))
            };
            (0..size).try_for_each(write)
        },
        verbs: &[
            "lookup --all --nodes facts.ndjson",
            "check",
            "check --hygiene --facts facts.ndjson",
            "affected data/g/1.yaml --nodes facts.ndjson",
        ],
    },
    Case {
        grows: "options of keys",
        size: 500,
        write: |repository, size| {
            repository.base(&Parts::default())?;
            let option = |index: usize| format!("  opt::k{index}: {{merge: deep}}\n");
            let key = |index: usize| format!("opt::k{index}: {{a: {index}}}\n");
            let (options, keys): (String, String) = ((0..size).map(option).collect(), (0..size).map(key).collect());
            repository.write("data/roles/r0.yaml", &format!("lookup_options:\n{options}{keys}"))
        },
        verbs: &["check", "check --hygiene --facts facts.ndjson", "lookup --all --nodes facts.ndjson"],
    },
    Case {
        grows: "patterns in options",
        size: 500,
        write: |repository, size| {
            repository.base(&Parts::default())?;
            let option = |index: usize| format!("  '^rx{index}::.*': {{merge: unique}}\n");
            let key = |index: usize| format!("rx{index}::k: [{index}]\n");
            let (options, keys): (String, String) = ((0..size).map(option).collect(), (0..size).map(key).collect());
            repository.write("data/roles/r0.yaml", &format!("lookup_options:\n{options}{keys}"))
        },
        verbs: &[
            "check",
            "check --hygiene --facts facts.ndjson",
            "lookup --all --nodes facts.ndjson",
            "affected data/roles --nodes facts.ndjson",
        ],
    },
    Case {
        grows: "a chain of lookup()",
        size: 110,
        write: |repository, size| {
            repository.base(&Parts::default())?;
            let link = |index: usize| format!("chain::k{}: \"%{{lookup('chain::k{index}')}}\"\n", index + 1);
            repository.append("data/common.yaml", "chain::k0: end\n")?;
            repository.append("data/common.yaml", &(0..size).map(link).collect::<String>())
        },
        verbs: &[
            "lookup --all --node n000000.example.com --facts facts.ndjson",
            "lookup --all --nodes facts.ndjson",
            "check --facts facts.ndjson",
        ],
    },
    Case {
        grows: "keys that mention a key",
        size: 1_000,
        write: |repository, size| {
            repository.base(&Parts::default())?;
            let key = |index: usize| format!("u::k{index}: \"%{{lookup('k::k2')}}\"\n");
            repository.append("data/common.yaml", &(0..size).map(key).collect::<String>())
        },
        verbs: &["refactor rename k::k2 k::new --nodes facts.ndjson", "check", "lookup --all --nodes facts.ndjson"],
    },
    Case {
        grows: "entries that repeat others",
        size: 1_000,
        write: |repository, size| {
            repository.base(&Parts { keys: size, ..Parts::default() })?;
            let key = |index: usize| format!("k::k{index}: 'value {index}'\n");
            repository.write("data/l/0.yaml", &(0..size).map(key).collect::<String>())
        },
        verbs: &["refactor prune --nodes facts.ndjson", "check --hygiene --facts facts.ndjson"],
    },
    Case {
        grows: "parameters of a class",
        size: 250,
        write: |repository, size| {
            repository.base(&Parts { nodes: 20, ..Parts::default() })?;
            let parameter = |index: usize| format!("  $p{index} = {index},\n");
            let key = |index: usize| format!("m::u::p{index}: {index}\n");
            let (parameters, keys): (String, String) =
                ((0..size).map(parameter).collect(), (0..size).map(key).collect());
            repository.write("modules/m/manifests/u.pp", &format!("# A class.\nclass m::u (\n{parameters}) {{}}\n"))?;
            repository.append("data/common.yaml", &keys)?;
            repository.write("manifests/site.pp", "include m::u\n")
        },
        verbs: &["check --catalogs --facts facts.ndjson", "types --nodes facts.ndjson", "schema"],
    },
    Case {
        grows: "promises",
        size: 200,
        write: |repository, size| {
            repository.base(&Parts { keys: size, nodes: 20, ..Parts::default() })?;
            let promise = |index: usize| format!("p{index}:\n  key: k::k{index}\n  type: String\n");
            repository.write("promises/forms.yaml", &(0..size).map(promise).collect::<String>())
        },
        verbs: &["check --facts facts.ndjson"],
    },
    Case {
        grows: "commits",
        size: 200,
        write: |repository, size| {
            repository.base(&Parts::default())?;
            repository.commit()?;
            (0..size).try_for_each(|index| {
                repository.write("data/roles/r0.yaml", &format!("role::k: {}\nother: {index}\n", index / 50))?;
                repository.commit()
            })
        },
        verbs: &[
            "history role::k --node n000000.example.com --facts facts.ndjson",
            "history k::k3 --node n000000.example.com --facts facts.ndjson",
        ],
    },
    Case {
        grows: "comments of a job",
        size: 5_000,
        write: |repository, size| {
            let comment = |index: usize| format!("# Comment {index}.\n");
            let comments: String = (0..size).map(comment).collect();
            repository.write("job.nomad.hcl", &format!("{comments}job \"a\" {{\n  group \"g\" {{\n    task \"t\" {{\n      driver = \"docker\"\n      config {{\n        image = \"i\"\n      }}\n    }}\n  }}\n}}\n"))
        },
        verbs: &["job job.nomad.hcl --to hcl"],
    },
    Case {
        grows: "groups of a job",
        size: 500,
        write: |repository, size| {
            let group = |image: &'static str| {
                move |index: usize| {
                    format!(
                        "  group \"g{index}\" {{\n    task \"t\" {{\n      driver = \"docker\"\n      config {{\n        image = \"{image}\"\n      }}\n    }}\n  }}\n"
                    )
                }
            };
            for (name, image) in [("old", "i"), ("job", "j")] {
                let groups: String = (0..size).map(group(image)).collect();
                repository.write(&format!("{name}.nomad.hcl"), &format!("job \"a\" {{\n{groups}}}\n"))?;
            }
            Ok(())
        },
        verbs: &[
            "job job.nomad.hcl --diff old.nomad.hcl",
            "job job.nomad.hcl --validate",
            "job job.nomad.hcl --to hcl",
        ],
    },
];
