//! A real PuppetDB with PostgreSQL, as Debian packages them (`apt-get install puppetdb postgresql`): started in a folder of its own, on
//! free ports. Where they are not installed, the tests say so and end.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use hieratic_testing::skipped;
use serde_json::{Value, json};

use crate::service::{Answer, Repository, Service, agent, answer};
use crate::until::until;

/// The program of PuppetDB.
const JAR: &str = "/usr/share/puppetdb/puppetdb.jar";
/// What Debian gives it.
const SETTINGS: [&str; 2] = ["/etc/puppetdb/bootstrap.cfg", "/etc/puppetdb/conf.d/auth.conf"];
/// How often it is asked whether it has started. It takes half a minute where nothing else runs.
const START: u64 = 3_000;

/// PostgreSQL, and PuppetDB on top of it.
struct PuppetDb {
    folder: tempfile::TempDir,
    postgres: Child,
    java: Option<Child>,
    /// The ports of PostgreSQL, of PuppetDB, and of PuppetDB with TLS.
    ports: [u16; 3],
}

/// A port that nobody listens on.
fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Where the programs of PostgreSQL are.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").ok()?.filter_map(|entry| Some(entry.ok()?.path().join("bin")));
    versions.filter(|folder| folder.join("initdb").is_file()).max()
}

/// Runs a command, which has to succeed.
fn run(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{command:?}: {message}");
    String::from_utf8(output.stdout).unwrap()
}

impl PuppetDb {
    /// Starts both; none, with a word, where they are not installed.
    fn start() -> Option<PuppetDb> {
        let java = Command::new("java").arg("-version").stderr(Stdio::null()).status().is_ok_and(|it| it.success());
        let there = java && [JAR].iter().chain(&SETTINGS).all(|file| Path::new(file).is_file());
        let Some(programs) = programs().filter(|_| there) else {
            skipped("PuppetDB and PostgreSQL are not installed");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().display().to_string();
        let data = folder.path().join("data");
        fs::create_dir(&data).unwrap();
        // PostgreSQL does not run as root.
        let is_root = run(Command::new("id").arg("-u")).trim() == "0";
        let program = |name: &str| {
            let name = programs.join(name);
            if is_root {
                let mut command = Command::new("setpriv");
                command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(name);
                command
            } else {
                Command::new(name)
            }
        };
        if is_root {
            run(Command::new("chmod").args(["755", &path]));
            run(Command::new("chown").arg("postgres").arg(&data));
        }
        run(program("initdb")
            .args(["-A", "trust", "-U", "puppetdb", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8"])
            .arg(&data)
            .current_dir("/"));
        let ports = [(); 3].map(|()| free_port());
        let postgres = program("postgres")
            .arg("-D")
            .arg(&data)
            .args(["-p", &ports[0].to_string(), "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"])
            .args(["-c", "unix_socket_directories="])
            .current_dir("/")
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut started = PuppetDb { folder, postgres, java: None, ports };
        started.until(300, &|it| it.sql("select 1", "postgres").is_some());
        started.sql("create database puppetdb", "postgres").unwrap();
        started.sql("create extension pg_trgm", "puppetdb").unwrap();
        started.certificates();
        started.configure();
        started.begin();
        Some(started)
    }

    /// What PostgreSQL answers; none if it does not.
    fn sql(&self, text: &str, database: &str) -> Option<String> {
        let port = self.ports[0].to_string();
        let output = Command::new("psql")
            .args(["-h", "127.0.0.1", "-p", &port, "-U", "puppetdb", "-tAc", text, database])
            .output()
            .unwrap();
        output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
    }

    fn file(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// An authority, with certificates for the server and for a client; and another authority, which nobody trusts.
    fn certificates(&self) {
        for authority in ["ca", "other"] {
            let (mut params, key) = (rcgen::CertificateParams::new([]).unwrap(), rcgen::KeyPair::generate().unwrap());
            params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
            params.distinguished_name.push(rcgen::DnType::CommonName, authority);
            let certificate = params.self_signed(&key).unwrap();
            fs::write(self.file(&format!("{authority}.pem")), certificate.pem()).unwrap();
            let issuer = rcgen::Issuer::new(params, key);
            for name in ["server", "client"] {
                let key = rcgen::KeyPair::generate().unwrap();
                let mut params =
                    rcgen::CertificateParams::new(["localhost".to_owned(), "127.0.0.1".to_owned()]).unwrap();
                params.distinguished_name.push(rcgen::DnType::CommonName, name);
                let certificate = params.signed_by(&key, &issuer).unwrap();
                fs::write(self.file(&format!("{authority}-{name}.pem")), certificate.pem()).unwrap();
                fs::write(self.file(&format!("{authority}-{name}.key")), key.serialize_pem()).unwrap();
            }
        }
    }

    fn configure(&self) {
        let [postgres, plain, tls] = self.ports;
        let (var, key, certificate, ca) =
            (self.file("var"), self.file("ca-server.key"), self.file("ca-server.pem"), self.file("ca.pem"));
        fs::create_dir_all(self.file("conf.d")).unwrap();
        fs::create_dir_all(&var).unwrap();
        fs::copy(SETTINGS[1], self.file("conf.d/auth.conf")).unwrap();
        let text = format!(
            "[global]\nvardir = {var}\n[database]\nsubname = //127.0.0.1:{postgres}/puppetdb\nusername = puppetdb\npassword = none\n\
             [jetty]\nhost = 127.0.0.1\nport = {plain}\nssl-host = 127.0.0.1\nssl-port = {tls}\nssl-key = {key}\nssl-cert = {certificate}\n\
             ssl-ca-cert = {ca}\n[puppetdb]\ndisable-update-checking = true\n"
        );
        fs::write(self.file("conf.d/all.ini"), text).unwrap();
    }

    /// Starts PuppetDB, without waiting for it.
    fn begin(&mut self) {
        let mut command = Command::new("java");
        command.args(["-Xmx512m", "-XX:+UseSerialGC", "-cp", JAR, "clojure.main", "-m", "puppetlabs.puppetdb.core"]);
        command.args(["services", "--config", &self.file("conf.d"), "--bootstrap-config", SETTINGS[0]]);
        let log = fs::File::create(self.file("log")).unwrap();
        self.java = Some(command.stdin(Stdio::null()).stdout(log).stderr(Stdio::null()).spawn().unwrap());
    }

    /// Waits until PuppetDB answers.
    fn ready(&mut self) {
        self.until(START, &|it| it.ask("GET", "/status/v1/simple", "").is_some_and(|answer| answer.text == "running"));
    }

    /// Waits until something is so, with five tries a second.
    fn until(&mut self, tries: u64, is: &dyn Fn(&PuppetDb) -> bool) {
        let mut left = tries;
        while !is(self) {
            let ended = self.java.as_mut().and_then(|java| java.try_wait().unwrap());
            let log = || fs::read_to_string(self.file("log")).unwrap_or_default();
            assert!(ended.is_none() && left > 0, "{ended:?}: {}", log());
            left -= 1;
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// Ends PuppetDB at once.
    fn end(&mut self) {
        if let Some(mut java) = self.java.take() {
            let _ = java.kill();
            let _ = java.wait();
        }
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.ports[1])
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> Option<Answer> {
        let address = format!("{}{path}", self.url());
        let requested = match method {
            "GET" => agent().get(address).call(),
            _ => agent().post(address).header("content-type", "application/json").send(body),
        };
        requested.is_ok().then(|| answer(requested))
    }

    /// Stores the facts of a node, as its server does.
    fn submit(&self, node: &str, facts: &Value, waits: bool) {
        let wait = if waits { "&secondsToWaitForCompletion=60" } else { "" };
        let path = format!("/pdb/cmd/v1?command=replace_facts&version=5&certname={node}{wait}");
        let body = json!({
            "certname": node, "environment": "production", "producer_timestamp": "2026-03-14T12:00:00.000Z",
            "producer": "test", "values": facts,
        });
        let answer = self.ask("POST", &path, &body.to_string()).unwrap();
        assert!(answer.status == 200 && (!waits || answer.json()["processed"] == true), "{}", answer.text);
    }
}

impl Drop for PuppetDb {
    fn drop(&mut self) {
        self.end();
        // At once, with all processes that serve connections.
        let _ = Command::new("kill").args(["-QUIT", &self.postgres.id().to_string()]).status();
        let _ = self.postgres.wait();
    }
}

/// What a command prints, and whether it succeeds.
fn command(folder: &Path, arguments: &[&str]) -> (String, String, bool) {
    let output = Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .current_dir(folder)
        .args(arguments)
        .env("XDG_CONFIG_HOME", "/nowhere")
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.success())
}

fn site() -> Repository {
    Repository::new(&[
        ("environments/production/data/roles/web.yaml", "k: \"web in %{facts.os.family}\"\n"),
        ("environments/production/data/common.yaml", "k: common\n"),
    ])
}

#[test]
fn facts_come_from_a_real_puppetdb() {
    let Some(mut puppetdb) = PuppetDb::start() else { return };
    let repository = site();
    let environments = repository.path().join("environments").display().to_string();
    let url = puppetdb.url();
    let serve = |url: &str, more: &[&str]| {
        let flags = ["--environmentpath", &environments, "--puppetdb", url, "--puppetdb-keep", "1"];
        Service::start(repository.path(), &[&flags, more].concat())
    };
    let service = serve(&url, &[]);
    // While it starts, it refuses connections or says that it is not ready.
    let early = service.lookup("web01", "k");
    assert!(early.status == 502 && early.text.contains("PuppetDB at"), "{}", early.text);
    puppetdb.ready();
    let odd = json!({"role": "web", "os": {"family": "Debian", "list": [1, 2.5, null, true, "ä"]}});
    puppetdb.submit("web01", &odd, true);
    forget();
    puppetdb.submit("db01", &json!({"role": "db"}), true);
    puppetdb.submit("gone", &json!({"role": "web"}), true);
    let gone = json!({"certname": "gone", "producer_timestamp": "2026-03-14T12:00:01.000Z"}).to_string();
    let path = "/pdb/cmd/v1?command=deactivate_node&version=3&certname=gone&secondsToWaitForCompletion=60";
    assert_eq!(puppetdb.ask("POST", path, &gone).unwrap().status, 200);
    // The service.
    assert_eq!(service.get("/v1/nodes").json()["nodes"], json!(["db01", "web01"]));
    assert_eq!(service.get("/v1/nodes/web01/facts").json()["facts"], odd);
    assert_eq!(service.lookup("web01", "k").value(), "web in Debian");
    assert_eq!(service.lookup("db01", "k").value(), "common");
    let unknown = service.lookup("none", "k");
    assert!(unknown.status == 404 && unknown.text.contains("PuppetDB has no facts"), "{}", unknown.text);
    let spread = service.get("/v1/keys/k/values").json();
    assert_eq!(spread["values"].as_array().unwrap().len(), 2, "{spread}");
    // The command.
    let environment = ["--environment-dir", "environments/production", "--puppetdb", &url];
    let affected = |file: &str, more: &[&str]| {
        let file = format!("environments/production/data/{file}.yaml");
        command(repository.path(), &[&["affected", &file, "--format", "nodes"], more, &environment].concat())
    };
    assert_eq!(affected("roles/web", &[]).0, "web01\n");
    assert_eq!(affected("common", &[]).0, "db01\n");
    let (_, message, fine) = affected("common", &["--node", "none"]);
    assert!(!fine && message.contains("PuppetDB at") && message.contains("has no facts of none"), "{message}");
    exported(&puppetdb, repository.path(), &environment);
    encrypted(&puppetdb, &serve);
    // It goes away, and comes back.
    puppetdb.end();
    let away = failing(&service);
    assert!(away.status == 502 && away.text.contains("refused"), "{}", away.text);
    assert_eq!(service.get("/healthz").status, 200);
    let (_, message, fine) = affected("common", &[]);
    assert!(!fine && message.contains("refused") && message.contains("check the URL"), "{message}");
    puppetdb.begin();
    puppetdb.ready();
    assert_eq!(service.lookup("web01", "k").value(), "web in Debian");
    slow(&puppetdb, &service);
}

/// A node exports a resource, which the catalog of another one collects.
fn exported(puppetdb: &PuppetDb, site: &Path, environment: &[&str]) {
    let resource = |kind: &str, title: &str, exported: bool, parameters: Value| {
        json!({
            "type": kind, "title": title, "exported": exported, "tags": ["told", "notify"], "file": "/x.pp", "line": 7,
            "parameters": parameters,
        })
    };
    let (class, stage) = (resource("Class", "main", false, json!({})), resource("Stage", "main", false, json!({})));
    let own = [("of db01", true, "debug"), ("here", false, "info")]
        .map(|(title, exported, level)| resource("Notify", title, exported, json!({"loglevel": level, "tag": "told"})));
    let at = |kind: &str, title: &str| json!({"type": kind, "title": title});
    let contains =
        |source: Value, target: Value| json!({"source": source, "target": target, "relationship": "contains"});
    let edges = [
        contains(at("Stage", "main"), at("Class", "main")),
        contains(at("Class", "main"), at("Notify", "of db01")),
        contains(at("Class", "main"), at("Notify", "here")),
    ];
    let catalog = json!({
        "certname": "db01", "version": "1", "environment": "production", "transaction_uuid": null, "catalog_uuid": null, "code_id": null,
        "producer_timestamp": "2026-03-14T12:00:00.000Z", "producer": "test", "job_id": null,
        "resources": [stage, class, own[0], own[1]], "edges": edges,
    });
    let path = "/pdb/cmd/v1?command=replace_catalog&version=9&certname=db01&secondsToWaitForCompletion=60";
    let answer = puppetdb.ask("POST", path, &catalog.to_string()).unwrap();
    assert!(answer.status == 200 && answer.json()["processed"] == true, "{}", answer.text);
    let manifests = site.join("environments/production/manifests");
    fs::create_dir(&manifests).unwrap();
    let code = "Notify <<| tag == 'told' |>>\n$all = puppetdb_query('nodes[certname] { order by certname }')\n\
        $trees = puppetdb_query(['from', 'nodes', ['extract', 'certname', ['=', 'certname', 'db01']]])\n\
        notify { \"${all.map |$one| { $one['certname'] }} ${trees}\": }\n";
    fs::write(manifests.join("site.pp"), code).unwrap();
    let (reported, message, fine) = command(site, &[&["catalog", "web01", "--origins"], environment].concat());
    assert!(fine, "{message}");
    assert!(
        reported.contains("Notify[of db01].loglevel = \"debug\"") && !reported.contains("Notify[here]"),
        "{reported}"
    );
    assert!(
        reported.contains("exported by db01") && reported.contains("Notify[[db01, web01] [{certname => db01}]]"),
        "{reported}"
    );
}

/// Waits until the service asks for the facts of a node again.
fn forget() {
    std::thread::sleep(Duration::from_millis(1200));
}

/// The first answer that is not made of what was known before: that is used for some seconds more.
fn failing(service: &Service) -> Answer {
    until("PuppetDB is missed", || Some(service.lookup("web01", "k")).filter(|answer| answer.status != 200))
}

/// With TLS: who is trusted on either side, and what is said if somebody is not.
fn encrypted(puppetdb: &PuppetDb, serve: &dyn Fn(&str, &[&str]) -> Service) {
    let url = format!("https://127.0.0.1:{}", puppetdb.ports[2]);
    let file = |name: &str| puppetdb.file(name);
    let requested = |ca: &str, client: Option<&str>| {
        let ca = file(&format!("{ca}.pem"));
        let (certificate, key) = client
            .map(|name| (file(&format!("{name}-client.pem")), file(&format!("{name}-client.key"))))
            .unwrap_or_default();
        let mut flags = vec!["--puppetdb-ca", &ca];
        if client.is_some() {
            flags.extend(["--puppetdb-cert", &certificate, "--puppetdb-key", &key]);
        }
        serve(&url, &flags).lookup("web01", "k")
    };
    assert_eq!(requested("ca", Some("ca")).value(), "web in Debian");
    for (answer, part) in [
        (requested("other", Some("ca")), "certificate"),
        (requested("ca", None), "certificate"),
        (requested("ca", Some("other")), "certificate"),
    ] {
        assert!(answer.status == 502 && answer.text.to_lowercase().contains(part), "{}", answer.text);
    }
}

/// An answer that takes longer than anybody waits: somebody holds a lock on what it is made of.
fn slow(puppetdb: &PuppetDb, service: &Service) {
    let port = puppetdb.ports[0].to_string();
    let mut lock = Command::new("psql")
        .args(["-h", "127.0.0.1", "-p", &port, "-U", "puppetdb", "puppetdb", "-c"])
        .arg("begin; lock table factsets, certnames in access exclusive mode; select pg_sleep(60)")
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let is_locked = "select count(*) from pg_locks where mode = 'AccessExclusiveLock' and granted";
    until("the tables are locked", || {
        puppetdb.sql(is_locked, "postgres").filter(|count| count.trim() != "0").map(drop)
    });
    let answer = failing(service);
    assert!([502, 504].contains(&answer.status), "{}", answer.text);
    assert_eq!(service.get("/healthz").status, 200);
    let _ = lock.kill();
    let _ = lock.wait();
    // The lock ends with its connection.
    let session = "select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep%' and pid <> pg_backend_pid()";
    puppetdb.sql(session, "postgres");
    assert_eq!(service.lookup("web01", "k").value(), "web in Debian");
}

/// Measures: `cargo test --release -p hieratic-cli --test serve -- --ignored --nocapture ten_thousand`
#[test]
#[ignore = "takes minutes; prints how long answers about 10,000 nodes take"]
fn ten_thousand_nodes_of_a_real_puppetdb() {
    const NODES: usize = 10_000;
    let Some(mut puppetdb) = PuppetDb::start() else { return };
    puppetdb.ready();
    let begin = Instant::now();
    for number in 0..NODES {
        let list: Vec<Value> =
            (0..40).map(|name| json!({"name": format!("eth{name}"), "ip": format!("10.0.{name}.1")})).collect();
        let role = ["web", "db", "mail", "dns"][number % 4];
        let facts =
            json!({"role": role, "number": number, "networking": {"interfaces": list}, "os": {"family": "Debian"}});
        puppetdb.submit(&format!("n{number:05}.example.com"), &facts, false);
    }
    let stored =
        |it: &PuppetDb| it.sql("select count(*) from factsets", "puppetdb").is_some_and(|all| all.trim() == "10000");
    puppetdb.until(9_000, &stored);
    println!("stored in {:.1?}", begin.elapsed());
    let repository = site();
    let environments = repository.path().join("environments").display().to_string();
    let url = puppetdb.url();
    let service = Service::start(repository.path(), &["--environmentpath", &environments, "--puppetdb", &url]);
    let timed = |subject: &str, path: &str| {
        let begin = Instant::now();
        let answer = service.get(path);
        println!("{subject}: {} in {:.1?}", answer.status, begin.elapsed());
        answer
    };
    assert_eq!(timed("names", "/v1/nodes?limit=10000").json()["nodes"].as_array().unwrap().len(), NODES);
    timed("page of all nodes", "/");
    timed("page of all nodes, again", "/");
    timed("facts of a node", "/v1/nodes/n00001.example.com/facts");
    timed("page of a node", "/node?node=n00002.example.com");
    timed("a key on all nodes, first request", "/spread?key=k");
    let begin = Instant::now();
    until("all nodes are read", || (timed("  next", "/v1/keys/k/values").json()["complete"] == true).then_some(()));
    println!("all nodes read in {:.1?}", begin.elapsed());
    let begin = Instant::now();
    let arguments = ["affected", "environments/production/data/common.yaml", "--format", "nodes", "--puppetdb", &url];
    let environment = ["--environment-dir", "environments/production"];
    let (nodes, message, fine) = command(repository.path(), &[&arguments[..], &environment].concat());
    assert!(fine && nodes.lines().count() == NODES * 3 / 4, "{message}");
    println!("affected: {:.1?}", begin.elapsed());
}
