//! Verbs that gate, in a repository that has one thing of every kind that they pass over: each is judged or named.

use std::fs;
use std::os::unix::fs::symlink;

use crate::several::Site;

const HIERA: &str = "version: 5
hierarchy:
  - {name: Common, path: common.yaml}
  - {name: Elsewhere, datadir: /nonexistent/data, path: x.yaml}
";

/// The files, each with what `check` has to say of it if it is not judged, and what `diff` has to say if it changes and nothing compares it.
const FILES: &[(&str, &str, &str, &str)] = &[
    ("hiera.yaml", HIERA, "", ""),
    ("data/common.yaml", "a: 1\n", "", ""),
    ("data/unread.yaml", "a: 1\n", "", ""),
    ("data/README.txt", "text\n", "4 files (no language that is checked)", ""),
    ("notes.txt", "text\n", "4 files (no language that is checked)", ""),
    (".hidden.yaml", "a: 1\n", "1 data file (hidden: name it to check it)", ""),
    ("Puppetfile", "mod 'example-nginx', '1.0.0'\n", "", "1 Puppetfile"),
    (
        "manifests/site.pp",
        "class { 'nginx': }\n",
        "1 manifest (modules of Puppetfile are missing: install them)",
        "3 manifests",
    ),
    ("modules/web/manifests/init.pp", "class web { }\n", "", "3 manifests"),
    ("modules/web/functions/f.pp", "function web::f() { 1 }\n", "", "3 manifests"),
    ("modules/web/spec/a.pp", "x\n", "1 manifest (tests of a module: name it to check it)", ""),
    ("modules/web/files/a.pp", "x\n", "1 file (content of a module: name it to check it)", "1 file of a module"),
    ("modules/web/templates/a.epp", "x\n", "", "2 templates"),
    ("modules/web/templates/b.erb", "x\n", "", "2 templates"),
    ("modules/web/lib/puppet/functions/g.rb", "x\n", "", "1 file of Ruby"),
    ("modules/web/lib/facter/x.rb", "x\n", "", "1 custom fact"),
    ("modules/web/plans/p.pp", "plan web::p() { }\n", "", "1 plan or task"),
    (
        "other.erb",
        "<%= 1 %>\n",
        "1 template (ERB outside of templates/: name it to check it)",
        "2 templates, 1 Puppetfile",
    ),
    ("roles/x.j2", "{{ x }}\n", "", "2 templates, 1 Puppetfile"),
    (
        "jobs/a.nomad",
        "variable \"image\" {}\njob \"a\" {\n  group \"g\" {\n    task \"t\" {\n      driver = \"docker\"\n      config {\n        \
      image = var.image\n      }\n    }\n  }\n}\n",
        "1 job (no value for var.image: --var-file)",
        "var.image in jobs/a.nomad: no value",
    ),
    ("jobs/b.hcl", "job \"[[ .name ]]\" {\n}\n", "1 job (template of Levant)", "2 jobs"),
    ("jobs/c.hcl", "$ANSIBLE_VAULT;1.1;AES256\n3030\n", "1 HCL file (encrypted by Ansible Vault)", ""),
    ("jobs/d.hcl", "{\"a\": 1}\n", "1 HCL file (no kind of file of Nomad, Consul or Vault; its syntax is valid)", ""),
    ("jobs/a.vars", "other = \"x\"\n", "", "2 jobs"),
    ("charts/a/Chart.yaml", "name: a\nversion: 1.0.0\n", "", ""),
    ("charts/a/templates/x.yaml", "a: {{ .Values.x }}\n", "1 template (template of Helm)", ""),
    ("ignored.yaml", "a: 1\n", "1 data file (excluded by hieratic.toml)", ""),
    ("hieratic.toml", "[check]\nexclude = [\"ignored.yaml\"]\n", "", ""),
];

/// The repository; none, with a word, where git is not installed.
fn site() -> Option<Site> {
    let files: Vec<(&str, &str)> = FILES.iter().map(|(name, text, ..)| (*name, *text)).collect();
    let site = Site::of(&files)?;
    symlink("nowhere", site.path().join("dangling.yaml")).unwrap();
    symlink("/", site.path().join("outside")).unwrap();
    Some(site)
}

#[test]
fn a_check_names_whatever_it_passes_over() {
    let Some(site) = site() else { return };
    let others =
        ["1 link (link to nothing)", "The link outside leads out", "1 level (its data is not here: --datadir)"];
    let expected = FILES.iter().map(|(_, _, expected, _)| *expected).chain(others);
    let reported = site.run(&["check"]);
    for expected in expected {
        assert!(reported.contains(expected), "{expected}: {reported}");
    }
    assert_eq!(site.output(&["check", "--strict-coverage"]).status.code(), Some(1));
    // Every file below is judged or named: the numbers of the summary add up to those on disk.
    let numbers = |text: &str| -> usize {
        let count = |part: &str| part.split(' ').next().and_then(|count| count.parse::<usize>().ok()).unwrap_or(0);
        text.split(", ").map(count).sum()
    };
    let summary = reported.lines().find(|line| line.starts_with("Checked ")).unwrap();
    let (checked, not_judged) = summary.split_once(". Not judged: ").unwrap();
    let checked: usize = checked.split(' ').nth(1).unwrap().parse().unwrap();
    // The level is no file, and a job, a manifest and a file of HCL are read as far as they are known.
    let (of_files, are_partly_judged) = (numbers(not_judged) - 1, 3);
    // The settings are judged by reading them; the link to nothing is counted, and the other one is a finding.
    let on_disk = FILES.len() - 1 + 1;
    assert_eq!(checked + of_files - are_partly_judged, on_disk, "{reported}");
}

#[test]
fn a_comparison_names_whatever_it_passes_over() {
    let Some(site) = site() else { return };
    site.commit("Two");
    for (name, text, _, _) in FILES.iter().filter(|(name, ..)| !["hiera.yaml", "hieratic.toml"].contains(name)) {
        let mark = if name.ends_with(".vars") || name.ends_with(".nomad") { "# changed\n" } else { "changed: 1\n" };
        fs::write(site.path().join(name), format!("{text}{mark}")).unwrap();
    }
    for format in ["text", "markdown", "json", "html", "github"] {
        let reported = site.run(&["diff", "--fact", "a=b", "--no-findings", "--format", format]);
        let plain = reported.replace("\\(", "(").replace("&#45;", "-");
        for (name, _, _, expected) in FILES {
            assert!(plain.contains(expected), "{format} {name}: {reported}");
        }
        assert!(plain.contains("/nonexistent/data"), "{format}: {reported}");
    }
    // Catalogs show what code does, and nothing else.
    let reported = site.run(&["diff", "--fact", "a=b", "--no-findings", "--catalogs"]);
    assert!(!reported.contains("3 manifests") && reported.contains("1 Puppetfile"), "{reported}");
    assert_eq!(site.output(&["diff", "--strict-coverage"]).status.code(), Some(1));
}

#[test]
fn reach_names_whatever_it_passes_over() {
    let Some(site) = site() else { return };
    for (name, _, _, expected) in FILES {
        let reported = site.run(&["affected", name, "--fact", "a=b", "--strict-coverage"]);
        let is_counted = reported.contains("not judged: 1 ");
        assert_eq!(is_counted, !expected.is_empty(), "{name}: {reported}");
        assert_eq!(reported.ends_with("[1]"), is_counted, "{name}: {reported}");
    }
}

#[test]
fn a_refactoring_names_whatever_it_passes_over() {
    let Some(site) = site() else { return };
    site.write("hiera.yaml", "version: 5\nhierarchy:\n  - {name: Common, path: common.yaml}\n");
    let options = "lookup_options:\n  c: {convert_to: Integer}\n";
    site.write("data/common.yaml", format!("{options}a: 1\nb: \"%{{lookup('a')}}\"\nc: x\n"));
    let reported = site.run(&["refactor", "rename", "a", "d", "--fact", "a=b"]);
    assert!(reported.contains("No answer of 1 node changes") && reported.ends_with("[0]"), "{reported}");
    let reported = site.run(&["refactor", "rename", "c", "d", "--fact", "a=b"]);
    assert!(reported.contains("1 key fails before and after with the same message: c"), "{reported}");
    assert!(reported.contains("No other answer of 1 node changes"), "{reported}");
    // Nothing is known of nodes that cannot be looked up at all.
    site.write("hiera.yaml", "version: 5\nhierarchy:\n  - {name: Common, path: common.yaml}\n  - {name: X, mapped_paths: [facts.n, x, '%{x}']}\n");
    let reported = site.run(&["refactor", "rename", "a", "d", "--fact", "n=1", "--write"]);
    assert!(
        reported.contains("1 node cannot be looked up, before and after") && reported.ends_with("[1]"),
        "{reported}"
    );
    assert!(fs::read_to_string(site.path().join("data/common.yaml")).unwrap().contains("a: 1"), "{reported}");
}
