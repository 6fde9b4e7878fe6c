//! One reading finds more than one error, and no error that is none.

use hieratic_diagnostics::Source;
use hieratic_puppet_syntax::{Options, parse};

/// The errors as lines with columns and messages.
fn errors(text: &str) -> Vec<String> {
    let source = Source::new("f", text);
    let parsed = parse(&source, &Options::default());
    let shown = parsed.problems.iter().map(|problem| {
        let (line, column) = problem.position(&source);
        format!("{line}:{column} {}", problem.message)
    });
    shown.collect()
}

#[test]
fn each_broken_resource_is_reported() {
    let text = "\
class a {
  file { '/a':
    ensure => present
    mode   => '0644',
  }
  file { '/b':
    ensure => present,
  }
  file { '/c'
    ensure => present,
  }
  notice('fine')
}

define b {
  $x = [1, 2
  $y = 3
}
$z = 1
";
    let expected = ["4:5 Syntax error at 'mode'", "10:5 Syntax error at 'ensure'", "17:3 Syntax error at 'y'"];
    assert_eq!(errors(text), expected);
}

#[test]
fn a_brace_too_many_is_one_error() {
    assert_eq!(errors("class a {\n}\n}\nclass b { }\n"), ["3:1 Syntax error at '}'"]);
}

#[test]
fn a_brace_too_few_is_one_error() {
    assert_eq!(errors("class a {\n  if $x {\n    notice(1)\n}\n"), ["0:0 Syntax error at end of input"]);
}

#[test]
fn a_broken_head_does_not_condemn_the_body() {
    let text = "class a($x $y) {\n  notice 1\n}\nclass b {\n  include\n  foo bar: baz\n}\n";
    assert_eq!(errors(text), ["1:12 Syntax error at 'y'", "6:10 Syntax error at ':'"]);
}

#[test]
fn an_unterminated_string_hides_later_findings() {
    let text = "$a = )\n$b = 'x\n$c = )\n";
    let unclosed = "2:7 Unclosed quote after \"'\" followed by 'x\\n$c ...'";
    assert_eq!(errors(text), ["1:6 Syntax error at ')'", unclosed]);
    // What is skipped is not trusted.
    assert_eq!(errors("$a = ) 'x\n$c = )\n"), ["1:6 Syntax error at ')'"]);
}

#[test]
fn the_list_of_errors_ends() {
    assert_eq!(errors(&"$a = )\n".repeat(1000)).len(), 20);
}

#[test]
fn arguments_to_no_function_are_reported_with_the_block() {
    let text = "function f {\n  foo 1, 2\n  $x = 1\n}\n)\n";
    let message = "attempt to pass argument list to the function 'foo' which cannot be called without parentheses";
    assert_eq!(errors(text), [&format!("2:8 {message}")[..], "5:1 Syntax error at ')'"]);
}

#[test]
fn a_number_too_large_is_an_error_only_where_the_syntax_is_right() {
    let message =
        "A Literal Integer resulted in a value outside of Puppet Integer max range, got '+0x8000000000000000'";
    assert_eq!(errors("9223372036854775808"), [format!("1:1 {message}")]);
    assert_eq!(errors("01000000000000000000000"), [format!("1:1 {message}")]);
    assert_eq!(errors("0x8000000000000000"), [format!("1:1 {message}")]);
    assert_eq!(errors("9223372036854775808 )"), ["1:21 Syntax error at ')'", &format!("1:1 {message}")]);
    assert_eq!(errors("9223372036854775807"), [""; 0]);
}
