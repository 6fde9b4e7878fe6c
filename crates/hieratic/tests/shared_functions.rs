//! Functions in Ruby that answer for Hiera: what they keep for one node, another node never sees, although machines are shared.

use std::path::Path;

use hieratic::budget::Budget;
use hieratic::catalog::Classification;
use hieratic::{Compiler, Environment, Facts, Limits, Query, Settings, Value};
use hieratic_ruby_regexp::{Regexp, take_search_cost};

/// Parts of a function: some only compute, some keep something in all places where Ruby can keep it.
const PARTS: &[&str] = &[
    "out << node.upcase",
    "list = [node, 'b', 'a']; list.sort!; out << list.inspect",
    "out << LIST.map { |one| one + node }.inspect",
    "out << (CACHE[key] ||= node)",
    "LIST << node; out << LIST.inspect",
    "TEXT << node; out << TEXT",
    "out << TEXT.sub!('x', node).to_s",
    "out << (@kept ||= node)",
    "(@list ||= []) << node; out << @list.inspect",
    "$kept = ($kept || '') + node; out << $kept",
    "out << COUNT.call.to_s",
    "NESTED[:a][:b] << node; out << NESTED.inspect",
    "self.class.instance_variable_set(:@of_class, node) unless self.class.instance_variable_get(:@of_class); out << self.class.instance_variable_get(:@of_class)",
    "Object.const_set(:KEPT, node) unless Object.const_defined?(:KEPT); out << KEPT",
    "define_singleton_method(:own) { node } unless respond_to?(:own); out << own",
    "out << (context.cache_has_key('k') ? context.cached_value('k') : context.cache('k', node))",
];

/// How a function learns which node it answers for, if it is not told. What it answers then must not be taken for the answer of another node.
const ASKED: &[&str] = &[
    "node = context.interpolate('%{facts.host}')",
    "node = context.interpolate(['%{facts.host}', { '%{facts.host}' => 1 }]).inspect",
    "node = context.interpolate(\"%{lookup('host_of')}\")",
    "node = closure_scope['facts']['host']",
    "node = closure_scope.lookupvar('host').to_s + closure_scope['facts']['host']",
    "node = call_function('lookup', 'host_of')",
    "node = call_function('m::host')",
    "node = %w[a b c].find { |one| File.exist?(\"ROOT/by/#{context.interpolate('%{facts.host}')[0]}/#{one}\") }.to_s",
    "node = context.cached_file_data(\"ROOT/by/#{context.interpolate('%{facts.host}')}.txt\")",
    "node = context.cached_file_data(\"ROOT/by/all.txt\") { |text| text + closure_scope['facts']['host'] }; node = 'all' unless node.start_with?('x')",
    "node = context.cached_file_data('ROOT/by/all.txt') { |text| text + context.interpolate('%{facts.host}') }",
    "closure_scope['facts']['host']; node = context.cached_file_data('ROOT/by/all.txt') { |text| text + closure_scope['facts']['host'] }",
    "/.*/.match(context.interpolate('%{facts.host}')); node = context.cached_file_data('ROOT/by/all.txt') { |text| text + $~[0] }",
    "own = context.interpolate('%{facts.host}'); node = [1].map { |_| context.cached_file_data('ROOT/by/all.txt') { |text| text + own } }[0]",
    "own = context.interpolate('%{facts.host}'); node = read(context, 'ROOT/by/all.txt') { own }",
    "node = Own.new(context.interpolate('%{facts.host}')).of(context, 'ROOT/by/all.txt')",
    "own = context.interpolate('%{facts.host}'); own = own.ord / 2.0; node = context.cached_file_data('ROOT/by/all.txt') { |text| text + own.to_s }",
    "own = context.interpolate('%{facts.host}'); own = [/#{own}/]; node = context.cached_file_data('ROOT/by/all.txt') { |text| text + own.inspect }",
    "own = context.interpolate('%{facts.host}'); own = { own.to_sym => 1 }; node = context.cached_file_data('ROOT/by/all.txt') { |text| text + own.inspect }",
    "node = context.cached_value('node') || context.cache('node', context.interpolate('%{facts.host}'))",
    "context.cache_all('node' => context.interpolate('%{facts.host}')); node = context.cached_entries.to_a.inspect",
    "node = File.read(\"ROOT/by/all.txt\")",
    "node = 'the same'",
];

/// What functions make of an option that is another one for each node, not all of which looks at the option.
const TRIED: &[&str] = &[
    "out << [/^b/, /^x/].map { |one| one.match(node).inspect }.inspect",
    "out << (node =~ /^c/).inspect",
    "out << (/^a/ =~ node).inspect",
    "out << (/^(?<first>c)/.match?(node) ? 'yes' : 'no') + $~.inspect",
    "case node when /^b/ then out << 'b' else out << 'no b' end",
    "out << (/^x/.match(node) ? 'x' : node)",
    "options.each { |name, value| out << name if /^b/.match(value) }",
    "out << options.reject { |_, value| value.start_with?('c') }.size.to_s",
    "node << 'b'; out << /^b.*mb$/.match(node).inspect",
    "out << /^b/.match(node.dup).inspect + /^c/.match(\"#{node}\").inspect",
    "out << (options == { 'node' => 'b.example.com' }).inspect",
    "out << [node].include?('b.example.com').inspect + { node => 1 }.key?('c.example.com').inspect",
    "out << options.keys.inspect + node.encoding.to_s",
    "out << (/^x/.match(node) ? 'x' : options.values.join)",
    "out << (/^x/.match(node) || context.interpolate(node)).to_s",
    "out << (/^c/.match(node) ? (raise 'c') : 'no c') rescue out << 'rescued'",
];

const NODES: [&str; 3] = ["a.example.com", "b.example.com", "c.example.com"];

fn write(root: &Path, parts: [&str; 2], requested: Option<&str>) {
    let lib = root.join("modules/m/lib/puppet/functions/m");
    std::fs::create_dir_all(&lib).unwrap();
    std::fs::write(root.join("environment.conf"), "modulepath = modules\n").unwrap();
    let options = if requested.is_none() { "    options: { node: \"%{facts.host}\" }\n" } else { "" };
    let levels = format!(
        "---\nversion: 5\nhierarchy:\n  - name: one\n    lookup_key: m::f\n{options}  - {{ name: two, path: common.yaml }}\n"
    );
    std::fs::write(root.join("hiera.yaml"), levels).unwrap();
    std::fs::create_dir_all(root.join("data")).unwrap();
    std::fs::write(root.join("data/common.yaml"), "host_of: \"%{facts.host}\"\n").unwrap();
    std::fs::create_dir_all(root.join("modules/m/functions")).unwrap();
    std::fs::write(root.join("modules/m/functions/host.pp"), "function m::host() { $facts['host'] }\n").unwrap();
    for node in NODES {
        std::fs::create_dir_all(root.join("by").join(&node[..1]).join(&node[..1])).unwrap();
        std::fs::write(root.join(format!("by/{node}.txt")), node).unwrap();
    }
    std::fs::write(root.join("by/all.txt"), "xyz").unwrap();
    let requested = requested.unwrap_or("node = options['node']").replace("ROOT", root.to_str().unwrap());
    let [one, other] = parts.map(|part| part.replace("ROOT", root.to_str().unwrap()));
    let code = format!(
        "class Own\n  def initialize(name)\n    @name = name\n  end\n  \
         def of(context, path) = context.cached_file_data(path) {{ |text| text + @name }}\nend\nLIST = []\nCACHE = {{}}\nTEXT = +'x'\nNESTED = {{ a: {{ b: [] }} }}\ncount = 0\nCOUNT = -> {{ count += 1 }}\n\
         Puppet::Functions.create_function(:'m::f') do\n  dispatch(:f) do\n    param 'String[1]', :key\n    param 'Hash', :options\n    \
         param 'Puppet::LookupContext', :context\n  end\n  def f(key, options, context)\n    \
         return context.not_found if ['lookup_options', 'host_of'].include?(key)\n    {requested}\n    out = +''\n    {one}\n    {other}\n    out\n  end\n  \
         def read(context, path) = context.cached_file_data(path) {{ |text| text + yield }}\nend\n"
    );
    std::fs::write(lib.join("f.rb"), code).unwrap();
}

/// Writes the function in the Puppet language instead.
fn write_in_puppet(root: &Path, body: &str) {
    std::fs::remove_file(root.join("modules/m/lib/puppet/functions/m/f.rb")).unwrap();
    let body = body.replace("ROOT", root.to_str().unwrap());
    let code = format!(
        "function m::f(String $key, Hash $options, Puppet::LookupContext $context) {{\n  \
         if $key in ['lookup_options', 'host_of'] {{ $context.not_found }}\n  {body}\n}}\n"
    );
    std::fs::write(root.join("modules/m/functions/f.pp"), code).unwrap();
}

/// Waits until files that were written are trusted to stay as they are.
fn settle() {
    std::thread::sleep(std::time::Duration::from_millis(40));
}

fn answers(environment: &Environment, node: &str) -> Vec<String> {
    let facts = [(Value::from("host"), Value::from(node))].into_iter().collect();
    let node = environment.node(&Facts::new(Some(node), facts)).unwrap();
    let answer = |key| match node.lookup(&Query::new(key)) {
        Ok(value) => value.inspect(),
        Err(error) => format!("error: {error}"),
    };
    ["one", "two", "one"].into_iter().map(answer).collect()
}

fn open(root: &Path) -> Environment {
    let settings = Settings { environment_dir: Some(root.to_path_buf()), once: true, ..Settings::default() };
    Environment::open(&settings).unwrap()
}

/// The answer for a node, if so many steps are enough.
fn answer_within(environment: &Environment, node: &str, steps: u64) -> Option<String> {
    let facts = [(Value::from("host"), Value::from(node))].into_iter().collect();
    let node = environment.node(&Facts::new(Some(node), facts)).unwrap();
    let budget = Budget::new(Limits { steps, ..Limits::DEFAULT });
    node.lookup(&Query { budget, ..Query::new("one") }).map(|value| value.inspect()).ok()
}

/// What each node gets from an environment that nobody else asks. They get the same from one that all ask, and no errors.
fn alone(root: &Path, case: &str) -> Vec<Vec<String>> {
    let shared = open(root);
    let together: Vec<_> = NODES.iter().map(|node| answers(&shared, node)).collect();
    // Threads share no machines.
    let ask = |node| std::thread::scope(|scope| scope.spawn(move || answers(&open(root), node)).join().unwrap());
    let alone: Vec<_> = NODES.iter().map(|node| ask(node)).collect();
    assert_eq!(together, alone, "{case}");
    assert!(!alone.concat().iter().any(|answer| answer.starts_with("error")), "{case}: {alone:?}");
    alone
}

#[test]
fn nodes_do_not_see_values_that_functions_cache_for_others() {
    let mut kept = 0;
    for (number, one) in PARTS.iter().enumerate() {
        for other in [PARTS[0], PARTS[(number * 7 + 3) % PARTS.len()], PARTS[(number * 5 + 9) % PARTS.len()]] {
            let folder = tempfile::tempdir().unwrap();
            write(folder.path(), [one, other], None);
            let alone = alone(folder.path(), &format!("{one}\n{other}"));
            kept += usize::from(alone[0][0] != alone[0][1]);
        }
    }
    assert!(kept > 10, "only {kept} functions keep something for the same node");
}

#[test]
fn answers_are_remembered_only_for_nodes_for_which_they_hold() {
    let parts = [PARTS[0], PARTS[1], PARTS[3], PARTS[15]];
    let cases = ASKED.iter().flat_map(|requested| parts.map(|part| (requested, part, tempfile::tempdir().unwrap())));
    let cases: Vec<_> =
        cases.inspect(|(requested, part, folder)| write(folder.path(), [part, PARTS[0]], Some(requested))).collect();
    // What was written just now may change again without a trace, and nothing that is made of it is kept.
    settle();
    let mut different = 0;
    for (requested, part, folder) in &cases {
        let alone = alone(folder.path(), &format!("{requested}\n{part}"));
        different += usize::from(alone[0] != alone[1]);
    }
    assert!(different > 30, "only {different} functions answer nodes differently");
}

/// What blocks make of a file, with what they see of the node: by what surrounds them, or because they ask.
const FILE_DATA: &[&str] = &[
    "context.cached_file_data('ROOT/by/all.txt') { |text| text + node }",
    "context.cached_file_data('ROOT/by/all.txt') { |text| text + options['node'] }",
    "context.cached_file_data('ROOT/by/all.txt') { |text| text + key + options.size.to_s }",
    "context.cached_file_data('ROOT/by/all.txt') { |text| text + context.interpolate('%{facts.host}') }",
    "context.cached_file_data('ROOT/by/all.txt') { |text| text + closure_scope['facts']['host'] }",
    "closure_scope['facts']['host'] + context.cached_file_data('ROOT/by/all.txt') { |text| text + closure_scope['facts']['host'] }",
    "context.cached_file_data('ROOT/by/all.txt') { |text| text + call_function('m::host') }",
    "context.cached_file_data('ROOT/by/all.txt') { |text| @seen = text + node }",
    "context.cached_file_data('ROOT/by/all.txt') { |text| text + [1].map { |_| node }[0] }",
    "(list = [[node]]; context.cached_file_data('ROOT/by/all.txt') { |text| text + list[0][0] })",
    "(list = { a: /x/, b: node }; context.cached_file_data('ROOT/by/all.txt') { |text| text + list[:b] })",
    "(name = node.to_sym; context.cached_file_data('ROOT/by/all.txt') { |text| text + name.to_s })",
    "(number = node.ord; context.cached_file_data('ROOT/by/all.txt') { |text| text + number.to_s })",
    "(number = node.ord / 2.0; context.cached_file_data('ROOT/by/all.txt') { |text| text + number.to_s })",
    "(/.*/.match(node); context.cached_file_data('ROOT/by/all.txt') { |text| text + $~[0] })",
    "(own = proc { node }; context.cached_file_data('ROOT/by/all.txt') { |text| text + own.call })",
    "context.cached_file_data('ROOT/by/all.txt', &->(text) { text + node })",
    "context.cached_file_data('ROOT/by/all.txt', &node.method(:+))",
    "context.cached_file_data('ROOT/by/all.txt', &:upcase)",
    "context.cached_file_data('ROOT/by/all.txt')",
    "Struct.new(:name) { def of(context, path) = context.cached_file_data(path) { |text| text + name } }.new(node).of(context, 'ROOT/by/all.txt')",
    "node.instance_eval { context.cached_file_data('ROOT/by/all.txt') { |text| text + upcase } }",
    "context.cached_file_data('ROOT/by/all.txt') { |text| text + context.cached_file_data(\"ROOT/by/#{options['node']}.txt\") { |other| other } }",
    "(context.cache('n', node); context.cached_file_data('ROOT/by/all.txt') { |text| text + context.cached_value('n') })",
    "context.cached_file_data('ROOT/by/all.txt') { |text| text + File.exist?(\"ROOT/by/#{'b'}/b\").inspect }",
];

/// The same in the Puppet language.
const FILE_DATA_IN_PUPPET: &[&str] = &[
    "|$text| { \"${text}${options['node']}\" }",
    "|$text| { \"${text}${key}\" }",
    "|$text| { \"${text}${facts['host']}\" }",
    "|$text| { \"${text}${m::host()}\" }",
    "|$text| { \"${text}${context.interpolate('%{facts.host}')}\" }",
    "|$text| { \"${text}${getvar('facts.host')}\" }",
    "|$text| { $text }",
    "",
];

#[test]
fn shared_results_of_blocks_equal_those_of_each_node() {
    let folder = || tempfile::tempdir().unwrap();
    let mut cases: Vec<_> = FILE_DATA.iter().map(|result| (*result, folder())).collect();
    for (result, folder) in &cases {
        write(folder.path(), [&format!("out << {result}"), ""], None);
    }
    for result in FILE_DATA_IN_PUPPET {
        let folder = folder();
        write(folder.path(), ["", ""], None);
        write_in_puppet(folder.path(), &format!("$context.cached_file_data('ROOT/by/all.txt') {result}"));
        cases.push((result, folder));
    }
    settle();
    let mut different = 0;
    for (result, folder) in &cases {
        let alone = alone(folder.path(), result);
        different += usize::from(alone[0] != alone[1]);
    }
    assert!(different > 20, "only {different} blocks see the node");
}

#[test]
fn a_pure_block_runs_once_per_file_for_all_nodes() {
    let in_ruby = |block: &str| {
        format!("node = context.cached_file_data('ROOT/by/all.txt') {block} + closure_scope['facts']['host']")
    };
    let in_puppet = |block: &str| {
        format!("$text = $context.cached_file_data('ROOT/by/all.txt') {block}\n  \"${{text}}${{facts['host']}}\"")
    };
    let cases = [
        (in_ruby("{ |text| 20_000.times { }; text.strip }"), None, true),
        (in_ruby("{ |text| 20_000.times { }; text.strip + key.to_s + options['path'].to_s }"), None, true),
        (in_ruby("{ |text| 20_000.times { }; text.strip + context.interpolate('%{facts.host}') }"), None, false),
        (String::new(), Some(in_puppet("|$text| { $text.split('').map |$one| { $one }.length }")), true),
        (String::new(), Some(in_puppet("|$text| { $text.split('').map |$one| { $key }.length }")), false),
    ];
    for (requested, puppet, is_shared) in cases {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        write(root, ["out << node", ""], Some(&requested));
        if let Some(body) = &puppet {
            write_in_puppet(root, body);
        }
        std::fs::write(root.join("by/all.txt"), "x".repeat(20_000)).unwrap();
        settle();
        let environment = open(root);
        let first = answer_within(&environment, NODES[0], Limits::DEFAULT.steps);
        let first = first.unwrap_or_else(|| panic!("{requested}{puppet:?}"));
        let expected = is_shared.then(|| first.replace(NODES[0], NODES[1]));
        assert_eq!(answer_within(&environment, NODES[1], 5_000), expected, "{requested}{puppet:?}");
    }
}

#[test]
fn facts_read_while_a_file_loads_stay_with_the_node() {
    for name in ["Facter.value(:host)", "Facter['host'].value", "Facter.fact('host').value", "Facter.value('facts')"] {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), [PARTS[0], PARTS[2]], Some("node = NAME"));
        let file = folder.path().join("modules/m/lib/puppet/functions/m/f.rb");
        let code = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, format!("NAME = {name} || 'none'\n{code}")).unwrap();
        let alone = alone(folder.path(), name);
        assert_eq!(alone[0] == alone[1], name.contains("facts"), "{name}: {alone:?}");
    }
}

#[test]
fn options_are_distinguished_by_their_patterns() {
    let mut different = 0;
    for part in TRIED {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), [part, ""], None);
        let alone = alone(folder.path(), part);
        different += usize::from(alone[0] != alone[1] || alone[0] != alone[2]);
    }
    assert!(different > 10, "only {different} functions answer nodes differently");
}

#[test]
fn remembered_answers_are_those_of_the_files_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, [PARTS[0], PARTS[0]], Some("node = File.read(\"ROOT/by/all.txt\")"));
    settle();
    let environment =
        Environment::open(&Settings { environment_dir: Some(root.to_path_buf()), ..Settings::default() }).unwrap();
    let first = answers(&environment, NODES[0]);
    assert_eq!(answers(&environment, NODES[1]), first);
    std::fs::write(root.join("by/all.txt"), "other").unwrap();
    settle();
    let second = answers(&environment, NODES[2]);
    assert_eq!(second[0], first[0].replace("XYZ", "OTHER"));
    assert_ne!(second, first);
    // And those of the function as it is.
    let function = root.join("modules/m/lib/puppet/functions/m/f.rb");
    let code = std::fs::read_to_string(&function).unwrap();
    std::fs::write(&function, code.replace("node.upcase", "node.upcase + 'new'")).unwrap();
    settle();
    assert_eq!(answers(&environment, NODES[1])[0], "\"OTHERnewOTHERnew\"");
}

#[test]
fn an_option_that_no_pattern_matches_has_no_part_in_the_answer() {
    // Without the work of the function, few steps are enough.
    for (part, is_shared) in [("out << /^b/.match(node).inspect", true), ("out << node.size.to_s", false)] {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), ["20_000.times { }", part], None);
        // What was written just now may change again without a trace, and is looked at again.
        settle();
        let environment = open(folder.path());
        let first = answer_within(&environment, NODES[0], Limits::DEFAULT.steps);
        assert!(first.is_some());
        assert_eq!(answer_within(&environment, NODES[2], 5_000), first.filter(|_| is_shared), "{part}");
        assert_eq!(answer_within(&environment, NODES[1], 5_000), None, "{part}");
    }
}

/// What functions make of `not_found`, which throws, with what Puppet 7.23 answers: the level below, or what comes after a `catch`.
const THROWN: [(&str, &str); 7] = [
    ("begin; context.not_found; rescue => error; Puppet.debug(error); error.message; end", "low"),
    ("begin; context.not_found; rescue Exception => error; error.message; end", "low"),
    ("context.not_found rescue 'rescued'", "low"),
    ("begin; context.not_found; ensure; out << 'x'; end", "low"),
    ("catch(:other) { context.not_found }; 'after'", "low"),
    ("catch(:no_such_key) { context.not_found }; 'after'", "after"),
    ("catch(:no_such_key) { context.not_found }; context.not_found", "low"),
];

#[test]
fn a_key_that_is_not_found_is_thrown_and_remembered() {
    for (part, expected) in THROWN {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), [&format!("20_000.times {{ }}\n    out = ({part})"), ""], None);
        std::fs::write(folder.path().join("data/common.yaml"), "one: low\n").unwrap();
        settle();
        let environment = open(folder.path());
        // Only the first node has the steps for the work of the function.
        for (node, steps) in [(NODES[0], Limits::DEFAULT.steps), (NODES[1], 5_000)] {
            let budget = Budget::new(Limits { steps, ..Limits::DEFAULT });
            let node = environment.node(&Facts::new(Some(node), Default::default())).unwrap();
            let value = node.lookup(&Query { budget, ..Query::new("one") });
            assert_eq!(value.map_err(|error| error.to_string()), Ok(expected.into()), "{part} with {steps} steps");
        }
    }
}

#[test]
fn searches_for_others_are_not_charged_to_a_catalog() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("manifests")).unwrap();
    std::fs::write(folder.path().join("manifests/site.pp"), "if 'abc' =~ /^a/ { notify { 'found': } }\n").unwrap();
    let settings = Settings { environment_dir: Some(folder.path().to_path_buf()), ..Settings::default() };
    let environment = Environment::open(&settings).unwrap();
    let compiler = Compiler::limited(&environment, Limits { steps: 1_000, ..Limits::DEFAULT });
    let catalog = || compiler.compile(Facts::new(Some("n"), Default::default()), &Classification::default()).catalog;
    assert!(catalog().is_ok(), "{:?}", catalog().err());
    // Goes back as often as a search may.
    let pattern = Regexp::new("(?=a)(a*)*\\1$").unwrap();
    (0..20).for_each(|_| assert!(!pattern.is_match(&("a".repeat(60) + "b"))));
    assert!(catalog().is_ok(), "{:?}", catalog().err());
    assert!(take_search_cost() > 1_000_000);
}
