//! The nodes of a service that no flag and no setting gives facts to.

use crate::service::{Repository, Service};
use crate::until::until;

const FILES: [(&str, &str); 4] = [
    ("environments/production/data/nodes/web01.example.com.yaml", "port: 8080\n"),
    ("environments/production/data/nodes/not a name.yaml", "port: 1\n"),
    ("environments/production/data/roles/web.yaml", "port: 81\n"),
    ("environments/production/data/common.yaml", "port: 80\n"),
];

fn serve(repository: &Repository) -> Service {
    Service::start(repository.path(), &["--environmentpath", repository.path().join("environments").to_str().unwrap()])
}

/// The page when all nodes are read.
fn page(service: &Service, path: &str) -> String {
    let is_complete = || service.get("/v1/find?q=port").json()["complete"] == true;
    until("all nodes are read", || is_complete().then(|| service.get(path).text))
}

#[test]
fn nodes_with_data_files_are_known_without_facts() {
    let repository = Repository::new(&FILES);
    let service = serve(&repository);
    let home = page(&service, "/");
    for part in ["<strong>1 node</strong> known by their data files", "No facts are known", ">web01.example.com</a>"] {
        assert!(home.contains(part), "{part}: {home}");
    }
    assert_eq!(service.lookup("web01.example.com", "port").value(), 8080);
    // Any other name can be asked for, too.
    assert_eq!(service.lookup("mail.example.com", "port").value(), 80);
    let hierarchy = page(&service, "/hierarchy");
    assert!(hierarchy.contains("No facts are known"), "{hierarchy}");
    // Nobody knows whether a node has the role.
    assert!(!hierarchy.contains("read by no node") && !hierarchy.contains("never win<"), "{hierarchy}");
    let found = page(&service, "/find?q=8080");
    assert!(found.contains("web01.example.com"), "{found}");
}

#[test]
fn facts_in_a_usual_folder_are_found() {
    let repository = Repository::new(&FILES);
    // Data of nodes is not facts.
    repository.write("environments/production/nodes/db01.yaml", "profile::port: 1\n");
    repository.write("environments/production/facts/web02.example.com.yaml", "role: web\n");
    repository.write("environments/production/facts/no name.yaml", "role: web\n");
    let service = serve(&repository);
    assert!(service.stderr().contains("facts from environments/production/facts"), "{}", service.stderr());
    let home = page(&service, "/");
    for part in ["<strong>1 node</strong>", ">web02.example.com</a>", "Left out, because its name is not one of a node"]
    {
        assert!(home.contains(part), "{part}: {home}");
    }
    assert_eq!(service.lookup("web02.example.com", "port").value(), 81);
}

#[test]
fn a_node_that_does_not_exist_stays_in_the_form() {
    let repository = Repository::new(&FILES);
    repository.write("environments/production/facts/web02.example.com.yaml", "role: web\n");
    let answer = serve(&repository).get("/node?node=web0%3Cb%3E");
    assert!(answer.status == 400 || answer.status == 404, "{}", answer.text);
    let service = serve(&repository);
    let answer = service.get("/node?node=web");
    assert_eq!(answer.status, 404);
    for part in ["Did you mean", "value=\"web\"", "action=\"/node\""] {
        assert!(answer.text.contains(part), "{part}: {}", answer.text);
    }
}

#[test]
fn nodes_of_a_site_that_has_another_word_for_names_are_known() {
    let hierarchy = "version: 5\nhierarchy:\n  - {name: Nodes, path: 'nodes/%{::location}/%{::verified_host}.yaml'}\n  - {name: Location, path: '%{::location}.yaml'}\n";
    let repository = Repository::new(&[
        ("environments/production/hiera.yaml", hierarchy),
        ("environments/production/data/nodes/bgo/bgo-api-01.yaml", "port: 8080\n"),
        ("environments/production/data/bgo.yaml", "port: 80\nsite: bgo\n"),
    ]);
    let service = serve(&repository);
    let home = page(&service, "/");
    assert!(home.contains("<strong>1 node</strong> known by their data files"), "{home}");
    // The name is not shown twice, and the location is a fact in the path.
    assert!(!home.contains("sort=verified_host") && home.contains("sort=location"), "{home}");
    assert_eq!(service.lookup("bgo-api-01", "port").value(), 8080);
    assert_eq!(service.lookup("bgo-api-01", "site").value(), "bgo");
}
