//! A control repository with a secret behind every back end.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A file of a control repository with a secret behind every back end.
const FILES: &[(&str, &str)] = &[
    (
        "hiera.yaml",
        "version: 5\nhierarchy:\n\
         \x20 - name: Encrypted\n    lookup_key: eyaml_lookup_key\n    paths: [top.eyaml, low.eyaml]\n\
         \x20   options: {pkcs7_private_key: {keys}/private_key.pkcs7.pem, pkcs7_public_key: {keys}/public_key.pkcs7.pem}\n\
         \x20 - {name: Vault, lookup_key: vault}\n\
         \x20 - {name: Yaml, path: plain.yaml}\n\
         \x20 - {name: Json, data_hash: json_data, path: plain.json}\n\
         \x20 - {name: Hocon, data_hash: hocon_data, path: plain.conf}\n\
         \x20 - {name: Directives, path: directives.yaml, options: {directives: true}}\n\
         \x20 - {name: Hcl, data_hash: hcl_data, paths: [plain.hcl, plain.tfvars]}\n\
         \x20 - {name: Hash, data_hash: 'site::hash'}\n\
         \x20 - {name: Key, lookup_key: 'site::key', path: words.txt}\n\
         \x20 - {name: Dig, data_dig: 'site::dig'}\n",
    ),
    ("hieratic.yaml", "version: 1\nbackends:\n  vault: {command: [sh, vault.sh], secret: true}\n"),
    (
        "vault.sh",
        "while read -r line; do\n  id=$(printf '%s' \"$line\" | sed 's/.*\"id\": *\\([0-9]*\\).*/\\1/')\n  case \"$line\" in\n    \
         *'\"key\":\"vault\"'*|*'\"key\": \"vault\"'*) printf '{\"id\": %s, \"value\": {\"token\": \"v-canarybird\"}}\\n' \"$id\" ;;\n    \
         *) printf '{\"id\": %s, \"not_found\": true}\\n' \"$id\" ;;\n  esac\ndone\n",
    ),
    (
        "plain.eyaml",
        "line: DEC::PKCS7[pw/canarybird \"q\" 'x']!\nblock: >\n  DEC::PKCS7[-----BEGIN canarybird-----\n  second canarybird line\n-----END-----]!\n\
         number: DEC::PKCS7[canarybird77]!\ndigits: DEC::PKCS7[8291736450]!\nlist: [open, \"DEC::PKCS7[l-canarybird]!\"]\n\
         hash: {user: admin, password: \"DEC::PKCS7[h-canarybird]!\"}\n\
         deep: {a: {secret: \"DEC::PKCS7[d-canarybird]!\", gone: 1}, l: [\"DEC::PKCS7[e-canarybird]!\"]}\n\
         double: DEC::PKCS7[%{facts.word} canarybird]!\nempty: DEC::PKCS7[%{nothing.x} canarybird]!\n\
         broken: DEC::PKCS7[%{lookup(\"x..y\")} canarybird]!\nm::pw: DEC::PKCS7[m-canarybird]!\n\
         blob: DEC::PKCS7[canarybird canarybird canarybird canarybird canarybird canarybird canarybird canarybird canarybird]!\n",
    ),
    (
        "low.plain",
        "hash: {token: \"DEC::PKCS7[t-canarybird]!\"}\ndeep: {a: {gone: 2, low: \"DEC::PKCS7[f-canarybird]!\"}, l: ['--open', x]}\n",
    ),
    (
        "data/plain.yaml",
        "lookup_options:\n  '^open_': {convert_to: Sensitive}\n  hash: {merge: hash}\n  keyed_hash: {merge: hash}\n  keyed_deep: {merge: deep}\n  deep: {merge: {strategy: deep, knockout_prefix: '--'}}\n\
         \x20 list: {merge: unique}\n  wrong: {convert_to: Integer}\n  number: {convert_to: [Sensitive]}\n  in_list: {convert_to: 'Array[Sensitive]'}\n\
         \x20 '^(hcl|dir)_': {convert_to: Sensitive}\n  f_key_number: {convert_to: Integer}\n\
         \x20 f_merged: {merge: {strategy: deep, knockout_prefix: '--'}}\nf_merged: {l: [p], more: 1}\n\
         open_yaml: y-canarybird\nwrong: '%{lookup(\"line\")}'\nin_list: [i-canarybird]\n\
         text: 'user:%{lookup(\"line\")}@host'\nalias: '%{alias(\"hash\")}'\nalias_block: '%{alias(\"block\")}'\n\
         nested: '%{lookup(\"text\")}!'\npart: '%{lookup(\"hash.password\")}'\nvault_text: '%{lookup(\"vault.token\")}'\n\
         keyed: {'%{lookup(\"line\")}': 1}\nkeyed_hash: {a: 1}\nkeyed_deep: {a: {c: 1}, b: [1]}\nlist: [low]\ndeep: {l: [y]}\nhash: {more: 1}\nalias_open: '%{alias(\"open_yaml\")}'\n",
    ),
    (
        "data/plain.json",
        "{\"open_json\": \"j-canarybird\", \"keyed_hash\": {\"%{lookup('line')}\": 2, \"b\": 3}, \"keyed_deep\": {\"a\": \
         {\"%{lookup('line')}\": 2}, \"b\": [3]}}\n",
    ),
    ("data/words.txt", "words\n"),
    ("data/plain.conf", "open_hocon: \"o-canarybird\"\n"),
    (
        "data/directives.yaml",
        "dir_base: {password: b-canarybird}\ndir_merged:\n  +/dir_base:\n  user: admin\ndir_list: [a-canarybird, {b: c-canarybird}]\n",
    ),
    (
        "data/plain.hcl",
        "hcl_text = \"hc-canarybird\"\nhcl_list = [\"hl-canarybird\", 1]\nhcl_block \"a\" {\n  b = \"hb-canarybird\"\n}\n\
         hcl_lookup = \"x-%%{lookup('line')}\"\n",
    ),
    ("data/plain.tfvars", "hcl_var = upper(\"hv-canarybird\")\n"),
    ("modules/site/functions/hash.pp", include_str!("functions/hash.pp")),
    ("modules/site/functions/key.pp", include_str!("functions/key.pp")),
    ("modules/site/functions/dig.pp", include_str!("functions/dig.pp")),
    ("t.epp", "<% $l = lookup('line') -%>\npassword=<%= $l %>\nurl=<%= $l.downcase %>\n<%= lookup('block') %>\n"),
    ("sensitive.epp", "password=<%= lookup('open_yaml') %>\n"),
    ("unwrapped.epp", "password=<%= lookup('open_yaml').unwrap %>\n"),
    (
        "t.j2",
        "{{ lookup('hiera', 'line') }} {{ lookup('hiera', 'line') | b64encode }} {{ lookup('hiera', 'hash') | to_json }}\n",
    ),
    (
        "escaped.j2",
        "{{ lookup('hiera', 'line') | e }} {{ lookup('hiera', 'line') | urlencode }}\n{{ lookup('hiera', 'block') | indent }}\n",
    ),
    ("tree.yaml", "name: root\n"),
    ("error.j2", "{{ lookup('hiera', 'line') + 1 }}\n"),
    (
        "t.tftpl",
        "${hiera(\"line\")} ${base64encode(hiera(\"line\"))} ${jsonencode(hiera(\"hash\"))} ${hiera(\"open_json\")}\n",
    ),
    (
        "job.nomad.hcl",
        "job \"j\" {\n  meta {\n    pw = hiera(\"line\")\n    pem = hiera(\"block\")\n    enc = base64encode(hiera(\"number\"))\n  }\n  group \"g\" {\n    \
         task \"t\" {\n      driver = \"raw_exec\"\n      env { PW = \"x-${hiera(\"open_json\")}\" }\n    }\n  }\n}\n",
    ),
    ("broken.nomad.hcl", "job \"j\" {\n  priority = hiera(\"line\")\n}\n"),
    ("requests.jsonl", "{\"language\": \"puppet\", \"code\": \"[lookup('line'), lookup('hash')]\"}\n"),
    ("hcl.jsonl", "{\"language\": \"hcl\", \"expr\": \"[hiera(\\\"line\\\"), hiera(\\\"hash\\\")]\"}\n"),
    ("unfurl.jsonl", "{\"language\": \"unfurl\", \"expr\": {\"eval\": {\"sensitive\": \"u-canarybird\"}}}\n"),
    ("types.jsonl", "{\"language\": \"puppet\", \"code\": \"type(lookup('line'))\"}\n"),
    ("known.txt", "lookup('number')\n'canarybird77' + 1\n"),
    ("repl.txt", "lookup('line')\nnotice(lookup('hash'))\n$x = lookup('line')\n$x + 1\n"),
];

/// The repository, as the environment `production`; the environment `other` beside it has other keys.
pub struct Repository(tempfile::TempDir);

impl Repository {
    pub fn new() -> Repository {
        let repository = Repository(tempfile::tempdir().unwrap());
        let keys = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crypto/tests/keys").canonicalize().unwrap();
        for root in [repository.root(), repository.other()] {
            for (name, text) in FILES {
                let file = root.join(name);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, text.replace("{keys}", &keys.display().to_string())).unwrap();
            }
            for (plain, encrypted) in [("plain.eyaml", "data/top.eyaml"), ("low.plain", "data/low.eyaml")] {
                let key = keys.join("public_key.pkcs7.pem").display().to_string();
                let output = run(&root, &["secret", "encrypt", "-e", plain, "--pkcs7-public-key", &key], None);
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
                fs::write(root.join(encrypted), output.stdout).unwrap();
                fs::remove_file(root.join(plain)).unwrap();
            }
        }
        // Its back ends are programs, which a person lets it run.
        let settings = repository.folder().join(SETTINGS);
        fs::create_dir_all(settings.join("hieratic")).unwrap();
        let roots = [repository.root(), repository.other()].map(|root| root.canonicalize().unwrap());
        fs::write(settings.join("hieratic/config.toml"), format!("trusted = {roots:?}\n")).unwrap();
        fs::write(repository.other().join("data/low.eyaml"), "{}\n").unwrap();
        fs::write(repository.other().join("data/plain.json"), "{\"open_json\": \"other-canarybird\"}\n").unwrap();
        repository
    }

    /// The folder of all environments, and of other things.
    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    /// The environment that most is asked of.
    pub fn root(&self) -> PathBuf {
        self.folder().join("environments/production")
    }

    /// What the command prints about a node: its answer, and its messages.
    pub fn ask(&self, arguments: &[&str]) -> (String, String) {
        let arguments = [arguments, &["--node", "n", "--environment-dir", "."]].concat();
        let output = run(&self.root(), &arguments, None);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(&output.stdout), text(&output.stderr))
    }

    fn other(&self) -> PathBuf {
        self.folder().join("environments/other")
    }
}

/// Where the settings of the person are who runs the commands.
const SETTINGS: &str = "settings";

/// Runs the command in a folder, with a file of it piped into it.
pub fn run(folder: &Path, arguments: &[&str], input: Option<&str>) -> Output {
    let input = input.map_or_else(Stdio::null, |name| fs::File::open(folder.join(name)).unwrap().into());
    Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .args(arguments)
        .current_dir(folder)
        .env("HOME", folder)
        // Unknown variables are in the data on purpose; under 8 they are errors.
        .env("HIERATIC_PUPPET_VERSION", "7")
        .env("XDG_CONFIG_HOME", folder.ancestors().nth(2).unwrap_or(folder).join(SETTINGS))
        .stdin(input)
        .output()
        .unwrap()
}
