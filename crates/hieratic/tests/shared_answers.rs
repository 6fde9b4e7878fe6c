//! Functions in Ruby whose answers catalogs share: no catalog shows that others were made before it.

use std::path::Path;
use std::sync::Arc;

use hieratic::catalog::Classification;
use hieratic::code::{DeclaringEvaluation, RubyMemo};
use hieratic::puppet_eval::{CompiledCatalog, Failure, Log, Options};
use hieratic::{Code, Compiler, Environment, Facts, Hash, Limits, Settings, Value};

const NODES: [&str; 3] = ["a.example.com", "b.example.com", "c.example.com"];

/// What a function may do besides work that makes it worth remembering.
const PARTS: &[&str] = &[
    "out << given.inspect",
    "out << given.to_a.sort.inspect",
    "out << closure_scope['facts']['host']",
    "out << closure_scope.lookupvar('host').to_s",
    "out << closure_scope.to_hash.keys.sort.inspect",
    "out << call_function('m::host')",
    "out << call_function('lookup', 'host_of')",
    "out << File.read(\"ROOT/by/#{closure_scope['facts']['host']}\")",
    "out << (@kept ||= closure_scope['facts']['host'])",
    "(@count ||= []) << 1; out << @count.size.to_s",
    "$count = ($count || 0) + 1; out << $count.to_s",
    "LIST << 1; out << LIST.inspect",
    "out << NAME",
    "out << 'x'.shout",
    "out << ['x'].first(1).inspect",
    "out << (defined?(SEEN) ? SEEN : 'unseen')",
    "out << (Puppet::Parser::Functions.function(:hosted) ? 'hosted' : 'alone')",
    "out << (begin; helper('x'); rescue NoMethodError; 'no helper'; end)",
    "Puppet.warning(\"said #{given.size}\"); out << 'said'",
    "warn 'said'; out << 'said'",
    "out << Resolv::DNS.new.getaddresses('example.com').inspect",
    "out << Object.new.then { |one| one.object_id == one.object_id }.to_s",
    "out << [1, 2].hash.to_s[0, 0] + given.keys.join",
    "raise 'no answer'",
    "out << (YAML.respond_to?(:load_file) ? YAML.load_file('ROOT/by/all').to_s : '')",
];

/// What a template does before the functions are called; some do it for one node only.
const BEFORE: &[&str] = &[
    "",
    "<% if @host =~ /^b/ then String.class_eval { def shout = 'patched' } end %>",
    "<% String.class_eval { def shout = \"#{self}!\" } %>",
    "<% if @host =~ /^[bc]/ then class Array; def first(count) = ['patched']; end end %>",
    "<% Array.prepend(Patch) if @host =~ /^b/ %>",
    "<% String.include(Loud) if @host !~ /^a/ %>",
    "<% def helper(text) = \"helped #{text}\" %>",
    "<% if @host =~ /^a/ then def helper(text) = text; else def helper(text) = text * 2; end %>",
    "<% SEEN = @host unless defined?(SEEN) %>",
    "<% $count = 5 if @host =~ /^c/ %>",
    "<% LIST << 'x' if @host =~ /^a/ %>",
    "<%= scope.call_function('m::other', []) if @host =~ /^a/ %>",
    "<%= scope.function_hosted([]) if @host =~ /^b/ %>",
    "<% Patch.class_eval { def first(count) = ['again'] }; Array.prepend(Patch) if @host =~ /^b/ %>",
    "<% Loud.extend(Comparable) if @host =~ /^c/ %>",
];

/// The file of the function that is called.
const FUNCTION: &str = "modules/m/lib/puppet/functions/m/f.rb";

/// Writes a file, and the folders that it is in.
fn put(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn write(root: &Path, part: &str, before: &str) {
    put(root, "environment.conf", "modulepath = modules\n");
    put(root, "hiera.yaml", "version: 5\nhierarchy: [{ name: all, path: all.yaml }]\n");
    put(root, "data/all.yaml", "host_of: \"%{facts.host}\"\n");
    put(root, "by/all", "all\n");
    for node in NODES {
        put(root, &format!("by/{node}"), node);
    }
    put(root, "modules/m/functions/host.pp", "function m::host() { $facts['host'] }\n");
    let old =
        "module Puppet::Parser::Functions\n  newfunction(:hosted, type: :rvalue) { |args| lookupvar('host') }\nend\n";
    put(root, "modules/m/lib/puppet/parser/functions/hosted.rb", old);
    let other = "class String; def shout = 'other'; end\nPuppet::Functions.create_function(:'m::other') do\n  def other = 'other'\nend\n";
    put(root, "modules/m/lib/puppet/functions/m/other.rb", other);
    let part = part.replace("ROOT", &root.display().to_string());
    // What a file learns of the node while it is loaded.
    let name = if part.contains("NAME") { "NAME = Facter.value(:host).to_s\n" } else { "" };
    let function = format!(
        "require 'resolv'\nrequire 'yaml'\nLIST = [1]\n{name}module Patch; def first(count) = ['prepended']; end\n\
         module Loud; def shout = 'loud'; end\n\
         Puppet::Functions.create_function(:'m::f') do\n  dispatch :f do\n    param 'Hash', :given\n    optional_block_param\n  end\n  \
         def f(given)\n    5_000.times {{ }}\n    out = +''\n    {part}\n    out\n  end\nend\n"
    );
    put(root, FUNCTION, &function);
    let manifest = format!(
        "notify {{ 'first': message => m::f({{ 'x' => 1, 'y' => 2 }}) }}\n\
         notify {{ 'before': message => inline_template(@(END)) }}\n{before}\n| END\n\
         notify {{ 'then': message => [m::f({{ 'x' => 1, 'y' => 2 }}), m::f({{ 'y' => 2, 'x' => 1 }}), m::f({{ 'x' => 1, 'y' => 2 }})] }}\n"
    );
    put(root, "manifests/site.pp", &manifest);
}

fn open(root: &Path) -> Environment {
    let settings = Settings { environment_dir: Some(root.to_path_buf()), once: true, ..Settings::default() };
    Environment::open(&settings).unwrap()
}

fn facts_of(node: &str) -> Facts {
    let facts: Hash = [(Value::from("host"), Value::from(node))].into_iter().collect();
    Facts::new(Some(node), facts)
}

/// The messages that a catalog has, or why there is none, and what was said.
fn shown(catalog: Result<CompiledCatalog, Failure>, logs: &[Log]) -> String {
    let shown = match catalog {
        Ok(catalog) => {
            let messages = catalog.resources.iter().filter_map(|resource| resource.parameter("message"));
            messages.map(|message| message.value.inspect()).collect::<Vec<_>>().join("\n")
        }
        Err(failure) => failure.message,
    };
    logs.iter().fold(shown, |shown, log| format!("{shown}\n{}: {}", log.level.name(), log.message))
}

fn compiled(compiler: &Compiler<'_>, node: &str) -> String {
    let compilation = compiler.compile(facts_of(node), &Classification::default());
    shown(compilation.catalog, &compilation.logs)
}

/// The same of code that shares nothing.
fn evaluated(environment: &Environment, node: &str, manifest: &str) -> String {
    let options = Options { files: environment.capabilities().code.clone(), ..environment.language() };
    let DeclaringEvaluation { evaluation, catalog } =
        Code::new(Some(environment), facts_of(node), options).evaluate_with_catalog("site.pp", manifest);
    shown(evaluation.value.map(|_| catalog), &evaluation.logs)
}

#[test]
fn a_catalog_does_not_depend_on_earlier_catalogs() {
    let names = ["shout", "first", "helper", "SEEN", "$count", "LIST", "hosted"];
    for (number, part) in PARTS.iter().enumerate() {
        for (at, before) in BEFORE.iter().enumerate() {
            // Of what has nothing to do with each other, some is enough.
            let meet = names.iter().any(|name| part.contains(name) && before.contains(name));
            if !meet && (number + at) % 4 != 0 {
                continue;
            }
            let folder = tempfile::tempdir().unwrap();
            let root = folder.path().canonicalize().unwrap();
            write(&root, part, before);
            let environment = open(&root);
            let manifest = std::fs::read_to_string(root.join("manifests/site.pp")).unwrap();
            let compiler = Compiler::limited(&environment, Limits::DEFAULT);
            for node in [0, 1, 2, 0].map(|at: usize| NODES[at]) {
                let expected = evaluated(&environment, node, &manifest);
                assert_eq!(compiled(&compiler, node), expected, "{part}, after {before}, for {node}");
            }
        }
    }
}

/// What the other side of a change has otherwise: the path of a file in `modules/m`, and its text; none if the file goes.
const CHANGES: &[(&str, Option<&str>)] = &[
    ("lib/puppet/functions/m/other.rb", Some("raise 'not loaded'\n")),
    ("lib/puppet/parser/functions/hosted.rb", None),
    ("lib/extra.rb", Some("EXTRA = 2\n")),
    ("lib/extra.rb", None),
    ("lib/more/extra.rb", None),
    ("files/text", Some("changed\n")),
    ("files/text", None),
    ("../late/manifests/init.pp", Some("class late {}\n")),
    ("../late/functions/known.pp", Some("function late::known() { 1 }\n")),
    ("functions/host.pp", Some("function m::host() { 'changed' }\n")),
];

/// What a function asks its environment for, at its beginning and when it is called.
const OF_ENVIRONMENT: &[[&str; 2]] = &[
    ["", "Puppet::Parser::Functions.function(:hosted).inspect"],
    ["HOSTED = Puppet::Parser::Functions.function(:hosted).inspect", "HOSTED"],
    ["begin; require 'extra'; rescue LoadError; EXTRA = 0; end", "EXTRA"],
    ["begin; require 'more/extra'; rescue LoadError; EXTRA = 0; end", "EXTRA"],
    ["begin; require_relative '../../../extra'; rescue LoadError; EXTRA = 0; end", "EXTRA"],
    ["", "(begin; require 'extra'; rescue LoadError; 'none'; end)"],
    ["", "File.exist?('ROOT/modules/m/files/text')"],
    ["THERE = File.exist?('ROOT/modules/m/files/text')", "THERE"],
    ["TEXT = (File.read('ROOT/modules/m/files/text') rescue 'none')", "TEXT"],
    ["", "call_function('m::host')"],
    ["", "(call_function('m::other') rescue 'none')"],
    ["", "(Puppet::Module.find('late') ? 'late' : 'none')"],
    ["LATE = Puppet::Module.find('late') ? 'late' : 'none'", "LATE"],
    ["", "Puppet::Parser::Functions.function('late::known').inspect"],
    ["KNOWN = Puppet::Parser::Functions.function('late::known').inspect", "KNOWN"],
];

#[test]
fn a_revision_does_not_show_files_of_another() {
    for [begin, requested] in OF_ENVIRONMENT {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let [begin, requested] = [begin, requested].map(|part| part.replace("ROOT", &root.display().to_string()));
        for (path, text) in CHANGES {
            let _ = std::fs::remove_dir_all(root.join("modules"));
            write(&root, &format!("out << ({requested}).to_s"), "");
            let module = root.join("modules/m");
            put(&module, "lib/extra.rb", "EXTRA = 1\n");
            put(&module, "lib/more/extra.rb", "EXTRA = 3\n");
            put(&module, "files/text", "text\n");
            let code = std::fs::read_to_string(root.join(FUNCTION)).unwrap();
            put(&root, FUNCTION, &format!("{begin}\n{code}"));
            let manifest = std::fs::read_to_string(root.join("manifests/site.pp")).unwrap();
            let answers: Arc<RubyMemo> = Arc::default();
            for side in 0..2 {
                if side == 1 {
                    match text {
                        Some(text) => put(&module, path, text),
                        None => std::fs::remove_file(module.join(path)).unwrap(),
                    }
                }
                let environment = open(&root);
                let compiler = Compiler::limited(&environment, Limits::DEFAULT).sharing_answers(answers.clone());
                let expected = evaluated(&environment, NODES[0], &manifest);
                assert_eq!(compiled(&compiler, NODES[0]), expected, "{begin}: {requested}, side {side} of {path}");
            }
        }
    }
}

/// The value of a parameter of the first resource that the manifest declares.
fn first_message(compiler: &Compiler<'_>, node: &str) -> Value {
    let catalog = compiler.compile(facts_of(node), &Classification::default()).catalog.unwrap();
    let resource = catalog.resources.iter().find(|resource| resource.reference() == "Notify[first]").unwrap();
    resource.parameter("message").unwrap().value.clone()
}

#[test]
fn the_work_is_done_once_for_all_nodes_and_charged_to_each() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    write(&root, "out << given.inspect", "");
    let environment = open(&root);
    let compiler = Compiler::limited(&environment, Limits::DEFAULT);
    let [first, second] = [NODES[0], NODES[1]].map(|node| first_message(&compiler, node));
    let (first, second) = (first.as_str().unwrap(), second.as_str().unwrap());
    assert_eq!(first, second);
    // Strings that are made twice lie in two places.
    assert_eq!(first.as_ptr(), second.as_ptr());

    // Whoever has no steps left for it gets none from others.
    let is_exhausted = |limit: u64| {
        let compiler = Compiler::limited(&environment, Limits { steps: limit, ..Limits::DEFAULT });
        [NODES[0], NODES[1]].map(|node| compiled(&compiler, node).contains("steps are needed"))
    };
    let (mut enough, mut too_few) = (Limits::DEFAULT.steps, 0);
    while enough - too_few > 1 {
        let between = too_few + (enough - too_few) / 2;
        match is_exhausted(between) {
            [true, true] => too_few = between,
            [false, false] => enough = between,
            [first, second] => panic!("with {between} steps: {first} and {second}"),
        }
    }
    assert!(too_few > 3_000, "{too_few}");
}
