//! The pages as a browser lays them out: at widths from 320 to 2560 pixels, in both color schemes, nothing scrolls sideways. With the
//! variable HIERATIC_AXE naming `axe.min.js` of the npm package axe-core, or that package where Node finds it, axe looks at them, too.

use std::fmt::Write as _;
use std::process::{Command, Stdio};

use hieratic_testing::skipped;

use crate::browser::{hostile, pages, program};
use crate::changes::{self, changed};
use crate::service::{Service, example};

/// The widths of windows, in pixels.
const WIDTHS: [u32; 5] = [320, 360, 768, 1280, 2560];

/// What each page says of itself to the page around it.
const MEASURE: &str = "addEventListener('load', async () => {
  const page = document.documentElement;
  const wide = [...document.querySelectorAll('body *')].filter((e) => !e.closest('.scroll *, .skip') && e.getBoundingClientRect().right > innerWidth + 1);
  let axe = '';
  if (window.axe && innerWidth === 1280) {
    const found = await window.axe.run(document);
    axe = found.violations.map((v) => v.id + ' ' + v.nodes.map((n) => n.html.slice(0, 200) + n.failureSummary).join(' ')).join('; ');
  }
  parent.postMessage({name: window.name, over: page.scrollWidth - innerWidth, axe,
    wide: wide.slice(0, 3).map((e) => e.tagName + '.' + e.className + ' ' + e.textContent.slice(0, 60)).join(' | ')}, '*');
});";

/// The script of axe; empty, with a word, if it is not installed.
fn axe() -> String {
    let named = std::env::var_os("HIERATIC_AXE").map(std::path::PathBuf::from);
    let found = || {
        let ask = "require.resolve('axe-core/axe.min.js', {paths: [process.cwd(), ...require('module').globalPaths, '/usr/lib', '/usr/local/lib']})";
        let output = Command::new("node").args(["-p", ask]).stderr(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8(output.stdout).unwrap().trim().into())
    };
    let Some(path) = named.or_else(found) else {
        skipped("accessibility, because axe-core is not installed");
        return String::new();
    };
    std::fs::read_to_string(path).unwrap()
}

/// A page of the service with everything in one file, where the policy of the service does not hold.
fn whole(service: &Service, page: &str) -> String {
    let (style, script) = (service.get("/style.css").text, service.get("/script.js").text);
    let text = service.get(page).text;
    let (link, loaded) =
        ("<link rel=\"stylesheet\" href=\"/style.css\">", "<script src=\"/script.js\" defer></script>");
    assert!(text.contains(link) && text.contains(loaded), "{page}: {text}");
    text.replace(link, &format!("<style>{style}</style>"))
        .replace(loaded, "")
        .replace("</body>", &format!("<script>{script}</script></body>"))
}

/// A page in one file, with a script that measures it, in a color scheme.
fn measured(text: &str, axe: &str, dark: bool) -> String {
    let (head, rest) = text.split_once("<style>").unwrap();
    let (style, rest) = rest.split_once("</style>").unwrap();
    let scheme = "screen and (prefers-color-scheme: dark)";
    assert!(style.contains(scheme));
    let style = if dark { style.replace(scheme, "all") } else { style.replace(scheme, "not all") };
    let style =
        style.replace("color-scheme: light dark", if dark { "color-scheme: dark" } else { "color-scheme: light" });
    format!("{head}<style>{style}</style><script>{axe}</script><script>{MEASURE}</script>{rest}")
}

/// What a browser says of pages at all widths; none if there is no browser.
fn describe(texts: &[String], dark: bool) -> Option<String> {
    let program = program()?;
    let axe = axe();
    let folder = tempfile::tempdir().unwrap();
    let mut frames = String::new();
    for (number, text) in texts.iter().enumerate() {
        std::fs::write(folder.path().join(format!("{number}.html")), measured(text, &axe, dark)).unwrap();
        for width in WIDTHS {
            let _ = write!(
                frames,
                "<iframe name=\"{number}-{width}\" width={width} height=800 src=\"{number}.html\"></iframe>"
            );
        }
    }
    let outer = format!(
        "<!DOCTYPE html><title>frames</title><style>iframe{{border:0;display:block}}</style><ol id=told></ol><script>\
         addEventListener('message', (event) => {{ const item = document.createElement('li'); \
         item.textContent = JSON.stringify(event.data); told.append(item); }});</script>{frames}"
    );
    std::fs::write(folder.path().join("all.html"), outer).unwrap();
    let output = Command::new(program)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--virtual-time-budget=60000"])
        .arg("--allow-file-access-from-files")
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .args(["--dump-dom", &format!("file://{}", folder.path().join("all.html").display())])
        .stderr(Stdio::null())
        .output()
        .unwrap();
    Some(String::from_utf8(output.stdout).unwrap())
}

fn check(service: &Service, pages: &[String]) {
    let texts: Vec<String> = pages.iter().map(|page| whole(service, page)).collect();
    check_texts(&texts, pages);
}

/// Measures pages that are complete in one file each.
fn check_texts(texts: &[String], pages: &[String]) {
    for dark in [false, true] {
        let Some(reported) = describe(texts, dark) else {
            skipped("Chromium is not installed");
            return;
        };
        let message: Vec<&str> = reported.split("<li>").skip(1).filter_map(|rest| rest.split("</li>").next()).collect();
        assert_eq!(message.len(), pages.len() * WIDTHS.len(), "{reported}");
        for one in message {
            let data: serde_json::Value =
                serde_json::from_str(&one.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")).unwrap();
            let number: usize = data["name"].as_str().unwrap().split('-').next().unwrap().parse().unwrap();
            let page = &pages[number];
            assert!(data["over"].as_i64().unwrap() <= 0, "{page} scrolls sideways: {data}");
            assert_eq!(data["wide"], "", "{page}: something is wider than the window: {data}");
            assert_eq!(data["axe"], "", "{page}: {data}");
        }
    }
}

#[test]
fn no_page_scrolls_sideways() {
    let (_folder, service) = example(&["--catalogs"]);
    let node = "node=web01.example.com";
    let pages = [
        "/".into(),
        format!("/node?{node}"),
        format!("/catalog?{node}"),
        format!("/key?{node}&key=profile::web::vhosts"),
        format!("/key?{node}&key=profile::base::packages"),
        format!("/key?{node}&key=no::such::key"),
        "/spread?key=profile::web::port".into(),
        "/find".into(),
        "/find?q=port".into(),
        "/find?q=nothing-like-that".into(),
        "/compare?left=web01.example.com&right=db01.example.com".into(),
        "/hierarchy".into(),
        "/hierarchy?by=role".into(),
        "/findings".into(),
        "/finding".into(),
        "/finding?rule=duplicate-key".into(),
        "/finding?rule=job".into(),
        "/node?node=unknown.example.com".into(),
    ];
    check(&service, &pages);
}

#[test]
fn findings_have_room_at_every_width() {
    let repository = crate::findings::faulty();
    let service = repository.serve(&[]);
    let pages = ["/findings", "/findings?severity=error&file=common", "/node?node=a", "/hierarchy"];
    check(&service, &pages.map(String::from));
}

#[test]
fn changes_have_room_at_every_width() {
    for (repository, node, key) in [(changed(), "web01", "list"), (changes::hostile(), "n", "plain")] {
        let Some(repository) = repository else { return };
        let service = repository.serve(&[]);
        let pages = [
            "/changes".into(),
            "/changes?base=main~1".into(),
            "/changes?base=main~1&only=new".into(),
            "/changes?base=none".into(),
            format!("/history?node={node}&key={key}"),
            "/compare".into(),
        ];
        check(&service, &pages);
        // Those to send around.
        let printed = |arguments: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
            command
                .current_dir(repository.path())
                .args(arguments)
                .args(["--environment-dir", "environments/production"]);
            String::from_utf8(command.env("XDG_CONFIG_HOME", "/nowhere").output().unwrap().stdout).unwrap()
        };
        let facts = format!("facts/{node}.json");
        let alone = [
            printed(&["diff", "main~1", "--facts", "facts", "--format", "html"]),
            printed(&["lookup", key, "--node", node, "--facts", &facts, "--why", "--render-as", "html"]),
        ];
        check_texts(&alone, &["diff --format html", "lookup --why --render-as html"].map(String::from));
    }
}

#[test]
fn nothing_hostile_breaks_the_layout() {
    let repository = hostile();
    let service = repository.serve(&[]);
    check(&service, &pages());
}
