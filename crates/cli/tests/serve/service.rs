//! A service that runs as long as a test needs it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;

use crate::until::until;

/// A folder with a control repository and facts.
pub struct Repository(tempfile::TempDir);

pub const HIERA: &str = "version: 5\nhierarchy:\n  - {name: Node, path: 'nodes/%{trusted.certname}.yaml'}\n  \
                         - {name: Role, path: 'roles/%{facts.role}.yaml'}\n  - {name: Common, path: common.yaml}\n";

impl Repository {
    /// A repository with these files, the names of which begin with that of an environment's folder or `facts`.
    pub fn new(files: &[(&str, &str)]) -> Repository {
        let repository = Repository(tempfile::tempdir().unwrap());
        fs::create_dir_all(repository.path().join("facts")).unwrap();
        repository.write("environments/production/hiera.yaml", HIERA);
        for (name, text) in files {
            repository.write(name, text);
        }
        // Files that were written only just now are waited for.
        std::thread::sleep(Duration::from_millis(50));
        repository
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// A script that a back end runs.
    pub fn write_program(&self, name: &str, script: &str) {
        let path = self.write(name, script);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        // The service waits until files were left alone for that long (`--settle`).
        std::thread::sleep(Duration::from_millis(50));
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn serve(&self, flags: &[&str]) -> Service {
        let (environments, facts) = (self.path().join("environments"), self.path().join("facts"));
        let mut all = vec!["--environmentpath", environments.to_str().unwrap(), "--facts", facts.to_str().unwrap()];
        all.extend(flags);
        Service::start(self.path(), &all)
    }
}

/// The example repository, with facts of two nodes.
pub fn example(flags: &[&str]) -> (tempfile::TempDir, Service) {
    example_in(&repository(), flags)
}

/// The same in another folder.
pub fn example_in(repository: &Path, flags: &[&str]) -> (tempfile::TempDir, Service) {
    let folder = tempfile::tempdir().unwrap();
    let facts = folder.path().join("facts");
    fs::create_dir(&facts).unwrap();
    fs::write(facts.join("web01.example.com.json"), r#"{"role": "web"}"#).unwrap();
    fs::write(facts.join("web02.example.com.yaml"), "role: web\n").unwrap();
    fs::write(facts.join("db01.example.com.yml"), "role: db\n").unwrap();
    let mut all = vec!["--environment-dir", repository.to_str().unwrap(), "--facts", facts.to_str().unwrap()];
    all.extend(flags);
    let service = Service::start(folder.path(), &all);
    (folder, service)
}

/// The folder of the example repository.
pub fn repository() -> PathBuf {
    fs::canonicalize(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/control-repo")).unwrap()
}

/// A command that serves.
pub struct Service {
    child: Child,
    pub url: String,
    /// What it has written to standard error.
    messages: Arc<Mutex<String>>,
}

/// An answer: its status, heads and body.
pub struct Answer {
    pub status: u16,
    pub text: String,
    pub heads: ureq::http::HeaderMap,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// The value of the first key.
    pub fn value(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text);
        self.json()["answers"][0]["value"].clone()
    }
}

/// An agent that takes every status as an answer.
pub fn agent() -> ureq::Agent {
    let config =
        ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(Duration::from_secs(30)));
    ureq::Agent::new_with_config(config.build())
}

pub fn answer(outcome: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Answer {
    let mut response = outcome.unwrap();
    let (status, heads) = (response.status().as_u16(), response.headers().clone());
    Answer { status, heads, text: response.body_mut().read_to_string().unwrap() }
}

impl Service {
    pub fn start(folder: &Path, flags: &[&str]) -> Service {
        let mut child = command(folder, flags).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let line = lines.next().unwrap().unwrap();
        let url = line.rsplit(' ').next().unwrap().to_string();
        assert!(line.starts_with("Serving ") && url.contains("://127.0.0.1:"), "{line}");
        let message = Arc::new(Mutex::new(line + "\n"));
        // Whatever else it says is not to fill the pipe.
        let paper = message.clone();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let mut paper = paper.lock().unwrap();
                paper.push_str(&line);
                paper.push('\n');
            }
        });
        Service { child, url, messages: message }
    }

    /// Everything that it has written to standard error so far.
    pub fn stderr(&self) -> String {
        self.messages.lock().unwrap().clone()
    }

    pub fn get(&self, path: &str) -> Answer {
        answer(agent().get(format!("{}{path}", self.url)).call())
    }

    pub fn post(&self, path: &str, body: &str) -> Answer {
        answer(agent().post(format!("{}{path}", self.url)).header("content-type", "application/json").send(body))
    }

    pub fn lookup(&self, node: &str, key: &str) -> Answer {
        self.post("/v1/lookup", &serde_json::json!({"node": node, "keys": [key]}).to_string())
    }

    /// Sends a signal to this very process.
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    /// Waits for the command to end.
    pub fn ended(&mut self) -> ExitStatus {
        until("the service ends", || self.child.try_wait().unwrap())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The command on a port that is free.
pub fn command(folder: &Path, flags: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
    command.current_dir(folder).arg("serve");
    if !flags.contains(&"--listen") {
        command.args(["--listen", "127.0.0.1:0"]);
    }
    command.args(["--hiera_config", "/no/such/hiera.yaml", "--confdir", "/no/such"]);
    // Each test has a cache folder for itself.
    command.env("XDG_CACHE_HOME", folder.join("cache"));
    command.args(flags).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// What the command says when it does not start.
pub fn refusal(flags: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let output = command(folder.path(), flags).output().unwrap();
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap()
}
