//! `hieratic diff` on the Nomad jobs of a repository.

#![cfg(unix)]

use super::several::Site;

fn job(name: &str, count: &str, image: &str) -> String {
    format!(
        "variable \"count\" {{\n  type    = number\n  default = 1\n}}\n\njob \"{name}\" {{\n  group \"front\" {{\n    count = {count}\n    task \"nginx\" {{\n      driver = \"docker\"\n      config {{\n        image = \"{image}\"\n      }}\n    }}\n  }}\n}}\n"
    )
}

const SETTINGS: &str = "[[jobs]]\nname = \"production\"\nfiles = [\"jobs/web.nomad.hcl\"]\nvar-files = [\"prod.vars.hcl\"]\n\n[[jobs]]\nname = \"staging\"\nfiles = [\"jobs/web.nomad.hcl\"]\n";

#[test]
fn jobs_change_with_their_files_and_variables() {
    let site = Site::of(&[
        ("hiera.yaml", "version: 5\n"),
        ("data/common.yaml", "a: 1\n"),
        ("hieratic.toml", SETTINGS),
        ("prod.vars.hcl", "count = 2\n"),
        ("jobs/web.nomad.hcl", &job("web", "var.count", "nginx:1")),
        ("jobs/cron.nomad.hcl", &job("cron", "1", "cron:1")),
        ("jobs/other.nomad.hcl", &job("other", "1", "other:1")),
        ("jobs/asks.nomad.hcl", &job("asks", "1", "${hiera(\"a\")}")),
    ]);
    let Some(site) = site else { return };
    insta::assert_snapshot!("unchanged", site.run(&["diff"]));
    // A variable file changes the job in the entry that has it.
    site.write("prod.vars.hcl", "count = 3\n");
    site.write("jobs/cron.nomad.hcl", job("cron", "1", "cron:2"));
    site.write("jobs/new.nomad.hcl", job("new", "1", "new:1"));
    site.write("jobs/other.nomad.hcl", "job \"other\" {\n  cuont = 1\n}\n");
    site.write("jobs/asks.nomad.hcl", job("asks", "2", "${hiera(\"a\")}"));
    insta::assert_snapshot!("changes", site.run(&["diff", "--fail-if", "jobs > 3"]));
    insta::assert_snapshot!("without_jobs", site.run(&["diff", "--no-jobs", "--exit-code"]));
    insta::assert_snapshot!("annotations", site.run(&["diff", "--format", "github", "--no-findings"]));
    let json = site.json(&["diff"]);
    let jobs = json["jobs"].as_array().unwrap();
    assert_eq!(jobs.len(), 5, "{json}");
    let web = jobs.iter().find(|one| one["job"] == "web").unwrap();
    assert_eq!(web["entry"], "production");
    let markdown = site.run(&["diff", "--format", "markdown"]);
    assert!(markdown.contains("Nomad jobs") && markdown.contains("front.Count"), "{markdown}");
    let page = site.run(&["diff", "--format", "html"]);
    assert!(page.contains("Nomad jobs") && page.contains("front.Count"), "{page}");
}

#[test]
fn jobs_that_call_hiera_are_compared_for_each_node() {
    let site = Site::of(&[
        ("hiera.yaml", "version: 5\nhierarchy: [{name: r, paths: ['%{facts.role}.yaml', common.yaml]}]\n"),
        ("data/common.yaml", "image: a\n"),
        ("data/db.yaml", "image: d\n"),
        ("facts/web01.json", "{\"role\": \"web\"}"),
        ("facts/web02.json", "{\"role\": \"web\"}"),
        ("facts/db01.json", "{\"role\": \"db\"}"),
        ("jobs/asks.nomad.hcl", &job("asks", "1", "${hiera(\"image\")}")),
    ]);
    let Some(site) = site else { return };
    let diff = ["diff", "--facts", "facts", "--no-findings", "--key", "none"];
    let unchanged = site.run(&diff);
    assert!(!unchanged.contains("asks"), "{unchanged}");
    // The job has not changed, but what it asks for has.
    site.write("data/common.yaml", "image: b\n");
    insta::assert_snapshot!("for_nodes", site.run(&diff));
    let json = site.json(&diff);
    let jobs = json["jobs"].as_array().expect("jobs");
    assert_eq!(jobs.len(), 1, "{json}");
    assert!(jobs[0]["nodes"].as_str().is_some_and(|nodes| nodes.starts_with("2 of 3 nodes")), "{json}");
    site.write("data/common.yaml", "other: b\n");
    let failing = site.run(&diff);
    assert!(failing.contains("not valid") && failing.contains("for 2 of 3 nodes"), "{failing}");
}

#[test]
fn jobs_are_compared_without_the_values_of_their_variables() {
    let job = |image: &str, count: &str| {
        format!(
            "variable \"token\" {{\n  type = string\n}}\nvariable \"count\" {{\n  type = number\n}}\njob \"web\" {{\n  group \"front\" {{\n    \
             count = {count}\n    task \"nginx\" {{\n      driver = \"docker\"\n      config {{\n        image = \"{image}\"\n      }}\n    }}\n  }}\n}}\n"
        )
    };
    let Some(site) = Site::of(&[("web.nomad.hcl", &job("a/${var.token}", "var.count"))]) else { return };
    site.write("web.nomad.hcl", job("b/${var.token}", "var.count"));
    let shown = site.run(&["diff"]);
    assert!(shown.contains("+ front.nginx.Config.image: b/${var.token}"), "{shown}");
    assert!(shown.contains("the values that depend on var.count and var.token in web.nomad.hcl"), "{shown}");
    // A name that does not exist is still an error.
    site.write("web.nomad.hcl", job("b/${var.tokn}", "1"));
    let shown = site.run(&["diff"]);
    assert!(shown.contains("not valid") && shown.contains("tokn"), "{shown}");
}

#[test]
fn repositories_of_jobs_alone_are_compared() {
    let Some(site) = Site::of(&[("web.nomad.hcl", &job("web", "1", "nginx:1"))]) else { return };
    insta::assert_snapshot!("alone_unchanged", site.run(&["diff"]));
    site.write("web.nomad.hcl", job("web", "2", "nginx:1"));
    insta::assert_snapshot!("alone", site.run(&["diff", "--exit-code"]));
    std::fs::remove_file(site.path().join("web.nomad.hcl")).unwrap();
    insta::assert_snapshot!("alone_removed", site.run(&["diff"]));
}

#[test]
fn jobs_that_move_to_another_file_change_only_in_their_fields() {
    let site = Site::of(&[
        ("hiera.yaml", "version: 5\n"),
        ("web.nomad.hcl", &job("web", "1", "nginx:1")),
        ("cron.nomad.hcl", &job("cron", "1", "cron:1")),
    ]);
    let Some(site) = site else { return };
    for name in ["web.nomad.hcl", "cron.nomad.hcl"] {
        std::fs::remove_file(site.path().join(name)).unwrap();
    }
    site.write("jobs/web.nomad.hcl", job("web", "1", "nginx:1"));
    site.write("jobs/cron.nomad.hcl", job("cron", "1", "cron:2"));
    let json = site.json(&["diff"]);
    let jobs = json["jobs"].as_array().expect("jobs");
    assert_eq!(jobs.len(), 1, "{json}");
    assert_eq!((&jobs[0]["job"], &jobs[0]["moved_from"]), (&"cron".into(), &"cron.nomad.hcl".into()), "{json}");
    let markdown = site.run(&["diff", "--format", "markdown"]);
    assert!(markdown.contains("moved from cron.nomad.hcl") && markdown.contains("cron:2"), "{markdown}");
    // With two of them, nothing says which one moved.
    site.write("jobs/copy.nomad.hcl", job("web", "1", "nginx:1"));
    assert_eq!(site.json(&["diff"])["jobs"].as_array().map(Vec::len), Some(4), "{}", site.json(&["diff"]));
}
