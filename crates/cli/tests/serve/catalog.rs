//! The page of the catalog of a node.

use crate::service::{Repository, example};

const SITE: &str = "environments/production/manifests/site.pp";
const COMMON: &str = "environments/production/data/common.yaml";

fn repository(site: &str) -> Repository {
    Repository::new(&[
        (SITE, site),
        (COMMON, "web::port: 80\nweb::token: s3cret-token\nlookup_options:\n  web::token: {convert_to: Sensitive}\n"),
        (
            "environments/production/modules/web/manifests/init.pp",
            "class web(Integer $port, $token) {\n  file { '/etc/web':\n    content => \"port ${port}\",\n  }\n  \
             file { '/etc/token':\n    content => $token,\n  }\n  web::site { 'one': }\n}\n",
        ),
        (
            "environments/production/modules/web/manifests/site.pp",
            "define web::site() {\n  notify { \"<b>${name}</b> & ${facts['role']}\": }\n}\n",
        ),
        ("facts/a.json", "{\"role\": \"r1\"}"),
    ])
}

#[test]
fn resources_are_shown_with_classes_and_places() {
    let repository = repository("node default {\n  include web\n  warning('look out')\n}\n");
    let service = repository.serve(&["--catalogs"]);
    let page = service.get("/catalog?node=a");
    assert_eq!(page.status, 200, "{}", page.text);
    for expected in [
        "content: </span>port 80",
        "/catalog?environment=production&amp;node=a&amp;class=web",
        "modules/web/manifests/init.pp:2",
        "modules/web/manifests/site.pp:2",
        "&lt;b&gt;one&lt;/b&gt; &amp; r1",
        "look out",
        "Sensitive [value redacted]",
    ] {
        assert!(page.text.contains(expected), "{expected}: {}", page.text);
    }
    assert!(!page.text.contains("s3cret-token") && !page.text.contains("<b>one"), "{}", page.text);
    let found = service.get("/catalog?node=a&search=port+80").text;
    assert!(found.contains("/etc/web") && !found.contains("/etc/token"), "{found}");
    let of_class = service.get("/catalog?node=a&class=nothing").text;
    assert!(of_class.contains("No resource matches."), "{of_class}");
    assert!(service.get("/node?node=a").text.contains("/catalog?environment=production&amp;node=a"));
    assert_eq!(service.get("/catalog?node=a&environment=none").status, 404);
}

#[test]
fn code_is_compiled_only_with_the_permission() {
    let repository = repository("include web\n");
    let service = repository.serve(&[]);
    let page = service.get("/catalog?node=a");
    assert_eq!(page.status, 403);
    assert!(page.text.contains("--catalogs") && !page.text.contains("/etc/web"), "{}", page.text);
    assert!(!service.get("/node?node=a").text.contains("/catalog?"));
}

#[test]
fn code_that_fails_or_does_not_end_is_an_error_page() {
    let repository = repository("fail('no port s3cret-token')\n");
    let service = repository.serve(&["--catalogs", "--timeout", "4"]);
    let page = service.get("/catalog?node=a");
    assert_eq!(page.status, 422, "{}", page.text);
    assert!(page.text.contains("no port"), "{}", page.text);
    repository.write(SITE, "function f($n) { f($n + 1) + f($n + 2) }\nf(0)\n");
    std::thread::sleep(std::time::Duration::from_millis(100));
    let page = service.get("/catalog?node=a");
    assert!([422, 503, 504].contains(&page.status), "{}: {}", page.status, page.text);
    assert_eq!(service.get("/node?node=a").status, 200);
}

#[test]
fn an_environment_without_code_has_an_empty_catalog() {
    let (_folder, service) = example(&["--catalogs"]);
    let page = service.get("/catalog?node=db01.example.com");
    assert!([200, 422].contains(&page.status), "{}", page.text);
}
