//! What files are, by their names and their content.

use hieratic_budget::Budget;
use hieratic_hcl1::{Dialect, parse};
use hieratic_nomad_schema::Kind;

#[test]
fn files_are_known_by_name_and_content() {
    for (path, text, expected) in [
        ("a.hcl", "server {\n  enabled = true\n}\nserver_join { retry_join = [\"a\"] }\n", Some(Kind::NomadAgent)),
        ("nomad/tls.hcl", "tls {\n  http = true\n}\n", Some(Kind::NomadAgent)),
        ("tls.hcl", "tls {\n  http = true\n}\n", None),
        ("a.hcl", "namespace \"default\" { policy = \"write\" }\n", Some(Kind::NomadPolicy)),
        ("a.hcl", "agent {\n  policy = \"write\"\n}\n", Some(Kind::NomadPolicy)),
        ("a.hcl", "agent \"a\" {\n  policy = \"write\"\n}\n", Some(Kind::ConsulPolicy)),
        ("a.hcl", "service_prefix \"\" {\n  policy = \"read\"\n}\noperator = \"read\"\n", Some(Kind::ConsulPolicy)),
        ("a.hcl", "path \"secret/*\" {\n  capabilities = [\"read\"]\n}\n", Some(Kind::VaultPolicy)),
        ("a.hcl", "ui = true\nlistener \"tcp\" {\n  address = \"a\"\n}\n", Some(Kind::VaultServer)),
        ("a.hcl", "server = true\nclient_addr = \"0.0.0.0\"\n", Some(Kind::ConsulAgent)),
        ("a.hcl", "id = \"v\"\nplugin_id = \"p\"\n", Some(Kind::CsiVolume)),
        ("a.hcl", "name = \"v\"\ntype = \"host\"\nplugin_id = \"mkdir\"\n", Some(Kind::HostVolume)),
        ("a.hcl", "name = \"q\"\nlimit {\n  region = \"global\"\n}\n", Some(Kind::NomadQuota)),
        ("a.hcl", "name = \"n\"\ncapabilities {\n  enabled_task_drivers = []\n}\n", Some(Kind::NomadNamespace)),
        ("a.hcl", "path = \"a/b\"\nitems {\n  a = \"b\"\n}\n", Some(Kind::NomadVariable)),
        ("a.nv.hcl", "items {\n  a = \"b\"\n}\n", Some(Kind::NomadVariable)),
        ("a.hcl", "storage \"raft\" {\n}\nui = true\ncache {\n}\n", Some(Kind::VaultServer)),
        ("vault/a.hcl", "vault {\n}\nui = true\ncache {\n}\n", None),
        ("a.hcl", "service {\n  name = \"web\"\n  port = 80\n}\n", Some(Kind::ConsulAgent)),
        ("a.hcl", "check {\n  id = \"a\"\n  ttl = \"30s\"\n}\n", Some(Kind::ConsulAgent)),
        ("a.hcl", "Kind = \"service-defaults\"\nName = \"web\"\n", Some(Kind::ConsulConfigEntry)),
        ("a.hcl", "kind = \"service-reslover\"\nname = \"web\"\n", Some(Kind::ConsulConfigEntry)),
        ("a.hcl", "Kind = \"mesh\"\nTLS {\n}\n", Some(Kind::ConsulConfigEntry)),
        ("a.hcl", "kind = \"mesh\"\nfaces = 3\nvertices = 4\n", None),
        ("a.json", "{\"kind\": \"service-intentions\", \"Sources\": []}", Some(Kind::ConsulConfigEntry)),
        ("consul/a.json", "{\"servre\": true, \"retry_join\": [\"a\"], \"data_dir\": \"/a\"}", Some(Kind::ConsulAgent)),
        ("a.json", "{\"server\": true}", None),
        ("de.json", "{\"server\": {\"enabled\": \"Ein\"}, \"client\": {\"name\": \"Kunde\"}}", None),
        ("nomad/a.json", "{\"server\": {\"enabled\": true}, \"client\": {}}", Some(Kind::NomadAgent)),
        ("consul/a.json", "{\"name\": \"a\", \"datacenter\": \"b\"}", None),
        ("a.json", "{\"service\": {\"name\": \"web\", \"port\": 80}}", Some(Kind::ConsulAgent)),
        ("a.json", "{\"data_dir\": \"/a\", \"client\": {\"enabled\": true}}", Some(Kind::NomadAgent)),
        (
            "a.json",
            "{\"storage\": {\"file\": {\"path\": \"/a\"}}, \"listener\": {\"tcp\": {}}}",
            Some(Kind::VaultServer),
        ),
        ("a.json", "{\"path\": {\"a/*\": {\"capabilities\": [\"read\"]}}}", Some(Kind::VaultPolicy)),
        ("a.json", "{\"namespace\": {\"a\": {\"policy\": \"read\"}}}", Some(Kind::NomadPolicy)),
        ("a.json", "{\"path\": \"a\", \"items\": {\"a\": \"b\"}}", None),
        ("a.hcl", "{\"path\": \"a\", \"items\": {\"a\": \"b\"}}", Some(Kind::NomadVariable)),
        ("a.json", "{\"kind\": \"Service\", \"metadata\": {\"name\": \"a\"}}", None),
        ("a.hcl", "service \"web\" {\n  name = \"web\"\n  port = 80\n}\n", None),
        ("a.hcl", "service {\n  tags = []\n}\n", None),
        ("nomad/a.hcl", "job \"a\" {\n}\n", None),
        ("a.hcl", "auto_auth {\n}\nlistener \"tcp\" {\n}\n", None),
        ("a.hcl", "terraform {\n}\n", None),
        ("consul-template.hcl", "vault {\n  grace = \"1s\"\n}\nsyslog {\n  enabled = true\n}\nacl {\n}\n", None),
        ("a.hcl", "anything = 1\n", None),
        ("a.hcl", "", None),
    ] {
        let file = parse(text.as_bytes(), Dialect::Nomad, &Budget::default()).unwrap();
        assert_eq!(Kind::recognize(path, &file), expected, "{path}: {text}");
    }
}

#[test]
fn the_first_of_very_many_blocks_tell_the_kind() {
    let text = format!("server = true\nretry_join = []\n{}", "service {\n  name = \"web\"\n}\n".repeat(20_000));
    let file = parse(text.as_bytes(), Dialect::Nomad, &Budget::default()).unwrap();
    assert_eq!(Kind::recognize("consul/a.hcl", &file), Some(Kind::ConsulAgent));
}
