//! Uses the pages by keyboard alone, and without script. A browser is driven over the Chrome DevTools Protocol
//! (<https://chromedevtools.github.io/devtools-protocol/>).

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use hieratic_testing::skipped;
use serde_json::{Value, json};

use crate::browser::program;
use crate::service::{Service, example};

/// A browser with one page open.
pub struct Browser {
    child: Child,
    input: File,
    messages: Receiver<Value>,
    session: Value,
    last: u64,
    _folder: tempfile::TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Browser {
    /// Starts it; none, with a word, if there is none here.
    pub fn start() -> Option<Browser> {
        let Some(program) = program() else {
            skipped("Chromium is not installed");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let [to, from] = ["to", "from"].map(|name| folder.path().join(name));
        assert!(Command::new("mkfifo").args([&to, &from]).status().unwrap().success());
        // The browser reads what it is asked from descriptor 3, and answers on 4.
        let child = Command::new("sh")
            .args(["-c", "exec \"$@\" 3< \"$TO\" 4> \"$FROM\"", "sh", program])
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
            .envs([("TO", &to), ("FROM", &from)])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // In the order in which the shell opens them: each waits for the other end.
        let input = File::options().write(true).open(&to).unwrap();
        let output = File::open(&from).unwrap();
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(output).split(0) {
                let message = serde_json::from_slice(&message.unwrap()).unwrap();
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut browser = Browser { child, input, messages, session: Value::Null, last: 0, _folder: folder };
        let page = browser.ask("Target.createTarget", json!({"url": "about:blank"}));
        let target = page["result"]["targetId"].clone();
        let attached = browser.ask("Target.attachToTarget", json!({"targetId": target, "flatten": true}));
        browser.session = attached["result"]["sessionId"].clone();
        // Only a page that has the focus shows which of its parts has it.
        browser.ask("Emulation.setFocusEmulationEnabled", json!({"enabled": true}));
        Some(browser)
    }

    /// Sends a command; its answer.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let mut message = json!({"id": self.last, "method": method, "params": params});
        if !self.session.is_null() {
            message["sessionId"] = self.session.clone();
        }
        let mut line = message.to_string().into_bytes();
        line.push(0);
        self.input.write_all(&line).unwrap();
        loop {
            let answer = self.messages.recv_timeout(Duration::from_secs(60)).expect("the browser answers");
            if answer["id"] == self.last {
                return answer;
            }
        }
    }

    /// The value of an expression in the page; null while another page is loaded.
    pub fn value(&mut self, expression: &str) -> Value {
        let answer = self.ask("Runtime.evaluate", json!({"expression": expression, "returnByValue": true}));
        answer["result"]["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub fn until(&mut self, expression: &str) {
        for _ in 0..300 {
            if self.value(&format!("document.readyState === 'complete' && Boolean({expression})")) == true {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let shown = self.value("location.href + ' ' + document.activeElement.outerHTML + document.body.innerText");
        panic!("{expression} does not become true: {shown}");
    }

    /// Has the browser draw a frame now.
    fn draw(&mut self) {
        let clip = json!({"x": 0, "y": 0, "width": 1, "height": 1, "scale": 1});
        self.ask("Page.captureScreenshot", json!({"clip": clip}));
    }

    pub fn open(&mut self, service: &Service, page: &str) {
        let url = format!("{}{page}", service.url);
        self.ask("Page.navigate", json!({"url": url}));
        self.until(&format!("location.href === {}", json!(url)));
    }

    /// Presses a key and lets it go.
    pub fn press(&mut self, key: &str) {
        let (code, text) = match key {
            "Enter" => (13, "\r"),
            "Tab" => (9, ""),
            "Escape" => (27, ""),
            "ArrowDown" => (40, ""),
            _ => (0, key),
        };
        let event = |kind| json!({"type": kind, "key": key, "text": text, "windowsVirtualKeyCode": code});
        self.ask("Input.dispatchKeyEvent", event("keyDown"));
        self.ask("Input.dispatchKeyEvent", json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code}));
    }

    pub fn write(&mut self, text: &str) {
        text.chars().for_each(|letter| self.press(&letter.to_string()));
    }

    /// Goes on from part to part until one is a part that is looked for.
    fn tab_to(&mut self, selector: &str) {
        let reached = format!("document.activeElement.matches({})", json!(selector));
        for _ in 0..200 {
            self.press("Tab");
            if self.value(&reached) == true {
                return;
            }
        }
        panic!("the key Tab leads to no {selector}");
    }
}

/// The pages of the example that have something to press.
const PAGES: [&str; 15] = [
    "/",
    "/node?node=web01.example.com",
    "/key?node=web01.example.com&key=profile::web::vhosts",
    "/key?node=web01.example.com&key=no::such::key",
    "/spread?key=profile::web::port",
    "/find?q=port",
    "/compare?left=web01.example.com&right=db01.example.com",
    "/hierarchy?by=role",
    "/findings",
    "/finding?rule=duplicate-key",
    "/changes",
    "/history?node=web01.example.com&key=profile::web::port",
    "/file?path=data/common.yaml&node=web01.example.com",
    "/file?path=hiera.yaml",
    "/level?level=Common",
];

#[test]
fn keys_search_walk_and_explain_themselves() {
    let Some(mut browser) = Browser::start() else { return };
    let (_folder, service) = example(&[]);
    browser.open(&service, "/");
    browser.press("/");
    browser.until("document.activeElement.matches('input[type=search]')");
    // In a field, letters are letters.
    browser.write("jk port 8080");
    browser.until("document.activeElement.value === 'jk port 8080'");
    browser.press("Escape");
    browser.until("document.activeElement === document.body");
    browser.open(&service, "/");
    browser.press("/");
    browser.write("port 8080");
    browser.press("Enter");
    browser.until("location.pathname === '/find' && document.body.innerText.includes('profile::web::port')");
    // From link to link, and back.
    browser.press("j");
    browser.until("document.activeElement === [...document.querySelectorAll('main a, main summary')].find((e) => e.getClientRects().length)");
    browser.value("window.first = document.activeElement");
    browser.press("j");
    browser.until("document.activeElement !== window.first && document.activeElement !== document.body");
    browser.press("k");
    browser.until("document.activeElement === window.first");
    // A link that has the focus is followed, and `u` leads up.
    browser.open(&service, "/key?node=web01.example.com&key=profile::web::port");
    let up = browser.value("document.querySelector('.crumbs a:last-of-type').href");
    browser.press("u");
    browser.until(&format!("location.href === {up}"));
    browser.press("j");
    browser.until("document.activeElement.matches('main *')");
    browser.press("?");
    browser.until("document.querySelector('dialog').open");
    // The help holds the keys until it is closed.
    browser.press("u");
    browser.until(&format!("location.href === {up} && document.querySelector('dialog').open"));
    browser.press("Escape");
    browser.until("!document.querySelector('dialog').open");
}

#[test]
fn tab_reaches_everything_and_shows_where_it_is() {
    let Some(mut browser) = Browser::start() else { return };
    let (_folder, service) = example(&[]);
    for page in PAGES {
        browser.open(&service, page);
        let count = browser.value(
            "window.parts = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')]
               .filter((e) => e.checkVisibility()); window.parts.length",
        );
        let count = count.as_u64().unwrap();
        assert!(count > 3, "{page} has nothing to press");
        let mut reached = BTreeSet::new();
        let mut furthest = -1;
        // Parts that scroll take the focus, too.
        for _ in 0..2 * count + 10 {
            browser.press("Tab");
            let at = browser.value(
                "(() => { const e = document.activeElement, s = getComputedStyle(e), r = e.getBoundingClientRect();
                   return {at: window.parts.indexOf(e), marked: s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0,
                     seen: r.bottom > 0 && r.top < innerHeight && r.width > 0, what: e.outerHTML.slice(0, 200)}; })()",
            );
            let number = at["at"].as_i64().unwrap();
            if number < 0 {
                continue;
            }
            assert!(at["marked"] == true, "{page}: the focus is not seen on {at}");
            if at["seen"] != true {
                // A browser scrolls to the focus with its next frame, and a busy machine may draw none by itself.
                browser.draw();
                browser.until(
                    "(r => r.bottom > 0 && r.top < innerHeight && r.width > 0)(document.activeElement.getBoundingClientRect())",
                );
            }
            if !reached.insert(number) {
                break;
            }
            assert!(number > furthest, "{page}: {at} comes out of order");
            furthest = number;
        }
        assert_eq!(reached.len() as u64, count, "{page}: the key Tab misses some of its parts");
    }
}

#[test]
fn everything_works_without_script() {
    let Some(mut browser) = Browser::start() else { return };
    let (_folder, service) = example(&[]);
    browser.ask("Emulation.setScriptExecutionDisabled", json!({"value": true}));
    browser.open(&service, "/");
    // What only the script makes is not there.
    browser.until("!document.querySelector('dialog')");
    browser.tab_to("input[type=search]");
    browser.write("port 8080");
    browser.press("Enter");
    browser.until("location.pathname === '/find' && document.body.innerText.includes('profile::web::port')");
    browser.tab_to("main a[href^='/key']");
    browser.press("Enter");
    browser.until("location.pathname === '/key' && document.body.innerText.includes('8080')");
    browser.tab_to("main summary");
    let open = browser.value("document.activeElement.parentElement.open");
    browser.press("Enter");
    browser.until(&format!("document.activeElement.parentElement.open !== {open}"));
    for page in PAGES {
        browser.open(&service, page);
        let forms = browser.value("document.forms.length").as_u64().unwrap();
        for form in 0..forms {
            browser.open(&service, page);
            // In a field or on its button, Enter sends a form; in a list, it opens the list.
            let first = format!("document.forms[{form}].querySelector('input:not([type=hidden]), button')");
            browser.value(&format!("{first}.closest('details')?.setAttribute('open', '')"));
            browser.value(&format!("{first}.focus(), document.body.setAttribute('data-old', '')"));
            if browser.value("document.activeElement.matches('input') && !document.activeElement.value") == true {
                browser.write("web01.example.com");
            }
            let address = browser.value(&format!("document.forms[{form}].action")).as_str().unwrap().to_string();
            browser.press("Enter");
            let path = address.split('?').next().unwrap();
            browser.until(&format!(
                "!document.body.hasAttribute('data-old') && location.href.startsWith({}) && document.querySelector('h1')",
                json!(path)
            ));
        }
    }
}

#[test]
fn every_link_leads_somewhere() {
    let (_folder, service) = example(&[]);
    let mut open: Vec<String> = PAGES.iter().map(|page| page.to_string()).collect();
    let mut seen: BTreeSet<String> = open.iter().cloned().collect();
    while let Some(page) = open.pop() {
        let answer = service.get(&page);
        let is_unknown = page.contains("no::such::key");
        assert!(answer.status == 200 || is_unknown, "{page}: {} {}", answer.status, answer.text);
        // Links of what is written in the data lead elsewhere, and pages of nodes are many.
        for link in answer.text.split("href=\"").skip(1) {
            let link = link.split('"').next().unwrap().replace("&amp;", "&");
            let link = link.split('#').next().unwrap().to_string();
            if link.starts_with('/') && seen.len() < 400 && seen.insert(link.clone()) {
                open.push(link);
            }
        }
    }
    assert!(seen.len() > 40, "{seen:?}");
}
