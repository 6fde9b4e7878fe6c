//! The index of all nodes between two starts: used if it is proved to be current, and passed over otherwise.

use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::path::PathBuf;
use std::time::Duration;

use crate::service::{Repository, Service};
use crate::until::until;

/// A repository that takes a while to read, with files that were not changed for some seconds.
fn repository() -> Repository {
    let mut common =
        String::from("lookup_options:\n  hidden: {convert_to: Sensitive}\nhidden: hushhush\nanswer: before\n");
    for number in 0..150 {
        let _ = writeln!(common, "module{}::key{number}: 'value {number} on %{{facts.role}}'", number % 7);
    }
    let mut files = vec![("environments/production/data/common.yaml".to_string(), common)];
    for number in 0..60 {
        files.push((format!("facts/n{number}.json"), format!("{{\"role\": \"r{number}\"}}")));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let repository = Repository::new(&files);
    settle();
    repository
}

/// Waits until a further change of a file would show in its times.
fn settle() {
    std::thread::sleep(Duration::from_millis(2200));
}

/// The files of indexes.
fn indexes(repository: &Repository) -> Vec<PathBuf> {
    match fs::read_dir(repository.path().join("cache/hieratic/indexes")) {
        Ok(entries) => entries.map(|entry| entry.unwrap().path()).collect(),
        Err(_) => Vec::new(),
    }
}

/// Waits until a service has read all nodes.
fn complete(service: &Service) {
    until("all nodes are read", || (service.get("/v1/find?q=answer").json()["complete"] == true).then_some(()));
}

/// Whether the service took its index from the cache.
fn is_cached(service: &Service) -> bool {
    let text = service.get("/metrics").text;
    let line = text.lines().find(|line| line.starts_with("hieratic_cached_indexes_total ")).unwrap();
    line.ends_with(" 1")
}

fn answer(service: &Service) -> String {
    service.get("/v1/keys/answer/values").json()["values"][0]["value"].as_str().unwrap().into()
}

/// An index that a first start has kept.
fn kept(repository: &Repository) -> PathBuf {
    let service = repository.serve(&[]);
    complete(&service);
    assert!(!is_cached(&service));
    until("the index is kept", || {
        indexes(repository).into_iter().find(|path| path.extension().is_some_and(|end| end == "index"))
    })
}

#[test]
fn the_next_start_uses_an_index_of_the_same_files() {
    let repository = repository();
    let file = kept(&repository);
    // It is private, and has no secret.
    let mode =
        fs::metadata(file.parent().unwrap()).map(|data| std::os::unix::fs::PermissionsExt::mode(&data.permissions()));
    assert_eq!(mode.unwrap() & 0o777, 0o700);
    let bytes = fs::read(&file).unwrap();
    let body = &bytes[b"hieratic index 1\n".len() + 64..];
    let mut text = String::new();
    flate2::read::ZlibDecoder::new(body).read_to_string(&mut text).unwrap();
    assert!(text.contains("value 149 on ") && !text.contains("hushhush"), "{text}");
    let service = repository.serve(&[]);
    complete(&service);
    assert!(is_cached(&service) && answer(&service) == "before");
    // All pages of the index work with it.
    for page in [
        "/hierarchy",
        "/find?q=r59",
        "/spread?key=module3::key3",
        "/level?level=Common",
        "/file?path=data/common.yaml",
        "/",
    ] {
        let shown = service.get(page);
        assert_eq!(shown.status, 200, "{page}: {}", shown.text);
        assert!(!shown.text.contains("hushhush"), "{page}");
    }
    let found = service.get("/v1/find?q=r59").json();
    let values = found["values"].as_array().unwrap();
    assert!(values.iter().any(|one| one["value"] == "\"value 0 on r59\""), "{found}");
    // A change is seen as ever.
    let data = repository.path().join("environments/production/data/common.yaml");
    fs::write(&data, fs::read_to_string(&data).unwrap().replace("before", "after")).unwrap();
    until("the change is seen", || (answer(&service) == "after").then_some(()));
    // Without the cache, nodes are read.
    let service = repository.serve(&["--no-cache"]);
    complete(&service);
    assert!(!is_cached(&service));
}

#[test]
fn other_files_facts_and_settings_have_no_index() {
    let repository = repository();
    kept(&repository);
    let reads = |why: &str, flags: &[&str]| {
        let service = repository.serve(flags);
        complete(&service);
        assert!(!is_cached(&service), "{why}");
        answer(&service)
    };
    reads("another permission", &["--allow-outside"]);
    reads("another level", &["--without-level", "Role"]);
    repository.write("facts/n3.json", "{\"role\": \"other\"}");
    reads("another fact", &[]);
    repository.write("facts/n3.json", "{\"role\": \"r3\"}");
    repository.write("environments/production/data/roles/r1.yaml", "answer: own\n");
    reads("a new file", &[]);
    fs::remove_dir_all(repository.path().join("environments/production/data/roles")).unwrap();
    let data = repository.path().join("environments/production/data/common.yaml");
    let text = fs::read_to_string(&data).unwrap();
    fs::write(&data, text.replace("before", "afters")).unwrap();
    assert_eq!(reads("a changed file", &[]), "afters");
    // The same contents are the same files, whatever their times.
    fs::write(&data, text).unwrap();
    let service = repository.serve(&[]);
    complete(&service);
    assert!(is_cached(&service));
}

#[test]
fn damaged_and_foreign_files_are_passed_over() {
    let repository = repository();
    let file = kept(&repository);
    let whole = fs::read(&file).unwrap();
    let mut flipped = whole.clone();
    let last = flipped.len() - 1;
    flipped[last] ^= 1;
    let of_other = [&whole[..20], [0; 8].as_slice(), &whole[28..]].concat();
    for bytes in [whole[..whole.len() / 2].to_vec(), flipped, of_other, b"<html>".to_vec(), Vec::new()] {
        fs::write(&file, &bytes).unwrap();
        let service = repository.serve(&[]);
        complete(&service);
        assert!(!is_cached(&service) && answer(&service) == "before");
        assert!(service.stderr().contains("in the cache is not used"), "{}", service.stderr());
    }
    // A folder that others may write in is not believed.
    fs::write(&file, &whole).unwrap();
    let shared: fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    fs::set_permissions(file.parent().unwrap(), shared).unwrap();
    let service = repository.serve(&[]);
    complete(&service);
    assert!(!is_cached(&service) && service.stderr().contains("not a private folder"), "{}", service.stderr());
}

#[test]
fn two_services_may_keep_the_same_index() {
    let repository = repository();
    let both = [repository.serve(&[]), repository.serve(&[])];
    both.iter().for_each(complete);
    both.iter().for_each(|service| assert_eq!(answer(service), "before"));
    until("the index is kept", || (!indexes(&repository).is_empty()).then_some(()));
    drop(both);
    let service = repository.serve(&[]);
    complete(&service);
    assert!(is_cached(&service) && answer(&service) == "before", "{}", service.stderr());
    assert!(indexes(&repository).iter().filter(|path| path.extension().is_some_and(|end| end == "index")).count() == 1);
}

#[test]
fn globs_with_variables_are_proved_by_the_files_below_their_folder() {
    let repository = repository();
    let globs = "version: 5\nhierarchy:\n  - {name: Role, globs: ['%{facts.role}/**/*.yaml', 'all/{a,b}.yaml']}\n  \
                 - {name: Common, path: common.yaml}\n";
    let write = |name: &str, text: &str| repository.write(&format!("environments/production/{name}"), text);
    write("hiera.yaml", globs);
    write("data/r3/deep/one.yaml", "of_role: three\n");
    settle();
    kept(&repository);
    let service = repository.serve(&[]);
    complete(&service);
    assert!(is_cached(&service) && answer(&service) == "before");
    assert_eq!(service.get("/v1/keys/of_role/values").json()["values"][0]["value"], "three");
    drop(service);
    // A file that a pattern matches now is noticed, and so is one that it does not match any more.
    write("data/r5/new.yaml", "answer: own\n");
    let service = repository.serve(&[]);
    complete(&service);
    assert!(!is_cached(&service));
    let values = service.get("/v1/keys/answer/values").json();
    assert!(values["values"].as_array().unwrap().iter().any(|one| one["value"] == "own"), "{values}");
    drop(service);
    fs::remove_dir_all(repository.path().join("environments/production/data/r5")).unwrap();
    let service = repository.serve(&[]);
    complete(&service);
    assert!(is_cached(&service) && answer(&service) == "before");
}

#[test]
fn globs_that_leave_the_files_whose_changes_show_are_not_kept() {
    let repository = repository();
    let elsewhere = repository.path().join("elsewhere");
    for globs in [
        format!("{}/*.yaml", elsewhere.display()),
        "../../../elsewhere/*.yaml".into(),
        "{,.}{,.}/../../elsewhere/*.yaml".into(),
        "../.git/*.yaml".into(),
        ".*/x.yaml".into(),
    ] {
        let levels = format!(
            "version: 5\nhierarchy:\n  - {{name: Else, globs: ['{globs}']}}\n  - {{name: Common, path: common.yaml}}\n"
        );
        repository.write("environments/production/hiera.yaml", &levels);
        settle();
        let service = repository.serve(&[]);
        complete(&service);
        std::thread::sleep(Duration::from_millis(300));
        assert!(indexes(&repository).is_empty(), "{globs}");
    }
}
