#![no_main]
//! A format with values of every kind: `sprintf`, `String.new` with one format and with one for each type, times.

use hieratic::budget::{Budget, Limits};
use hieratic::puppet_eval::Options;
use hieratic::{Code, Facts};
use hieratic_value::Value;

/// Values of every kind that formats treat in a way of its own.
const VALUES: [&str; 14] = [
    "undef", "true", "default", "42", "-1.5", "'a b'", "[1, [2]]", "{ a => { b => 1 } }", "/x/", "Integer[1, 2]",
    "Timespan(90061.5)", "Timestamp(0)", "Binary('aGk=')", "Sensitive(1)",
];

/// The ways to use a format. The first fault ends a program, so that each is a program of its own.
const WAYS: [&str; 6] = [
    "String($v, $f)",
    "String($v, { Any => $f })",
    "String($v, { Array => { format => $f, string_formats => { Any => $f } }, Hash => $f, Any => '%p' })",
    "$v.strftime($f)",
    "Timestamp('2020-01-02', $f)",
    "Timespan('1-02:03:04', $f)",
];

libfuzzer_sys::fuzz_target!(|format: &str| {
    let values = [Value::from(42), Value::from(-1.5), Value::from("a b"), Value::from(7)];
    let _ = hieratic_puppet_functions::sprintf(format, &values);
    let code = Code::new(None, Facts::named("a.example.com"), Options { budget: Budget::new(Limits { steps: 1000, ..Limits::default() }), ..Options::default() });
    let quoted = format!("'{}'", format.replace('\\', "\\\\").replace('\'', "\\'"));
    for value in VALUES {
        for way in WAYS {
            let _ = code.evaluate("", &format!("$v = {value}\n$f = {quoted}\n{way}")).report();
        }
    }
});
