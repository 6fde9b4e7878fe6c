//! Five questions that people have, answered in a browser by a counted number of clicks.

use std::path::Path;

use serde_json::json;

use crate::git::{commit, init};
use crate::keyboard::Browser;
use crate::service::{Repository, Service};

/// A repository with two commits, a level that nothing needs, and an address within a list.
fn repository() -> Option<Repository> {
    const COMMON: &str = "environments/production/data/common.yaml";
    let hiera = "version: 5\nhierarchy:\n  - {name: Node, path: 'nodes/%{trusted.certname}.yaml'}\n  \
                 - {name: Role, path: 'roles/%{facts.role}.yaml'}\n  - {name: Common, path: common.yaml}\n  \
                 - {name: Old, path: old.yaml}\n";
    let repository = Repository::new(&[
        ("environments/production/hiera.yaml", hiera),
        (COMMON, "web::port: 80\ndns::servers:\n  - 10.0.0.10\n  - 10.0.0.1\n"),
        ("environments/production/data/nodes/web01.yaml", "web::port: 8080\n"),
        ("environments/production/data/old.yaml", "web::port: 8000\n"),
        ("facts/web01.json", "{\"role\": \"web\"}"),
        ("facts/web02.json", "{\"role\": \"web\"}"),
        ("facts/db01.json", "{\"role\": \"db\"}"),
    ]);
    if !init(repository.path()) {
        return None;
    }
    repository.write("environments/production/data/roles/db.yaml", "db::size: 5\n");
    commit(Path::new(repository.path()), "Size the databases");
    std::thread::sleep(std::time::Duration::from_millis(60));
    Some(repository)
}

/// Clicks on a link of the page, as a mouse does.
fn click(browser: &mut Browser, clicks: &mut usize, selector: &str) {
    *clicks += 1;
    browser.until(&format!("document.querySelector({})", json!(selector)));
    browser.value(&format!(
        "document.body.setAttribute('data-old', ''), document.querySelector({}).click()",
        json!(selector)
    ));
    browser.until("!document.body.hasAttribute('data-old')");
}

fn home(browser: &mut Browser, service: &Service) -> usize {
    browser.open(service, "/");
    0
}

#[test]
fn five_questions_take_few_clicks() {
    let Some(mut browser) = Browser::start() else { return };
    let Some(repository) = repository() else { return };
    let service = repository.serve(&[]);

    // Why is this value 8080 on web01? One click: the value, its level and its line.
    let mut clicks = home(&mut browser, &service);
    click(&mut browser, &mut clicks, "#node-list a[href*='node=web01']");
    browser.until("document.querySelector('#key-list').innerText.includes('8080')");
    browser.until("document.querySelector('#key-list').innerText.includes('data/nodes/web01.yaml:1')");
    assert_eq!(clicks, 1);

    // Which nodes have another one, and why? One more: the values with their nodes, and the level that loses here.
    click(&mut browser, &mut clicks, "#key-list a[href*='web::port']");
    browser.until("[...document.querySelectorAll('.shares li')].some((e) => /^80 on 2 nodes/.test(e.innerText.trim()) && e.innerText.includes('web02'))");
    browser.until("document.querySelector('.struck').innerText.includes('80')");
    assert_eq!(clicks, 2);

    // What did the last commit change? One click.
    let mut clicks = home(&mut browser, &service);
    click(&mut browser, &mut clicks, ".tiles a[href^='/changes']");
    browser.until("document.querySelector('main').innerText.includes('db::size') && document.querySelector('.summary').innerText.includes('1')");
    assert_eq!(clicks, 1);

    // Which level can go? Two clicks, the second of which proves it.
    let mut clicks = home(&mut browser, &service);
    click(&mut browser, &mut clicks, ".top nav a[href^='/hierarchy']");
    browser.until("document.querySelector('.level-table').innerText.includes('never wins')");
    click(&mut browser, &mut clicks, ".level-table a[href*='level=Old']");
    browser.until("document.querySelector('.verdict').innerText.includes('the level can go')");
    assert_eq!(clicks, 2);

    // Where is 10.0.0.1 used? One search leads to the line.
    home(&mut browser, &service);
    browser.press("/");
    browser.write("10.0.0.1");
    browser.press("Enter");
    browser.until("document.querySelector('.hits tbody tr').innerText.includes('data/common.yaml:4')");
}

#[test]
fn results_are_shown_as_one_types() {
    let Some(mut browser) = Browser::start() else { return };
    let Some(repository) = repository() else { return };
    let service = repository.serve(&[]);
    browser.open(&service, "/");
    browser.press("/");
    browser.write("port web01");
    browser.until("document.querySelector('#suggestions li')?.innerText.includes('web::port')");
    browser.press("ArrowDown");
    browser.press("Enter");
    browser.until("location.pathname === '/key' && document.body.innerText.includes('8080')");
    // Rows are filtered as one types, too.
    browser.open(&service, "/node?node=web01");
    browser.value("document.querySelector('[data-filter]').focus()");
    browser.write("dns");
    browser.until("[...document.querySelectorAll('#key-list [data-row]')].filter((e) => !e.hidden).length === 1");
    // And the nodes of the first page.
    browser.open(&service, "/");
    browser.value("document.querySelector('[data-live] input[type=search]').focus()");
    browser.write("db");
    browser.until("!document.querySelector('#node-list').innerText.includes('web01') && document.querySelector('#node-list').innerText.includes('db01')");
}

#[test]
fn pages_without_an_answer_lead_on() {
    let Some(repository) = repository() else { return };
    let service = repository.serve(&[]);
    let reported = |page: &str, status: u16, parts: &[&str]| {
        let answer = crate::service::answer(
            crate::service::agent().get(format!("{}{page}", service.url)).header("accept", "text/html").call(),
        );
        assert_eq!(answer.status, status, "{page}: {}", answer.text);
        parts.iter().for_each(|part| assert!(answer.text.contains(part), "{page} lacks {part}: {}", answer.text));
        assert!(!answer.text.contains("send `facts`") && !answer.text.contains("GET /v1"), "{page}: {}", answer.text);
    };
    reported("/node?node=web1", 404, &["Did you mean", "node=web01\">web01</a>", "aria-label=\"Pages\""]);
    reported("/compare?left=web1&right=db01", 404, &["value=\"db01\"", "node=web01\">web01</a>"]);
    reported("/changes?base=yesterday", 404, &["value=\"yesterday\"", "there is no revision"]);
    reported("/nope", 404, &["no page has this URL", "href=\"/hierarchy\"", "<link rel=\"icon\""]);
    // Programs get what they can read.
    assert_eq!(service.get("/nope").heads["content-type"], "application/problem+json");
    assert!(service.get("/favicon.ico").heads["content-type"].to_str().unwrap().contains("svg"));
}

#[test]
fn a_file_dims_the_lines_that_lose() {
    let Some(repository) = repository() else { return };
    repository.write(
        "environments/production/data/common.yaml",
        "lookup_options:\n  db::password: {convert_to: Sensitive}\nweb::port: 80\ndb::password: hush\nweb::list: [a]\n",
    );
    repository.write("environments/production/data/roles/db.yaml", "{db::password: hush, db::size: 5}\n");
    repository.write("environments/production/data/unread.yaml", "other: hush\n");
    repository.write("environments/production/manifests/site.pp", "$a = 1\n$b = Sensitive('hush')\n");
    repository.write("environments/production/keys/private.pem", "hush\n");
    std::thread::sleep(std::time::Duration::from_millis(60));
    let service = repository.serve(&[]);
    let text = crate::until::until("all nodes are read", || {
        let text = service.get("/file?path=data/common.yaml&node=web01&blame=1").text;
        (!text.contains("data-pending")).then_some(text)
    });
    // The level above wins on this node, and the secret is not shown.
    for part in [
        "<tr id=\"L3\" class=\"loses\">",
        "data/nodes/web01.yaml:1",
        "1 key is not shown",
        "not committed",
        "read by 3 nodes",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("hush"), "{text}");
    let text = service.get("/file?path=data/common.yaml&node=db01").text;
    assert!(text.contains("<tr id=\"L3\">"), "{text}");
    // Several keys on one line are shown if all of them may be.
    let text = service.get("/file?path=data/roles/db.yaml&node=db01").text;
    assert!(text.contains("not shown") && !text.contains("hush"), "{text}");
    let text = service.get("/file?path=manifests/site.pp").text;
    assert!(text.contains("$a = 1") && !text.contains("hush"), "{text}");
    for path in [
        "data/unread.yaml",
        "keys/private.pem",
        "../../facts/web01.json",
        ".git/config",
        "/etc/passwd",
        "/etc/shadow.pp",
        "data",
        "",
    ] {
        let answer = service.get(&format!("/file?path={path}"));
        assert!(
            matches!(answer.status, 400 | 404 | 422) && !answer.text.contains("hush"),
            "{path}: {} {}",
            answer.status,
            answer.text
        );
    }
}

#[test]
fn revisions_of_a_node_are_compared_without_secrets() {
    let Some(repository) = repository() else { return };
    let secret = "lookup_options:\n  web::port: {convert_to: Sensitive}\nweb::port: 81\n";
    let service = repository.serve(&[]);
    let page = "/compare?left=db01&left_revision=HEAD~1";
    let text = service.get(page).text;
    assert!(text.contains("<strong>1</strong> of") && text.contains("db::size"), "{text}");
    let text = service.get("/compare?left=db01&left_revision=HEAD~1&right=web02&right_revision=HEAD").text;
    assert!(text.contains("db01 at HEAD~1") && text.contains("web02 at HEAD"), "{text}");
    // What is secret today was not marked in the past, and is not shown there.
    repository.write("environments/production/data/common.yaml", secret);
    std::thread::sleep(std::time::Duration::from_millis(60));
    let text = crate::until::until("the file is read", || {
        let text = service.get(page).text;
        text.contains("dns::servers").then_some(text)
    });
    assert!(!text.contains(">80<") && !text.contains(">81<"), "{text}");
}
