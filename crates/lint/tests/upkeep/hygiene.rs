//! One small repository for every rule of hygiene, with what breaks it, and beside it what nearly does.

use crate::support::{HIERA, found_with};

/// The findings of a rule alone.
fn of(rule: &str, files: &[(&str, &str)]) -> Vec<String> {
    assert!(hieratic_lint::rules::find(rule).is_some(), "{rule}");
    let prefix = format!("{rule} ");
    let all = found_with(files, |options| options.hygiene = true);
    all.into_iter().filter_map(|text| text.strip_prefix(&prefix).map(String::from)).collect()
}

/// A repository with these files of data.
fn with<'t>(data: &[(&'t str, &'t str)]) -> Vec<(&'t str, &'t str)> {
    let mut files = vec![HIERA];
    files.extend(data);
    files
}

const NOTHING: [&str; 0] = [];
const WEB: (&str, &str) = ("facts/web01.yaml", "role: web\n");
const DB: (&str, &str) = ("facts/db01.yaml", "role: db\n");

#[test]
fn values_that_every_node_overrides() {
    let data =
        [("data/roles/web.yaml", "a: 1\n"), ("data/roles/db.yaml", "a: 2\n"), ("data/common.yaml", "a: 3\nb: 4\n")];
    let mut files = with(&data);
    assert_eq!(of("shadowed-value", &files), NOTHING, "there may be other roles");
    files.extend([WEB, DB]);
    assert_eq!(
        of("shadowed-value", &files),
        [
            "data/common.yaml:1 None of the 2 nodes given uses the value of 'a': data/roles/db.yaml, data/roles/web.yaml override it"
        ]
    );
    files.push(("facts/mail01.yaml", "role: mail\n"));
    assert_eq!(of("shadowed-value", &files), NOTHING);
}

#[test]
fn values_that_repeat_a_lower_level() {
    let node = ("data/nodes/web01.yaml", "a: 1\nb: 1\nc: 1\n");
    let files = with(&[node, ("data/common.yaml", "a: 1\nb: 2\n")]);
    assert_eq!(
        of("redundant-value", &files),
        ["data/nodes/web01.yaml:1 The value of 'a' repeats the value in data/common.yaml"]
    );
    let between = with(&[node, ("data/roles/web.yaml", "a: 2\n"), ("data/common.yaml", "a: 1\n")]);
    assert_eq!(of("redundant-value", &between), NOTHING, "the node may have the role");
    let mut known = between.clone();
    known.push(("facts/web01.yaml", "role: db\n"));
    assert_eq!(of("redundant-value", &known).len(), 1);
    let turned = with(&[("data/nodes/web01.yaml", "a: {x: 1, y: 2}\n"), ("data/common.yaml", "a: {y: 2, x: 1}\n")]);
    assert_eq!(of("redundant-value", &turned), NOTHING, "code sees the order of keys");
    let ignored = with(&[
        ("data/nodes/web01.yaml", "a: 1  # hieratic: ignore redundant-value\n"),
        ("data/common.yaml", "a: 1\n"),
    ]);
    assert_eq!(of("redundant-value", &ignored), NOTHING);
}

#[test]
fn values_that_add_nothing_to_a_merge() {
    let node = |text| ("data/nodes/web01.yaml", text);
    let common = |text| ("data/common.yaml", text);
    let hash = "h: {x: 1, y: 2}\nlookup_options:\n  h: {merge: hash}\n";
    for (over, under, is_found) in [
        ("h: {y: 2}\n", hash, true),
        ("h: {y: 3}\n", hash, false),
        ("h: {z: 2}\n", hash, false),
        ("h: {x: 1}\n", "h: {x: 1, y: 2}\nlookup_options:\n  '^h': {merge: deep}\n", true),
        ("h: {x: {a: 1}}\n", "h: {x: {a: 1, b: 2}}\nlookup_options:\n  h: {merge: deep}\n", true),
        ("h: {x: {a: 1}}\n", "h: {x: {a: 1, b: 2}}\nlookup_options:\n  h: {merge: hash}\n", false),
        (
            "h: {x: '--1'}\n",
            "h: {x: 1}\nlookup_options:\n  h: {merge: {strategy: deep, knockout_prefix: '--'}}\n",
            false,
        ),
        ("h: {x: 1}\n", "h: {x: 1}\nlookup_options:\n  h: {merge: {strategy: deep, knockout_prefix: '--'}}\n", false),
        ("h: [1]\n", "h: [1, 2]\nlookup_options:\n  h: {merge: unique}\n", true),
        ("h: [2]\n", "h: [1, 2]\nlookup_options:\n  h: {merge: unique}\n", false),
        ("h: [2]\n", "h: [1, 2]\nlookup_options:\n  h: {merge: {strategy: deep}}\n", false),
        ("h: ['%{x}']\n", "h: ['%{x}', 1]\nlookup_options:\n  h: {merge: unique}\n", false),
    ] {
        let found = of("redundant-value", &with(&[node(over), common(under)]));
        let from = "data/nodes/web01.yaml:1 The value of 'h' adds nothing to the merged values of data/common.yaml";
        let expected: &[&str] = if is_found { &[from] } else { &[] };
        assert_eq!(found, expected, "{over} {under}");
    }
    // The order of keys is that of the lowest level.
    let ordered = with(&[
        node("h: {x: 1, y: 2}\n"),
        ("data/roles/web.yaml", "h: {x: 1}\n"),
        common("h: {z: 3}\nlookup_options:\n  h: {merge: hash}\n"),
        WEB,
    ]);
    assert_eq!(of("redundant-value", &ordered).len(), 1);
    let turned = with(&[
        node("h: {y: 2, x: 1}\n"),
        ("data/roles/web.yaml", "h: {x: 1}\n"),
        common("h: {z: 3}\nlookup_options:\n  h: {merge: hash}\n"),
        WEB,
    ]);
    assert_eq!(of("redundant-value", &turned), NOTHING, "without it, y is first");
    let mut by_code = with(&[node("h: [1]\n"), common("h: [1, 2]\nlookup_options:\n  h: {merge: unique}\n")]);
    by_code.push(("manifests/site.pp", "lookup('h', Array, 'first')\n"));
    assert_eq!(of("redundant-value", &by_code), NOTHING);
}

#[test]
fn variables_that_no_facts_have_may_be_set_by_manifests() {
    let hiera = (
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - {name: Role, path: 'roles/%{role}.yaml'}\n  - {name: Common, path: common.yaml}\n",
    );
    let files = [
        hiera,
        ("data/roles/web.yaml", "a: 1\n"),
        ("data/roles/db.yaml", "a: 2\n"),
        ("data/common.yaml", "a: 1\n"),
        ("facts/web01.yaml", "x: y\n"),
    ];
    // A node that reads one of them does not read the other.
    assert_eq!(
        of("redundant-value", &files),
        ["data/roles/web.yaml:1 The value of 'a' repeats the value in data/common.yaml"]
    );
    assert_eq!(of("shadowed-value", &files), NOTHING);
}

#[test]
fn an_unknown_level_may_have_any_value() {
    let hiera = |path: &'static str| {
        format!(
            "version: 5\nhierarchy:\n  - {{name: Node, path: 'nodes/%{{trusted.certname}}.yaml'}}\n  - {path}\n  - {{name: Common, path: common.yaml}}\n"
        )
    };
    let hidden = hiera("{name: Secret, path: a.yaml, datadir: /srv/private}");
    let files =
        [("hiera.yaml", hidden.as_str()), ("data/nodes/web01.yaml", "a: 1\n"), ("data/common.yaml", "a: 1\n"), WEB];
    assert_eq!(of("redundant-value", &files), NOTHING);
    let seen = hiera("{name: Other, path: a.yaml}");
    let files = [("hiera.yaml", seen.as_str()), files[1], files[2], files[3]];
    assert_eq!(of("redundant-value", &files).len(), 1);
}

#[test]
fn values_that_repeat_the_default() {
    let class = ("modules/web/manifests/init.pp", "class web(Integer $port = 80, $other = 1) { }\n");
    let files = with(&[("data/common.yaml", "web::port: 80\nweb::other: 2\n"), class]);
    assert_eq!(
        of("repeats-default", &files),
        ["data/common.yaml:1 The value of 'web::port' is the default of the parameter"]
    );
    let above = with(&[("data/nodes/a.yaml", "web::port: 80\n"), ("data/common.yaml", "web::port: 81\n"), class]);
    assert_eq!(of("repeats-default", &above), NOTHING);
    let looked_up =
        with(&[("data/common.yaml", "web::port: 80\n"), class, ("manifests/a.pp", "lookup('web::port')\n")]);
    assert_eq!(of("repeats-default", &looked_up), NOTHING);
}

#[test]
fn keys_that_no_level_has() {
    let code = (
        "manifests/site.pp",
        "lookup('web_prot')\nlookup('b', {default_value => 1})\nlookup('a')\nlookup(\"x${y}\")\n",
    );
    let files = with(&[("data/common.yaml", "a: 1\nweb_port: 2\n"), code]);
    assert_eq!(
        of("undefined-key", &files),
        ["manifests/site.pp:1 No level has the key 'web_prot', and the lookup has no default"]
    );
    let fleet = with(&[("data/common.yaml", "a: 1\n"), ("data/roles/web.yaml", "web_prot: 2\nc: 3\n"), code, DB]);
    assert_eq!(of("undefined-key", &fleet), NOTHING, "there may be other nodes");
    let all = |files: &[(&str, &str)]| {
        let all = found_with(files, |options| (options.hygiene, options.all_nodes) = (true, true));
        all.into_iter().filter(|text| text.starts_with("undefined-key")).collect::<Vec<_>>()
    };
    assert_eq!(
        all(&fleet),
        ["undefined-key manifests/site.pp:1 None of the 1 nodes has the key 'web_prot', and the lookup has no default"]
    );
    let mut both = fleet.clone();
    both.push(WEB);
    assert_eq!(all(&both), NOTHING, "the call may be for web servers only");
    let mut unseen = files.clone();
    unseen[0] = (
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - {name: A, path: common.yaml}\n  - {name: B, data_hash: more::data}\n",
    );
    assert_eq!(of("undefined-key", &unseen), NOTHING);
}

#[test]
fn keys_that_may_be_deployed_from_elsewhere() {
    let files = with(&[
        ("data/common.yaml", "a: 1\n"),
        ("manifests/site.pp", "lookup('b')\nlookup('m::b')\nlookup('a', *$c)\n"),
    ]);
    let [of_b, of_m] = ["b", "m::b"].map(|key| format!("No level has the key '{key}', and the lookup has no default"));
    assert_eq!(
        of("undefined-key", &files),
        [format!("manifests/site.pp:1 {of_b}"), format!("manifests/site.pp:2 {of_m}")]
    );
    let level = |level: &str| format!("{}  - {level}\n", HIERA.1);
    // The hierarchy names a file that is not here: secrets, mostly.
    let secrets = level("{name: Secrets, path: secrets.yaml}");
    let mut brought = files.clone();
    brought[0].1 = &secrets;
    assert_eq!(of("undefined-key", &brought), NOTHING);
    let mut here = brought.clone();
    here.push(("data/secrets.yaml", "c: 1\n"));
    assert_eq!(of("undefined-key", &here).len(), 2);
    let ignored = level("{name: Secrets, glob: 'secrets/*.yaml'}");
    let mut brought = files.clone();
    brought[0].1 = &ignored;
    assert_eq!(of("undefined-key", &brought).len(), 2);
    brought.push((".gitignore", "data/secrets\n"));
    assert_eq!(of("undefined-key", &brought), NOTHING);
    // A module that is not in the module path is put there when it is deployed, with its data.
    let mut loose = files.clone();
    loose.push(("dist/m/manifests/init.pp", "class m { }\n"));
    assert_eq!(of("undefined-key", &loose), [format!("manifests/site.pp:1 {of_b}")]);
    // A module whose data is not here answers for its own keys.
    let mut partly = files.clone();
    partly.push(("modules/m/hiera.yaml", "version: 5\nhierarchy:\n  - {name: A, path: a.yaml}\n"));
    assert_eq!(of("undefined-key", &partly), [format!("manifests/site.pp:1 {of_b}")]);
    // Without a hierarchy of the environment, that of the server has the data.
    let of_server = ("hiera.yaml", "---\n:backends: [yaml]\n");
    let module = [
        ("modules/m/hiera.yaml", "version: 5\nhierarchy:\n  - {name: A, path: a.yaml}\n"),
        ("modules/m/data/a.yaml", "m::a: 1\n"),
    ];
    let files = [of_server, module[0], module[1], ("manifests/site.pp", "lookup('b')\n")];
    assert_eq!(of("undefined-key", &files), NOTHING);
}

#[test]
fn levels_that_no_node_reads() {
    let data = [("data/common.yaml", "a: 1\n"), ("data/nodes/web01.yaml", "a: 2\n")];
    assert_eq!(
        of("unread-level", &with(&data)),
        ["hiera.yaml:4 No node reads the level 'Role': there is no file for it"]
    );
    let mut files = with(&data);
    files.push(("data/roles/web.yaml", "a: 3\n"));
    assert_eq!(of("unread-level", &files), NOTHING);
    files.push(DB);
    let all = found_with(&files, |options| (options.hygiene, options.all_nodes) = (true, true));
    let levels: Vec<&String> = all.iter().filter(|text| text.starts_with("unread-level")).collect();
    assert_eq!(
        levels,
        [
            "unread-level hiera.yaml:3 None of the 1 nodes reads the level 'Node'",
            "unread-level hiera.yaml:4 None of the 1 nodes reads the level 'Role'",
        ]
    );
}

#[test]
fn data_may_be_deployed_as_another_environment() {
    let hiera = (
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - {name: Node, path: 'nodes/%{trusted.certname}.yaml'}\n  - {name: Stage, path: '%{environment}.yaml'}\n  - {name: Common, path: common.yaml}\nplan_hierarchy:\n  - {name: Plans, path: static.yaml}\n",
    );
    let files = [
        hiera,
        ("data/nodes/web01.yaml", "a: 1\n"),
        ("data/development.yaml", "a: 2\n"),
        ("data/static.yaml", "b: 2\n"),
        ("data/other/x.yaml", "b: 2\n"),
        ("data/common.yaml", "a: 1\n"),
    ];
    let unreachable = ["data/other/x.yaml:1 No level of the hierarchy can reach data/other/x.yaml"];
    assert_eq!(of("redundant-value", &files), NOTHING);
    assert_eq!(of("unread-level", &files), NOTHING);
    assert_eq!(of("unreachable-file", &files), unreachable);
    let named = found_with(&files, |options| {
        options.hygiene = true;
        options.settings.environment = Some("production".into());
    });
    for expected in
        ["redundant-value data/nodes/web01.yaml:1", "unreachable-file data/development.yaml", "unread-level"]
    {
        assert!(named.iter().any(|text| text.starts_with(expected)), "{expected}: {named:?}");
    }
}

#[test]
fn options_that_change_nothing() {
    let node = ("data/nodes/web01.yaml", "a: {x: 1}\nlookup_options:\n  a: {merge: hash}\n");
    let common = |text: &'static str| ("data/common.yaml", text);
    let same = with(&[node, common("a: {y: 1}\nlookup_options:\n  a: {merge: hash}\n")]);
    assert_eq!(
        of("idle-options", &same),
        ["data/nodes/web01.yaml:3 The options of 'a' repeat those in data/common.yaml"]
    );
    let first = with(&[common("a: 1\nlookup_options:\n  a: {merge: first}\n")]);
    assert_eq!(
        of("idle-options", &first),
        ["data/common.yaml:3 The options of 'a' have no effect: `first` is the default"]
    );
    let undone = with(&[common("a: 1\nlookup_options:\n  a: {merge: first}\n  '^a': {merge: unique}\n")]);
    assert_eq!(of("idle-options", &undone), NOTHING);
    let once = with(&[common("a: {x: 1}\nlookup_options:\n  a: {merge: deep}\n")]);
    assert_eq!(
        of("idle-options", &once),
        ["data/common.yaml:3 No node finds a key in two places for which the options of 'a' merge it"]
    );
    let twice =
        with(&[("data/roles/web.yaml", "a: {z: 1}\n"), common("a: {x: 1}\nlookup_options:\n  a: {merge: deep}\n")]);
    assert_eq!(of("idle-options", &twice), NOTHING);
    let converted = with(&[common("a: 1\nlookup_options:\n  a: {convert_to: Sensitive}\n")]);
    assert_eq!(of("idle-options", &converted), NOTHING);
}

#[test]
fn secrets_in_several_places() {
    let data = ("data/common.yaml", "a: ENC[PKCS7,MIIBeQ==]\nb:\n  c: ENC[PKCS7,MIIBeQ==]\nd: ENC[PKCS7,MIIBeZ==]\n");
    assert_eq!(
        of("repeated-secret", &with(&[data])),
        ["data/common.yaml:1 The same secret is in 2 places, under 'a', 'b'"]
    );
}

#[test]
fn missing_modules_may_use_any_of_their_keys() {
    let files = with(&[
        ("data/common.yaml", "stdlib::x: 1\nweb::old::y: 1\nprofile::a::port: 1\nusers: 1\n"),
        ("Puppetfile", "mod 'puppetlabs-stdlib'\n"),
        ("modules/web/manifests/init.pp", "class web { lookup(\"profile::${x}::port\")\n lookup(\"users.${x}\") }\n"),
    ]);
    assert_eq!(of("unused-key", &files), ["data/common.yaml:2 The key 'web::old::y' is never looked up"]);
}

#[test]
fn code_that_is_deployed_elsewhere_uses_keys() {
    let data = ("data/common.yaml", "a: 1\nb: 1\nnet_web_mask: 1\nprofile::port: 1\nntp::servers: []\nold::key: 1\n");
    let files = with(&[
        data,
        ("manifests/site.pp", "include ntp\n"),
        ("profile/manifests/init.pp", "class profile($port) { lookup(\"net_${x}_mask\") }\n"),
        ("site/role/manifests/web.pp", "class role::web { lookup('b') }\n"),
        ("spec/fixtures/modules/x/manifests/init.pp", "class x { lookup('a') }\n"),
    ]);
    assert_eq!(
        of("unused-key", &files),
        [
            "data/common.yaml:1 The key 'a' is never looked up",
            "data/common.yaml:6 The key 'old::key' is never looked up"
        ]
    );
}

#[test]
fn data_outside_of_git_is_unknown() {
    let hiera = |levels: &str| {
        format!(
            "version: 5\nhierarchy:\n  - {{name: Node, path: 'nodes/%{{trusted.certname}}.yaml'}}\n{levels}  - {{name: Common, path: common.yaml}}\n"
        )
    };
    let host = "  - {name: Host, path: 'private/%{trusted.certname}.yaml'}\n";
    let whole = "  - {name: Whole, path: private/all.yaml}\n";
    let data = [("data/nodes/web01.yaml", "a: 1\n"), ("data/common.yaml", "a: 1\n")];
    let both = hiera(&format!("{host}{whole}"));
    let lone = hiera(host);
    for (hiera, ignored, is_seen) in
        [(&lone, "", true), (&both, "", false), (&lone, "/data/private\n", false), (&lone, "/other\n", true)]
    {
        let files = [("hiera.yaml", hiera.as_str()), (".gitignore", ignored), data[0], data[1]];
        let found = (of("unread-level", &files).len(), of("redundant-value", &files).len());
        assert_eq!(found, if is_seen { (1, 1) } else { (0, 0) }, "{hiera} {ignored}");
    }
}

#[test]
fn a_missing_module_may_merge() {
    let data = [
        ("data/roles/web.yaml", "web::a: {x: 1}\nweb::b: 1\n"),
        ("data/common.yaml", "web::a: {y: 2}\nweb::b: 1\n"),
        WEB,
    ];
    let mut files = with(&data);
    assert_eq!(of("shadowed-value", &files).len(), 1);
    files.push(("Puppetfile", "mod 'x/web'\n"));
    assert_eq!(of("shadowed-value", &files), NOTHING);
    assert_eq!(of("redundant-value", &files).len(), 1, "merging what is equal changes nothing");
}

#[test]
fn findings_name_the_nodes_of_the_proof_and_the_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let text = "a: 1\n# why\nb:\n  - 1\n  - 2\n\n# next\nc: 3\n";
    crate::support::write(&root, &[HIERA, ("data/nodes/a.yaml", text), ("data/common.yaml", "b: [1, 2]\n")]);
    let mut options = hieratic_lint::Options::for_paths([&root]);
    options.hygiene = true;
    let report = hieratic_lint::audit(&options, &());
    let found = report.findings.iter().find(|finding| finding.rule.id() == "redundant-value").unwrap();
    assert_eq!(
        found.diagnostic.notes,
        ["proved for every node, whatever its facts", "without it, the file is 15 bytes shorter"]
    );
    assert_eq!("b:\n  - 1\n  - 2\n".len(), 15);
    let notes = |rule: &str, files: &[(&str, &str)]| {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        crate::support::write(&root, files);
        let mut options = hieratic_lint::Options::for_paths([&root]);
        options.hygiene = true;
        let report = hieratic_lint::audit(&options, &());
        let found = report.findings.iter().find(|finding| finding.rule.id() == rule).unwrap();
        found.diagnostic.notes.clone()
    };
    let role = "  - name: Role\n    path: 'roles/%{role}.yaml'\n";
    let secret = "  - {name: Secret, path: a.yaml, datadir: /srv/private}\n";
    let hiera = format!("version: 5\nhierarchy:\n{secret}{role}  - {{name: Any, globs: ['*.yaml']}}\n");
    let files = [
        ("hiera.yaml", hiera.as_str()),
        ("data/common.yaml", "a: 1\nb: 2 # two\n"),
        ("data/more.yaml", "b: 2\n"),
        ("manifests/a.pp", "class a($p = 1) { lookup('a') }\n"),
        ("data/z.yaml", "a::p: 1\n"),
    ];
    assert_eq!(notes("unused-key", &files), ["without it, 2 files are 16 bytes shorter"]);
    assert_eq!(notes("unread-level", &files)[1], format!("without it, the file is {} bytes shorter", role.len()));
    assert_eq!(
        notes("repeats-default", &files)[0],
        "proved for every node, whatever its facts; levels that could not be seen: Secret"
    );
    let options = ("data/common.yaml", "a: 1\nlookup_options:\n  a:\n    merge: first\nb: 2\n");
    assert_eq!(notes("idle-options", &with(&[options]))[1], "without them, the file is 22 bytes shorter");
}

#[test]
fn parameters_without_a_value() {
    let class = "class web (\n  String $owner,\n  Integer $port = 80,\n  Optional[String] $group,\n  $folder = \"/srv/${port}\",\n) {\n}\n";
    let files = with(&[
        ("data/common.yaml", "other: 1\n"),
        ("manifests/site.pp", "include web\nlookup('other')\n"),
        ("modules/web/manifests/init.pp", class),
    ]);
    assert_eq!(
        of("undefined-key", &files),
        ["modules/web/manifests/init.pp:2 No level has the key 'web::owner', and the parameter has no default"]
    );
    let given = with(&[
        ("data/common.yaml", "other: 1\n"),
        ("manifests/site.pp", "class { 'web': owner => 'x' }\ninclude web\n"),
        ("modules/web/manifests/init.pp", class),
    ]);
    assert_eq!(of("undefined-key", &given), NOTHING);
    let example = with(&[
        ("data/common.yaml", "other: 1\n"),
        ("modules/web/manifests/init.pp", class),
        ("modules/web/examples/init.pp", "include web\n"),
    ]);
    assert_eq!(of("undefined-key", &example), NOTHING);
}
