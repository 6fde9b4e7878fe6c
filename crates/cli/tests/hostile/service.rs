//! The service over hostile repositories: requests show nothing from outside either.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

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
        .args(["serve", "--listen", "127.0.0.1:0", "--facts", "facts"])
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

#[test]
fn requests_show_nothing_from_outside() {
    let mut wrong = Vec::new();
    let (mut answered, mut pages) = (0, 0);
    for (name, make) in repositories() {
        // A service reads the levels that its hiera.yaml places elsewhere, as the reference does.
        if *name == "levels_that_lead_out" {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let repository = Repository::new(name, folder.path(), *make);
        let Some(service) = serve(&repository) else { continue };
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let mut page = |path: &str| {
            let Ok(mut page) = agent.get(format!("{}{path}", service.1)).call() else { return String::new() };
            pages += usize::from(page.status() == 200);
            page.body_mut().read_to_string().unwrap_or_default()
        };
        let shows = |text: &str| [SECRET, TOKEN, "root:x:0"].iter().any(|canary| text.contains(canary));
        for path in [
            "/hierarchy",
            "/find?q=k",
            "/spread?key=k",
            "/node?node=web01",
            "/history?node=web01&key=k",
            "/v1/history?node=web01&key=k",
            "/changes",
            "/v1/changes?base=HEAD",
            "/findings",
            "/v1/findings",
            "/v1/find?q=k",
            "/v1/hierarchy",
        ] {
            let text = page(path);
            wrong.extend(shows(&text).then(|| format!("{name}: {path}: {text}")));
        }
        for node in ["web01", "n", "pipe", "../outside/secret", "..%2Foutside%2Fsecret"] {
            for question in ["k", "a", "l", "s"] {
                let body = format!(
                    "{{\"node\": \"{node}\", \"keys\": [\"{question}\"], \"origins\": true, \"explain\": true}}"
                );
                let asked = agent
                    .post(format!("{}/v1/lookup", service.1))
                    .header("Content-Type", "application/json")
                    .send(&body);
                let mut text =
                    asked.map(|mut answer| answer.body_mut().read_to_string().unwrap_or_default()).unwrap_or_default();
                text += &page(&format!("/key?node={node}&key={question}"));
                answered += usize::from(!text.is_empty());
                wrong.extend(shows(&text).then(|| format!("{name}: {node} {question}: {text}")));
            }
        }
        wrong.extend(fs::exists(repository.root.join("PWNED")).unwrap().then(|| format!("{name}: a program ran")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(answered > 100, "only {answered} questions were answered");
    assert!(pages > 100, "only {pages} pages were shown");
}
