//! `Puppetfile`, `metadata.json` and `environment.conf`, and links to pages.

use serde_json::{Value, json};

use crate::client::{Client, uri};
use crate::repository::create;

fn started() -> (tempfile::TempDir, Client) {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path());
    let root = folder.path().canonicalize().unwrap();
    let metadata = r#"{"name": "acme-web", "version": "2.3.1", "summary": "Serves pages.", "dependencies": [{"name": "acme/base", "version_requirement": ">= 1.0.0"}]}"#;
    std::fs::write(root.join("modules/web/metadata.json"), metadata).unwrap();
    std::fs::create_dir_all(root.join("site-modules")).unwrap();
    let mut client = Client::new(&root);
    client.settle();
    (folder, client)
}

fn labels(client: &mut Client, name: &str, text: &str) -> Vec<String> {
    let plain = text.replacen('|', "", 1);
    client.open(name, &plain);
    let before = &text[..text.find('|').unwrap()];
    let line = before.matches('\n').count();
    let character = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
    let context =
        json!({"textDocument": {"uri": uri(&client.path(name))}, "position": {"line": line, "character": character}});
    let answer = client.request("textDocument/completion", context);
    client.close(name);
    let items = answer["items"].as_array().cloned().unwrap_or_default();
    items.iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
}

fn targets(client: &mut Client, name: &str) -> Vec<String> {
    let context = json!({"textDocument": {"uri": uri(&client.path(name))}});
    let links = client.request("textDocument/documentLink", context);
    links.as_array().unwrap().iter().map(|link| link["target"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_puppetfile_has_keywords_options_modules_and_versions() {
    let (_folder, mut client) = started();
    assert!(labels(&mut client, "Puppetfile", "fo|").contains(&"forge".to_owned()));
    assert!(labels(&mut client, "Puppetfile", "|").contains(&"mod from git".to_owned()));
    assert_eq!(labels(&mut client, "Puppetfile", "mod 'acme/|'\n"), ["acme/base", "acme/web"]);
    // A module that is listed already is not proposed again.
    assert_eq!(labels(&mut client, "Puppetfile", "mod 'acme/base', '1'\nmod '|'\n"), ["acme/web"]);
    assert_eq!(labels(&mut client, "Puppetfile", "mod 'acme-web', '|'\n"), ["2.3.1"]);
    let options = labels(&mut client, "Puppetfile", "mod 'web',\n  git: 'https://x',\n  |\n");
    assert!(options.contains(&"ref".to_owned()) && options.contains(&"default_branch".to_owned()), "{options:?}");
    assert_eq!(labels(&mut client, "Puppetfile", "mod 'web',\n  :ta|\n"), ["tag"]);
    assert_eq!(labels(&mut client, "Puppetfile", "# mod '|'\n"), [] as [&str; 0]);
    client.end();
}

#[test]
fn a_puppetfile_has_hovers_and_links() {
    let (_folder, mut client) = started();
    let text = "forge 'https://forgeapi.puppet.com'\nmod 'acme/web', '2.0.0'\nmod 'other/gone',\n  git: 'https://example.com/gone.git',\n  tag: 'v1'\n";
    client.open("Puppetfile", text);
    let hover = client.hover("Puppetfile", text, "acme/w|eb");
    assert!(hover.contains("2.3.1") && hover.contains("Serves pages.") && hover.contains("acme-base"), "{hover}");
    assert!(client.hover("Puppetfile", text, "other/go|ne").contains("Not installed"));
    assert!(client.hover("Puppetfile", text, "ta|g:").contains("tag"));
    assert!(client.hover("Puppetfile", text, "for|ge").contains("Forge"));
    let found = targets(&mut client, "Puppetfile");
    assert!(found.contains(&"https://forge.puppet.com/modules/acme/web".to_owned()), "{found:?}");
    assert!(found.contains(&"https://example.com/gone.git".to_owned()), "{found:?}");
    client.end();
}

#[test]
fn the_metadata_of_a_module_has_keys_and_values() {
    let (_folder, mut client) = started();
    let name = "modules/other/metadata.json";
    let keys = labels(&mut client, name, "{\n  \"name\": \"acme-web\",\n  \"|\n}\n");
    assert!(keys.contains(&"license".to_owned()) && !keys.contains(&"name".to_owned()), "{keys:?}");
    assert_eq!(labels(&mut client, name, "{\"license\": \"Apa|\"}"), ["Apache-2.0"]);
    let keys = labels(&mut client, name, "{\"dependencies\": [{\"|\"}]}");
    assert_eq!(keys, ["name", "version_requirement"]);
    assert_eq!(labels(&mut client, name, "{\"dependencies\": [{\"name\": \"acme/|\"}]}"), ["acme/web"]);
    let range = "{\"dependencies\": [{\"name\": \"acme/web\", \"version_requirement\": \"|\"}]}";
    assert_eq!(labels(&mut client, name, range), [">= 2.3.1 < 3.0.0"]);
    let systems = labels(&mut client, name, "{\"operatingsystem_support\": [{\"operatingsystem\": \"De|\"}]}");
    assert_eq!(systems, ["Debian"]);
    let releases =
        "{\"operatingsystem_support\": [{\"operatingsystem\": \"Debian\", \"operatingsystemrelease\": [\"|\"]}]}";
    assert!(labels(&mut client, name, releases).contains(&"12".to_owned()));
    let name = "modules/web/metadata.json";
    let text = client.open_saved(name);
    assert!(client.hover(name, &text, "\"versi|on\"").contains("1.2.3"));
    assert!(client.hover(name, &text, "acme/ba|se").contains("Not installed"));
    let found = targets(&mut client, name);
    assert!(found.contains(&"https://forge.puppet.com/modules/acme/base".to_owned()), "{found:?}");
    client.end();
}

#[test]
fn an_environment_has_settings_with_values() {
    let (_folder, mut client) = started();
    let settings = labels(&mut client, "environment.conf", "modulepath = modules\n|");
    assert!(settings.contains(&"manifest".to_owned()) && !settings.contains(&"modulepath".to_owned()), "{settings:?}");
    let folders = labels(&mut client, "environment.conf", "modulepath = modules:|");
    assert!(
        folders.contains(&"site-modules".to_owned()) && folders.contains(&"$basemodulepath".to_owned()),
        "{folders:?}"
    );
    assert!(!folders.contains(&"modules".to_owned()), "{folders:?}");
    assert_eq!(labels(&mut client, "environment.conf", "environment_timeout = un|"), ["unlimited"]);
    let text = client.open_saved("environment.conf");
    assert!(client.hover("environment.conf", &text, "module|path").contains("colons"));
    client.end();
}

#[test]
fn comments_link_to_the_pages_of_findings() {
    let (_folder, mut client) = started();
    client.open("data/common.yaml", "a: 1 # hieratic: ignore unused-key, nonsense\n");
    let context = json!({"textDocument": {"uri": uri(&client.path("data/common.yaml"))}});
    let links = client.request("textDocument/documentLink", context);
    assert_eq!(links.as_array().map(Vec::len), Some(1), "{links}");
    assert!(links[0]["target"].as_str().unwrap().ends_with("/unused-key.md"));
    assert_eq!(links[0]["range"]["start"], json!({"line": 0, "character": 24}));
    assert_ne!(links, Value::Null);
    client.end();
}
