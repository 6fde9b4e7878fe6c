//! The page, as text and in a browser.

use std::process::{Command, Stdio};

use crate::service::{Repository, Service, example};

/// What would run if something were not escaped.
const ATTACK: &str = "<script>document.title='taken'</script><img src=x onerror=document.title='taken'>\"'&";

fn hostile() -> Repository {
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
        ("facts/n.json", "{}"),
    ])
}

fn percent(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// The pages on which something hostile comes up.
fn pages() -> Vec<String> {
    let attack = percent(ATTACK);
    vec![
        "/".into(),
        format!("/?search={attack}&environment={attack}"),
        format!("/node?node=n&search={attack}"),
        "/node?node=n".into(),
        format!("/node?node={attack}"),
        format!("/key?node=n&key={}", percent(&format!("\"{ATTACK}\""))),
        "/key?node=n&key=plain".into(),
        "/key?node=n&key=broken".into(),
        format!("/key?node=n&environment={attack}&key={attack}"),
        "/compare?left=n&right_environment=other".into(),
        format!("/compare?left={attack}&right={attack}&search={attack}"),
    ]
}

#[test]
fn nothing_hostile_becomes_markup() {
    let repository = hostile();
    let service = repository.serve(&[]);
    for page in pages() {
        let answer = service.get(&page);
        for markup in ["<script", "<img", "<b>"] {
            assert!(!answer.text.contains(markup), "{page}: {}", answer.text);
        }
        let policy = answer.heads["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert!(answer.heads["content-type"].to_str().unwrap().starts_with("text/html"), "{page}");
    }
    // The attack itself is shown, as text.
    assert!(service.get("/key?node=n&key=plain").text.contains("&lt;script&gt;"));
}

#[test]
fn pages_show_what_there_is() {
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
    has("/compare?left=web01.example.com&right=db01.example.com", &["keys differ", "profile::web::port", "8080"]);
    assert_eq!(service.get("/node?node=unknown").status, 404);
    assert!(service.get("/style.css").heads["content-type"].to_str().unwrap().starts_with("text/css"));
}

/// What a browser makes of a page; none if there is no browser.
fn in_browser(service: &Service, page: &str) -> Option<String> {
    let profile = tempfile::tempdir().unwrap();
    let program = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        Command::new(name)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|s| s.success())
    })?;
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
fn a_browser_shows_the_layers_and_runs_nothing() {
    let (_folder, service) = example(&[]);
    let Some(text) = in_browser(&service, "/key?node=web01.example.com&key=profile::web::vhosts") else {
        eprintln!("there is no chromium here: the page is not tried in a browser");
        return;
    };
    for part in ["Result", "/srv/shop", "nodes/web01.example.com.yaml", "Origins", "<h3>Common</h3>"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let repository = hostile();
    let service = repository.serve(&[]);
    for page in pages() {
        let text = in_browser(&service, &page).unwrap();
        assert!(text.contains("Hieratic</title>") && !text.contains("<title>taken"), "{page}: {text}");
        assert!(!text.contains("<img") && !text.contains("<script"), "{page}: {text}");
    }
}
