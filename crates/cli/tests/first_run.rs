//! A first run in a repository: the command without arguments, `init` and `doctor`.

#![cfg(unix)]

use std::os::unix::fs::symlink;

use super::several::Site;

const FILES: &[(&str, &str)] = &[
    (
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - {name: Role, path: 'roles/%{facts.role}.yaml'}\n  - {name: Common, path: common.yaml}\n",
    ),
    ("data/common.yaml", "web::port: 80\nweb::port2: 1\n"),
    ("data/roles/db.yaml", "web::port: 5432\n"),
    ("facts/web01.json", "{\"certname\": \"web01\", \"role\": \"web\"}"),
    ("facts/db01.json", "{\"certname\": \"db01\", \"role\": \"db\"}"),
    ("manifests/site.pp", "node default { }\n"),
    ("Puppetfile", "mod 'puppetlabs-apache', '1.0.0'\n"),
    ("site-modules/a/manifests/init.pp", "class a { include apache }\n"),
    ("environment.conf", "modulepath = site-modules:modules\n"),
];

#[test]
fn the_command_alone_describes_the_repository_and_next_steps() {
    let Some(site) = Site::of(FILES) else { return };
    let text = site.run(&[]);
    for part in ["environments  production: 2 levels", "findings", "last changes", "A: One", "Next steps"] {
        assert!(text.contains(part), "{part:?} is missing in {text}");
    }
    assert_eq!(text.matches("  hieratic ").count(), 5, "{text}");
    // Each step runs as it is written, but for the service, which goes on.
    for step in text.lines().filter_map(|line| line.strip_prefix("  hieratic ")) {
        let words: Vec<&str> = step.split('#').next().unwrap().split_whitespace().collect();
        if words != ["serve"] {
            let done = site.output(&words);
            assert!(matches!(done.status.code(), Some(0 | 1)), "{words:?}: {done:?}");
        }
    }
}

#[test]
fn doctor_names_each_gap_and_its_remedy() {
    let Some(site) = Site::of(FILES) else { return };
    let text = site.run(&["doctor"]);
    assert!(text.contains("gap  no settings: every run needs its flags\n     hieratic init"), "{text}");
    assert!(text.contains("modules of Puppetfile are missing)\n     install them"), "{text}");
    assert!(!text.contains("\n     \n"), "an empty line stands for what to do: {text}");
    assert!(site.output(&["doctor"]).status.success());
    assert_eq!(site.output(&["doctor", "--exit-code"]).status.code(), Some(1));
    // A fault is more than a gap.
    site.write("hiera.yaml", "version: 5\nhierarchy: 3\n");
    let done = site.output(&["doctor"]);
    assert_eq!(done.status.code(), Some(1), "{done:?}");
    assert!(String::from_utf8_lossy(&done.stdout).contains("bad  "), "{done:?}");
}

#[test]
fn init_writes_the_shown_files_only_after_a_yes() {
    let Some(site) = Site::of(FILES) else { return };
    let shown = site.run(&["init"]);
    assert!(shown.contains("+++ hieratic.toml") && shown.contains("Nothing was written"), "{shown}");
    assert!(!site.path().join("hieratic.toml").exists());
    let written = site.output(&["init", "--yes"]);
    assert!(written.status.success(), "{written:?}");
    let settings = std::fs::read_to_string(site.path().join("hieratic.toml")).unwrap();
    // The settings are those that were shown, and the command takes them.
    assert!(settings.lines().all(|line| shown.contains(&format!("+{line}"))), "{settings}");
    assert!(settings.contains("facts = \"facts\""), "{settings}");
    assert_eq!(site.output(&["check"]).status.code(), Some(0));
    assert!(site.run(&["doctor"]).contains("ok   settings in hieratic.toml"));
    // A second run leaves them as they are.
    site.write("hieratic.toml", "# mine\n");
    let again = site.run(&["init", "--yes"]);
    assert!(again.contains("hieratic.toml exists, and stays as it is"), "{again}");
    assert_eq!(std::fs::read_to_string(site.path().join("hieratic.toml")).unwrap(), "# mine\n");
}

#[test]
fn init_follows_no_link_out_of_the_repository() {
    let Some(site) = Site::of(FILES) else { return };
    let outside = tempfile::tempdir().unwrap();
    // The settings are behind the link already, and the folder of workflows leads out.
    symlink(outside.path().join("settings"), site.path().join("hieratic.toml")).unwrap();
    symlink(outside.path(), site.path().join(".github")).unwrap();
    let done = site.output(&["init", "--yes"]);
    assert!(std::fs::read_dir(outside.path()).unwrap().next().is_none(), "{done:?}");
}
