//! Functions in Ruby that answer for Hiera: what they keep for one node, another node never sees, although machines are shared.

#![cfg(feature = "code")]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and writes what it reads"
)]

use std::path::Path;

use hieratic::{Environment, Facts, Query, Settings, Value};

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

const NODES: [&str; 3] = ["a.example.com", "b.example.com", "c.example.com"];

fn write(root: &Path, parts: [&str; 2]) {
    let lib = root.join("modules/m/lib/puppet/functions/m");
    std::fs::create_dir_all(&lib).unwrap();
    std::fs::write(root.join("environment.conf"), "modulepath = modules\n").unwrap();
    let levels =
        "---\nversion: 5\nhierarchy:\n  - name: one\n    lookup_key: m::f\n    options: { node: \"%{facts.host}\" }\n";
    std::fs::write(root.join("hiera.yaml"), levels).unwrap();
    let [one, other] = parts;
    let code = format!(
        "LIST = []\nCACHE = {{}}\nTEXT = +'x'\nNESTED = {{ a: {{ b: [] }} }}\ncount = 0\nCOUNT = -> {{ count += 1 }}\n\
         Puppet::Functions.create_function(:'m::f') do\n  dispatch(:f) do\n    param 'String[1]', :key\n    param 'Hash', :options\n    \
         param 'Puppet::LookupContext', :context\n  end\n  def f(key, options, context)\n    node = options['node']\n    out = +''\n    \
         return context.not_found if key == 'lookup_options'\n    {one}\n    {other}\n    out\n  end\nend\n"
    );
    std::fs::write(lib.join("f.rb"), code).unwrap();
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

#[test]
fn nodes_do_not_see_what_functions_keep_for_others() {
    let mut kept = 0;
    for (number, one) in PARTS.iter().enumerate() {
        for other in [PARTS[0], PARTS[(number * 7 + 3) % PARTS.len()], PARTS[(number * 5 + 9) % PARTS.len()]] {
            let folder = tempfile::tempdir().unwrap();
            write(folder.path(), [one, other]);
            let opened = || {
                let settings =
                    Settings { environment_dir: Some(folder.path().to_path_buf()), once: true, ..Settings::default() };
                Environment::open(&settings).unwrap()
            };
            let shared = opened();
            let together: Vec<Vec<String>> = NODES.iter().map(|node| answers(&shared, node)).collect();
            // Threads share no machines.
            let alone: Vec<Vec<String>> = NODES
                .iter()
                .map(|node| std::thread::scope(|scope| scope.spawn(|| answers(&opened(), node)).join().unwrap()))
                .collect();
            assert_eq!(together, alone, "{one}\n{other}");
            assert!(!alone.concat().iter().any(|answer| answer.starts_with("error")), "{alone:?}");
            kept += usize::from(alone[0][0] != alone[0][1]);
        }
    }
    assert!(kept > 10, "only {kept} functions keep something for the same node");
}
