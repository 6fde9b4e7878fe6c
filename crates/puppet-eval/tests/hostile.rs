//! Programs of a few lines that would take all time or all memory end when their budget does, and files are read only where
//! they may be.

use std::path::{Path, PathBuf};

use hieratic_budget::{Budget, Limits};
use hieratic_diagnostics::Source;
use hieratic_puppet_eval::read::read;
use hieratic_puppet_eval::{
    EmptyEnvironment, Environment, EvalError, Evaluator, Failure, Log, Options, Request, Validator, VisibleVariables,
};
use hieratic_sandbox::Files;
use hieratic_value::Value;

use crate::validation::Validation;

/// Enough for what anybody would test, and little enough that a test ends soon.
const SMALL: Limits = Limits { steps: 300_000, bytes: 32 << 20, depth: 1_000, time: None, file: 1 << 20 };

fn run(environment: &dyn Environment, code: &str, options: Options) -> (Result<Value, Failure>, Vec<Log>) {
    let read = read(&Source::new("", code), false, &options, &Validation);
    let mut evaluator = Evaluator::new(environment, options);
    let outcome = evaluator.run(&read.program.unwrap_or_else(|rejected| panic!("{}: {code}", rejected.message)));
    (outcome, evaluator.take_logs())
}

fn within(limits: Limits, code: &str) -> Result<Value, Failure> {
    run(&EmptyEnvironment, code, Options { budget: Budget::new(limits), ..Options::default() }).0
}

fn assert_given_up(code: &str) {
    let failure = within(SMALL, code).unwrap_err();
    assert!(failure.message.contains("evaluation was given up: more than"), "{}\n{code}", failure.message);
    assert!(failure.help.is_some_and(|help| help.contains("--limit")), "{code}");
    assert!(failure.site.line > 0, "no place: {code}");
}

/// Defined types of which each declares two of the next: so many deep.
fn wide_defines(depth: usize) -> String {
    let define = |n: usize| {
        let next = n + 1;
        format!("define d{n}() {{ d{next} {{ \"${{title}}a\": }} d{next} {{ \"${{title}}b\": }} }}\n")
    };
    let defines: String = (0..depth).map(define).collect();
    format!("{defines}define d{depth}() {{ }}\nd0 {{ 'x': }}\n")
}

#[test]
fn defined_types_that_multiply_end() {
    assert_given_up(&wide_defines(40));
    assert!(within(SMALL, &wide_defines(5)).is_ok());
}

#[test]
fn functions_and_aliases_that_multiply_end() {
    let functions: String =
        (0..40).map(|n| format!("function f{n}() {{ f{0}() + f{0}() }}\n", n + 1)).collect::<String>()
            + "function f40() { 1 }\nf0()";
    assert_given_up(&functions);
    let lambdas: String = (0..40).map(|n| format!("$l{n} = with(1) |$x| {{ $x }}\n")).collect::<String>()
        + "function g($n) { if $n == 0 { 1 } else { [1, 2].each |$i| { g($n - 1) } } }\ng(40)";
    assert_given_up(&lambdas);
}

#[test]
fn loops_end() {
    for code in [
        "Integer[1, 100000].each |$a| { Integer[1, 100000].each |$b| { Integer[1, 100000].each |$c| { } } }",
        "Integer[1, 1000].map |$a| { Integer[1, 1000].map |$b| { Integer[1, 1000].reduce |$m, $c| { $m + $c } } }",
        "Integer[1, 1000000000000].filter |$x| { false }",
        "Integer[1, 1000000000000].index(0)",
        "Integer[1, 100000].each |$a| { range(1, 100000) }",
        "Integer[1, 100000].each |$a| { inline_epp('<% Integer[1, 1000].each |$x| { %>x<% } %>') }",
        "Integer[1, 100000].each |$a| { inline_epp(\"text ${a}\") }",
        "Integer[1, 100000].each |$a| { \"x\" =~ \"pattern ${a}\" }",
        "$long = sprintf('%1000000s', 'x')\nInteger[1, 100000].each |$a| { $long =~ /y/ }",
        "$long = sprintf('%1000000s', 'x')\nInteger[1, 100000].each |$a| { md5($long) }",
        "$list = range(1, 100000)\nInteger[1, 100000].each |$a| { $list == [$a] }",
        "$list = range(1, 100000)\nInteger[1, 100000].each |$a| { $a in $list }",
        "$list = range(1, 100000)\nInteger[1, 100000].each |$a| { unique($list).length }",
    ] {
        assert_given_up(code);
    }
}

#[test]
fn texts_and_collections_that_grow_end() {
    for code in [
        "Integer[1, 40].reduce('aaaaaaaaaa') |$m, $x| { \"${m}${m}\" }",
        "Integer[1, 40].reduce('aaaaaaaaaa') |$m, $x| { join([$m, $m]) }",
        "Integer[1, 40].reduce('aaaaaaaaaa') |$m, $x| { regsubst($m, 'a', 'aa', 'G') }",
        "Integer[1, 40].reduce([1]) |$m, $x| { $m + $m }",
        "$s = sprintf('%1000000s', 'x')\n$l = range(1, 1000).map |$x| { $s }\njoin($l, ',')",
        "$s = sprintf('%1000000s', 'x')\n$l = range(1, 1000).map |$x| { $s }\n\"${l}\"",
        "$s = sprintf('%1000000s', 'x')\njoin(range(1, 1000), $s)",
        "$s = sprintf('%100000s', 'x')\n$l = range(1, 1000).map |$x| { $s }\nto_json($l)",
        "Integer[1, 1000].map |$a| { range(1, 100000) }",
        "Integer[1, 1000].map |$a| { Integer[1, 1000].map |$b| { \"${a} ${b}\" } }",
    ] {
        assert_given_up(code);
    }
}

#[test]
fn messages_and_declarations_are_bounded() {
    let (outcome, logs) = run(
        &EmptyEnvironment,
        "Integer[1, 1000000].each |$x| { notice('a line that is said again and again') }",
        Options { budget: Budget::new(SMALL), ..Options::default() },
    );
    assert!(outcome.unwrap_err().message.contains("evaluation was given up"));
    assert!(logs.len() < 100_000, "{}", logs.len());
    for code in [
        "Integer[1, 1000000].each |$x| { notify { \"n${x}\": message => 'a' } }",
        "$h = range(1, 1000000).reduce({}) |$m, $x| { $m + { \"n${x}\" => {} } }\ncreate_resources('notify', $h)",
        "$r = range(1, 10000).map |$x| { Notify[\"n${x}\"] }\n$r -> $r",
        "range(1, 3000).each |$x| { notify { \"n${x}\": }\nNotify <| message != \"n${x}\" |> }",
    ] {
        let failure = within(SMALL, code).unwrap_err();
        assert!(failure.message.contains("evaluation was given up"), "{}\n{code}", failure.message);
    }
}

#[test]
fn types_that_speak_of_themselves_end() {
    let nested = |leaf: &str| "[".repeat(45) + leaf + &"]".repeat(45);
    let kind = "type T = Variant[Integer, Array[T, 0, 5], Array[T, 0, 6]]\n";
    assert_eq!(within(SMALL, &format!("{kind}{} =~ T", nested("'x'"))).unwrap(), Value::from(false));
    assert_eq!(within(SMALL, &format!("{kind}{} =~ T", nested("1"))).unwrap(), Value::from(true));
    let refused = within(SMALL, &format!("{kind}function f(T $x) {{ 1 }}\nf({})", nested("'x'"))).unwrap_err();
    assert!(refused.message.contains("expects a"), "{}", &refused.message[..200]);
}

#[test]
fn recursion_ends_with_the_depth() {
    let limits = Limits { depth: 50, ..SMALL };
    let classes: String = (0..100).map(|n| format!("class c{n} {{ include c{} }}\n", n + 1)).collect();
    for code in [
        "function f($x) { f($x) }\nf(1)".to_owned(),
        "function f($x) { with($x) |$y| { inline_epp('<%= f(1) %>') } }\nf(1)".to_owned(),
        format!("{classes}class c100 {{ }}\ninclude c0"),
        "function f($x) { [1].map |$y| { [2].reduce(0) |$m, $z| { f($x) } } }\nf(1)".to_owned(),
    ] {
        let failure = within(limits, &code).unwrap_err();
        assert!(failure.message.contains("stack level too deep"), "{}\n{code}", failure.message);
        assert!(failure.help.is_some_and(|help| help.contains("--limit depth=500")));
    }
}

#[test]
fn ordinary_programs_take_little() {
    let classes: String = (0..200)
        .map(|n| format!("class c{n}(String $p = 'x', Array[Integer] $l = [1, 2]) {{ file {{ '/tmp/{n}': content => \"${{p}} ${{l}}\" }} }}\ninclude c{n}\n"))
        .collect();
    for code in [
        classes.as_str(),
        "$facts_like = range(1, 500).reduce({}) |$m, $x| { $m + { \"k${x}\" => $x } }\nrange(1, 500).each |$x| { $facts_like.get(\"k${x}\") }",
        "range(1, 1000).map |$x| { $x * 2 }.filter |$x| { $x > 10 }.reduce |$m, $x| { $m + $x }",
        "range(1, 300).each |$x| { notify { \"n${x}\": } }\nNotify <| |>",
    ] {
        within(SMALL, code).unwrap_or_else(|failure| panic!("{failure}\n{code}"));
    }
}

#[test]
fn one_budget_bounds_all_that_draw_from_it() {
    let options = Options { budget: Budget::new(SMALL), ..Options::default() };
    let code = "Integer[1, 20000].each |$x| { }";
    let ended = (0..100).find_map(|_| run(&EmptyEnvironment, code, options.clone()).0.err());
    assert!(ended.unwrap().message.contains("more than 300000 steps"));
    assert!(run(&EmptyEnvironment, code, options.renewed()).0.is_ok());
}

/// An environment with one module.
struct Module(PathBuf);

impl Environment for Module {
    fn name(&self) -> &str {
        "production"
    }

    fn root(&self) -> Option<&Path> {
        None
    }

    fn module(&self, name: &str) -> Option<PathBuf> {
        (name == "slash").then(|| self.0.clone())
    }

    fn modules(&self) -> Vec<String> {
        vec!["slash".into()]
    }

    fn validator(&self) -> &dyn Validator {
        &Validation
    }

    fn lookup(&self, request: &Request, visible: &dyn VisibleVariables) -> Result<Option<Value>, EvalError> {
        EmptyEnvironment.lookup(request, visible)
    }
}

#[cfg(unix)]
#[test]
fn no_folder_of_modules_widens_the_readable_files() {
    let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let write = |path: PathBuf, text: &str| {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write(outside.path().join("files/secret"), "secret");
    write(outside.path().join("templates/secret.epp"), "secret");
    write(outside.path().join("functions/f.pp"), "function slash::f() { 'secret' }");
    write(outside.path().join("metadata.json"), "{}");
    write(inside.path().join("real/files/open"), "open");
    let link = inside.path().join("slash");
    std::os::unix::fs::symlink(outside.path(), &link).unwrap();
    std::os::unix::fs::symlink(outside.path().join("files/secret"), inside.path().join("real/files/link")).unwrap();
    let ask = |module: &Path, code: &str| {
        let options = Options { files: Files::below([inside.path()]), ..Options::default() };
        run(&Module(module.to_owned()), code, options).0
    };
    let absolute = format!("file('{}')", outside.path().join("files/secret").display());
    for module in [outside.path(), &link, Path::new("/")] {
        for code in [
            "file('slash/secret')",
            "file('slash/../files/secret')",
            "binary_file('slash/secret')",
            "epp('slash/secret.epp')",
            "load_module_metadata('slash')",
            "slash::f()",
            absolute.as_str(),
        ] {
            let outcome = ask(module, code);
            assert!(outcome.is_err(), "{outcome:?} {code} {}", module.display());
        }
    }
    let real = inside.path().join("real");
    assert_eq!(ask(&real, "file('slash/open')").unwrap(), Value::from("open"));
    let refused = ask(&real, "file('slash/link')").unwrap_err();
    assert!(refused.message.contains("outside of the environment"), "{refused}");
    assert!(refused.help.is_some_and(|help| help.contains("--allow-outside")));
}
