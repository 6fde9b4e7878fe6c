//! Promises: the examples of the documentation, kept and broken, and invalid ones.

use crate::support::{HIERA, found_with};

/// The examples of `docs/promises.md`: the file of each, and its text.
fn examples() -> Vec<(String, String)> {
    let page = include_str!("../../../../docs/promises.md");
    let page = page.split_once("## Twenty examples").unwrap().1;
    let blocks = page.split("```").skip(1).step_by(2);
    blocks
        .map(|block| {
            let (_, text) = block.split_once('\n').unwrap();
            let (first, _) = text.split_once('\n').unwrap();
            (first.strip_prefix("# ").unwrap().to_owned(), text.to_owned())
        })
        .collect()
}

/// Nodes with a role, a site, a stage and a host.
const NODES: [(&str, &str); 2] = [
    ("facts/web01.yaml", "role: web\nsite: x\nstage: prod\nhost: h1\n"),
    ("facts/db01.yaml", "role: cluster\nsite: x\nstage: prod\nhost: h1\n"),
];

const KEPT: &str = "
web::port: 80
app::port: 8080
db::password: ENC[PKCS7,MIIBeQ==]
site::stage: prod
web::certificate: /etc/ssl/web.pem
app::log_level: info
ntp::servers: [a, b]
vm::memory: 32
cluster::votes: 3
app::version: 1.2.3
site::owner: jane@example.com
app::url: https://example.com
app::soft_limit: 1
app::hard_limit: 2
backup::hour: 3
site::users: {a: {uid: 1}, b: {uid: 2}}
";
const KEPT_WEB: &str = "net::address: 10.0.0.1\nnet::vlan: 1\n";
const KEPT_DB: &str = "net::address: 10.0.0.2\nnet::vlan: 2\n";

const BROKEN: &str = "
web::port: 0
app::port: 80
db::password: changeme
site::stage: production
app::log_level: debug
app::legacy_mode: true
vm::memory: 33
cluster::votes: 2
app::version: latest
app::url: http://example.com
app::soft_limit: 3
app::hard_limit: 2
backup::hour: 12
site::users: {a: {uid: 1}, b: {uid: 1}}
";
const BROKEN_WEB: &str = "net::address: 10.0.0.1\nnet::vlan: 1\nntp::servers: [a]\nsite::owner: nobody\n";
const BROKEN_DB: &str = "net::address: 10.0.0.1\nnet::vlan: 1\nntp::servers: [b]\n";

fn broken(promises: &[(String, String)], [common, web, db]: [&str; 3]) -> Vec<String> {
    let mut files = vec![HIERA, NODES[0], NODES[1]];
    files.push(("data/common.yaml", common));
    files.push(("data/nodes/web01.yaml", web));
    files.push(("data/nodes/db01.yaml", db));
    files.extend(promises.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    let all = found_with(&files, |_| {});
    all.into_iter().filter(|text| text.contains("-promise ") || text.starts_with("manifest")).collect()
}

#[test]
fn the_examples_have_kept_and_broken_promises() {
    let examples = examples();
    assert_eq!(examples.len(), 20);
    let nothing: [&str; 0] = [];
    assert_eq!(broken(&examples, [KEPT, KEPT_WEB, KEPT_DB]), nothing);
    for example in &examples {
        let reported = broken(std::slice::from_ref(example), [BROKEN, BROKEN_WEB, BROKEN_DB]);
        assert!(
            !reported.is_empty() && reported.iter().all(|text| text.starts_with("broken-promise ")),
            "{example:?}: {reported:?}"
        );
    }
    let all = broken(&examples, [BROKEN, BROKEN_WEB, BROKEN_DB]);
    for expected in [
        "broken-promise data/common.yaml:2 ports are valid: the value of 'web::port' is not of the type Integer[1, 65535]",
        "broken-promise data/common.yaml:4 secrets are encrypted: the value of 'db::password' is not encrypted",
        "broken-promise promises/certificates.yaml:2 web servers have certificates: there is no value for 'web::certificate'",
        "broken-promise data/common.yaml:7 the legacy mode is gone: remove it, the option is ignored since 2.0 (there is",
        "addresses are unique: 2 nodes have the same value of 'net::address': db01, web01",
        "memory is not oversold: the values of 'vm::memory' add up to 66 in 'h1', not to a number of at most 64",
        "broken-promise data/common.yaml:12 the hard limit is above the soft limit: 3 is more than 2",
        "broken-promise data/common.yaml:14 backups run at night: hour 12 is in the day",
    ] {
        assert!(all.iter().any(|text| text.contains(expected)), "{expected}: {all:#?}");
    }
}

fn check_promise(promise: &str) -> Vec<String> {
    let files = [HIERA, ("data/common.yaml", "a: 1\nb: x\n"), ("promises/a.yaml", promise)];
    found_with(&files, |_| {}).into_iter().filter(|text| text.contains("-promise ")).collect()
}

#[test]
fn invalid_promises_have_a_reason() {
    for (promise, expected) in [
        ("p: 1\n", "it is not a hash"),
        ("p: {type: Integer}\n", "'key' is missing"),
        ("p: {key: a}\n", "it requires nothing"),
        ("p: {key: a, typ: Integer}\n", "did you mean 'type'?"),
        ("p: {key: a, type: 'Integer['}\n", "is not a known type"),
        ("p: {key: a, matches: '('}\n", "is not a valid pattern"),
        ("p: {key: a, range: 1}\n", "[least, most]"),
        ("p: {key: a, sum: {by: x}}\n", "neither 'least' nor 'most'"),
        ("p: {key: a, required: yes please}\n", "neither true nor false"),
        ("p: {key: a, severity: bad, required: true}\n", "is not a severity"),
        ("p: {key: a, unique: {of: x}}\n", "has no 'of'"),
    ] {
        let reported = check_promise(promise);
        assert!(
            matches!(reported.as_slice(), [only] if only.starts_with("invalid-promise promises/a.yaml:1") && only.contains(expected)),
            "{promise}: {reported:?}"
        );
    }
}

#[test]
fn without_nodes_only_values_are_checked() {
    assert_eq!(
        check_promise(
            "p: {key: a, range: [2, ~]}\nq: {key: c, required: true}\nr: {key: a, range: [0, 1], where: 'facts.x'}\n"
        ),
        [
            "broken-promise data/common.yaml:1 p: the value of 'a' is not a number of at least 2",
            "unchecked-promise promises/a.yaml:2 2 promises were not checked: no nodes are given",
        ]
    );
    assert!(
        check_promise("p: {key: '*', range: [0, 9]}\n")
            .iter()
            .any(|text| text.contains("the value of 'b' is not a number between 0 and 9"))
    );
}

#[test]
fn failing_functions_are_reported_once() {
    let files = [
        HIERA,
        NODES[0],
        NODES[1],
        ("data/common.yaml", "a: 1\n"),
        (
            "promises/a.pp",
            "function helper($x) { $x }\nfunction fails() { fail('no') }\nfunction lies() { helper(false) }\n",
        ),
    ];
    let reported: Vec<String> =
        found_with(&files, |_| {}).into_iter().filter(|text| text.contains("-promise ")).collect();
    assert_eq!(reported.len(), 2, "{reported:?}");
    assert!(
        reported[0].starts_with("invalid-promise promises/a.pp:2 The promise 'fails' fails: Evaluation Error: "),
        "{reported:?}"
    );
    assert_eq!(reported[1], "broken-promise promises/a.pp:3 lies: it does not hold");
}

/// A repository may state any number of promises: their product with keys and nodes ends at the limits, which one
/// finding reports.
#[test]
fn expensive_promises_end_at_the_limits() {
    let keys: String = (0..400).map(|number| format!("k{number}: v\n")).collect();
    let stated = |promise: &str| -> String { (0..400).map(|number| format!("p{number}: {promise}\n")).collect() };
    let long = format!("{{key: '{}', required: true}}", "k*".repeat(2_000));
    let pattern = "{key: '*', matches: '(?=a)(a+)+\\1$'}";
    let subjects: String = (0..200).map(|number| format!("k{number}: {}!\n", "a".repeat(400))).collect();
    let elements = format!("k: [{}]\n", (0..20_000).map(|number| number.to_string()).collect::<Vec<_>>().join(", "));
    let functions =
        |body: &str| -> String { (0..400).map(|number| format!("function f{number}() {{ {body} }}\n")).collect() };
    let cases: [(&str, &str, String); 10] = [
        (&keys, "yaml", stated("{key: '*', forbidden: true}")),
        (&keys, "yaml", stated("{key: '*', encrypted: true}")),
        (&keys, "yaml", stated("{key: '*', type: Integer}")),
        (&keys, "yaml", stated("{key: '*', unique: true}")),
        (&keys, "yaml", stated(&long)),
        (&subjects, "yaml", stated(pattern)),
        (&elements, "yaml", stated("{key: k, unique: true}")),
        ("k: 1\n", "yaml", stated("{key: k, required: true, where: 'range(1, 500).map |$x| { $x } == 1'}")),
        ("k: 1\n", "pp", functions("range(1, 500).map |$x| { \"${x} is wrong\" }")),
        ("k: 1\n", "pp", functions("range(1, 500).map |$x| { {message => \"${x}\", key => 'k'} }")),
    ];
    for (data, kind, promises) in cases {
        let name = format!("promises/a.{kind}");
        let files = [HIERA, NODES[0], NODES[1], ("data/common.yaml", data), (name.as_str(), &promises)];
        let began = std::time::Instant::now();
        let reported = found_with(&files, |options| {
            options.settings.limits.steps = 50_000;
            options.settings.limits.bytes = 5_000_000;
        });
        let of_promises: Vec<&String> = reported.iter().filter(|text| text.contains("-promise ")).collect();
        let ends = |text: &&&String| {
            let (limits, ended) =
                (["50000 steps", "5000000 bytes"], ["not checked to the end", "cannot be evaluated", "fails:"]);
            limits.iter().any(|limit| text.contains(limit)) && ended.iter().any(|ended| text.contains(ended))
        };
        let first = promises.lines().next().unwrap_or_default();
        assert!(of_promises.iter().any(|text| ends(&text)), "{first}: {:#?}", &of_promises[..of_promises.len().min(5)]);
        assert!(of_promises.len() < 10_000, "{first}: {} findings", of_promises.len());
        assert!(began.elapsed().as_secs() < 60, "{first} took {:?}", began.elapsed());
    }
}

#[test]
fn the_list_of_broken_promises_is_limited() {
    let keys: String = (0..110).map(|number| format!("k{number}: v\n")).collect();
    let promises: String = (0..100).map(|number| format!("p{number}: {{key: '*', forbidden: true}}\n")).collect();
    let reported = found_with(&[HIERA, ("data/common.yaml", &keys), ("promises/a.yaml", &promises)], |_| {});
    let broken: Vec<&String> = reported.iter().filter(|text| text.starts_with("broken-promise ")).collect();
    assert_eq!(broken.len(), 10_001);
    assert!(
        broken.iter().any(|text| text.ends_with("1000 more broken promises are not listed")),
        "{:?}",
        broken.last()
    );
}
