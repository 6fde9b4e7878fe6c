//! The service over hostile repositories: requests show nothing from outside either.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use super::git::git;
use super::repositories::{Repository, SECRET, TOKEN, repositories};

/// A service that ends with the test.
struct Service(Child, String);

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn serve(repository: &Repository) -> Option<Service> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .args(["serve", "--listen", "127.0.0.1:0", "--facts", "facts", "--catalogs"])
        .current_dir(&repository.root)
        .env("CI_TOKEN", TOKEN)
        .env("HOME", &repository.outside)
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let line = lines.find_map(|line| line.ok().filter(|line| line.contains("http://")));
    std::thread::spawn(move || lines.for_each(drop));
    let Some(line) = line else {
        // An environment that cannot be opened is refused at the start.
        let _ = child.wait();
        return None;
    };
    let url =
        line.split_whitespace().find(|word| word.starts_with("http://")).unwrap().trim_end_matches('/').to_owned();
    Some(Service(child, url))
}

/// The routes, each with a request. `STRANGER` stands for the id of the commit on the branch `stranger`.
const REQUESTS: [(&str, &str); 53] = [
    ("/healthz", "/healthz"),
    ("/metrics", "/metrics"),
    ("/style.css", "/style.css"),
    ("/script.js", "/script.js"),
    ("/icon.svg", "/icon.svg"),
    ("/favicon.ico", "/favicon.ico"),
    ("/v1/openapi.json", "/v1/openapi.json"),
    ("/", "/"),
    ("/node", "/node?node=web01"),
    ("/catalog", "/catalog?node=web01"),
    ("/key", "/key?node=web01&key=k"),
    ("/find", "/find?q=k"),
    ("/hierarchy", "/hierarchy"),
    ("/spread", "/spread?key=k"),
    ("/compare", "/compare?node=web01&other=n"),
    ("/compare", "/compare?left=web01&left_revision=STRANGER"),
    ("/file", "/file?path=data/common.yaml&node=web01&blame=1"),
    ("/file", "/file?path=../outside/secret.yaml"),
    ("/file", "/file?path=manifests/site.pp"),
    ("/file", "/file?path=hiera.yaml"),
    ("/suggest", "/suggest?q=k"),
    ("/level", "/level?level=Common"),
    ("/v1/environments", "/v1/environments"),
    ("/v1/nodes", "/v1/nodes"),
    ("/v1/nodes/{node}/keys", "/v1/nodes/web01/keys"),
    ("/v1/nodes/{node}/layers/{key}", "/v1/nodes/web01/layers/k"),
    ("/v1/nodes/{node}/facts", "/v1/nodes/web01/facts"),
    ("/v1/find", "/v1/find?q=k"),
    ("/v1/hierarchy", "/v1/hierarchy"),
    ("/v1/keys/{key}/values", "/v1/keys/k/values"),
    ("/findings", "/findings"),
    ("/findings", "/findings?hygiene=true"),
    ("/finding", "/finding?code=unknown-key"),
    ("/v1/findings", "/v1/findings"),
    ("/changes", "/changes"),
    ("/changes", "/changes?base=main"),
    ("/changes", "/changes?base=main&head=stranger"),
    ("/changes", "/changes?base=stranger&head=main"),
    ("/changes/counts", "/changes/counts?base=main&head=stranger"),
    ("/changes/counts", "/changes/counts?base=stranger"),
    ("/findings", "/findings?since=stranger"),
    ("/v1/changes", "/v1/changes?base=HEAD"),
    ("/v1/changes", "/v1/changes?base=main"),
    ("/v1/changes", "/v1/changes?base=main&head=stranger"),
    ("/v1/changes", "/v1/changes?base=stranger&head=main"),
    ("/v1/changes", "/v1/changes?base=main&head=stranger&node=web01"),
    ("/history", "/history?node=web01&key=k"),
    ("/history", "/history?node=web01&key=k&from=STRANGER"),
    ("/v1/history", "/v1/history?node=web01&key=k"),
    ("/v1/history", "/v1/history?node=web01&key=k&from=STRANGER"),
    ("/v1/history", "/v1/history?node=web01&key=m::p&from=STRANGER"),
    ("/v1/history", "/v1/history?node=web01&key=a&from=STRANGER"),
    ("/v1/history", "/v1/history?node=web01&key=s&from=STRANGER"),
];
/// The routes that take the body of a request, or give no end of an answer.
const OTHERS: [&str; 3] = ["/v1/lookup", "/v1/explain", "/v1/events"];
/// What routes begin with that read the files as they are, as a person's own question does.
const OWN: [&str; 12] = [
    "/catalog",
    "/node",
    "/key",
    "/find?",
    "/file",
    "/suggest",
    "/hierarchy",
    "/spread",
    "/compare",
    "/v1/nodes",
    "/v1/find?",
    "/v1/keys",
];

/// Whether a route is requested.
pub fn asks(route: &str) -> bool {
    REQUESTS.iter().any(|(requested, _)| *requested == route) || OTHERS.contains(&route)
}

/// The results of the requests to a service.
#[derive(Default)]
struct Requests {
    wrong: Vec<String>,
    answered: usize,
    pages: usize,
}

impl Requests {
    fn request(&mut self, repository: &Repository, service: &Service, stranger: &str, state: &str) {
        let name = repository.name;
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let mut page = |path: &str| {
            let Ok(mut page) = agent.get(format!("{}{path}", service.1)).call() else { return String::new() };
            self.pages += usize::from(page.status() == 200);
            page.body_mut().read_to_string().unwrap_or_default()
        };
        let shows = |text: &str| [SECRET, TOKEN, "root:x:0"].iter().any(|canary| text.contains(canary));
        // A service reads the levels that its hiera.yaml places elsewhere, as the reference does.
        let leads_out = name == "levels_that_lead_out" && state == "hostile";
        for (_, path) in REQUESTS.iter().filter(|(_, path)| !leads_out || !OWN.iter().any(|own| path.starts_with(own)))
        {
            let text = page(&path.replace("STRANGER", stranger));
            self.wrong.extend(shows(&text).then(|| format!("{name}, {state}: {path}: {text}")));
        }
        if leads_out {
            return;
        }
        for node in ["web01", "n", "pipe", "../outside/secret", "..%2Foutside%2Fsecret"] {
            for question in ["k", "a", "l", "s"] {
                let body = format!(
                    "{{\"node\": \"{node}\", \"keys\": [\"{question}\"], \"origins\": true, \"explain\": true}}"
                );
                let requested = agent
                    .post(format!("{}/v1/lookup", service.1))
                    .header("Content-Type", "application/json")
                    .send(&body);
                let mut text = requested
                    .map(|mut answer| answer.body_mut().read_to_string().unwrap_or_default())
                    .unwrap_or_default();
                text += &page(&format!("/key?node={node}&key={question}"));
                self.answered += usize::from(!text.is_empty());
                self.wrong.extend(shows(&text).then(|| format!("{name}, {state}: {node} {question}: {text}")));
            }
        }
    }
}

#[test]
fn requests_show_nothing_from_outside() {
    let mut requested = Requests::default();
    for (name, make) in repositories() {
        let folder = tempfile::tempdir().unwrap();
        let repository = Repository::new(name, folder.path(), *make);
        let stranger = id(&repository, "stranger");
        if let Some(service) = serve(&repository) {
            requested.request(&repository, &service, &stranger, "hostile");
        }
        // A sound checkout, in which somebody pushes a branch.
        if repository.has_stranger && git(&repository.root, &["checkout", "-q", "-f", "main"]) {
            let service = serve(&repository).unwrap();
            requested.request(&repository, &service, &stranger, "sound");
        }
        let pwned = fs::exists(repository.root.join("PWNED")).unwrap();
        requested.wrong.extend(pwned.then(|| format!("{name}: a program ran")));
    }
    let Requests { wrong, answered, pages } = requested;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(answered > 100, "only {answered} questions were answered");
    assert!(pages > 100, "only {pages} pages were shown");
}

/// The commit that a name stands for; a text that stands for none if there is none.
fn id(repository: &Repository, name: &str) -> String {
    let mut command = Command::new("git");
    let output = command.current_dir(&repository.root).args(["rev-parse", "--verify", "-q", name]).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    if text.is_empty() { "0".repeat(40) } else { text }
}
