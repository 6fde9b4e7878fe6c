//! Catalogs on request: what changes between requests, what requests may ask for, and what they cannot reach.

use std::fs;
use std::path::Path;
use std::time::Duration;

use hieratic::catalog::{CATALOG_LIMITS, CatalogAnswer, CatalogRequest, CatalogService};
use hieratic::{Settings, Value};

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

fn service() -> CatalogService {
    CatalogService::new(Settings::default(), CATALOG_LIMITS)
}

fn ask(service: &CatalogService, request: serde_json::Value) -> CatalogAnswer {
    match CatalogRequest::parse(request.to_string().as_bytes()) {
        Ok(request) => service.answer(&request),
        Err(invalid) => CatalogAnswer::invalid(&invalid),
    }
}

/// The parameter `message` of a resource, or the error.
fn message(answer: &CatalogAnswer, title: &str) -> String {
    let Some(catalog) = &answer.catalog else { return answer.errors[0].message.clone() };
    let resource = catalog.resources.iter().find(|resource| resource.title == title).unwrap();
    let found = resource.parameters.iter().find(|parameter| &*parameter.name == "message");
    found.map_or_else(String::new, |parameter| parameter.value.to_text())
}

#[test]
fn a_request_needs_no_folder() {
    let request = serde_json::json!({
        "id": "a", "node": "web01.x", "environment": "testing", "facts": {"role": "web", "os": {"family": "Debian"}},
        "trusted": {"certname": "web01.x", "extensions": {"pp_role": "db"}}, "server_facts": {"servername": "puppet.x"},
        "parameters": {"tier": 3}, "version": "7", "strict_variables": true,
        "code": "notify { 'a': message => \"${role} ${os['family']} ${trusted['extensions']['pp_role']} ${servername} \
                 ${tier} ${environment}\" }",
    });
    let answer = ask(&service(), request);
    assert_eq!(message(&answer, "a"), "web Debian db puppet.x 3 testing");
    assert_eq!((answer.id, answer.errors, answer.cycles.len()), ("a".into(), vec![], 0));
}

#[test]
fn files_that_change_between_requests_are_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let class = |text: &str| format!("class m {{ notify {{ 'a': message => \"{text}\" }} }}\n");
    write(
        &root,
        &[
            ("modules/m/manifests/init.pp", &class("one")),
            ("modules/m/hiera.yaml", "version: 5\nhierarchy: [{name: x, path: common.yaml}]\n"),
            ("modules/m/data/common.yaml", "m::x: 1\n"),
        ],
    );
    let service = service();
    let now = || {
        let modulepath = root.join("modules");
        let answer = ask(&service, serde_json::json!({"node": "n", "code": "include m", "modulepath": [modulepath]}));
        message(&answer, "a")
    };
    assert_eq!(now(), "one");
    assert_eq!(now(), "one");
    // A file.
    write(&root, &[("modules/m/manifests/init.pp", &class("two"))]);
    assert_eq!(now(), "two");
    // Data.
    write(&root, &[("modules/m/manifests/init.pp", &class("${lookup('m::x')}"))]);
    assert_eq!(now(), "1");
    write(&root, &[("modules/m/data/common.yaml", "m::x: 22\n")]);
    assert_eq!(now(), "22");
    // A function that did not exist, in the Puppet language and in Ruby.
    write(&root, &[("modules/m/manifests/init.pp", &class("${m::f()}"))]);
    assert!(now().contains("Unknown function: 'm::f'"), "{}", now());
    write(&root, &[("modules/m/functions/f.pp", "function m::f() { 'three' }\n")]);
    assert_eq!(now(), "three");
    fs::remove_file(root.join("modules/m/functions/f.pp")).unwrap();
    assert!(now().contains("Unknown function: 'm::f'"), "{}", now());
    let ruby = |value: &str| {
        format!("Puppet::Functions.create_function(:g) do\n  dispatch(:g) {{ }}\n  def g\n    '{value}'\n  end\nend\n")
    };
    write(&root, &[("modules/m/manifests/init.pp", &class("${g()}"))]);
    assert!(now().contains("Unknown function: 'g'"), "{}", now());
    write(&root, &[("modules/m/lib/puppet/functions/g.rb", &ruby("four"))]);
    assert_eq!(now(), "four");
    write(&root, &[("modules/m/lib/puppet/functions/g.rb", &ruby("five"))]);
    assert_eq!(now(), "five");
    // A module.
    write(&root, &[("modules/m/manifests/init.pp", "class m { include other }\n")]);
    assert!(now().contains("other"), "{}", now());
    write(&root, &[("modules/other/manifests/init.pp", "class other { notify { 'a': message => 'six' } }\n")]);
    assert_eq!(now(), "six");
    // A file of the same length, written at once.
    for text in ["7", "8", "9"] {
        write(
            &root,
            &[(
                "modules/other/manifests/init.pp",
                &format!("class other {{ notify {{ 'a': message => '{text}' }} }}\n"),
            )],
        );
        assert_eq!(now(), text);
    }
}

#[test]
fn functions_can_be_replaced() {
    let code = "notify { 'a': message => \"${vault::read('x')} ${lookup('y')} ${upcase('z')}\" }";
    let request = serde_json::json!({"node": "n", "code": code, "stubs": {"vault::read": "secret", "lookup": [1, 2]}});
    assert_eq!(message(&ask(&service(), request), "a"), "secret [1, 2] Z");
}

#[test]
fn a_setting_is_a_variable() {
    let code = "notify { 'a': message => \"${settings::confdir} ${settings::ssldir}\" }";
    let request =
        serde_json::json!({"node": "n", "code": code, "settings": {"confdir": "/srv/conf", "ssldir": "/srv/ssl"}});
    assert_eq!(message(&ask(&service(), request), "a"), "/srv/conf /srv/ssl");
}

#[test]
fn a_test_replaces_the_class_of_a_module() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    write(
        &root,
        &[
            ("m/manifests/init.pp", "class m { fail('the class of the module') }\n"),
            ("m/manifests/own.pp", "class m::own { notify { 'a': message => \"${m::x}\" } }\n"),
        ],
    );
    let code = "class m { $x = 'replaced' }\ninclude m\ninclude m::own\n";
    let request =
        |avoids: bool| serde_json::json!({"node": "n", "code": code, "modulepath": [root], "avoids_init": avoids});
    assert_eq!(message(&ask(&service(), request(true)), "a"), "replaced");
    let error = message(&ask(&service(), request(false)), "a");
    assert!(error.contains("Class 'm' is already defined"), "{error}");
}

#[test]
fn errors_have_places_and_warnings_too() {
    let code = "warning('careful')\n$x = 1\nfail(\"no ${x}\")\n";
    let answer = ask(&service(), serde_json::json!({"id": 7, "node": "n", "code": code}));
    let error = &answer.errors[0];
    assert_eq!((error.line, error.column, error.is_limitation), (Some(3), Some(1), false));
    assert!(error.message.contains("no 1 (line: 3, column: 1) on node n"), "{}", error.message);
    assert_eq!(answer.logs[0].message, "careful");
    let line: serde_json::Value = serde_json::from_str(&answer.to_json()).unwrap();
    assert_eq!((&line["id"], &line["catalog"]), (&7.into(), &serde_json::Value::Null));
    assert_eq!((&line["errors"][0]["line"], &line["warnings"][0]["level"]), (&3.into(), &"warning".into()));
    let code = "notify { 'a': require => Notify['b'] } notify { 'b': require => Notify['a'] }";
    let answer = ask(&service(), serde_json::json!({"node": "n", "code": code}));
    assert_eq!((answer.cycles.len(), answer.errors.len()), (1, 0));
}

#[test]
fn references_differ_from_strings() {
    let code = "notify { 'b': } notify { 'a': message => 'Notify[b]', require => Notify['b'] }";
    let request = |form: &str| serde_json::json!({"node": "n", "code": code, "values": form});
    let parameters = |form: &str| {
        let answer: serde_json::Value = serde_json::from_str(&ask(&service(), request(form)).to_json()).unwrap();
        let resources = answer["catalog"]["resources"].as_array().unwrap().clone();
        resources.into_iter().find(|one| one["title"] == "a").unwrap()["parameters"].clone()
    };
    let plain = serde_json::json!({"message": "Notify[b]", "require": "Notify[b]"});
    assert_eq!((parameters("strings"), parameters("rich")), (plain.clone(), plain));
    let reference = serde_json::json!({"__ptype": "Puppet::Resource", "__pvalue": "Notify[b]"});
    assert_eq!(parameters("references"), serde_json::json!({"message": "Notify[b]", "require": reference}));
}

#[test]
fn hostile_requests_are_answered() {
    let service = service();
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    for (line, part) in [
        ("", "is not JSON: it is empty"),
        ("{\"node\": ", "is not JSON: it ends too early"),
        ("{'node': 1}", "is not JSON: unexpected single quote (column 2)"),
        ("null", "is not an object"),
        ("{\"node\": 1}", "'node' of the request must be a string"),
        ("{\"id\": 1}", "has no 'node'"),
        ("{\"node\": \"n\", \"nodes\": []}", "unknown field 'nodes'"),
        ("{\"node\": \"n\", \"version\": \"6\"}", "unknown 'version'"),
        ("{\"node\": \"n\", \"modulepath\": [1]}", "'modulepath' of the request must be a list of paths"),
        ("{\"node\": \"n\", \"limits\": {\"time\": 1}}", "unknown limit 'time'"),
        ("{\"node\": \"n\", \"limits\": {\"steps\": -1}}", "'limits' of the request must be an object of numbers"),
        ("{\"node\": \"n\", \"id\": {}}", "'id' of the request must be"),
        (deep.as_str(), "is not JSON"),
    ] {
        let invalid = CatalogRequest::parse(line.as_bytes()).unwrap_err();
        assert!(invalid.error.to_string().contains(part), "{line:.40}: {}", invalid.error);
    }
    for (request, part) in [
        (serde_json::json!({"environment_dir": "/nowhere/at/all"}), "does not exist"),
        (serde_json::json!({"manifest": "/dev/zero"}), "is not a file or a folder"),
        (serde_json::json!({"manifest": "/nowhere/site.pp"}), "is not a file or a folder"),
        (serde_json::json!({"code": "notify { "}), "Syntax error"),
        (serde_json::json!({"code": "function f() { f() } f()"}), ""),
        (serde_json::json!({"code": "range(1, 100000000).each |$x| { $x }"}), ""),
        (serde_json::json!({"code": "notify { 'a': message => inline_template('<%= loop { } %>') }"}), ""),
        (serde_json::json!({"code": "notify { 'a': message => inline_template('<%= `id` %>') }"}), ""),
        (
            serde_json::json!({"code": "notify { 'a': message => inline_template('<%= File.read(\"/etc/passwd\") %>') }"}),
            "",
        ),
        (serde_json::json!({"code": "notify { 'a': message => inline_template('<%= ENV[\"HOME\"] %>') }"}), ""),
        (serde_json::json!({"code": "notify { 'a': message => file('/etc/passwd') }"}), ""),
        (serde_json::json!({"code": "notify { 'a': message => generate('/usr/bin/id') }"}), ""),
    ] {
        let mut request = request;
        request["node"] = "n".into();
        request["limits"] = serde_json::json!({"steps": 300_000, "milliseconds": 5_000});
        let answer = ask(&service, request.clone());
        assert!(answer.catalog.is_none() && answer.errors[0].message.contains(part), "{request} {answer:?}");
        assert!(answer.time < Duration::from_secs(20));
    }
    // A request cannot raise the limits.
    let limited = CatalogService::new(Settings::default(), hieratic::Limits { steps: 100, ..CATALOG_LIMITS });
    let request =
        serde_json::json!({"node": "n", "code": "range(1, 1000).each |$x| { $x }", "limits": {"steps": 1_000_000}});
    let answer = ask(&limited, request);
    assert!(answer.errors[0].is_limitation, "{answer:?}");
}

#[test]
fn links_are_followed_where_the_request_says() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    write(
        &root,
        &[("own/manifests/init.pp", "class own { notify { 'a': message => 'linked' } }\n"), ("modules/x", "")],
    );
    std::os::unix::fs::symlink(root.join("own"), root.join("modules/own")).unwrap();
    let request = |readable: &[&Path]| serde_json::json!({"node": "n", "code": "include own", "modulepath": [root.join("modules")], "readable": readable});
    assert_eq!(message(&ask(&service(), request(&[&root.join("own")])), "a"), "linked");
    assert!(ask(&service(), request(&[])).catalog.is_none());
}

#[test]
fn secrets_are_hidden_unless_revealed() {
    let request =
        serde_json::json!({"node": "n", "code": "notify { 'a': message => Sensitive('swordfish') }", "values": "rich"});
    let hidden = ask(&service(), request.clone()).to_json();
    assert!(!hidden.contains("swordfish"), "{hidden}");
    let shown = ask(&service().revealing(true), request).to_json();
    assert!(shown.contains("swordfish"), "{shown}");
}

#[test]
fn requests_run_in_parallel() {
    let service = service();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let service = &service;
            scope.spawn(move || {
                for number in 0..20 {
                    let node = format!("n{thread}-{number}");
                    let request = serde_json::json!({"id": number, "node": node, "code": "notify { 'a': message => $trusted['certname'] }"});
                    let answer = ask(service, request);
                    assert_eq!((message(&answer, "a"), answer.id), (node, Value::Integer(number)));
                }
            });
        }
    });
}

/// A module with a function that runs code, and returns "silent" if the code goes on after an error.
fn module_with_code(root: &Path, code: &str) -> serde_json::Value {
    let function = format!(
        "Puppet::Functions.create_function(:'m::f') do\n def f\n  begin\n   {code}\n  \
         rescue StandardError, NameError\n   'silent'\n  end\n end\nend\n"
    );
    write(root, &[("modules/m/lib/puppet/functions/m/f.rb", &function)]);
    let code = "notify { 'a': message => String(m::f()) }";
    serde_json::json!({"node": "n", "code": code, "modulepath": [root.join("modules")]})
}

#[test]
fn random_numbers_need_a_seed() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let code =
        "[rand(1000), [1, 2, 3, 4, 5].shuffle, [1, 2, 3].sample, Random.rand(10), rand, Random.bytes(2).bytes].inspect";
    let mut request = module_with_code(&root, code);
    let refused = ask(&service(), request.clone());
    assert!(refused.errors[0].is_limitation, "{}", refused.errors[0].message);
    assert!(refused.errors[0].message.contains("a random number without a seed is not available"));
    request["random_seed"] = 42.into();
    // What Ruby gives after `srand(42)`. Each catalog begins with the seed again.
    let service = service();
    for _ in 0..2 {
        let answer = ask(&service, request.clone());
        assert_eq!(message(&answer, "a"), "[102, [2, 5, 3, 1, 4], 1, 4, 0.15601864044243652, [210, 65]]");
    }
    request["random_seed"] = 43.into();
    assert_ne!(
        message(&ask(&service, request.clone()), "a"),
        "[102, [2, 5, 3, 1, 4], 1, 4, 0.15601864044243652, [210, 65]]"
    );
    request["random_seed"] = (-1).into();
    assert!(ask(&service, request).errors[0].message.contains("an integer that is not negative"));

    let form = "/\\A\\h{8}-\\h{4}-4\\h{3}-[89ab]\\h{3}-\\h{12}\\z/";
    let code = format!(
        "[SecureRandom.hex(4).size, SecureRandom.uuid.match?({form}), SecureRandom.alphanumeric(5).size, \
         SecureRandom.base64(3).size, SecureRandom.random_number(5) < 5].inspect"
    );
    let mut request = module_with_code(&root, &code);
    assert!(ask(&service, request.clone()).errors[0].is_limitation);
    request["random_seed"] = 1.into();
    assert_eq!(message(&ask(&service, request), "a"), "[8, true, 5, 4, true]");
}

#[test]
fn unsupported_names_of_puppet_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    for (code, name) in [
        ("Puppet.run_mode.name", "Puppet.run_mode"),
        ("Puppet::Util.which('sh')", "Puppet::Util.which"),
        ("Puppet::Util::Log.create(level: :notice, message: 'x')", "Puppet::Util::Log.create"),
        ("Puppet::Util::Errors.error_location('f', 1)", "Puppet::Util::Errors.error_location"),
        ("Puppet::Node::Facts.indirection", "Puppet::Node::Facts"),
        ("Puppet::Resource.new('File', '/x').ref", "Puppet::Resource.new"),
        ("Puppet::Parser::Functions.environment_module(nil)", "Puppet::Parser::Functions.environment_module"),
        ("Puppet::Parser::Scope::LocalScope.new", "Puppet::Parser::Scope::LocalScope"),
        ("Puppet::Module::Task", "Puppet::Module::Task"),
        ("SemanticPuppet::VersionRange.parse('>1.0.0')", "SemanticPuppet::VersionRange"),
    ] {
        let answer = ask(&service(), module_with_code(&root, code));
        let error = &answer.errors.first().unwrap_or_else(|| panic!("{code} was silent"));
        assert!(
            error.is_limitation && error.message.contains(&format!("{name} is not available")),
            "{}",
            error.message
        );
    }
    // What Puppet does not have either is an error that code can handle.
    for code in ["UnknownThing::X", "Puppet.no_such_thing"] {
        assert_eq!(message(&ask(&service(), module_with_code(&root, code)), "a"), "silent", "{code}");
    }
}

#[test]
fn fields_that_would_have_no_effect_are_refused() {
    for (field, value, expected) in [
        ("settings", serde_json::json!({"strict": "off"}), "the setting 'strict' is a field of the request"),
        ("environment", "no/such".into(), "cannot be the name of an environment"),
        ("environment", "".into(), "cannot be the name of an environment"),
        ("version", "6".into(), "unknown 'version' of the request: 6"),
    ] {
        let mut request = serde_json::json!({"node": "n", "code": "notice(1)"});
        request[field] = value;
        let answer = ask(&service(), request);
        assert!(answer.errors[0].message.contains(expected), "{}", answer.errors[0].message);
    }
    let request =
        serde_json::json!({"node": "n", "version": "9", "code": "notify { 'a': message => $serverversion[0] }"});
    assert_eq!(message(&ask(&service(), request), "a"), "9");
}

#[test]
fn functions_that_declare_resources_pass_references_on() {
    for code in [
        "ensure_resource('file', '/a', { 'require' => Package['x'] })",
        "create_resources('file', { '/a' => { 'require' => Package['x'] } })",
    ] {
        let request =
            serde_json::json!({"node": "n", "code": format!("package {{ 'x': }} {code}"), "values": "references"});
        let answer = ask(&service(), request).to_json();
        assert!(answer.contains("{\"__ptype\":\"Puppet::Resource\",\"__pvalue\":\"Package[x]\"}"), "{answer}");
    }
}

#[test]
fn files_below_vardir_last_for_one_catalog() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let code = [
        "require 'fileutils'",
        "dir = File.join(Puppet[:vardir], 'kept')",
        "file = File.join(dir, 'name')",
        "was = File.exist?(file)",
        "FileUtils.mkdir_p(dir)",
        "File.open(file, 'w', 0o600) { |f| f.write(\"a: [1]\") }",
        "File.chown(File.stat(Puppet[:vardir]).uid, nil, file)",
        "File.open(file, 'a') { |f| f << \"\\nb: 2\" }",
        "now = [File.file?(file), File.directory?(dir), YAML.safe_load(File.read(file))]",
        "FileUtils.rm_rf(dir)",
        "[was, now, File.exist?(file)].inspect",
    ]
    .join("\n");
    let mut request = module_with_code(&root, &code);
    request["settings"] = serde_json::json!({"vardir": root.join("var")});
    let service = service();
    for _ in 0..2 {
        let answer = ask(&service, request.clone());
        assert_eq!(message(&answer, "a"), "[false, [true, true, {\"a\"=>[1], \"b\"=>2}], false]");
        assert!(answer.logs.iter().any(|log| log.message.contains("is not written")), "{:?}", answer.logs);
    }
    assert!(!root.join("var").exists());
    for code in [
        "File.write('/tmp/hieratic-x', 'a')",
        "File.write(File.join(Puppet[:vardir], '../../x'), 'a')",
        "FileUtils.mkdir_p('/tmp/hieratic-x')",
        "FileUtils.cp('/etc/passwd', Puppet[:vardir])",
        "FileUtils.mv(Puppet[:vardir], '/tmp')",
        "File.symlink('/etc', File.join(Puppet[:vardir], 'etc'))",
        "File.open('/tmp/hieratic-x', 'w') { |f| f.write('a') }",
    ] {
        let mut request = module_with_code(&root, code);
        request["settings"] = serde_json::json!({"vardir": root.join("var")});
        let answer = ask(&service, request);
        assert!(answer.errors.first().is_some_and(|error| error.is_limitation), "{code}: {:?}", answer.errors);
    }
}

#[test]
fn an_empty_hash_of_server_facts_means_that_there_are_none() {
    let code = "notify { 'a': message => \"${server_facts}\" }";
    let shown = |server: serde_json::Value| {
        let mut request = serde_json::json!({"node": "n", "version": "7", "code": code});
        request["server_facts"] = server;
        message(&ask(&service(), request), "a")
    };
    assert_eq!(shown(serde_json::json!({})), "{}");
    assert_eq!(shown(serde_json::Value::Null), "{environment => production}");
}
