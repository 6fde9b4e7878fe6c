//! Checks that each method of the core classes charges steps and bytes in proportion to its work, with large receivers
//! and arguments of many shapes.
//!
//! The methods are those that the interpreter itself lists, so that a new one is measured automatically. The measure is
//! relative: the processor time of the thread is compared with that of a plain loop of as many steps, in the same
//! process. => Checks that each method of the core classes charges steps and bytes in proportion to its work, with
//! large receivers and arguments of many types.
//!
//! The interpreter lists its methods, so that a new one is measured automatically. The measure is relative: the
//! processor time of the thread is compared with that of a plain loop with as many steps in the same process.

use std::time::Duration;

use hieratic_budget::{Budget, Limits, thread_time};
use hieratic_value::collections::HashMap;

use crate::methods::TABLES;
use crate::value::{PEAK, objects};
use crate::vm::OBJECT_SIZE;
use crate::{NullHost, Ruby};

/// The limits of one call.
const LIMITS: Limits = Limits { steps: 1_000_000, bytes: 64 << 20, depth: 1_000, time: None, file: 1 << 20 };

/// The maximum ratio of the time of a call to that of a plain loop of as many steps, and of its memory to the bytes
/// that it charged.
const FACTOR: u32 = 10;

/// The shortest time that counts as a measurement.
const MIN_MEASURED: Duration = Duration::from_millis(4);

/// The number of objects that need not be charged: an interpreter has some at any time.
const FREE_OBJECTS: usize = 8_000;

/// The number of attempts for each call. The shortest time counts: other load makes a call slower, never faster.
const ATTEMPTS: usize = 8;

/// The receivers, as expressions. `$x` is the receiver, `$y` an equal one.
const RECEIVERS: &[(&str, &str)] = &[
    ("text", "'ab cd,e' * 4000"),
    ("digits", "'9' * 20_000"),
    ("lines", "\"key: value\\n\" * 2000"),
    ("json", "'[' + '1,' * 8000 + '1]'"),
    ("controls", "\"\\u0001\" * 9000"),
    ("symbol", "('ab' * 9000).to_sym"),
    ("integer", "3 ** 20_000"),
    ("power", "1 << 60_000"),
    ("number", "123_456_789"),
    ("float", "1.0e300"),
    ("integers", "(1..3000).to_a"),
    ("texts", "(1..2000).map { |i| 'text' * 4 + i.to_s }"),
    ("pairs", "(1..1500).map { |i| [i, i.to_s] }"),
    ("nested", "(1..400).inject([]) { |all, i| [all, i] }"),
    ("large integers", "[3 ** 5000] * 40"),
    ("hash", "(1..2000).to_h { |i| [\"key#{i}\", i] }"),
    ("hashes", "{'a' => (1..500).to_h { |i| [i, {i => i}] }}"),
    ("range", "(1..3000)"),
    ("endless range", "(1..)"),
    ("letters", "('a'..'zzzzzz')"),
    ("pattern", "Regexp.new('ab?' * 300)"),
    ("match", "('ab cd,e' * 4000).match(/(a)(.*)(e)/m)"),
    ("exception", "RuntimeError.new('ab cd,e' * 4000)"),
    ("enumerator", "(1..2000).each"),
    ("lazy", "(1..2000).lazy"),
    ("set", "Set.new((1..2000).to_a)"),
    ("struct", "Struct.new(*(1..200).map { |i| :\"a#{i}\" }).new(1)"),
    ("class", "Class.new { 400.times { include Module.new } }"),
    ("module", "Module.new { 400.times { |i| define_method(\"a#{i}\") { } } }"),
    ("object", "Object.new.tap { |o| 1000.times { |i| o.instance_variable_set(\"@a#{i}\", i) } }"),
    ("proc", "proc { |a, b| a }"),
    ("method", "'ab cd,e'.method(:sub)"),
    ("unbound method", "String.instance_method(:sub)"),
    ("nil", "nil"),
    ("true", "true"),
    ("false", "false"),
    ("Module", "Module"),
    ("Class", "Class"),
    ("Exception", "Exception"),
    ("Range", "Range"),
    ("Proc", "Proc"),
    ("Math", "Math"),
    ("Integer", "Integer"),
    ("JSON", "JSON"),
    ("YAML", "YAML"),
    ("Base64", "Base64"),
    ("Digest", "Digest::SHA256"),
    ("HMAC", "OpenSSL::HMAC"),
    ("ERB", "ERB::Util"),
    ("CGI", "CGI"),
    ("URI", "URI"),
    ("Shellwords", "Shellwords"),
    ("Comparable", "Comparable"),
    ("Struct", "Struct"),
    ("String", "String"),
    ("Array", "Array"),
    ("Hash", "Hash"),
    ("Regexp", "Regexp"),
    ("Set", "Set"),
    ("Kernel", "Kernel"),
];

/// The receivers and arguments that methods are called with.
const SHAPES: &[&str] = &[
    "()",
    "($y)",
    "(1)",
    "(-1)",
    "(3, 2)",
    "(2, $y)",
    "(100_000)",
    "(100_000, 'ab')",
    "(1.5)",
    "('a')",
    "('ab', 'c')",
    "('a-e', 'b-f')",
    "(/b.*?c/)",
    "(/b/, 'xx')",
    "(:succ)",
    "('%5000d')",
    "('SHA256', $text, $text)",
    "($text)",
    "($text, $text)",
    "($list)",
    "($list, $list)",
    "(*$list)",
    "($table)",
    "($large)",
    "($large, $large)",
    " { |a| a }",
    " { |a| nil }",
    " { |a, b| 1 }",
    "(0) { |a, b| a }",
    "(2) { |a| a }",
    "('a') { |a| 'bb' }",
];

const SETUP: &str =
    "$text = 'ab cd,e' * 3000; $list = (1..1500).to_a; $table = (1..1500).to_h { |i| [i, i.to_s] }; $large = 7 ** 6000";

/// The measured cost of a call.
struct Cost {
    time: Duration,
    steps: u64,
    bytes: u64,
    objects: usize,
}

fn measure(ruby: &mut Ruby, source: &str) -> Cost {
    let mut host = NullHost { budget: Budget::new(LIMITS) };
    let before = objects();
    PEAK.set(before);
    let begun = thread_time();
    // The result does not matter, only its cost.
    drop(ruby.inspect(&mut host, source, "costs.rb"));
    let time = thread_time().saturating_sub(begun);
    let objects = PEAK.get() - before;
    Cost { time, steps: host.budget.used(), bytes: host.budget.used_bytes(), objects }
}

/// Measures a plain loop of a number of steps, which is the reference for the time of a step.
fn reference() -> Duration {
    let mut ruby = Ruby::new();
    let loops = (0..5).map(|_| measure(&mut ruby, "i = 0; while i < 100_000; i += 1; end"));
    let step = |cost: Cost| cost.time / u32::try_from(cost.steps / 1_000).unwrap_or(1);
    // For a thousand steps.
    loops.map(step).min().unwrap_or_default()
}

/// Returns why a call has charged too little for its work.
fn violation(cost: &Cost, thousand: Duration) -> Option<String> {
    let Cost { time, steps, bytes, objects } = cost;
    let allowed = thousand * FACTOR * u32::try_from(steps / 1_000 + 1).unwrap_or(u32::MAX)
        // An allocated byte takes at most a nanosecond.
        + Duration::from_nanos(*bytes);
    let room = usize::try_from(*bytes).unwrap_or(usize::MAX).saturating_mul(FACTOR as usize) / OBJECT_SIZE;
    let is_fine = *time <= allowed.max(MIN_MEASURED) && *objects <= room.max(FREE_OBJECTS);
    (!is_fine).then(|| format!("{time:?}, {steps} steps, {bytes} bytes, {objects} objects"))
}

/// The methods of a receiver, as `owner#name`.
const METHODS: &str = "all = $x.class.ancestors.flat_map { |c| \
                       (c.instance_methods(false) | c.private_instance_methods(false)).sort.map { |m| \"#{c.inspect}##{m}\" } }; \
                       all += $x.singleton_methods(false).sort.map { |m| \"#{$x.inspect}.##{m}\" } if $x.is_a?(Module); \
                       all.join(' ~~ ')";

#[test]
fn each_method_charges_in_proportion_to_its_work() {
    let mut thousand = reference();
    let mut faults = Vec::new();
    let mut times: HashMap<String, usize> = HashMap::default();
    for (name, receiver) in RECEIVERS {
        let setup = format!("require 'set'; {SETUP}; $x = {receiver}; $y = {receiver}; $x.class");
        let interpreter = || {
            let mut ruby = Ruby::new();
            let class = ruby.inspect(&mut NullHost::default(), &setup, "costs.rb");
            assert!(class.is_ok(), "{receiver}: {class:?}");
            ruby
        };
        let methods = interpreter().inspect(&mut NullHost::default(), METHODS, "costs.rb").unwrap();
        for owned in methods.trim_matches('"').split(" ~~ ") {
            let Some((owner, method)) = owned.rsplit_once('#') else { panic!("{name}: {owned}: {methods}") };
            // Methods that all objects share need only one measurement.
            let most = if ["Object", "Kernel", "BasicObject", "Module", "Class"].contains(&owner) { 1 } else { 2 };
            let tried = times.entry(owned.to_owned()).or_default();
            *tried += 1;
            // It only ends at a limit.
            if *tried > most || method == "loop" {
                continue;
            }
            let mut ruby = interpreter();
            for shape in SHAPES {
                let call = match shape.strip_prefix('(') {
                    Some(")") => format!("x.__send__(:\"{method}\")"),
                    Some(rest) => format!("x.__send__(:\"{method}\", {rest}"),
                    None => format!("x.__send__(:\"{method}\") {shape}"),
                };
                let source = format!("x = ($x.dup rescue $x); {call}; 1");
                let mut found = None;
                for _ in 0..ATTEMPTS {
                    found = violation(&measure(&mut ruby, &source), thousand);
                    if found.is_none() {
                        break;
                    }
                    // A new interpreter has none of the side effects of the call, and other load may have slowed it
                    // down.
                    ruby = interpreter();
                    thousand = thousand.max(reference());
                }
                faults.extend(found.map(|found| format!("{name}: {call}: {found}")));
            }
        }
    }
    assert!(faults.is_empty(), "{}; a thousand steps take {thousand:?}:\n{}", faults.len(), faults.join("\n"));
    let is_tried = |class: &str, name: &str| match name.strip_prefix("self.") {
        Some(name) => times.contains_key(&format!("{class}.#{name}")),
        None => times.contains_key(&format!("{class}#{name}")),
    };
    let natives = TABLES.iter().filter(|(class, _)| *class != "HieraticNative");
    let all = natives.flat_map(|(class, natives)| natives.iter().map(|(name, ..)| (*class, *name)));
    let left_out: Vec<(&str, &str)> = all
        .filter(|(class, name)| !is_tried(class, name.strip_prefix('-').filter(|rest| rest.len() > 1).unwrap_or(name)))
        .collect();
    assert!(left_out.is_empty(), "no receiver has these methods: {left_out:?}");
}

#[test]
fn an_undercharged_call_is_a_violation() {
    let thousand = Duration::from_micros(40);
    let cost_of = |time: u64, steps, bytes, objects| Cost { time: Duration::from_micros(time), steps, bytes, objects };
    assert_eq!(violation(&cost_of(3_000, 1, 1, 1), thousand), None);
    assert!(violation(&cost_of(9_000, 1_000, 10_000, 1), thousand).is_some());
    assert_eq!(violation(&cost_of(9_000, 100_000, 10_000, 1), thousand), None);
    assert!(violation(&cost_of(1, 1, 100_000, 100_000), thousand).is_some());
    assert_eq!(violation(&cost_of(1, 1, 2_000_000, 100_000), thousand), None);
}
