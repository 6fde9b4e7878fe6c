//! What rules say together, and what they say with certain options. Each rule alone is in `fixtures`.
use crate::support;

use std::path::Path;

use hieratic_lint::{JobSet, OmissionGroup, Options, Session, audit, rules};
use support::{HIERA, found, found_with, write};

/// The findings of a rule alone.
fn of(rule: &str, files: &[(&str, &str)]) -> Vec<String> {
    assert!(rules::find(rule).is_some(), "{rule}");
    let prefix = format!("{rule} ");
    found(files).into_iter().filter_map(|text| text.strip_prefix(&prefix).map(String::from)).collect()
}

fn with_data(data: &str) -> Vec<(&'static str, &str)> {
    vec![HIERA, ("data/common.yaml", data)]
}

const NOTHING: [&str; 0] = [];

#[test]
fn a_node_without_facts_lacks_no_variable() {
    let files = [
        HIERA,
        (
            "data/common.yaml",
            "a: '%{facts.os.family} %{facts.role} %{trusted.extensions.pp_role}'\nb: \"%{lookup('c')}\"\n",
        ),
        ("data/roles/web.yaml", "c: 1\nd: '%{facts.rack}'\n"),
        ("modules/m/manifests/init.pp", "class m(Integer $count) { }\n"),
        ("data/nodes/web01.example.com.yaml", "m::count: '%{facts.processors.count}'\n"),
    ];
    let names = ["web01.example.com".to_owned()];
    let named = |all_nodes: bool| {
        let names = names.clone();
        found_with(&files, move |options| {
            options.nodes = hieratic_fleet::nodes_of(&[], &names, Default::default(), &Default::default())
                .unwrap()
                .unique()
                .unwrap();
            options.all_nodes = all_nodes;
        })
    };
    let reported: Vec<String> = named(true).into_iter().filter(|text| !text.starts_with("parameter-type")).collect();
    assert_eq!(reported, NOTHING);
    assert_eq!(named(false), named(true));
    // Known facts give findings.
    let facts = [("facts/web01.example.com.json", "{\"role\": \"db\"}")];
    let known = found(&[files.as_slice(), &facts].concat());
    assert!(
        known.iter().any(|text| text.starts_with("unknown-variable") && text.contains("facts.os.family")),
        "{known:?}"
    );
}

#[test]
fn files_with_syntax_errors() {
    let files = [
        HIERA,
        ("data/common.yaml", "a: [1\n"),
        ("data/nodes/n.yaml", "released: 2024-02-30x\nday: 2024-02-29\n"),
        (".fixtures.yml", "hidden: ["),
        ("ci/docker.yml", "image: !reference [a]\nday: 2024-02-29\n"),
        ("ci/broken.yml", "a: 'b\n"),
        ("files/a.json", "{\"a\": }"),
        ("files/b.json", "{\"a\": 1}"),
        ("manifests/site.pp", "$a = \n"),
        ("templates/a.epp", "<%= $a + %>"),
        ("templates/a.j2", "{% if a %}"),
        ("templates/b.j2", "{{ a | no_such_filter }}"),
        ("jobs/a.nomad", "job \"a\" {"),
        ("jobs/b.tfvars", "a = "),
        ("jobs/c.hcl", "a = 1\n"),
        ("unfurl/a.yaml", "a: {x: 1}\nb: {+/nope: }\n"),
        ("unfurl/b.yaml", "a: {x: 1}\nb: {+/a: }\n"),
    ];
    let codes: Vec<String> =
        found(&files).iter().map(|text| text.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        codes,
        [
            "data-syntax ci/broken.yml:2",
            "data-syntax data/common.yaml:2",
            "data-syntax data/nodes/n.yaml:2",
            "data-syntax files/a.json:1",
            "hcl-syntax jobs/a.nomad:1",
            "hcl-syntax jobs/b.tfvars:1",
            "manifest manifests/site.pp:2",
            "manifest templates/a.epp:1",
            "template-syntax templates/a.j2:1",
            "directive unfurl/a.yaml:2",
        ]
    );
}

#[test]
fn data_may_nest_deeply() {
    let nested = format!("m::data: {}{}\n", "[".repeat(900), "]".repeat(900));
    let files =
        [HIERA, ("modules/m/manifests/init.pp", "class m (Array[Data] $data) { }\n"), ("data/common.yaml", &nested)];
    assert_eq!(found(&files), NOTHING);
    let wrong = format!("m::data: {}\"%{{lookup('x')}}\"{}\n", "{a: ".repeat(900), "}".repeat(900));
    let files =
        [HIERA, ("modules/m/manifests/init.pp", "class m (Array[Data] $data) { }\n"), ("data/common.yaml", &wrong)];
    assert_eq!(found(&files).len(), 1);
}

#[test]
fn comments_accept_findings() {
    let found = |data: &str| of("duplicate-key", &with_data(data));
    assert_eq!(found("a: 1\na: 2 # hieratic: ignore duplicate-key\n"), NOTHING);
    assert_eq!(found("a: 1\n# hieratic: ignore unused-key, duplicate-key\na: 2\n"), NOTHING);
    assert_eq!(found("a: 1\na: 2 # hieratic: ignore unused-key\n").len(), 1);
    // A comment behind a value is about its own line only.
    assert_eq!(found("b: 1 # hieratic: ignore duplicate-key\nb: 2\n").len(), 1);
}

#[test]
fn jobs_are_checked_without_unknown_values() {
    let job = "variable \"token\" {\n  type = string\n}\nvariable \"names\" {\n  type = list(string)\n}\njob \"a\" {\n  type = \"sevice\"\n  \
               group \"g\" {\n    count = -1\n    network {\n      dynamic \"port\" {\n        for_each = var.names\n        \
               labels = [port.value]\n        content {\n          statc = 1\n        }\n      }\n    }\n    service {\n      port = \"http\"\n    \
               }\n    task \"t\" {\n      driver = \"docker\"\n      kill_timeout = var.names\n      config {\n        image = var.token\n        imgae = 1\n      \
               }\n      env {\n        TOKEN = var.token\n      }\n    }\n  }\n}\n";
    let wrong = |job: &str| found(&[("jobs/a.nomad.hcl", job), (".git/HEAD", "")]);
    // Errors that prevent parsing the job come first.
    assert_eq!(
        wrong(job),
        ["job jobs/a.nomad.hcl:16 Unsupported argument", "job jobs/a.nomad.hcl:25 Unsuitable value type",]
    );
    // The ports are not known, so the service may be right.
    assert_eq!(
        wrong(&job.replace("          statc = 1\n", "").replace("      kill_timeout = var.names\n", "")),
        [
            "job jobs/a.nomad.hcl:8 Invalid job type: \"sevice\"",
            "job-shutdown-delay jobs/a.nomad.hcl:9 group \"g\" defines services, but neither the group nor any of its tasks have shutdown_delay set",
            "job jobs/a.nomad.hcl:10 Task group count can't be negative",
            "job-driver-option jobs/a.nomad.hcl:26 the driver docker has no option \"imgae\"; did you mean \"image\"?",
        ]
    );
}

#[test]
fn a_job_is_judged_with_each_of_its_variable_files() {
    let job = "variable \"n\" {\n  type = number\n}\njob \"a\" {\n  group \"g\" {\n    count = var.n\n    task \"t\" {\n      driver = \"dcoker\"\n    \
               }\n  }\n}\n";
    let files = [
        ("jobs/a.nomad.hcl", job),
        ("other/b.nomad.hcl", job),
        ("good.vars", "n = 1\nm = 2\n"),
        ("bad.vars", "n = -1\n"),
        (".git/HEAD", ""),
    ];
    let driver = |file| format!("job-driver {file}:8 there is no driver \"dcoker\"; did you mean \"docker\"?");
    let count = |file| format!("job {file}:6 Task group count can't be negative");
    let sets = |options: &mut Options| {
        let folder = options.paths[0].clone();
        for name in ["good.vars", "bad.vars"] {
            options.job_values.sets.push(JobSet {
                folder: folder.clone(),
                files: vec!["jobs/*.hcl".to_owned()],
                var_files: vec![folder.join(name)],
                ..JobSet::default()
            });
        }
    };
    let [a, b] = ["jobs/a.nomad.hcl", "other/b.nomad.hcl"];
    let undeclared = |place, name| format!("job {place} No job that was checked declares the variable '{name}'");
    assert_eq!(found_with(&files, sets), [undeclared("good.vars:2", "m"), count(a), driver(a), driver(b)]);
    let flags = |options: &mut Options| {
        options.job_values.files.push(options.paths[0].join("bad.vars"));
        options.job_values.arguments = vec!["n=2".to_owned(), "unknown=1".to_owned()];
    };
    assert_eq!(found_with(&files, flags), [undeclared("", "unknown"), driver(a), driver(b)]);
    let environment = |options: &mut Options| {
        options.job_values.environment.push(("NOMAD_VAR_n".to_owned(), "-2".to_owned()));
    };
    assert_eq!(found_with(&files, environment), [count(a), driver(a), count(b), driver(b)]);
    // A missing file of a set is reported in each of its jobs.
    let lost = |options: &mut Options| {
        let folder = options.paths[0].clone();
        let var_files = vec![folder.join("lost.vars")];
        options.job_values.sets.push(JobSet {
            folder,
            files: vec!["jobs/".to_owned()],
            var_files,
            ..JobSet::default()
        });
    };
    let found = found_with(&files, lost);
    assert_eq!(found, ["job jobs/a.nomad.hcl Failed to read file".to_owned(), driver(b)]);
}

#[test]
fn a_value_with_a_variable_that_no_node_has_is_not_judged() {
    let files = |facts: &'static str| {
        [
            ("hiera.yaml", "version: 5\nhierarchy: [{name: a, path: a.yaml}]\n"),
            ("data/a.yaml", "c::path: '%{facts.cert}'\n"),
            ("modules/c/manifests/init.pp", "class c (Pattern[/^\\//] $path) { }\n"),
            ("facts/n.json", facts),
        ]
    };
    let reported = |facts: &'static str| -> Vec<String> {
        let set = |options: &mut Options| options.nodes = support::nodes_below(&options.paths[0]);
        let all = found_with(&files(facts), set).into_iter();
        all.map(|found| found.split(' ').next().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(reported(r#"{"name": "n", "values": {}}"#), ["unknown-variable"]);
    assert_eq!(reported(r#"{"name": "n", "values": {"cert": "x"}}"#), ["parameter-type"]);
    assert_eq!(reported(r#"{"name": "n", "values": {"cert": "/x"}}"#), NOTHING);
}

#[test]
fn a_buffer_has_no_findings_of_other_files() {
    let folder = tempfile::tempdir().unwrap();
    let job = "variable \"n\" {\n  type = number\n}\njob \"a\" {\n  group \"g\" {\n    count = var.n\n    task \"t\" {\n      driver = \"dcoker\"\n    }\n  }\n}\n";
    write(folder.path(), &[("a.nomad.hcl", job), ("bad.vars", "n = \"two\"\n")]);
    let mut options = Options::for_paths([folder.path()]);
    options.job_values.sets.push(JobSet {
        folder: folder.path().to_owned(),
        files: vec!["*.nomad.hcl".to_owned()],
        var_files: vec![folder.path().join("bad.vars")],
        ..JobSet::default()
    });
    let mut session = Session::new(options);
    let all = session.check(&()).findings;
    assert!(all.iter().any(|finding| finding.file().ends_with("bad.vars")), "{all:?}");
    let found = session.buffer_check().check(&folder.path().join("a.nomad.hcl"), job);
    assert!(found.iter().all(|finding| finding.file().ends_with("a.nomad.hcl")), "{found:?}");
}

#[test]
fn jobs_are_jobs_by_their_content() {
    let wrong = "job \"a\" {\n  bogus = 1\n}\n";
    let files = [
        ("x/nomad.job", wrong),
        ("e.nomad2", wrong),
        ("f.jobspec", wrong),
        ("test/web.nomad.hcl", wrong),
        (
            "j.json",
            "{\"job\": {\"a\": {\"group\": {\"g\": {\"cuont\": 3, \"task\": {\"t\": {\"driver\": \"exec\"}}}}}}}\n",
        ),
        ("api.json", "{\"Job\": {\"ID\": \"a\", \"TaskGroups\": []}}\n"),
        ("none.job", "#!/bin/sh\n"),
        ("levant.nomad", "job \"[[ .name ]]\" {\n  bogus = 1\n}\n"),
        ("pack.nomad.tpl", "job [[ template \"job_name\" . ]] {\n  bogus = 1\n}\n"),
        ("terraform.hcl", "job \"a\" {\n  priority = ${priority}\n}\n"),
        ("go.nomad", "job \"{{ .name }}\" {\n  bogus = 1\n}\n"),
        (
            "volume.hcl",
            "id = \"v\"\ntype = \"csi\"\nplugin_id = \"p\"\ncapability {\n  access_mode = \"single-node-writer\"\n}\n\
             topology_request {\n  required { topology { segments { rack = \"R1\" } } }\n}\n",
        ),
        ("broken.hcl", "a = \n"),
        (".git/HEAD", ""),
    ];
    let codes: Vec<String> =
        found(&files).iter().map(|text| text.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        codes,
        [
            "job api.json",
            "hcl-syntax broken.hcl:1",
            "job e.nomad2:2",
            "job f.jobspec:2",
            "job j.json:1",
            "job test/web.nomad.hcl:2",
            "job x/nomad.job:2",
        ]
    );
}

#[test]
fn unchecked_parts_of_jobs_are_omissions() {
    let folder = tempfile::tempdir().unwrap();
    let job = "variable \"n\" {}\nvariable \"unused\" {}\njob \"a\" {\n  priority = var.n\n}\n";
    let files = [("a.nomad", job), ("b.nomad", "job \"[[ .name ]]\" {\n}\n"), ("c.nomad", "job \"c\" {\n}\n")];
    write(folder.path(), &files);
    let report = audit(&Options::for_paths([folder.path()]), &());
    let groups = OmissionGroup::group(&report.not_judged);
    let words: Vec<String> = groups.iter().map(OmissionGroup::words).collect();
    assert_eq!(words, ["1 job (no value for var.n, var.unused: --var-file)", "1 job (template of Levant)"]);
}

#[test]
fn jobs_are_checked_as_jobs() {
    let task = "task \"t\" {\n      driver = \"exec\"\n    }\n";
    let typo = format!("job \"a\" {{\n  group \"g\" {{\n    cuont = 1\n    {task}  }}\n}}\n");
    let refused = format!("job \"b\" {{\n  group \"g\" {{\n    count = -1\n    {task}  }}\n}}\n");
    let word = "job \"c\" {\n  group \"g\" {\n    task \"t\" {\n      driver = docker\n    }\n  }\n}\n";
    // These variables and data are unknown, so nothing that depends on them is reported.
    let open = format!(
        "variable \"n\" {{\n  type = number\n}}\nvariable \"t\" {{\n  type = object({{ wait = string }})\n}}\njob \"d\" {{\n  priority = var.n\n  \
         group \"g\" {{\n    count = hiera(\"replicas\", 1) + var.n\n    shutdown_delay = var.t.wait\n    meta {{\n      a = file(\"../common/a.txt\")\n      \
         b = file(\"common/a.txt\")\n      c = \"${{var.n}}\"\n    }}\n    constraint {{\n      attribute = \"${{attr.x}}\"\n      value = var.t.wait\n    }}\n    {task}  }}\n}}\n"
    );
    let unknown = open.replace("priority = var.n", "priority = var.m");
    let files = [
        ("jobs/a.nomad.hcl", typo.as_str()),
        ("jobs/b.nomad.hcl", &refused),
        ("jobs/c.nomad.hcl", word),
        ("jobs/d.nomad.hcl", &open),
        ("jobs/e.nomad.hcl", &unknown),
        ("common/a.txt", "a"),
        (".git/HEAD", ""),
    ];
    let codes: Vec<String> =
        found(&files).iter().map(|text| text.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        codes,
        [
            "job jobs/a.nomad.hcl:3",
            "job jobs/b.nomad.hcl:3",
            "job-unquoted-word jobs/c.nomad.hcl:4",
            "job jobs/e.nomad.hcl:8"
        ]
    );
}

#[test]
fn catalogs_that_do_not_compile() {
    let of_catalogs = |files: &[(&str, &str)]| {
        let mut reported = found_with(files, |options| options.catalogs = Some(hieratic::catalog::CATALOG_LIMITS));
        reported.retain(|one| ["catalog", "dependency-cycle", "not-seen"].contains(&one.split(' ').next().unwrap()));
        reported
    };
    let site = "node 'bad' { include a }\nnode 'worse' { include a }\nnode default { include b }\n";
    let class = "class a {\n  file { '/x': contents => 'y' }\n}\n";
    let files = [
        HIERA,
        ("facts/bad.yaml", "role: x"),
        ("facts/worse.yaml", "role: x"),
        ("facts/good.yaml", "role: x"),
        ("data/common.yaml", "x: 1"),
        ("manifests/site.pp", site),
        ("modules/a/manifests/init.pp", class),
        ("modules/b/manifests/init.pp", "class b { }\n"),
    ];
    assert_eq!(
        of_catalogs(&files),
        ["catalog modules/a/manifests/init.pp:2 \
             no parameter named 'contents' (file: modules/a/manifests/init.pp, line: 2) on File[/x]"]
    );
    assert!(found_with(&files, |_| {}).iter().all(|one| !one.starts_with("catalog ")));
    // If a module is missing, the server may compile something else.
    let missing = [files.as_slice(), &[("Puppetfile", "mod 'puppetlabs-ntp', '1.0.0'\n")]].concat();
    let reported = of_catalogs(&missing);
    assert!(
        reported.len() == 1 && reported[0].starts_with("not-seen ") && reported[0].contains("is not judged"),
        "{reported:?}"
    );
    // A missing feature of Hieratic is not an error of the code.
    let ruby = "Puppet::Functions.create_function(:'a::f') do\n  def f\n    `id`\n  end\nend\n";
    let ours =
        [HIERA, files[1], files[4], ("manifests/site.pp", "a::f()"), ("modules/a/lib/puppet/functions/a/f.rb", ruby)];
    let reported = of_catalogs(&ours);
    assert!(reported.len() == 1 && reported[0].starts_with("not-seen "), "{reported:?}");
    let cycle = [
        HIERA,
        files[1],
        files[4],
        ("manifests/site.pp", "notify { 'a': }\nnotify { 'b': require => Notify['a'], before => Notify['a'] }\n"),
    ];
    assert_eq!(
        of_catalogs(&cycle),
        ["dependency-cycle manifests/site.pp:1 Resources wait for each other: Notify[a] => Notify[b] => Notify[a]"]
    );
}

#[test]
fn failures_without_a_position_and_empty_catalogs() {
    let of_catalogs = |files: &[(&str, &str)]| {
        let facts = [
            HIERA,
            ("data/common.yaml", "x: 1\n"),
            ("facts/n1.json", "{\"role\": \"x\"}"),
            ("facts/n2.json", "{\"role\": \"x\"}"),
        ];
        let mut reported =
            found_with(&[&facts, files].concat(), |options| options.catalogs = Some(hieratic::catalog::CATALOG_LIMITS));
        reported.retain(|one| ["catalog", "not-seen"].contains(&one.split(' ').next().unwrap()));
        reported
    };
    for (site, message) in [
        ("class a { $x = lookup('a::nope') }\ninclude a\n", "did not find a value for the name 'a::nope'"),
        ("class a($x = lookup('a::nope')) { }\ninclude a\n", "did not find a value for the name 'a::nope'"),
        ("class a { }\ninclude a\nNotify['nope'] -> notify { 'a': }\n", "Could not find resource 'Notify[nope]'"),
        ("class a { }\ninclude a\nrealize(Notify['nope'])\n", "Failed to realize virtual resources Notify[nope]"),
        (
            "class a { }\ninclude a\nNotify['nope'] { message => 'x' }\n",
            "Could not find resource(s) Notify[nope] for overriding",
        ),
        ("node 'other' { }\n", "Could not find node statement with name 'default' or"),
    ] {
        let reported = of_catalogs(&[("manifests/site.pp", site)]);
        let is_one = reported.len() == 1 && reported[0].starts_with("catalog manifests/site.pp");
        assert!(is_one && reported[0].contains(message), "{site}: {reported:?}");
    }
    assert_eq!(
        of_catalogs(&[("manifests/site.pp", "notify { 'x': }\n")]),
        [
            "not-seen manifests/site.pp The catalog has no classes: neither the main manifest nor a classifier assigns any"
        ]
    );
    // A class of a module that is here is missing whatever else is.
    let files = [
        ("environment.conf", "modulepath = site\n"),
        ("Puppetfile", "mod 'puppetlabs-apache', '1'\n"),
        ("site/profile/manifests/web.pp", "class profile::web { include apache }\n"),
    ];
    let with = |site: &'static str| of_catalogs(&[&files[..], &[("manifests/site.pp", site)]].concat());
    let reported = with("include profile::webb\n");
    assert!(reported.len() == 1 && reported[0].starts_with("catalog manifests/site.pp:1 "), "{reported:?}");
    let unknown = |code: &str| of("unknown-class", &[&files[..], &[HIERA, ("manifests/site.pp", code)]].concat());
    let message = "The class 'profile::webb' does not exist, and its module 'profile' is here";
    assert_eq!(unknown("include profile::web, profile::webb\n"), [format!("manifests/site.pp:1 {message}")]);
    assert_eq!(unknown("class { '::profile::webb': }\n"), [format!("manifests/site.pp:1 {message}")]);
    assert_eq!(unknown("include apache::nope\ninclude \"profile::${x}\"\ncontain profile::web\n"), NOTHING);
    // A manifest that cannot be parsed is a separate finding.
    let broken = [
        &files[..],
        &[HIERA, ("manifests/site.pp", "include profile::b\n"), ("site/profile/manifests/b.pp", "class {")],
    ]
    .concat();
    assert_eq!(of("unknown-class", &broken), NOTHING);
    let reported = with("include profile::web\n");
    assert!(
        reported.len() == 1 && reported[0].starts_with("not-seen site/profile/manifests/web.pp:1 "),
        "{reported:?}"
    );
}

#[test]
fn templates_of_other_programs_are_neither_yaml_nor_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("prometheus.yml", "global:\n  - server: \"http://{{ env \"attr.ip\" }}:8500\"\n"),
        ("workflow.yml", "a: ${{ x }}\nb: [\n"),
        ("config.json", "{\n  \"id\": \"{{with secret \"kv/id\"}}{{.Data.id}}{{end}}\"\n}\n"),
        ("a.hcl", "job \"a\" {\n  datacenters = __DATACENTER__\n  type = var.kind\n}\n"),
        ("b.nomad", "job \"b\" {\n  datacenters = [\"dc1\"]\n}\n"),
    ];
    write(folder.path(), &files);
    let report = audit(&Options::for_paths([folder.path()]), &());
    let rules: Vec<(&str, bool)> =
        report.findings.iter().map(|one| (one.rule.id(), one.file().ends_with("workflow.yml"))).collect();
    assert_eq!(rules, [("job", false), ("data-syntax", true)]);
    let words: Vec<String> = OmissionGroup::group(&report.not_judged).iter().map(OmissionGroup::words).collect();
    assert_eq!(words, ["2 data files (template of Go)", "1 job (template of another program)"]);
    assert_eq!(report.files, 2);
}

#[test]
fn arguments_that_a_server_adds_are_not_missing() {
    let job = |connect: &str, network: &str| {
        format!(
            "job \"mesh\" {{\n  group \"g\" {{\n    shutdown_delay = \"5s\"\n    {network}\n    service {{\n      name = \"gw\"\n      port = \"wan\"\n      \
             {connect}\n      check {{\n        type = \"tcp\"\n        port = \"connect-mesh-gw-lan\"\n        interval = \"9s\"\n        timeout = \"1s\"\n      }}\n    }}\n  }}\n}}\n"
        )
    };
    let network = "network {\n      mode = \"bridge\"\n      port \"wan\" {}\n    }";
    let gateway = "connect {\n        gateway {\n          mesh {}\n        }\n      }";
    assert_eq!(found(&[("a.nomad", &job(gateway, network))]), [] as [&str; 0]);
    assert_eq!(found(&[("a.nomad", &job("", network))]), ["job a.nomad:2 Missing tasks for task group"]);
}

#[test]
fn values_for_variables_that_no_job_declares() {
    let job = "variable \"count\" {\n  default = 1\n}\njob \"a\" {\n  datacenters = [\"dc1\"]\n  group \"g\" {\n    count = var.count\n    task \"t\" {\n      driver = \
               \"raw_exec\"\n      config {\n        command = \"x\"\n      }\n    }\n  }\n}\n";
    let files = [("a.nomad", job), ("b.vars", "count = 2\nregion = \"eu\"\n"), (".git/HEAD", "")];
    let message = |name| format!("No job that was checked declares the variable '{name}'");
    let flags = |options: &mut Options| {
        options.job_values.files.push(options.paths[0].join("b.vars"));
        options.job_values.arguments = vec!["coutn=2".to_owned(), "count=3".to_owned()];
    };
    assert_eq!(
        found_with(&files, flags),
        [format!("job  {}", message("coutn")), format!("job b.vars:2 {}", message("region"))]
    );
    // A part of the jobs gives no findings about the files of all of them.
    let part = |options: &mut Options| {
        let folder = options.paths[0].clone();
        let var_files = vec![folder.join("b.vars")];
        options.job_values.sets.push(JobSet {
            folder: folder.clone(),
            files: vec!["*.nomad".to_owned()],
            var_files,
            ..JobSet::default()
        });
        options.paths = vec![folder.join("a.nomad")];
    };
    assert_eq!(found_with(&files, part), [] as [&str; 0]);
}

#[test]
fn patterns_of_jobs_match_a_file() {
    let job = "job \"a\" {\n  datacenters = [\"dc1\"]\n  group \"g\" {\n    task \"t\" {\n      driver = \"raw_exec\"\n      config {\n        command = \"x\"\n      \
               }\n    }\n  }\n}\n";
    let files = [("jobs/a.nomad", job), ("prod.hcl", "a = 1\n"), (".git/HEAD", "")];
    let set = |patterns: &[&str], name: Option<&str>, folder: &Path| JobSet {
        folder: folder.to_owned(),
        files: patterns.iter().map(|pattern| (*pattern).to_owned()).collect(),
        name: name.map(str::to_owned),
        ..JobSet::default()
    };
    let sets = |options: &mut Options| {
        let folder = options.paths[0].clone();
        let all =
            [set(&["jobs/*.nomad", "job/*.nomad", "!jobs/b.nomad"], Some("prod"), &folder), set(&["x"], None, &folder)];
        options.job_values.sets.extend(all);
    };
    assert_eq!(
        found_with(&files, sets),
        [
            "job  The pattern 'job/*.nomad' of the entry 'prod' in [[jobs]] matches no file that is checked",
            "job  The pattern 'x' in [[jobs]] matches no file that is checked"
        ]
    );
    // Of a part of the repository, nothing is known.
    let part = |options: &mut Options| {
        let folder = options.paths[0].clone();
        options.job_values.sets.push(set(&["job/*.nomad"], None, &folder));
        options.paths = vec![folder.join("jobs")];
    };
    assert_eq!(found_with(&files, part), [] as [&str; 0]);
}

#[test]
fn an_unknown_parameter_is_reported_once() {
    let files = [
        HIERA,
        ("manifests/site.pp", "include ntp\n"),
        ("modules/ntp/manifests/init.pp", "class ntp (Array $servers = []) {\n}\n"),
        ("data/common.yaml", "ntp::severs: []\nother: 1\n"),
    ];
    assert_eq!(
        found_with(&files, |options| options.unused = true),
        [
            "unknown-parameter data/common.yaml:1 The class 'ntp' has no parameter 'severs', and no code looks the key up",
            "unused-key data/common.yaml:2 The key 'other' is never looked up",
        ]
    );
}

#[test]
fn advice_that_no_job_follows_is_given_once() {
    let job = |name: &str, more: &str| {
        format!(
            "job \"{name}\" {{\n  datacenters = [\"dc1\"]\n  group \"g\" {{\n    {more}\n    service {{\n      port = \"80\"\n    }}\n    task \"t\" {{\n      driver = \
             \"raw_exec\"\n      config {{\n        command = \"x\"\n      }}\n    }}\n  }}\n}}\n"
        )
    };
    let [a, b, c] = ["a", "b", "c"].map(|name| job(name, ""));
    let files = [("a.nomad", a.as_str()), ("b.nomad", &b), ("c.nomad", &c)];
    let reported = |files: &[(&str, &str)]| found(files).len();
    assert_eq!((reported(&files), reported(&files[..2])), (1, 2));
    // Advice that some jobs follow was forgotten in the others.
    let d = job("d", "shutdown_delay = \"5s\"");
    assert_eq!(reported(&[files[0], files[1], files[2], ("d.nomad", &d)]), 3);
}
