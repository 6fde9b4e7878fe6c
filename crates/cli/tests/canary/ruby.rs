//! What code in Ruby makes of a secret: each method of the core classes, with a canary.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::git;

const COVER: &str = "Sensitive [value redacted]";
const SECRET: &str = "Xk9-CANARYbird+7/zq";

/// A control repository whose class writes a file from a template in Ruby, of secrets that it has looked up.
const FILES: &[(&str, &str)] = &[
    (
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - name: Encrypted\n    lookup_key: eyaml_lookup_key\n    path: secret.eyaml\n    \
         options: {pkcs7_private_key: {keys}/private_key.pkcs7.pem, pkcs7_public_key: {keys}/public_key.pkcs7.pem}\n",
    ),
    ("plain.eyaml", "secret: DEC::PKCS7[Xk9-CANARYbird+7/zq]!\nnumber: DEC::PKCS7[80451277]!\n"),
    ("manifests/site.pp", "include m\n"),
    ("facts/n.json", "{\"a\": 1}\n"),
    (
        "modules/m/manifests/init.pp",
        "class m {\n  $p = lookup('secret')\n  $n = Integer(lookup('number'))\n  $h = {'user' => 'admin', 'password' => $p}\n  \
         $a = ['open', $p]\n  file { '/x': content => template('m/x.erb') }\n  file { '/y': content => \"key=${m::key()}\" }\n}\n",
    ),
    ("modules/m/templates/x.erb", "open\n<%= @p.tr(\"-\", \"_\") %>\n"),
    (
        "modules/m/lib/puppet/functions/m/key.rb",
        "Puppet::Functions.create_function(:'m::key') do\n  dispatch :key do\n  end\n  def key\n    \
         call_function('lookup', 'secret').each_char.map { |c| (c.ord + 1).chr }.join\n  end\nend\n",
    ),
    // A costly function, whose answers are remembered for other calls that come to the same.
    (
        "modules/m/lib/puppet/functions/m/costly.rb",
        "Puppet::Functions.create_function(:'m::costly') do\n  dispatch :costly do\n    param 'String', :text\n  end\n  \
         def costly(text)\n    3000.times { |i| i.to_s }\n    text.reverse.succ\n  end\nend\n",
    ),
];

struct Repository(tempfile::TempDir);

/// Runs the command in a folder of the repository, which is nobody's home: a home is no repository.
fn run(folder: &Path, arguments: &[&str]) -> Output {
    let above = folder.ancestors().nth(2).unwrap();
    Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .args(arguments)
        .current_dir(folder)
        .env("HOME", above)
        .env("XDG_CONFIG_HOME", above.join("settings"))
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

impl Repository {
    fn new() -> Repository {
        let repository = Repository(tempfile::tempdir().unwrap());
        let keys = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crypto/tests/keys").canonicalize().unwrap();
        let root = repository.root();
        for (name, text) in FILES {
            repository.write(name, &text.replace("{keys}", &keys.display().to_string()));
        }
        let key = keys.join("public_key.pkcs7.pem").display().to_string();
        let output = run(&root, &["secret", "encrypt", "-e", "plain.eyaml", "--pkcs7-public-key", &key]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        repository.write("data/secret.eyaml", &String::from_utf8(output.stdout).unwrap());
        fs::remove_file(root.join("plain.eyaml")).unwrap();
        // The keys are outside of the repository, which a person lets it read.
        let settings = repository.0.path().join("settings/hieratic");
        fs::create_dir_all(&settings).unwrap();
        fs::write(settings.join("config.toml"), format!("trusted = [{:?}]\n", root.canonicalize().unwrap())).unwrap();
        repository
    }

    fn root(&self) -> PathBuf {
        self.0.path().join("work/control")
    }

    fn write(&self, name: &str, text: &str) {
        let file = self.root().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    /// What a command prints, answer and messages.
    fn ask(&self, arguments: &[&str]) -> String {
        let output = run(&self.root(), arguments);
        String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
    }

    /// The content of a file of the catalog, masked and as it is.
    fn contents(&self, file: &str) -> [String; 2] {
        [&[][..], &["--reveal"]].map(|more| {
            let output = run(&self.root(), &[&["catalog", "n", "--fact", "a=1"], more].concat());
            let catalog: Value = serde_json::from_slice(&output.stdout)
                .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
            let resources = catalog["resources"].as_array().unwrap();
            let found = resources.iter().find(|one| one["type"] == "File" && one["title"] == file).unwrap();
            found["parameters"]["content"].as_str().unwrap().to_owned()
        })
    }
}

/// Whether a piece of the secret is in a text, or of what was made of it.
fn traces<'t>(text: &'t str, of: &'t [&'t str]) -> impl Iterator<Item = &'t str> {
    let piece = |whole: &'t str| {
        whole.char_indices().filter_map(move |(at, _)| whole.get(at..at + 4)).filter(|piece| text.contains(piece))
    };
    of.iter().flat_map(move |whole| piece(whole))
}

#[test]
fn each_method_is_followed() {
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ruby/tests/marks/expressions.txt");
    let list = fs::read_to_string(list).unwrap();
    let expressions: Vec<&str> = list.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(expressions.len() > 300);
    let repository = Repository::new();
    // Numbers would be redacted where expressions make the same of a secret.
    let letter = |at: usize| char::from(b"abcdefghijklmnopqrstuvwxyz"[at % 26]);
    let name = |at: usize| [letter(at / 676), letter(at / 26), letter(at)].iter().collect::<String>();
    let place = |(at, code): (usize, &&str)| format!("[[{0}~<%= {code} %>~{0}]]\n", name(at));
    let template: Vec<String> = expressions.iter().enumerate().map(place).collect();
    repository.write("modules/m/templates/x.erb", &template.concat());
    let [masked, shown] = repository.contents("/x");
    assert!(shown.contains(SECRET.get(2..).unwrap()) && !shown.contains(COVER));
    let mut faults = Vec::new();
    for (at, code) in expressions.iter().enumerate() {
        let part = |text: &str| {
            let at = name(at);
            let (_, rest) = text.split_once(&format!("[[{at}~")).unwrap_or_else(|| panic!("{code}: {text}"));
            rest.split_once(&format!("~{at}]]")).unwrap_or_else(|| panic!("{code}: {rest}")).0.to_owned()
        };
        let (masked, shown) = (part(&masked), part(&shown));
        // Only what the expression itself adds stays open.
        let open = masked.split(COVER).map(|rest| rest.trim_matches(|one: char| !one.is_alphanumeric()).len()).max();
        let has_traces = traces(&masked.replace(COVER, "\n"), &[SECRET]).next().is_some();
        if shown.trim().len() < 4 || open > Some(3) || has_traces || masked.contains(&shown) {
            faults.push(format!("{code}: {masked:?} of {shown:?}"));
        }
    }
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), expressions.len(), faults.join("\n"));
}

#[test]
fn literal_text_of_a_template_is_not_redacted() {
    let repository = Repository::new();
    let template = "# for <%= @h['user'].upcase %>\nlong = <%= @p.length > 8 %>\nkey = '<%= @p.succ %>'\n\
                    url = db://<%= @h['user'] %>:<%= @p %>@host:5432/<%= @a.first * 2 %>\nlist = <%= [@p.reverse, 'open'].join(', ') %>\n";
    repository.write("modules/m/templates/x.erb", template);
    let expected = format!(
        "# for ADMIN\nlong = true\nkey = '{COVER}'\nurl = db://admin:{COVER}@host:5432/openopen\nlist = {COVER}, open\n"
    );
    assert_eq!(repository.contents("/x")[0], expected);
}

#[test]
fn a_function_that_looks_a_secret_up_is_followed() {
    let repository = Repository::new();
    let [masked, shown] = repository.contents("/y");
    assert_eq!((masked, shown), (format!("key={COVER}"), "key=Yl:.DBOBSZcjse,80{r".to_owned()));
    let eval = |code: &str| repository.ask(&["eval", "-e", code]);
    let printed = eval("\"key=${m::key()}\"");
    assert!(printed.contains(&format!("key={COVER}")) && !printed.contains("DBOB"), "{printed}");
    assert!(!eval("fail(m::key())").contains("DBOB"));
    assert!(!eval("notice(m::key())").contains("DBOB"));
}

#[test]
fn answers_that_are_remembered_are_followed() {
    let repository = Repository::new();
    let path = "qz/7+dribYRANAC-9kY";
    let code = "$open = m::costly('other text')\n$p = lookup('secret')\n[m::costly($p), m::costly($p), $open]";
    let printed = repository.ask(&["eval", "-e", code]);
    assert!(!printed.contains(path) && printed.contains("txet rehtp"), "{printed}");
    // Asked with a text that only becomes a secret afterwards.
    let code = format!("$before = m::costly('{SECRET}')\n$p = lookup('secret')\n$behind = m::costly($p)\n$behind");
    let printed = repository.ask(&["eval", "-e", &code]);
    assert!(!printed.contains(path), "{printed}");
}

#[test]
fn messages_and_other_verbs_are_followed() {
    let repository = Repository::new();
    let of = [SECRET, "DBOBSZcjse", "Xk9_CANARYbird"];
    let silent = |arguments: &[&str]| {
        let printed = repository.ask(arguments);
        let found: Vec<&str> = traces(&printed, &of).collect();
        assert!(found.is_empty(), "{arguments:?}: {found:?} in {printed}");
        printed
    };
    let root = repository.root();
    if !git::init(&root) {
        return;
    }
    repository.write("modules/m/templates/x.erb", "open\n<%= @p.tr(\"-\", \"_\") + \".made\" %>\n");
    git::commit(&root, "second");
    let base = ["--facts", "facts", "--allow-outside"];
    let with = |arguments: &[&'static str]| [arguments, &base].concat();
    for verb in [&["diff", "HEAD~1", "--catalogs"][..], &["history", "File[/x]", "--node", "n"]] {
        let printed = silent(&with(verb));
        assert!(printed.contains(COVER), "{verb:?}: {printed}");
    }
    repository.write("one.erb", "<%= scope.call_function('lookup', ['secret']).tr('-', '_') %>\n");
    let printed = silent(&["render", "one.erb", "--fact", "a=1"]);
    assert!(printed.contains(COVER), "{printed}");
    for code in [
        "raise scope.call_function('lookup', ['secret']).tr('-', '_')",
        "Integer(scope.call_function('lookup', ['secret']).tr('-', '_'))",
        "scope.call_function('lookup', ['secret']).tr('-', '_').nothing",
        "scope.call_function('fail', [scope.call_function('lookup', ['secret']).tr('-', '_')])",
        "scope.call_function('notice', [scope.call_function('lookup', ['secret']).tr('-', '_')])",
        "Puppet.warning(scope.call_function('lookup', ['secret']).tr('-', '_'))",
        "warn scope.call_function('lookup', ['secret']).tr('-', '_')",
        "puts scope.call_function('lookup', ['secret']).tr('-', '_')",
        "{}.fetch(scope.call_function('lookup', ['secret']).tr('-', '_').to_sym)",
    ] {
        repository.write("one.erb", &format!("<% {code} %>\n"));
        silent(&["render", "one.erb", "--fact", "a=1"]);
    }
}
