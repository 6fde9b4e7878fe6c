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
    assert_finds("if defined(Package['a']) and nope3('x') { }", &[]);
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
