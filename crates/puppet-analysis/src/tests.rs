use hieratic_diagnostics::{Severity, Source};

use crate::{File, LanguageProgram, analyze_file, summarize};

/// The findings in a manifest: their codes and messages.
fn found(code: &str) -> Vec<String> {
    let source = Source::new("site.pp", code);
    let tree = hieratic_puppet_syntax::parse(&source, &Default::default()).program.unwrap();
    let program = LanguageProgram::new([summarize(&tree)].into_iter().collect());
    let all = analyze_file(&program, &File::new(&tree));
    all.iter().map(|one| format!("{}: {}", one.check.id, one.message)).collect()
}

fn assert_finds(code: &str, expected: &[&str]) {
    assert_eq!(found(code), expected, "{code}");
}

#[test]
fn values_are_inferred_through_variables() {
    assert_finds(
        "define d(Integer $p) { }\nclass c(String $s) { $x = $s d { 'a': p => $x } }",
        &["attribute-type: the defined type 'd': parameter 'p' expects an Integer value, got String"],
    );
    // A variable of a block hides one of the class.
    assert_finds("define d(Integer $p) { }\nclass c(String $s) { [1].each |$s| { d { \"a${s}\": p => $s } } }", &[]);
    // The value is an expression of its own scope.
    assert_finds(
        "define d(Integer $p) { }\nclass c($s) { $x = $s [1].each |String $s| { d { \"a${s}\": p => $x } } }",
        &[],
    );
    // One branch sets it to something else, or nothing does.
    assert_finds(
        "define d(Integer $p) { }\nclass c($s) { if $s { $x = 'a' } else { $x = 1 } d { 'a': p => $x } }",
        &[],
    );
    assert_finds("define d(Integer $p = 1) { }\nclass c($s) { if $s { $x = 'a' } d { 'a': p => $x } }", &[]);
}

#[test]
fn types_with_values_in_common_fit() {
    for kind in ["Any", "Variant[String, Integer]", "Optional[Integer]", "Scalar", "Numeric", "NotUndef", "Data"] {
        assert_finds(&format!("define d(Integer $p) {{ }}\nclass c({kind} $s) {{ d {{ 'a': p => $s }} }}"), &[]);
    }
    for kind in ["Boolean", "Array", "Hash[String, Integer]", "Enum['1', '2']", "Sensitive[Integer]"] {
        let code = format!("define d(Integer $p) {{ }}\nclass c({kind} $s) {{ d {{ 'a': p => $s }} }}");
        assert_eq!(found(&code).len(), 1, "{code}");
    }
}

#[test]
fn undef_stands_for_a_default() {
    assert_finds("define d(Integer $p = 1) { }\nd { 'a': p => undef }", &[]);
    assert_finds("define d(Integer $p = 1) { }\nclass c(Optional[Integer] $x) { d { 'a': p => $x } }", &[]);
    assert_eq!(found("define d(Integer $p = 1) { }\nclass c(Optional[String] $x) { d { 'a': p => $x } }").len(), 1);
}

#[test]
fn blocks_declare_for_themselves() {
    assert_finds("class c { [1].each |$i| { notify { 'a': } }\n [2].each |$i| { notify { 'a': } } }", &[]);
    assert_finds("class c { [1].each |$i| { $x = $i }\n $x = 2 }", &[]);
    assert_eq!(found("class c { [1].each |$i| { $x = $i\n $x = 2 } }").len(), 1);
}

#[test]
fn conditions_about_declarations_cover_their_branches() {
    assert_finds("if defined('nope') { nope { 'a': } nope2('x') }", &[]);
    assert_finds("if defined(Class['a']) and nope3('x') { }", &[]);
    assert_eq!(found("if defined(Package['a']) and nope3('x') { }").len(), 1);
    assert_finds("class c { package { 'a': }\n unless defined(Package['a']) { package { 'a': } } }", &[]);
}

#[test]
fn fixes_are_safe_if_the_value_stays() {
    let source =
        Source::new("site.pp", "define d(Integer $port) { }\nd { 'a': port => '80' }\nd { 'b': prt => 80, port => 1 }");
    let tree = hieratic_puppet_syntax::parse(&source, &Default::default()).program.unwrap();
    let program = LanguageProgram::new([summarize(&tree)].into_iter().collect());
    let all = analyze_file(&program, &File::new(&tree));
    let fixes: Vec<_> = all.iter().filter_map(|one| one.fix.as_ref()).collect();
    let edits: Vec<_> =
        fixes.iter().map(|fix| (fix.is_safe, source.slice(fix.edits[0].span), &*fix.edits[0].text)).collect();
    assert_eq!(edits, [(true, "'80'", "80"), (false, "prt", "port")]);
}

#[test]
fn deep_code_is_walked() {
    let depth = 400;
    let code = format!("$x = {}1{}", "[".repeat(depth), "]".repeat(depth));
    assert_finds(&code, &[]);
    let code = format!("{}notfy('x'){}", "if $facts['x'] { ".repeat(depth), " }".repeat(depth));
    assert_eq!(found(&code).len(), 1);
}

#[test]
fn slashes_at_the_end_of_a_path_do_not_count() {
    assert_finds("file { '/etc/x/': }\nfile { '/etc/x/y': require => File['/etc/x'] }", &[]);
    assert_eq!(found("file { '/etc/xx/': }\nfile { '/etc/x/y': require => File['/etc/z'] }").len(), 1);
}

#[test]
fn variables_that_set_themselves_end() {
    assert_finds("class c { $a = $b\n $b = $a\n notice($a) }", &[]);
}

#[test]
fn every_check_has_its_severity() {
    let errors = crate::ALL.iter().filter(|check| check.severity == Severity::Error).count();
    assert!(errors > 10 && errors < crate::ALL.len());
}

#[test]
fn conditions_narrow_types() {
    let define = "define d(Integer $p) { }\n";
    let expected = "attribute-type: the defined type 'd': parameter 'p' expects an Integer value, got String";
    for body in [
        "if $v =~ String { d { 'a': p => $v } }",
        "if $v =~ Integer { } elsif true { d { 'a': p => $v } }",
        "unless $v =~ Integer { d { 'a': p => $v } }",
        "if $v !~ String { fail('x') }\n d { 'a': p => $v }",
        "if !($v =~ Integer) { d { 'a': p => $v } }",
        "if $v =~ String and true { d { 'a': p => $v } }",
        "case $v { String: { d { 'a': p => $v } } default: { } }",
        "case $v { Integer: { } default: { d { 'a': p => $v } } }",
        "case $v { String: { } default: { fail('x') } }\n d { 'a': p => $v }",
        "assert_type(String, $v)\n d { 'a': p => $v }",
        "if $v.is_a(String) { d { 'a': p => $v } }",
        "[1].each |$i| { if $v =~ String { d { 'a': p => $v } } }",
    ] {
        assert_finds(&format!("{define}class c(Variant[Integer, String] $v) {{ {body} }}"), &[expected]);
    }
    for body in [
        "if $v =~ Integer { d { 'a': p => $v } }",
        "if $v =~ String { } else { d { 'a': p => $v } }",
        "if $v =~ String { fail('x') }\n d { 'a': p => $v }",
        "split('1', ',').map |$v| { Integer($v) }.each |$v| { if $v =~ Integer { d { \"a${v}\": p => $v } } }",
        "if $v =~ String or $v =~ Integer { d { 'a': p => $v } }",
        "case $v { String: { } Integer: { d { 'a': p => $v } } default: { } }",
        "d { 'a': p => $v ? { String => 1, default => $v } }",
        "if $v =~ String { [1].each |$v| { d { \"a${v}\": p => $v } } }",
    ] {
        assert_finds(&format!("{define}class c(Variant[Integer, String] $v) {{ {body} }}"), &[]);
    }
}

#[test]
fn conditions_on_parts_of_variables_hold_for_these() {
    let define = "define d(Integer $p) { }\n";
    let found = |body: &str| found(&format!("{define}class c(Hash $h) {{ {body} }}")).len();
    assert_eq!(found("if $h['a'] =~ String { d { 'a': p => $h['a'] } }"), 1);
    assert_eq!(found("if $h['a'] =~ String { d { 'a': p => $h['b'] } }"), 0);
    assert_eq!(found("if $h['a'] =~ Hash { d { 'a': p => $h['a']['b'] } }"), 0);
}

#[test]
fn a_variable_that_is_set_behind_a_condition_is_not_narrowed() {
    assert_finds("define d(Integer $p) { }\nclass c { if $x == undef { $x = 5\n d { 'a': p => $x } } }", &[]);
}

#[test]
fn comparisons_that_never_hold_follow_from_conditions() {
    assert_finds(
        "class c(Enum['a', 'b'] $v) { if $v == 'a' { } elsif $v == 'a' { notice(1) } }",
        &["constant-condition: the comparison is always false: it compares Enum['b'] with 'a'"],
    );
    assert_finds(
        "class c(String $v) { if $v =~ Integer { notice(1) } }",
        &["constant-condition: the match is always false: the value is of type String"],
    );
    assert_finds(
        "class c(String $v) { if $v =~ String { notice(1) } }",
        &["constant-condition: the match is always true: the value is of type String"],
    );
    assert_finds("class c(Optional[String] $v) { if $v =~ String { notice(1) } }", &[]);
}

#[test]
fn elements_have_types() {
    let define = "define d(Integer $p) { }\n";
    let found = |kind: &str, body: &str| found(&format!("{define}class c({kind} $v) {{ {body} }}")).len();
    assert_eq!(found("Struct[{a => String}]", "d { 'a': p => $v['a'] }"), 1);
    assert_eq!(found("Struct[{a => Integer}]", "d { 'a': p => $v['a'] }"), 0);
    assert_eq!(found("Hash[String, String]", "d { 'a': p => $v['x'] }"), 1);
    assert_eq!(found("Array[String]", "$v.each |$one| { d { $one: p => $one } }"), 1);
    assert_eq!(found("Array[String]", "$v.each |$i, $one| { d { $one: p => $i } }"), 0);
    assert_eq!(found("Hash[String, Integer]", "$v.each |$k, $one| { d { $k: p => $one } }"), 0);
    assert_eq!(found("Hash[String, Integer]", "$v.each |$k, $one| { d { $k: p => $k } }"), 1);
}

#[test]
fn narrowing_takes_time_in_proportion() {
    // Every variable is set from the one before it, twice, and every condition asks about it.
    let mut code = String::from("class c($w0) {\n$v0 = 1\n");
    for index in 1..200 {
        let before = index - 1;
        code += &format!("$v{index} = [$v{before}, $v{before}]\nif $v{index} =~ Array {{ notice($v{index}) }}\n");
        code += &format!("$w{index} = [$w{before}, [$w{before}, \"${{w{before}}}\"]]\n");
    }
    code += "}\n";
    let start = std::time::Instant::now();
    found(&code);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn facts_are_misspelled() {
    assert_finds("class c { $x = $facts['kernal'] }", &["undefined-fact: no fact 'kernal' is known"]);
    assert_finds("class c { $x = $facts['netwrking']['ip'] }", &["undefined-fact: no fact 'netwrking' is known"]);
    assert_finds("class c { $x = $facts['oss']['family'] }", &["undefined-fact: no fact 'oss' is known"]);
    // It may be another fact: a custom one, or one of many.
    assert_finds("class c { $x = $facts['oss']['vendor'] $y = $facts['oss'] }", &[]);
    assert_finds("class c { $x = $facts['processor']['count'] $y = $facts['role'] $z = $facts['kernel'] }", &[]);
}

#[test]
fn references_begin_with_a_capital_letter() {
    let of_file = ["operand-type: the key of a string is not a number"];
    assert_finds("class c(String $x) { notify { 'a': require => file[$x] } }", &of_file);
    assert_finds("class c(Integer $x) { notify { 'a': message => file[$x] } }", &[]);
    assert_finds("class c(String $x) { notify { 'a': message => word[$x] } }", &[]);
}

#[test]
fn each_branch_of_a_value_is_judged() {
    assert_finds(
        "class c($a, Integer $x = $a ? { 1 => 1200, default => '300' }) { }",
        &["attribute-type: the default of the parameter 'x' expects an Integer value, got String"],
    );
    assert_finds(
        "define d(Boolean $p) { }\nclass c($a) { d { 'a': p => if $a { true } else { 'no' } } }",
        &["attribute-type: the defined type 'd': parameter 'p' expects a Boolean value, got String"],
    );
    assert_finds("class c($a, Optional[Integer] $x = $a ? { 1 => 1200, default => undef }) { }", &[]);
    assert_finds(
        "define d(Boolean $p = true) { }\nclass c($a, $b) { d { 'a': p => $a ? { 1 => $b, default => undef } } }",
        &[],
    );
}

#[test]
fn a_collector_may_find_nothing() {
    let severity = |code: &str| {
        let source = Source::new("site.pp", code);
        let tree = hieratic_puppet_syntax::parse(&source, &Default::default()).program.unwrap();
        let program = LanguageProgram::new([summarize(&tree)].into_iter().collect());
        analyze_file(&program, &File::new(&tree)).iter().map(|one| one.severity).collect::<Vec<_>>()
    };
    let code = |side: &str| format!("class m {{ }}\nclass m::a {{ {side} -> Class['m::nothing'] }}");
    assert_eq!(severity(&code("Class['m']")), [Severity::Error]);
    assert_eq!(severity(&code("Package <| |>")), [Severity::Warning]);
    assert_eq!(severity(&code("Class['m'] -> Package <| |>")), [Severity::Warning]);
}
