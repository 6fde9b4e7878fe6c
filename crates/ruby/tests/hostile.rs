//! Ruby that wants all time, all memory, or the world outside ends in an error: it reaches nothing, and never panics.

use hieratic_budget::{Budget, Limits};
use hieratic_ruby::{ErrorKind, NullHost, Ruby, RubyError};

/// Little enough that a test ends soon.
const SMALL: Limits = Limits { steps: 400_000, bytes: 32 << 20, depth: 1_000, time: None, file: 1 << 20 };

fn run(source: &str) -> Result<String, RubyError> {
    Ruby::new().inspect(&mut NullHost { budget: Budget::new(SMALL) }, source, "hostile.rb")
}

#[test]
fn endless_loops_reach_a_limit() {
    for source in [
        "loop { }",
        "while true; end",
        "begin; end until false",
        "x = 0; x += 1 while true",
        "(1..).each { }",
        "(1..).to_a",
        "(1..Float::INFINITY).map { |x| x }",
        "[1].cycle { }",
        "1.step { }",
        "def f; loop { yield }; end; f { }",
        "Enumerator.new { |y| loop { y << 1 } }.to_a",
        "begin; loop { }; rescue Exception; retry; end",
        "begin; loop { }; ensure; loop { }; end",
        "a = [1]; a.each { |x| a << x }",
        "s = 'a'; s << s while true",
        "h = {}; i = 0; loop { h[i += 1] = i }",
        "x = 'x' * 1000; y = []; loop { y << x.dup }",
        "'x' * (2 ** 40)",
        "[nil] * (2 ** 40)",
        "Array.new(2 ** 40)",
        "'%999999999d' % 1",
        "3 ** (10 ** 7); loop { 7 ** 100000 }",
        "x = 3; loop { x = x * x }",
        "('a'..'zzzzzzzzzz').to_a",
        "'a'.ljust(2 ** 40)",
        "(1..100).to_a.permutation.to_a",
        "[[1] * 1000] * 1000 * 10 ; a = (0..300).to_a; a.product(a, a)",
        "def f(n) = n < 2 ? 1 : f(n - 1) + f(n - 2); f(50)",
        "('a' * 40 + '!') =~ /^(a+)+$(b|\\1)/ ; loop { 'aaaa' =~ /a/ }",
        "loop { eval_me = :a.to_proc.call('x') rescue 1 }",
        "i = 0; loop { \"s#{i += 1}\".to_sym }",
        "i = 0; loop { Class.new }",
        "i = 0; loop { Object.const_set(\"C#{i += 1}\", i) }",
        "catch(:x) { loop { } }",
        "'abc'.gsub(/x*/) { loop { } }",
        "[3, 1, 2].sort { loop { } }",
        "Hash.new { |h, k| h[k + 1] }[0] rescue loop { }",
    ] {
        match run(source) {
            Err(RubyError { kind: ErrorKind::Exhausted(_), .. }) => {}
            // A search that goes back too often is given up before the budget is.
            Err(RubyError { kind: ErrorKind::Refused, message, .. }) if message.contains("takes too long") => {}
            Err(RubyError { kind: ErrorKind::Raised { class, .. }, .. })
                if ["ArgumentError", "RangeError", "SystemStackError", "IndexError"].contains(&class.as_str()) => {}
            other => panic!("{source}: {other:?}"),
        }
    }
}

/// Each of these traverses a large value, and a few of them exhaust the budget.
#[test]
fn traversing_large_values_charges_steps() {
    let number = "x = 1 << 1_000_000; y = (1 << 900_000) / 7";
    let text = "s = 'a' * 10**6; t = s + ''; all = [s]; keys = {s => 1}";
    let list = "a = [1] * 10**5; h = (0..10**4).to_h { |i| [i, i] }";
    let cases = [
        (
            number,
            "x.even?; x.gcd(y); x & y; x | y; -x; ~x; x.abs; x >> 1; x[5]; x == y; x <=> y; x.hash; x.bit_length; x.round(-9)",
        ),
        (
            text,
            "s == t; s <=> t; s.eql?(t); s.hash; s.casecmp?(t); s.length; s.valid_encoding?; s.to_f; all.include?(t); keys[t]",
        ),
        (list, "a.compact; a.compact!; a.reverse!; a - a; a & []; a.include?(2); a.index(2); h.key(-1); h.value?(-1)"),
    ];
    for (setup, calls) in cases {
        for call in calls.split("; ") {
            let source = format!("{setup}; 2_000.times {{ {call} }}");
            match run(&source) {
                Err(RubyError { kind: ErrorKind::Exhausted(_), .. }) => {}
                other => panic!("{call}: {other:?}"),
            }
        }
    }
    for source in [
        "Integer('9' * 10**6)",
        "('9' * 10**6).to_i",
        "('f' * 10**6).hex",
        "('7' * 10**6).oct",
        "'%d' % ('9' * 10**6)",
        "require 'json'; JSON.parse('9' * 10**6)",
        "Integer.sqrt(1 << 1_000_000)",
        "(1 << 1_000_000).round(-200_000)",
    ] {
        let ended = run(source);
        assert!(matches!(ended, Err(RubyError { kind: ErrorKind::Exhausted(_), .. })), "{source}: {ended:?}");
    }
}

#[test]
fn files_processes_and_clocks_are_unavailable() {
    for source in [
        "`id`",
        "%x(id)",
        "system('id')",
        "exec('id')",
        "spawn('id')",
        "fork",
        "Kernel.system('id')",
        "Kernel.send(:system, 'id')",
        "send(:`, 'id')",
        "open('|id')",
        "Kernel.open('/etc/passwd')",
        "IO.read('/etc/passwd')",
        "IO.popen('id')",
        "File.read('/etc/passwd')",
        "::File.open('/etc/passwd')",
        "Object.const_get(:Process)",
        "Object.const_get('IO').popen('id')",
        "Dir.glob('*')",
        "Process.pid",
        "ENV['HOME']",
        "ENV.to_h",
        "ObjectSpace.each_object { }",
        "Marshal.load('x')",
        "eval('1')",
        "binding.eval('1')",
        "binding.irb",
        "send(:binding)",
        "Kernel.binding",
        "x = 1; binding.local_variable_set(:x, 2)",
        "require 'erb'; x = 1; ERB.new('<% x = 2 %>').result(binding)",
        "Object.new.instance_eval('`id`')",
        "String.class_eval('File.read(\"/etc/passwd\")')",
        "Kernel.eval('1')",
        "method(:eval).call('1')",
        "method(:system).to_proc.call('id')",
        "Object.instance_method(:system).bind(self).call('id')",
        "exit",
        "abort",
        "exit!",
        "at_exit { }",
        "sleep 5",
        "rand",
        "SecureRandom.hex",
        "Time.now",
        "Thread.new { }",
        "TCPSocket.new('x', 1)",
        "require 'socket'; Socket.new",
        "require 'open3'; Open3.capture2('id')",
        "require 'net/http'; Net::HTTP.get('x')",
        "require 'tempfile'; Tempfile.new('x')",
        "load '/etc/passwd'",
        "$stdin.read; File.read('x')",
        "gets",
        "GC.start",
        "RubyVM.stat",
        "Fiddle.dlopen(nil)",
        "trap('INT') { }",
        "begin; Process; rescue Exception, NameError; 1; end",
        "begin; `id`; rescue Exception; 1; ensure; 2; end",
        "begin; system('x'); rescue StandardError; 1; end",
        "Process rescue 1",
        "File.write('x', 'y') rescue 1",
        "File.exist?('/etc/passwd')",
        "Pathname.new('/etc/passwd').read rescue 1",
    ] {
        match run(source) {
            Err(RubyError { kind: ErrorKind::Refused | ErrorKind::Host(_), message, line, .. }) => {
                assert!(line > 0, "no place: {source}");
                assert!(message.contains("not available"), "{source}: {message}");
            }
            Err(RubyError { kind: ErrorKind::Raised { class, .. }, .. })
                if ["NameError", "NoMethodError", "NotImplementedError", "ArgumentError"].contains(&class.as_str()) => {
            }
            other => panic!("{source}: {other:?}"),
        }
    }
}

#[test]
fn deep_code_and_values_end_in_an_error() {
    for (source, class) in [
        ("def f = f; f", "SystemStackError"),
        ("f = -> { f.() }; f.()", "SystemStackError"),
        ("class A; def method_missing(*) = foo; end; A.new.bar", "SystemStackError"),
        ("class B; def to_s = \"#{self}\"; end; B.new.to_s", "SystemStackError"),
        ("class C; def ==(o) = self == o; end; C.new == 1", "SystemStackError"),
        ("class D; def inspect = inspect; end; p D.new", "SystemStackError"),
        ("class E; def hash = hash; end; {E.new => 1}", "SystemStackError"),
        ("class F; def coerce(o) = 1 + self; end; 1 + F.new", "SystemStackError"),
        ("define_method(:g) { g } rescue self.class.send(:define_method, :g) { g }; g", "SystemStackError"),
    ] {
        match run(source) {
            Err(RubyError { kind: ErrorKind::Raised { class: raised, .. }, .. }) => {
                assert_eq!(raised, class, "{source}")
            }
            Err(RubyError { kind: ErrorKind::Exhausted(_), .. }) => {}
            other => panic!("{source}: {other:?}"),
        }
    }
    // Values that nest a hundred thousand levels deep are built and dropped.
    assert_eq!(run("a = []; 50_000.times { a = [a] }; a = nil; 1").unwrap(), "1");
    assert_eq!(run("a = {}; 20_000.times { a = {x: a} }; a = nil; 1").unwrap(), "1");
    assert_eq!(run("a = nil; 20_000.times { b = a; a = -> { b } }; a = nil; 1").unwrap(), "1");
    for source in [
        "a = []; 5_000.times { a = [a] }; a.inspect",
        "a = []; 5_000.times { a = [a] }; a.flatten",
        "a = []; 5_000.times { a = [a] }; a.hash",
        "a = []; b = []; 5_000.times { a = [a]; b = [b] }; a == b",
        "a = []; 5_000.times { a = [a] }; a.join",
        "a = []; 5_000.times { a = [a] }; a.to_json",
        "a = []; 5_000.times { a = [a] }; a.to_yaml",
    ] {
        // An answer or an error, never an overflow of the stack.
        let _ = run(source);
    }
}

#[test]
fn deep_source_is_an_error() {
    for source in [
        "(".repeat(50_000),
        "[".repeat(50_000),
        "-".repeat(50_000) + "1",
        "a.".repeat(50_000) + "b",
        "1+".repeat(50_000) + "1",
        "if 1 then ".repeat(20_000),
        "\"#{".repeat(5_000),
        "foo { ".repeat(10_000),
    ] {
        assert!(run(&source).is_err(), "{}", &source[..20]);
    }
}

#[test]
fn recreating_a_pattern_is_cheap() {
    assert_eq!(run("b = 'y$'; 5_000.times { 'xxxxx' =~ /#{b}/ }").unwrap(), "5000");
    // As many different patterns are too much.
    assert!(matches!(run("20_000.times { |b| 'xxxxx' =~ /#{b}/ }").unwrap_err().kind, ErrorKind::Exhausted(_)));
    // So is a long pattern, which is not cached.
    let long = run("b = 'y' * 2_000; 2_000.times { 'xxxxx' =~ /#{b}/ }");
    assert!(matches!(long.unwrap_err().kind, ErrorKind::Exhausted(_)));
    // Each is still a separate object, with its own options.
    assert_eq!(run("a, b = 2.times.map { Regexp.new('x') }; [a == b, a.equal?(b)]").unwrap(), "[true, false]");
    assert_eq!(run("x = 'x'; [/#{x}/ =~ 'X', /#{x}/i =~ 'X']").unwrap(), "[nil, 0]");
}

#[test]
fn an_endless_error_message_reaches_a_limit() {
    let error = run("class E < StandardError; def message; loop { }; end; end; raise E").unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Exhausted(_)), "{error:?}");
}

/// Random changes of valid source never make anything panic.
#[test]
fn mangled_source_never_panics() {
    let seeds = include_str!("../../../conformance/ruby/expressions.jsonl");
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % limit.max(1) as u64) as usize
    };
    let pieces = [
        "(", ")", "|", "&", "*", "**", "end", "do", "{", "}", "[", "]", "nil", "-1", "\"", "#{", ":", "=>", ",", ".",
        "@", "\\", "/", "%", "def x", "class X", "é",
    ];
    for (at, line) in seeds.lines().enumerate().filter(|(at, _)| at % 5 == 0) {
        let Ok(case) = serde_json::from_str::<Vec<String>>(line) else { continue };
        let mut letters: Vec<char> = case[0].chars().collect();
        for _ in 0..=at % 3 {
            let place = random(letters.len());
            match random(3) {
                0 if !letters.is_empty() => drop(letters.remove(place)),
                1 => letters.splice(place..place, pieces[random(pieces.len())].chars()).for_each(drop),
                _ => letters.truncate(letters.len() - random(letters.len() / 4 + 1)),
            }
        }
        let _ = run(&letters.into_iter().collect::<String>());
    }
}

#[test]
fn strings_charge_their_length() {
    for source in [
        "(\"\\u0001\" * 100_000).inspect.size",
        "[\"\\u0001\" * 100_000].inspect.size",
        "require 'json'; (\"\\u0001\" * 100_000).to_json.size",
        "require 'json'; {\"\\u0001\" * 100_000 => 1}.to_json.size",
        "require 'json'; (100_000_000..100_050_000).to_a.to_json.size",
        "(100_000_000..100_050_000).to_a.inspect.size",
        "require 'yaml'; (\"\\u0001\" * 100_000).to_yaml.size",
        "require 'yaml'; a = [1]; 12.times { a = [a, a.dup] }; a.to_yaml.size",
        "require 'yaml'; a = 1; 300.times { a = {'a' => a} }; a.to_yaml.size",
    ] {
        let host = &mut NullHost::default();
        let size: u64 = Ruby::new().inspect(host, source, "hostile.rb").unwrap().parse().unwrap();
        let used = host.budget.used_bytes();
        assert!(size > 50_000 && used >= size, "{source}: {used} bytes for {size}");
    }
}

#[test]
fn exported_values_charge_bytes() {
    // 8,000 arrays with as many numbers, which are copied for what writes YAML.
    let host = &mut NullHost::default();
    let source = "require 'yaml'; a = [1]; 12.times { a = [a, a.dup] }; a.to_yaml; 0";
    Ruby::new().inspect(host, source, "hostile.rb").unwrap();
    assert!(host.budget.used_bytes() > 800_000, "{}", host.budget.used_bytes());
}
