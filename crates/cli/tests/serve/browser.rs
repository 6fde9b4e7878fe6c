//! The page, as text and in a browser.

use std::process::{Command, Stdio};

use hieratic_testing::skipped;

use crate::service::{Repository, Service, example};
use crate::until::until;

/// The one script of a page.
const OWN: &str = "<script src=\"/script.js\" defer></script>";

/// What would run if something were not escaped.
pub const ATTACK: &str = "<script>document.title='taken'</script><img src=x onerror=document.title='taken'>\"'&";

pub fn hostile() -> Repository {
    let quoted = serde_json::to_string(ATTACK).unwrap();
    let data = format!(
        "{{{quoted}: {quoted}, 'plain': {{{quoted}: [{quoted}]}}, \"broken\": \"%{{lookup('<b>none</b>')}}\"}}"
    );
    let hiera = format!("version: 5\nhierarchy:\n  - {{name: {quoted}, path: common.yaml}}\n");
    Repository::new(&[
        ("environments/production/hiera.yaml", &hiera),
        ("environments/production/data/common.yaml", &data),
        ("environments/other/hiera.yaml", &hiera),
        ("environments/other/data/common.yaml", "plain: 1\n"),
        ("facts/n.json", &serde_json::json!({ATTACK: ATTACK, "long": "x".repeat(500)}).to_string()),
    ])
}

fn percent(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// The pages on which something hostile comes up.
pub fn pages() -> Vec<String> {
    let attack = percent(ATTACK);
    vec![
        "/".into(),
        format!("/?search={attack}&environment={attack}"),
        format!("/node?node=n&search={attack}"),
        "/node?node=n".into(),
        format!("/node?node={attack}"),
        format!("/catalog?node=n&search={attack}&class={attack}"),
        format!("/catalog?node={attack}&environment={attack}"),
        format!("/key?node=n&key={}", percent(&format!("\"{ATTACK}\""))),
        "/key?node=n&key=plain".into(),
        "/key?node=n&key=broken".into(),
        format!("/key?node=n&environment={attack}&key={attack}"),
        "/compare?left=n&right_environment=other".into(),
        format!("/compare?left={attack}&right={attack}&search={attack}"),
        "/find?q=script".into(),
        "/find?q=long".into(),
        format!("/find?q={attack}&environment=production"),
        format!("/find?q=x&environment={attack}"),
        "/hierarchy".into(),
        format!("/hierarchy?environment={attack}"),
        "/spread?key=plain".into(),
        "/spread?key=broken".into(),
        format!("/spread?key={}", percent(&format!("\"{ATTACK}\""))),
        format!("/spread?key={attack}&environment={attack}"),
        format!("/node?node=n&facts={attack}"),
        format!("/hierarchy?by={attack}"),
        "/findings".into(),
        "/findings?node=n".into(),
        format!("/findings?rule={attack}&severity={attack}&file={attack}"),
        format!("/findings?environment={attack}"),
        format!("/findings?node={attack}"),
        format!("/findings?hygiene={attack}"),
        "/findings?hygiene=true".into(),
        format!("/finding?rule={attack}"),
        format!("/history?node=n&key={attack}&from={attack}"),
        "/history?node=n&key=plain".into(),
        format!("/changes?base={attack}"),
        format!("/changes?node={attack}&key={attack}&only={attack}"),
        format!("/changes?environment={attack}"),
        format!("/changes?only={attack}"),
        "/file?path=data/common.yaml".into(),
        "/file?path=data/common.yaml&blame=1".into(),
        "/file?path=hiera.yaml".into(),
        format!("/file?path={attack}"),
        format!("/file?path=data/common.yaml&node={attack}"),
        format!("/file?path=data/common.yaml&environment={attack}"),
        format!("/level?level={attack}"),
        format!("/level?level={attack}&show=nodes"),
        format!("/level?level={attack}x&module={attack}&environment={attack}"),
        format!("/?sort={attack}&facts={attack}"),
        format!("/node?node=n&module={attack}"),
        "/compare?left=n&left_revision=none".into(),
        format!("/compare?left=n&left_revision={attack}&right_revision={attack}"),
        format!("/find?q=script&kind={attack}"),
    ]
}

#[test]
fn nothing_hostile_becomes_markup() {
    let repository = hostile();
    let service = repository.serve(&["--catalogs"]);
    for page in pages() {
        let answer = service.get(&page);
        let text = answer.text.replace(OWN, "");
        for markup in ["<script", "<img", "<b>"] {
            assert!(!text.contains(markup), "{page}: {text}");
        }
        let policy = answer.heads["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert!(answer.heads["content-type"].to_str().unwrap().starts_with("text/html"), "{page}");
    }
    // The attack itself is shown, as text.
    assert!(service.get("/key?node=n&key=plain").text.contains("&lt;script&gt;"));
}

#[test]
fn pages_show_the_environment() {
    let (_folder, service) = example(&[]);
    let has = |page: &str, parts: &[&str]| {
        let answer = service.get(page);
        assert_eq!(answer.status, 200, "{page}: {}", answer.text);
        for part in parts {
            assert!(answer.text.contains(part), "{page} lacks {part}: {}", answer.text);
        }
    };
    has("/", &["web01.example.com", "db01.example.com", "/node?environment=production&amp;node=web01.example.com"]);
    has("/?search=DB", &["db01.example.com"]);
    assert!(!service.get("/?search=DB").text.contains("web01.example.com"));
    has("/node?node=web01.example.com&search=VHOSTS", &["profile::web::vhosts"]);
    has(
        "/key?node=web01.example.com&key=profile::web::port",
        &["Result", "8080", "nodes/web01.example.com.yaml", ":2", "data/common.yaml", ":16", "Role", "80"],
    );
    has(
        "/compare?left=web01.example.com&right=db01.example.com",
        &["keys differ", "profile::web::port", "80<mark>80</mark>"],
    );
    assert_eq!(service.get("/node?node=unknown").status, 404);
    assert!(service.get("/style.css").heads["content-type"].to_str().unwrap().starts_with("text/css"));
}

#[test]
fn a_key_shows_the_effect_of_each_level() {
    let (_folder, service) = example(&[]);
    let page = |address: &str| {
        let answer = service.get(address);
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.text
    };
    // The first value counts, the others are shown with the reason.
    let text = page("/key?node=web01.example.com&key=profile::web::port");
    let shows = |text: &str, parts: &[&str]| {
        for part in parts {
            assert!(text.contains(part), "{part} in {text}");
        }
    };
    let parts = [
        "first value found",
        "data/nodes/web01.example.com.yaml:2",
        "Not used: the first value found is used",
        "data/common.yaml:16",
        "1 place has no such key",
    ];
    shows(&text, &parts);
    // A merge, with its rule and where it is written, and the place of every part.
    let text = page("/key?node=web01.example.com&key=profile::base::packages");
    let parts = [
        "merged ",
        "lookup_options",
        "data/roles/web.yaml:3",
        "data/common.yaml:14",
        "<span class=\"n\">15</span>",
        "The value in this level",
    ];
    shows(&text, &parts);
    let text = page("/key?node=web01.example.com&key=profile::web::prot");
    assert!(text.contains("Similar keys: <a ") && text.contains(">profile::web::port</a>"), "{text}");
}

#[test]
fn lines_lead_to_the_forge_of_the_settings() {
    let repository = Repository::new(&[
        ("hieratic.toml", "link = \"https://forge.example.com/blob/{path}#L{line}\"\n"),
        ("environments/production/data/common.yaml", "one: 1\ntwo: 2\n"),
        ("facts/n.json", "{}"),
    ]);
    let service = repository.serve(&[]);
    let text = service.get("/file?path=data/common.yaml&node=n").text;
    assert!(
        text.contains("<a href=\"https://forge.example.com/blob/") && text.contains("data/common.yaml#L1"),
        "{text}"
    );
}

#[test]
fn a_search_asks_all_nodes() {
    let (_folder, service) = example(&[]);
    let text = service.get("/find?q=port+8080").text;
    for part in [
        "3 nodes searched",
        "profile::web::port",
        "8080",
        "data/nodes/web01.example.com.yaml:2",
        "/key?environment=production&amp;node=web01.example.com",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(service.get("/find?q=role+db").text.contains("/node?environment=production&amp;node=db01.example.com"));
    assert!(service.get("/find?q=roles/web.yaml").text.contains("web02.example.com"));
    assert!(service.get("/find?q=no-such-thing-anywhere").text.contains("No results for"));
    let text = service.get("/spread?key=profile::web::port").text;
    for part in [
        "2 different values",
        "2 nodes",
        "8080",
        "on <a href=\"/key?environment=production&amp;node=web01.example.com&amp;key=profile::web::port\">web01.example.com</a>",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    // Distinguishing facts are shown.
    let text = service.get("/spread?key=profile::base::packages").text;
    assert!(text.contains("all nodes with") && text.contains("role = "), "{text}");
}

#[test]
fn a_level_shows_its_contribution() {
    let (_folder, service) = example(&[]);
    let levels = service.get("/v1/hierarchy").json();
    let of = |name: &str| {
        let levels = levels["levels"].as_array().unwrap();
        let level = levels.iter().find(|level| level["level"] == name).unwrap();
        ["nodes", "files"].map(|count| level[count].as_u64().unwrap())
    };
    assert_eq!([of("Node"), of("Common")], [[1, 1], [3, 1]], "{levels}");
    assert!(service.get("/hierarchy").text.contains("Never win"));
    // On groups of nodes: those with the role `web` have a file of their own there, the other does not.
    let map = service.get("/v1/hierarchy?by=role").json();
    assert_eq!(map["groups"], serde_json::json!([{"value": "web", "nodes": 2}, {"value": "db", "nodes": 1}]), "{map}");
    let row = |name: &str| {
        let levels = map["levels"].as_array().unwrap();
        let level = levels.iter().find(|level| level["level"] == name).unwrap();
        level["groups"].as_array().unwrap().iter().map(|one| one["nodes"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!([row("Node"), row("Common")], [[1, 0], [2, 1]], "{map}");
    for level in map["levels"].as_array().unwrap() {
        let most = level["groups"].as_array().unwrap().iter().map(|one| one["keys"].as_u64().unwrap()).max();
        assert!(most <= level["keys"].as_u64(), "{level}");
    }
    let text = service.get("/hierarchy").text;
    assert!(text.contains("Groups by role") && text.contains("2 never win") && text.contains("–"), "{text}");
    assert!(service.get("/hierarchy?by=no_such").text.contains("No node has this fact"));
    // Each number of the map leads to the keys of its group.
    for level in map["levels"].as_array().unwrap() {
        for (used, group) in level["groups"].as_array().unwrap().iter().zip(map["groups"].as_array().unwrap()) {
            let [module, level] = ["module", "level"].map(|name| level[name].as_str().unwrap_or_default());
            let (level, group) = (level.replace(' ', "+"), group["value"].as_str().unwrap());
            let path = format!("/level?module={module}&level={level}&by=role&group={group}");
            let page = service.get(&path);
            let [keys, highest, nodes] = ["keys", "highest", "nodes"].map(|count| used[count].as_u64().unwrap());
            for part in [
                format!("Keys ({keys})"),
                format!("Win on a node ({highest})"),
                format!("Never win ({})", keys - highest),
                format!("Nodes with a file ({nodes})"),
                format!("with <code>role = {group}</code>"),
            ] {
                assert!(page.text.contains(&part), "{path}: {part} in {}", page.text);
            }
        }
    }
    let link = "/level?environment=production&amp;level=Common&amp;by=role&amp;show=keys&amp;group=web";
    assert!(text.contains(link), "{text}");
    assert_eq!(service.get("/level?level=Common&by=role&group=nobody").status, 404);
    assert_eq!(service.get("/level?level=Common&by=role").status, 404);
}

#[test]
fn a_search_sees_files_that_change() {
    let repository =
        Repository::new(&[("environments/production/data/common.yaml", "one: before\n"), ("facts/n.json", "{}")]);
    let service = repository.serve(&[]);
    assert_eq!(service.get("/v1/find?q=before").json()["values"][0]["key"], "one");
    repository.write("environments/production/data/common.yaml", "one: after\n");
    // Files are looked at once a second. What is said to be complete is of the files as they are.
    until("the change is found", || {
        let answer = service.get("/v1/find?q=after").json();
        (answer["values"][0]["key"] == "one" && answer["complete"] == true).then_some(())
    });
    assert_eq!(service.get("/v1/find?q=before").json()["values"], serde_json::json!([]));
}

#[test]
fn failed_nodes_are_named() {
    let repository = Repository::new(&[
        ("environments/production/data/common.yaml", "one: 1\n"),
        ("facts/fine.json", "{}"),
        ("facts/broken.json", "{\"a\": "),
    ]);
    let service = repository.serve(&[]);
    let text = service.get("/find?q=one").text;
    for part in ["2 nodes searched", "1 node cannot be looked up", "broken: ", "<mark>one</mark>"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_long_value_is_shown_around_the_match() {
    let long = format!("{}needle{}", "x".repeat(2000), "y".repeat(2000));
    let repository = Repository::new(&[
        ("environments/production/data/common.yaml", &format!("long: {long}\nport: 8080\n")),
        ("facts/n.json", "{}"),
    ]);
    let service = repository.serve(&[]);
    let text = service.get("/find?q=NEEDLE").text;
    assert!(text.contains("x<mark>needle</mark>y") && !text.contains(&"y".repeat(400)), "{text}");
    let value = service.get("/v1/find?q=needle").json()["values"][0]["value"].clone();
    assert!(value.as_str().unwrap().contains("xneedley"), "{value}");
}

#[test]
fn a_comparison_shows_differences_inside_values() {
    let repository = Repository::new(&[
        ("environments/production/data/roles/a.yaml", "deep: {same: 1, other: {x: [1, 2]}}\nonly: 1\n"),
        ("environments/production/data/roles/b.yaml", "deep: {same: 1, other: {x: [1, 3]}}\n"),
        ("facts/a.json", "{\"role\": \"a\"}"),
        ("facts/b.json", "{\"role\": \"b\"}"),
    ]);
    let service = repository.serve(&[]);
    let text = service.get("/compare?left=a&right=b").text;
    for part in ["<strong>2</strong> of 2 keys differ", "other.x", "Different values (1)", "Only a (1)", "Only b (0)"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("same: 1"), "{text}");
    let text = service.get("/compare?left=a&right=b&only=left").text;
    assert!(text.contains("<code>only</code>") && !text.contains("<code>deep</code>"), "{text}");
}

/// The browser, if there is one.
pub fn program() -> Option<&'static str> {
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        let mut command = Command::new(name);
        command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
    })
}

/// What a browser makes of a page; none if there is no browser.
fn in_browser(service: &Service, page: &str) -> Option<String> {
    let profile = tempfile::tempdir().unwrap();
    let program = program()?;
    let output = Command::new(program)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--virtual-time-budget=2000"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .args(["--dump-dom", &format!("{}{page}", service.url)])
        .stderr(Stdio::null())
        .output()
        .unwrap();
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn a_browser_shows_the_layers_and_runs_nothing_of_the_data() {
    let (_folder, service) = example(&[]);
    let Some(text) = in_browser(&service, "/key?node=web01.example.com&key=profile::web::vhosts") else {
        skipped("Chromium is not installed");
        return;
    };
    for part in ["Result", "/srv/shop", "nodes/web01.example.com.yaml", "Common", "Unfold all"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let repository = hostile();
    let service = repository.serve(&[]);
    for page in pages() {
        let text = in_browser(&service, &page).unwrap();
        assert!(text.contains("Hieratic</title>") && !text.contains("<title>taken"), "{page}: {text}");
        let text = text.replace(&OWN.replace(" defer>", " defer=\"\">"), "");
        assert!(!text.contains("<img") && !text.contains("<script"), "{page}: {text}");
    }
}
