//! The repositories, each with one idea of how to get out.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::git::{commit, git};

/// What no run may print: the text of a file beside the repository.
pub const SECRET: &str = "canary-of-the-file-beside";
/// What no run may print: the value of the variable `CI_TOKEN`.
pub const TOKEN: &str = "canary-of-the-environment";

/// A repository in a folder of its own, beside a folder with a secret.
pub struct Repository {
    pub name: &'static str,
    /// The repository.
    pub root: PathBuf,
    /// What lies beside it.
    pub outside: PathBuf,
    /// Whether git is here, so that the branch `main` has the sound repository.
    pub has_main: bool,
    /// Whether the branch `stranger` has what makes it hostile.
    pub has_stranger: bool,
}

/// What makes a repository hostile.
pub type Make = fn(&Repository);

impl Repository {
    /// A repository that is sound but for what `make` puts into it.
    pub fn new(name: &'static str, folder: &Path, make: Make) -> Repository {
        // Temporary folders may be links themselves.
        let folder = folder.canonicalize().unwrap();
        let mut repository = Repository {
            name,
            root: folder.join("repository"),
            outside: folder.join("outside"),
            has_main: false,
            has_stranger: false,
        };
        fs::create_dir_all(repository.root.join(".git")).unwrap();
        fs::create_dir_all(&repository.outside).unwrap();
        for file in ["secret.yaml", "secret.json", "secret.pp", "secret.hcl", "secret.j2", "secret.conf"] {
            let key =
                if file.ends_with("json") { format!("{{\"k\": \"{SECRET}\"}}") } else { format!("k: {SECRET}\n") };
            fs::write(repository.outside.join(file), key).unwrap();
        }
        repository.write("hiera.yaml", HIERARCHY);
        repository.write("data/common.yaml", "k: 1\na: \"%{lookup('b')}\"\nb: \"%{lookup('a')}\"\n");
        repository.write("manifests/site.pp", "notice(lookup('k', default_value => 0))\n");
        repository.write("modules/m/manifests/init.pp", "class m (Integer $p = 1) { }\n");
        repository.write("document.yaml", "a: {x: 1}\nb: {+/a: }\n");
        repository.write("changed.yaml", "a: {x: 2}\nb: {x: 1}\n");
        repository.write("template.epp", "<%= lookup('k', default_value => 0) %>\n");
        repository.write("template.j2", "{{ lookup('hiera', 'k', default=0) }}\n");
        repository.write("template.tftpl", "${1 + 1}\n");
        repository.write(
            "job.nomad.hcl",
            "job \"j\" {\n  group \"g\" {\n    task \"t\" {\n      driver = \"exec\"\n    }\n  }\n}\n",
        );
        repository.write("pack/metadata.hcl", "pack {\n  name = \"p\"\n}\n");
        repository.write(
            "pack/templates/j.nomad.tpl",
            "job \"j\" {\n  group \"g\" {\n    task \"t\" {\n      driver = \"exec\"\n    }\n  }\n}\n",
        );
        repository.write("facts/web01.json", "{\"role\": \"web\"}\n");
        repository.has_main = git(&repository.root, &["init", "-q", "-b", "main"]) && commit(&repository.root, "sound");
        make(&repository);
        // Git would wait for somebody to write into a pipe.
        repository.has_stranger = repository.has_main
            && name != "files_that_are_not_regular"
            && git(&repository.root, &["checkout", "-q", "-b", "stranger"])
            && commit(&repository.root, "hostile");
        repository
    }

    /// Writes a file.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let _ = fs::remove_file(&path);
        fs::write(path, text).unwrap();
    }

    /// Makes a link, in place of what is there.
    fn link(&self, path: &str, target: impl AsRef<Path>) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let _ = fs::remove_file(&path);
        symlink(target, path).unwrap();
    }

    fn secret(&self, file: &str) -> PathBuf {
        self.outside.join(file)
    }
}

const HIERARCHY: &str =
    "version: 5\ndefaults: {datadir: data, data_hash: yaml_data}\nhierarchy:\n  - {name: Common, path: common.yaml}\n";

/// A shell that leaves something behind.
const SHELL: &str = "[sh, -c, 'id > PWNED; echo {}']";

/// All of them, by name.
pub fn repositories() -> &'static [(&'static str, Make)] {
    &[
        ("executables_of_a_level", |repository| {
            repository.write("hiera.yaml", &format!("{HIERARCHY}  - {{name: Site, lookup_key: site_data}}\n"));
            repository.write("hieratic.yaml", &format!("version: 1\nbackends:\n  site_data:\n    command: {SHELL}\n"));
        }),
        ("executables_in_flow_form", |repository| {
            repository.write("hiera.yaml", &format!("{HIERARCHY}  - {{name: Site, data_hash: site_data}}\n"));
            repository
                .write("hieratic.yaml", &format!("{{version: 1, backends: {{site_data: {{command: {SHELL}}}}}}}\n"));
        }),
        ("executables_of_a_module", |repository| {
            repository.write("modules/m/hiera.yaml", "version: 5\nhierarchy:\n  - {name: M, lookup_key: m_data}\n");
            repository
                .write("modules/m/hieratic.yaml", &format!("version: 1\nbackends: {{m_data: {{command: {SHELL}}}}}\n"));
            repository.write(
                "data/common.yaml",
                "k: \"%{lookup('m::p')}\"\nlookup_options: {'m::p': {convert_to: Integer}}\n",
            );
            repository.write(
                "environments/nested/hiera.yaml",
                &format!("{HIERARCHY}  - {{name: Site, lookup_key: site_data}}\n"),
            );
            repository.write(
                "environments/nested/hieratic.yaml",
                &format!("version: 1\nbackends: {{site_data: {{command: {SHELL}}}}}\n"),
            );
        }),
        ("functions_that_generate", |repository| {
            repository.write("hiera.yaml", &format!("{HIERARCHY}  - {{name: Site, lookup_key: 'm::data'}}\n"));
            repository.write(
                "modules/m/functions/data.pp",
                "function m::data(String $key, Hash $options, $context) { generate('/bin/sh', '-c', 'id > PWNED') }\n",
            );
            repository.write("manifests/site.pp", "notice(generate('/bin/sh', '-c', 'id > PWNED'))\n");
            repository.write("template.epp", "<%= generate('/bin/sh', '-c', 'id > PWNED') %>\n");
            repository.write("template.j2", "{{ lookup('pipe', 'id > PWNED') }}\n");
            repository.write("document.yaml", "a: {eval: {shell: id > PWNED}}\n");
        }),
        ("variables_of_the_environment", |repository| {
            repository.write(
                "hiera.yaml",
                "version: 5\nhierarchy:\n  - {name: H, data_hash: hocon_data, path: common.conf}\n  - {name: E, lookup_key: \
                 eyaml_lookup_key, path: secret.eyaml, options: {pkcs7_private_key_env_var: CI_TOKEN, pkcs7_public_key_env_var: CI_TOKEN}}\n",
            );
            repository.write("data/common.conf", "k: ${?CI_TOKEN}\nl: ${CI_TOKEN}\n");
            repository.write("data/secret.eyaml", "s: ENC[PKCS7,MIIBeQYJKoZIhvcNAQcDoIIBajCCAWYCAQAxggEhMIIBHQ]\n");
            repository.write("manifests/site.pp", "notice($facts['CI_TOKEN'])\n");
            repository.write("template.j2", "{{ lookup('env', 'CI_TOKEN') }}{{ '$CI_TOKEN' | expandvars }}\n");
            repository.write("document.yaml", "a: {+?include: '${CI_TOKEN}', x: {get_env: CI_TOKEN}}\n");
            repository.write("job.nomad.hcl", "job \"j\" {\n  name = \"${CI_TOKEN}\"\n  group \"g\" {\n    task \"t\" {\n      driver = \"exec\"\n    }\n  }\n}\n");
        }),
        ("links_to_files", |repository| {
            repository.link("data/common.yaml", repository.secret("secret.yaml"));
            repository.write("data/other.yaml", "k: 2\n");
            repository.link("manifests/site.pp", repository.secret("secret.pp"));
            repository.link("modules/m/manifests/init.pp", repository.secret("secret.pp"));
            repository.link("document.yaml", repository.secret("secret.yaml"));
            repository.link("facts/web01.json", repository.secret("secret.json"));
            repository.link("extra.yaml", "/proc/self/environ");
            repository.link("data/nodes/web01.yaml", "/proc/self/environ");
        }),
        ("links_to_folders", |repository| {
            repository.write("hiera.yaml", "version: 5\ndefaults: {datadir: data, data_hash: yaml_data}\nhierarchy:\n  - {name: All, glob: '**/*.yaml'}\n  - {name: Up, glob: 'up/*.yaml'}\n");
            repository.link("data/up", &repository.outside);
            repository.link("modules/slash", "/");
            repository.link("modules/beside", &repository.outside);
            repository.write("manifests/site.pp", "notice(file('beside/secret.yaml'), file('slash/etc/passwd'))\nnotice(file('m/../../../outside/secret.yaml'))\n");
        }),
        ("links_in_place_of_configuration", |repository| {
            repository.link(".gitignore", repository.secret("secret.conf"));
            repository.link(".ignore", "/dev/zero");
            repository.link("modules/m/metadata.json", repository.secret("secret.json"));
            repository.link("modules/m/hiera.yaml", repository.secret("secret.yaml"));
            repository.link("environment.conf", repository.secret("secret.conf"));
            repository.link("hieratic.yaml", repository.secret("secret.yaml"));
            repository.link("hiera.yaml", repository.secret("secret.yaml"));
        }),
        ("levels_that_lead_out", |repository| {
            let out = repository.outside.display().to_string();
            repository.write(
                "hiera.yaml",
                &format!(
                    "{HIERARCHY}  - {{name: Up, path: ../../outside/secret.yaml}}\n  - {{name: Absolute, datadir: {out}, path: secret.yaml}}\n  \
                     - {{name: Glob, datadir: {out}, glob: '*.yaml'}}\n  - {{name: Proc, datadir: /proc/self, path: environ}}\n"
                ),
            );
            repository.write(
                "modules/m/hiera.yaml",
                &format!("version: 5\ndefaults: {{datadir: {out}}}\nhierarchy:\n  - {{name: M, path: secret.yaml}}\n"),
            );
        }),
        ("modules_everywhere", |repository| {
            repository.write(
                "environment.conf",
                &format!("modulepath = /:/etc:{}:modules:../outside\nmanifest = /etc\n", repository.outside.display()),
            );
            fs::create_dir_all(repository.outside.join("out/files")).unwrap();
            fs::write(repository.outside.join("out/files/f"), SECRET).unwrap();
            repository.write("manifests/site.pp", "notice(file('out/f'))\nnotice(file('etc/passwd', '/etc/passwd'))\n");
            repository.write("template.epp", "<%= file('out/f') %>\n");
        }),
        ("environments_that_are_links", |repository| {
            fs::remove_file(repository.root.join("hiera.yaml")).unwrap();
            fs::create_dir_all(repository.outside.join("data")).unwrap();
            fs::write(repository.outside.join("hiera.yaml"), HIERARCHY).unwrap();
            fs::write(repository.outside.join("data/common.yaml"), format!("k: {SECRET}\n")).unwrap();
            fs::create_dir_all(repository.root.join("environments")).unwrap();
            repository.link("environments/production", &repository.outside);
            repository.link("environments/all", "/");
            fs::create_dir_all(repository.root.join("environments/real")).unwrap();
            repository.write("environments/real/hiera.yaml", HIERARCHY);
        }),
        ("includes_that_lead_out", |repository| {
            let out = repository.outside.display().to_string();
            repository.write("document.yaml", "+include: ../outside/secret.yaml\na: {x: 1}\nb: {+/a: }\n");
            repository.write("absolute.yaml", &format!("+include: {out}/secret.yaml\na: 1\n"));
            repository.link("linked.yaml", repository.secret("secret.yaml"));
            repository.write("by-link.yaml", "+include: linked.yaml\na: 1\n");
            repository.write("network.yaml", "+include: http://127.0.0.1:9/secret.yaml\na: 1\n");
            repository.write("hiera.yaml", "version: 5\ndefaults: {datadir: data}\nhierarchy:\n  - {name: D, data_hash: yaml_data, options: {directives: true}, path: common.yaml}\n");
            repository.write("data/common.yaml", "+include: ../../outside/secret.yaml\nk2: 1\n");
        }),
        ("templates_that_lead_out", |repository| {
            repository.write("template.j2", "{% include '../outside/secret.j2' ignore missing %}{{ lookup('file', '../outside/secret.yaml', errors='ignore') }}{{ lookup('fileglob', '/etc/pass*') }}\n");
            repository.write(
                "template.epp",
                &format!("<%= file('{}/secret.yaml', '/etc/passwd') %>\n", repository.outside.display()),
            );
            repository.write("template.tftpl", "${file(\"../outside/secret.yaml\")}${fileexists(\"/etc/passwd\")}\n");
            repository.link("linked.j2", repository.secret("secret.j2"));
            repository.write("extra.j2", "{% include 'linked.j2' %}\n");
        }),
        ("jobs_that_lead_out", |repository| {
            repository.link("linked.txt", repository.secret("secret.yaml"));
            repository.write(
                "job.nomad.hcl",
                "job \"j\" {\n  name = file(\"../outside/secret.yaml\")\n  meta {\n    a = file(\"linked.txt\")\n    b = file(\"/etc/passwd\")\n    c = file(\"~/.ssh/id_rsa\")\n    d = \
                 join(\",\", fileset(\"..\", \"**\"))\n    e = filebase64(\"linked.txt\")\n  }\n  group \"g\" {\n    task \"t\" {\n      driver = \"exec\"\n    }\n  }\n}\n",
            );
        }),
        ("packs_that_lead_out", |repository| {
            let out = repository.outside.display().to_string();
            repository.write(
                "pack/templates/j.nomad.tpl",
                &format!("[[ fileContents \"{out}/secret.yaml\" ]]\n[[ fileContents \"/etc/passwd\" ]]\n"),
            );
            repository.link("pack/variables.hcl", repository.secret("secret.hcl"));
            repository.write("job.nomad.hcl", &format!("[[ fileContents \"{out}/secret.yaml\" ]]\n"));
        }),
        ("packs_of_links", |repository| {
            repository.link("pack/templates/secret.nomad.tpl", repository.secret("secret.yaml"));
            repository.link("pack/metadata.hcl", repository.secret("secret.hcl"));
            repository.link("pack/deps", repository.outside.clone());
        }),
        ("keys_that_lead_out", |repository| {
            let out = repository.outside.display().to_string();
            repository.write(
                "hiera.yaml",
                &format!("version: 5\nhierarchy:\n  - {{name: E, lookup_key: eyaml_lookup_key, path: secret.eyaml, options: {{pkcs7_private_key: {out}/secret.yaml, pkcs7_public_key: keys/public.pem}}}}\n"),
            );
            repository.link("keys/public.pem", repository.secret("secret.hcl"));
            repository.write("data/secret.eyaml", "k: ENC[PKCS7,MIIBeQYJKoZIhvcNAQcDoIIBajCCAWYCAQAxggEhMIIBHQ]\n");
        }),
        ("files_that_are_not_regular", |repository| {
            repository.write("hiera.yaml", "version: 5\ndefaults: {datadir: data, data_hash: yaml_data}\nhierarchy:\n  - {name: Pipe, path: pipe.yaml}\n  - {name: Zero, path: zero.yaml}\n  - {name: All, glob: '*.yaml'}\n");
            for pipe in [
                "data/pipe.yaml",
                "manifests/pipe.pp",
                "facts/pipe.json",
                ".gitignore",
                "environment.conf",
                "modules/m/metadata.json",
            ] {
                let path = std::process::Command::new("mkfifo").arg(repository.root.join(pipe)).status().unwrap();
                assert!(path.success());
            }
            repository.link("data/zero.yaml", "/dev/zero");
            repository.link("data/tty.yaml", "/dev/stdin");
            repository.write("document.yaml", "+include: data/pipe.yaml\na: 1\n");
            repository.write("template.j2", "{% include 'data/pipe.yaml' %}\n");
            repository.write("template.tftpl", "${file(\"data/pipe.yaml\")}\n");
            repository.write("manifests/site.pp", "notice(file('m/pipe'))\n");
        }),
        ("named_files_that_are_links", |repository| {
            for (name, secret) in [
                ("document.yaml", "secret.yaml"),
                ("changed.yaml", "secret.yaml"),
                ("template.epp", "secret.pp"),
                ("template.j2", "secret.j2"),
                ("template.tftpl", "secret.hcl"),
                ("job.nomad.hcl", "secret.hcl"),
                ("manifests/site.pp", "secret.pp"),
                ("facts/web01.json", "secret.json"),
            ] {
                repository.link(name, repository.secret(secret));
            }
        }),
    ]
}
