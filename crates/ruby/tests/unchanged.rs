//! An interpreter detects side effects of code: then it must not be reused for another node.

use hieratic_ruby::{NullHost, Ruby};
use hieratic_value::{Hash, Value};

/// Definitions that a file of a module may contain.
const FILE: &str = r#"
class Store
  LIST = ['a', ['b']]
  TABLE = { 'a' => +'text', 'b' => { 'c' => 1 } }
  @@count = 0
  @own = 1
  class << self
    attr_accessor :own
  end
  attr_accessor :field
  def self.count = @@count
  def self.count=(count)
    @@count = count
  end
end
INSTANCE = Store.new
counter = 0
COUNTER = -> { counter += 1 }
READER = -> { counter }
FINDER = ->(text) { text =~ /a/; $~ && 1 }
$global = 1
"#;

/// Runs code on an interpreter that has loaded the file. Returns its value as `inspect` shows it, and whether the interpreter is unchanged.
fn run(code: &str) -> (String, bool) {
    let mut ruby = Ruby::new();
    ruby.load(&mut NullHost::default(), FILE, "store.rb").unwrap();
    assert!(ruby.is_unchanged(), "loading a file is no change");
    let shown = match ruby.inspect(&mut NullHost::default(), code, "x.rb") {
        Ok(shown) => shown,
        Err(error) => error.message,
    };
    (shown, ruby.is_unchanged())
}

#[test]
fn changing_new_objects_leaves_the_interpreter_reusable() {
    for code in [
        "list = Store::LIST.dup; list << 'c'; list.map(&:to_s).join",
        "table = Store::TABLE.merge('z' => 1); table.delete('a'); table['q'] = [1]; table.size",
        "text = +''; Store::TABLE.each { |key, value| text << key << value.to_s }; text",
        "one = Store.new; one.field = 5; one.field",
        "count = 0; [1, 2].each { |one| count += one }; count",
        "'abc' =~ /b/; $~[0]",
        "Store::LIST.frozen?",
        "READER.call",
        "begin; raise 'x'; rescue => error; error.message; end",
        "catch(:a) { throw :a, 1 }",
        "require 'set'; Set.new([1]).add(2).size",
        "[3, 1].sort_by { |one| one }.freeze",
        "format('%05d', 3).sub(/0+/) { $&.tr('0', 'o') }",
    ] {
        let (shown, is_unchanged) = run(code);
        assert!(is_unchanged, "{code} => {shown}");
    }
}

#[test]
fn changing_lasting_objects_is_detected() {
    for code in [
        "Store::LIST << 'c'",
        "Store::LIST[1] << 'c'",
        "Store::LIST.concat([1])",
        "Store::LIST.map!(&:to_s)",
        "Store::LIST.clear",
        "Store::TABLE['a'] << 'more'",
        "Store::TABLE['a'].sub!('t', 'T')",
        "Store::TABLE['a'].force_encoding('ASCII-8BIT')",
        "Store::TABLE['z'] = 1",
        "Store::TABLE['b']['c'] = 2",
        "Store::TABLE['b'].delete('c')",
        "Store::TABLE.default = 3",
        "Store::TABLE.compare_by_identity",
        "Store::TABLE.freeze",
        "Store.count = 5",
        "Store.own = 5",
        "Store.class_variable_set(:@@count, 7)",
        "Store.instance_variable_set(:@own, 7)",
        "INSTANCE.field = 5",
        "INSTANCE.instance_variable_set(:@other, 5)",
        "INSTANCE.remove_instance_variable(:@field) rescue INSTANCE.field = 1",
        "INSTANCE.define_singleton_method(:x) { 1 }",
        "def INSTANCE.x = 1",
        "COUNTER.call",
        "FINDER.call('a')",
        "$global = 2",
        "$global += 2",
        "$new, b = 1, 2",
        "Store.const_set(:NEW, 1)",
        "Store.send(:remove_const, :LIST)",
        "class Store; def more = 1; end",
        "class Store; attr_reader :more; end",
        "class Fresh; end",
        "Store.include(Comparable)",
        "INSTANCE.extend(Comparable)",
        "Store.send(:undef_method, :field)",
        "Store.send(:remove_method, :field)",
        "Store.alias_method(:other, :field)",
        "def helper = 1",
        "INSTANCE.object_id",
        "list = Store::LIST; list.push(1)",
        "Store::LIST.each { |one| one << 'x' if one.is_a?(Array) }",
        "a, Store::TABLE['m'] = 1, 2",
        "Store::TABLE['n'] ||= 2",
        "puts 'said'",
    ] {
        let (shown, is_unchanged) = run(code);
        assert!(!is_unchanged, "{code} => {shown}");
    }
}

#[test]
fn instance_variables_of_functions_are_detected() {
    for (body, is_unchanged) in [("a * 2", true), ("@kept ||= a", false), ("(@kept ||= []) << a", false)] {
        let mut ruby = with_function(body);
        assert!(ruby.function(&mut NullHost::default(), "f").unwrap().is_some());
        assert!(ruby.is_unchanged(), "asking for a function is no change");
        ruby.call(&mut NullHost::default(), "f", Some(0), &[3.into()], None, None).unwrap();
        assert_eq!(ruby.is_unchanged(), is_unchanged, "{body}");
    }
}

/// An interpreter with a function of one parameter.
fn with_function(body: &str) -> Ruby {
    let mut ruby = Ruby::new();
    let file = format!(
        "Puppet::Functions.create_function(:f) do\n  dispatch(:f) {{ param 'Any', :a }}\n  def f(a)\n    {body}\n  end\nend"
    );
    ruby.load(&mut NullHost::default(), &file, "f.rb").unwrap();
    ruby
}

/// A hash with all that code can change.
fn changeable() -> Value {
    let pairs = [("t", "text".into()), ("n", Value::from(vec![3.into(), 1.into(), "two".into()])), ("u", Value::Undef)];
    let inner: Hash = pairs.clone().into_iter().collect();
    let pairs = pairs.into_iter().chain([("h", inner.into())]);
    Value::from(pairs.collect::<Hash>())
}

#[test]
fn changed_arguments_are_not_visible_to_the_next_call() {
    for body in [
        "a['x'] = 1; a",
        "a.delete('t'); a",
        "a.store('t', 2); a",
        "a['n'].push(9); a",
        "a['n'].clear; a",
        "a['n'].sort_by!(&:to_s); a",
        "a['n'][0] += 1; a",
        "a['n'].last << 'x'; a",
        "a['t'] << 'x'; a",
        "a['t'].upcase!; a",
        "a['t'].sub!('t', 'T'); a",
        "a['t'].force_encoding('ASCII-8BIT').encoding.to_s + a['h']['t'].encoding.to_s",
        "a['h']['n'].map!(&:to_s); a",
        "a['h'].merge!('new' => 1); a",
        "a.default = 5; a['missing']",
        "before = a['missing']; a.default_proc = proc { 7 }; [before, a['missing']]",
        "a.replace('b' => 1); a",
        "a.transform_values!(&:to_s); a",
        "a.keep_if { |key, _| key == 't' }; a",
        "was = a.frozen?; a.freeze; was",
        "was = a['t'].frozen?; a['t'].freeze; was",
        "was = a['n'].frozen?; a['n'].freeze; was",
        "a.each_value { |one| one.concat('x') if one.is_a?(String) }; a",
        "was = a.compare_by_identity?; a.compare_by_identity; was",
        "was = a.instance_variables.size; a.instance_variable_set(:@x, 1); was",
        "was = a.respond_to?(:own); def a.own = 1; was",
        "a.send(:[]=, 'y', a['n'].shift); a",
        "b = a; b['t'] = 'other'; a",
        "inner = a['h']; a = nil; inner['t'] = 'other'; inner",
        "first, = a['n']; a['n'].unshift(first); a",
        "list = a.values; list[0] << 'x'; a",
    ] {
        let given = changeable();
        let mut ruby = with_function(body);
        let mut shown = Vec::new();
        for _ in 0..3 {
            let answer = ruby.call(&mut NullHost::default(), "f", Some(0), std::slice::from_ref(&given), None, None);
            shown.push(answer.map_or_else(|error| error.message, |value| value.inspect()));
        }
        assert!(shown.iter().all(|one| *one == shown[0]), "{body}: {shown:?}");
        assert_eq!(given, changeable(), "{body}");
    }
}

#[test]
fn unchanged_arguments_are_shared_between_calls() {
    let given = changeable();
    let mut ruby = with_function("same = a.equal?($last); $last = a; same");
    let mut call = |given: &Value| {
        let answer = ruby.call(&mut NullHost::default(), "f", Some(0), std::slice::from_ref(given), None, None);
        answer.unwrap()
    };
    assert_eq!(call(&given), Value::from(false));
    assert_eq!(call(&given), Value::from(true));
    assert_eq!(call(&changeable()), Value::from(false), "another collection is another object");
}

/// Returns the history of an interpreter that has loaded the file and run these pieces of code.
fn history(code: &[&str]) -> Option<u64> {
    let mut ruby = Ruby::new();
    ruby.load(&mut NullHost::default(), FILE, "store.rb").unwrap();
    for one in code {
        // Side effects before an error count.
        let _ = ruby.inspect(&mut NullHost::default(), one, "x.rb");
    }
    ruby.history()
}

#[test]
fn equal_actions_give_equal_histories() {
    let helper = "def helper = 1\nhelper";
    let mixed = "Store.include(Comparable)";
    for code in [&[][..], &[helper], &[mixed], &[helper, mixed], &["1 + 1", helper, mixed]] {
        let known = history(code);
        assert!(known.is_some() && known == history(code), "{code:?}");
    }
    assert_eq!(history(&[]), history(&["Store::LIST.map(&:to_s)"]), "nothing is done");
    assert_eq!(history(&[mixed]), history(&[mixed, mixed]), "it has the module already");
    assert_eq!(std::thread::spawn(move || history(&[helper, mixed])).join().unwrap(), history(&[helper, mixed]));
}

#[test]
fn different_actions_give_different_histories() {
    let all = [
        &[][..],
        &["def helper = 1"],
        &["def helper = 2"],
        &["def self.helper = 1"],
        &["class Store; def helper = 1; end"],
        &["class Store; def self.helper = 1; end"],
        &["class Store; private def helper = 1; end"],
        &["Store.include(Comparable)"],
        &["Store.prepend(Comparable)"],
        &["Store.include(Enumerable)"],
        &["Store.extend(Comparable)"],
        &["Hash.include(Comparable)", "Store.prepend(Comparable)"],
        &["Store.include(Comparable)", "Store.include(Enumerable)"],
        &["Store.include(Enumerable)", "Store.include(Comparable)"],
        &["require 'set'"],
    ];
    for (at, code) in all.iter().enumerate() {
        for other in &all[..at] {
            let (one, two) = (history(code), history(other));
            assert!(one.is_none() || one != two, "{code:?} and {other:?}");
        }
    }
}

#[test]
fn untracked_changes_clear_the_history() {
    for code in [
        "Store::LIST << 'c'",
        "Store.count = 5",
        "INSTANCE.field = 5",
        "INSTANCE.extend(Comparable)",
        "def INSTANCE.x = 1",
        "COUNTER.call",
        "$global = 2",
        "Store.const_set(:NEW, 1)",
        "Store.define_method(:x) { 1 }",
        "Store.class_eval { attr_reader :more }",
        "Store.alias_method(:other, :field)",
        "Store.send(:remove_method, :field)",
        "Struct.new(:a)",
        "Class.new.include(Comparable)",
        "INSTANCE.object_id",
        "puts 'said'",
    ] {
        assert_eq!(history(&[code]), None, "{code}");
    }
}

/// A host that has one fact.
struct WithFact(NullHost, &'static str);

impl hieratic_ruby::Host for WithFact {
    fn budget(&self) -> &hieratic_budget::Budget {
        self.0.budget()
    }

    fn variable(&mut self, name: &str) -> Result<Option<Value>, hieratic_ruby::HostError> {
        let facts = || [("hostname", self.1)].map(|(name, value)| (Value::from(name), Value::from(value)));
        Ok((name == "facts").then(|| facts().into_iter().collect::<Hash>().into()))
    }
}

#[test]
fn a_file_that_reads_node_data_is_a_change() {
    let loaded = |code: &str, fact: &'static str| {
        let mut ruby = Ruby::new();
        ruby.load(&mut WithFact(NullHost::default(), fact), code, "x.rb").unwrap();
        (ruby.is_unchanged(), ruby.history())
    };
    let asks = "NAME = Facter.value(:hostname)";
    let [(_, one), (is_unchanged, other)] = ["web01", "web02"].map(|fact| loaded(asks, fact));
    assert!(!is_unchanged && one.is_some() && one != other, "the history has the fact");
    assert_eq!(loaded(asks, "web01").1, one);
    let (is_unchanged, history) = loaded("NAME = -> { Facter.value(:hostname) }", "web01");
    assert!(is_unchanged && history.is_some());
    let (is_unchanged, history) = loaded("SCOPE = Puppet::Parser::Scope.new.lookupvar('x')", "web01");
    assert!(!is_unchanged && history.is_none(), "a variable may be anything");
}

#[test]
fn inspect_is_the_same_in_each_run() {
    let source = "Foo = Class.new unless defined?(Foo); a, b = Object.new, Foo.new; l = lambda { |x| x }; \
                  [a, b, a, l, l.inspect == l.to_s, a.to_s, b.hash == b.hash, a.hash].inspect + (a.nothing rescue $!.message)";
    let shown = || {
        let mut ruby = Ruby::new();
        let first = ruby.inspect(&mut NullHost::default(), source, "x.rb").unwrap();
        // Objects of another run shift the addresses.
        let kept = ruby.inspect(&mut NullHost::default(), "$kept = (1..1000).map { Object.new }; 1", "y.rb");
        assert!(kept.is_ok());
        assert_eq!(ruby.inspect(&mut NullHost::default(), source, "x.rb").unwrap(), first);
        first
    };
    let first = shown();
    let room: Vec<Vec<u8>> = (1..200).map(|size| vec![0; size]).collect();
    assert_eq!(shown(), first);
    drop(room);
    assert!(first.contains("#<Object:0x0000000000000010>"), "{first}");
}
