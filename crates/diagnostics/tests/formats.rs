//! Every output format, exactly.

use hieratic_diagnostics::render::{self, SarifRule, Style, Tool};
use hieratic_diagnostics::{Code, Diagnostic, Severity, Source, Span};

const RUSTC: Style = Style { color: false, width: None, wraps: false, verbatim: false };
const PUPPET: Style = Style { color: false, width: None, wraps: false, verbatim: true };
const TOOL: Tool<'_> = Tool { name: "hieratic", version: "0.1.0" };
const DATA_SYNTAX: Code = Code::new("data-syntax", "Data that cannot be read");
const RULE: SarifRule<'_> =
    SarifRule { code: DATA_SYNTAX, explanation: "The file is not well-formed YAML.", page: None };

fn span(source: &Source, subject: &str) -> Span {
    let start = source.text().find(subject).unwrap();
    Span::new(start, start + subject.len())
}

fn diagnostic() -> Diagnostic {
    let source = Source::new("data/common.yaml", "a: 1\nport: {80\u{1b}[31m}\nb: 2\n");
    let at = span(&source, "80\u{1b}");
    Diagnostic::new(Severity::Error, DATA_SYNTAX, "did not find expected ','")
        .label(source, at, "here")
        .note("flow mappings need commas")
        .help("close the brace")
}

fn two_places() -> Diagnostic {
    let data = Source::new("data/common.yaml", "a: 1\n\tport: \"é\"\r\nb:\n  - 2\n  - 3\nc: 4\n");
    let config = Source::new("hiera.yaml", "version: 5\n");
    let (port, list, version) = (span(&data, "\"é\""), span(&data, "b:\n  - 2\n  - 3"), span(&config, "5"));
    Diagnostic::new(Severity::Warning, Code::new("odd", "A title"), "these do not agree")
        .label(data.clone(), port, "a text")
        .label(data, list, "a list")
        .related(config, version, "")
        .location("facts.yaml", Some(7), None)
        .location("more.yaml", Some(7), Some(3))
        .location("other.yaml", None, None)
}

#[test]
fn as_rustc() {
    insta::assert_snapshot!(render::human(&diagnostic(), &RUSTC), @r"
    error[data-syntax]: did not find expected ','
     --> data/common.yaml:2:8
      |
    2 | port: {80␛[31m}
      |        ^^^ here
      |
      = note: flow mappings need commas
      = help: close the brace
    ");
    insta::assert_snapshot!(render::human(&two_places(), &RUSTC), @r#"
    warning[odd]: these do not agree
     --> data/common.yaml:2:8
      |
    2 |       port: "é"
      |             ^^^ a text
    3 | / b:
    4 | |   - 2
    5 | |   - 3
      | |_____- a list
      |
     ::: hiera.yaml:1:10
      |
    1 |   version: 5
      |            -
     ::: facts.yaml:7
     ::: more.yaml:7:3
     ::: other.yaml
    "#);
    let bare = Diagnostic::new(Severity::Note, Code::new("bare", "A title"), "no place").help("none\nat all");
    insta::assert_snapshot!(render::human(&bare, &RUSTC), @r"
    note[bare]: no place
      |
      = help: none
              at all
    ");
    let elsewhere = Diagnostic::new(Severity::Warning, Code::new("w", "A title"), "x\ny")
        .location("f.yaml", Some(3), Some(4))
        .location("g", None, None);
    insta::assert_snapshot!(render::human(&elsewhere.help("z"), &RUSTC), @r"
    warning[w]: x
                y
     --> f.yaml:3:4
     ::: g
      = help: z
    ");
}

#[test]
fn as_puppet() {
    insta::assert_snapshot!(render::human(&diagnostic(), &PUPPET), @r"
    Error: did not find expected ','
     --> data/common.yaml:2:8
      |
    2 | port: {80␛[31m}
      |        ^^^ here
    note: flow mappings need commas
    help: close the brace
    ");
    insta::assert_snapshot!(render::human(&two_places(), &PUPPET), @r#"
    Warning: these do not agree
     --> data/common.yaml:2:8
      |
    2 |       port: "é"
      |             ^^^ a text
    3 | / b:
    4 | |   - 2
    5 | |   - 3
      | |_____- a list
      |
     ::: hiera.yaml:1:10
      |
    1 |   version: 5
      |            -
     ::: facts.yaml:7
     ::: more.yaml:7:3
     ::: other.yaml
    "#);
    let bare = Diagnostic::new(Severity::Note, Code::new("bare", "A title"), "no place");
    assert_eq!(render::human(&bare, &PUPPET), "Notice: no place\n");
    let elsewhere = Diagnostic::new(Severity::Error, Code::new("e", "A title"), "x").location("f.yaml", Some(3), None);
    assert_eq!(render::human(&elsewhere, &PUPPET), "Error: x\n --> f.yaml:3\n");
}

#[test]
fn in_colour() {
    let color = |style: Style| render::human(&diagnostic(), &Style { color: true, ..style }).replace('\u{1b}', "^");
    insta::assert_snapshot!(color(RUSTC), @r"
    ^[1m^[91merror[data-syntax]^[0m^[1m: did not find expected ','^[0m
     ^[1m^[94m--> ^[0mdata/common.yaml:2:8
      ^[1m^[94m|^[0m
    ^[1m^[94m2^[0m ^[1m^[94m|^[0m port: {80␛[31m}
      ^[1m^[94m|^[0m        ^[1m^[91m^^^^[0m ^[1m^[91mhere^[0m
      ^[1m^[94m|^[0m
      ^[1m^[94m= ^[0m^[1mnote^[0m: flow mappings need commas
      ^[1m^[94m= ^[0m^[1mhelp^[0m: close the brace
    ");
    insta::assert_snapshot!(color(PUPPET), @r"
    ^[1m^[31mError: did not find expected ','^[0m
     ^[1m^[94m--> ^[0mdata/common.yaml:2:8
      ^[1m^[94m|^[0m
    ^[1m^[94m2^[0m ^[1m^[94m|^[0m port: {80␛[31m}
      ^[1m^[94m|^[0m        ^[1m^[91m^^^^[0m ^[1m^[91mhere^[0m
    note: flow mappings need commas
    help: close the brace
    ");
}

#[test]
fn at_the_end() {
    let at = |text: &str, start, end| {
        render::human(
            &Diagnostic::new(Severity::Error, Code::new("e", "A title"), "x").label(
                Source::new("f", text),
                Span::new(start, end),
                "y",
            ),
            &PUPPET,
        )
    };
    insta::assert_snapshot!(at("", 0, 0), @r"
    Error: x
     --> f:1:1
      |
    1 |
      | ^ y
    ");
    insta::assert_snapshot!(at("a: [\n", 99, 99), @r"
    Error: x
     --> f:2:1
      |
    2 |
      | ^ y
    ");
    insta::assert_snapshot!(at("a: [\nb", 4, 5), @r"
    Error: x
     --> f:1:5
      |
    1 | a: [
      |     ^ y
    ");
    insta::assert_snapshot!(at("a: [\r\nb\n", 3, 6), @r"
    Error: x
     --> f:1:4
      |
    1 | a: [
      |    ^ y
    ");
}

#[test]
fn long_lines_are_cut_around_the_fault() {
    let text = format!("{{{}\"bad\"{}}}", "1, ".repeat(100_000), ", 2".repeat(100_000));
    let source = Source::new("long.json", text);
    let at = span(&source, "\"bad\"");
    let diagnostic = Diagnostic::new(Severity::Error, Code::new("e", "A title"), "x").label(source, at, "no number");
    insta::assert_snapshot!(render::human(&diagnostic, &Style { width: Some(60), ..PUPPET }), @r#"
    Error: x
     --> long.json:1:300002
      |
    1 | ..., 1, 1, 1, 1, 1, "bad", 2, 2, 2, 2, 2, 2, 2, 2, 2,...
      |                     ^^^^^ no number
    "#);
    assert!(render::human(&diagnostic, &PUPPET).lines().all(|line| line.chars().count() <= 145));
}

#[test]
fn labels_far_apart_are_shown_apart() {
    let source = Source::new("f", "line\n".repeat(100_000));
    let (first, last) = (source.offset(3, 2), source.offset(90_000, 1));
    let all = Span::new(first, last);
    let diagnostic = Diagnostic::new(Severity::Error, Code::new("e", "A title"), "x")
        .label(source.clone(), Span::new(last, last + 4), "here")
        .label(source.clone(), all, "and here")
        .label(source, Span::new(first + 15, first + 16), "and there");
    insta::assert_snapshot!(render::human(&diagnostic, &PUPPET), @r"
    Error: x
         --> f:90000:1
          |
    90000 | line
          | ^^^^ here
          |
         ::: f:3:2
          |
        3 | line
          |  --- and here
    ...
        6 | line
          |  - and there
    ");
}

#[test]
fn as_json() {
    insta::assert_snapshot!(render::json(&diagnostic()), @r#"{"severity":"error","code":"data-syntax","message":"did not find expected ','","labels":[{"file":"data/common.yaml","line":2,"column":8,"end_line":2,"end_column":11,"text":"here","primary":true}],"notes":["flow mappings need commas"],"help":["close the brace"]}"#);
    insta::assert_snapshot!(render::json(&two_places()), @r#"{"severity":"warning","code":"odd","message":"these do not agree","labels":[{"file":"data/common.yaml","line":2,"column":8,"end_line":2,"end_column":11,"text":"a text","primary":true},{"file":"data/common.yaml","line":3,"column":1,"end_line":5,"end_column":6,"text":"a list","primary":false},{"file":"hiera.yaml","line":1,"column":10,"end_line":1,"end_column":11,"text":"","primary":false},{"file":"facts.yaml","line":7,"column":null,"end_line":null,"end_column":null,"text":"","primary":false},{"file":"more.yaml","line":7,"column":3,"end_line":null,"end_column":null,"text":"","primary":false},{"file":"other.yaml","line":null,"column":null,"end_line":null,"end_column":null,"text":"","primary":false}],"notes":[],"help":[]}"#);
    let hostile = Diagnostic::new(Severity::Error, Code::new("e", "A title"), "\u{1b}[31m\u{9b}31m\n\u{2028}\"é");
    insta::assert_snapshot!(render::json(&hostile), @r#"{"severity":"error","code":"e","message":"\u001b[31m\u009b31m\n\u2028\"é","labels":[],"notes":[],"help":[]}"#);
}

#[test]
fn as_sarif() {
    insta::assert_snapshot!(pretty(&render::sarif(&[two_places(), diagnostic()], &[RULE], &TOOL)), @r#"
    {
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
      "version": "2.1.0",
      "runs": [
        {
          "tool": {
            "driver": {
              "name": "hieratic",
              "version": "0.1.0",
              "rules": [
                {
                  "id": "data-syntax",
                  "shortDescription": {
                    "text": "Data that cannot be read"
                  },
                  "fullDescription": {
                    "text": "The file is not well-formed YAML."
                  }
                },
                {
                  "id": "odd"
                }
              ]
            }
          },
          "columnKind": "unicodeCodePoints",
          "results": [
            {
              "ruleId": "odd",
              "level": "warning",
              "message": {
                "text": "these do not agree"
              },
              "locations": [
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "uri": "data/common.yaml"
                    },
                    "region": {
                      "startLine": 2,
                      "startColumn": 8,
                      "endLine": 2,
                      "endColumn": 11
                    }
                  },
                  "message": {
                    "text": "a text"
                  }
                }
              ],
              "ruleIndex": 1,
              "relatedLocations": [
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "uri": "data/common.yaml"
                    },
                    "region": {
                      "startLine": 3,
                      "startColumn": 1,
                      "endLine": 5,
                      "endColumn": 6
                    }
                  },
                  "message": {
                    "text": "a list"
                  }
                },
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "uri": "hiera.yaml"
                    },
                    "region": {
                      "startLine": 1,
                      "startColumn": 10,
                      "endLine": 1,
                      "endColumn": 11
                    }
                  }
                },
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "uri": "facts.yaml"
                    },
                    "region": {
                      "startLine": 7
                    }
                  }
                },
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "uri": "more.yaml"
                    },
                    "region": {
                      "startLine": 7,
                      "startColumn": 3
                    }
                  }
                },
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "uri": "other.yaml"
                    }
                  }
                }
              ]
            },
            {
              "ruleId": "data-syntax",
              "level": "error",
              "message": {
                "text": "did not find expected ','\nflow mappings need commas\nclose the brace"
              },
              "locations": [
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "uri": "data/common.yaml"
                    },
                    "region": {
                      "startLine": 2,
                      "startColumn": 8,
                      "endLine": 2,
                      "endColumn": 11
                    }
                  },
                  "message": {
                    "text": "here"
                  }
                }
              ],
              "ruleIndex": 0
            }
          ]
        }
      ]
    }
    "#);
    let elsewhere = Diagnostic::new(Severity::Error, Code::new("e", "A title"), "x")
        .location("/a b", Some(0), Some(3))
        .location("c", None, Some(1));
    insta::assert_snapshot!(render::sarif(&[elsewhere], &[], &TOOL), @r#"{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":{"name":"hieratic","version":"0.1.0","rules":[{"id":"e"}]}},"columnKind":"unicodeCodePoints","results":[{"ruleId":"e","level":"error","message":{"text":"x"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"file:///a%20b"}}},{"physicalLocation":{"artifactLocation":{"uri":"c"}}}],"ruleIndex":0}]}]}"#);
    insta::assert_snapshot!(render::sarif(&[], &[RULE], &TOOL), @r#"{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":{"name":"hieratic","version":"0.1.0","rules":[]}},"columnKind":"unicodeCodePoints","results":[]}]}"#);
}

fn pretty(json: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(json).unwrap();
    serde_json::to_string_pretty(&value).unwrap()
}

/// Of a line that goes on for pages only what is near its labels is drawn, with the place beside it.
#[test]
fn a_long_line_is_cut_before_its_labels() {
    let text = format!("{}wrong{}", "a".repeat(100_000), "b".repeat(100_000));
    let source = Source::new("long.json", text);
    let label = |start: usize| {
        let diagnostic = Diagnostic::new(Severity::Error, Code::new("x", "A title"), "It is wrong").label(
            source.clone(),
            Span::new(start, start + 5),
            "here",
        );
        render::human(&diagnostic, &render::Style { wraps: false, verbatim: true, ..render::Style::default() })
    };
    let shown = label(100_000);
    assert!(shown.contains("long.json:1:100001") && shown.contains("wrong") && shown.len() < 1_000, "{shown}");
    assert!(!shown.contains(":::"), "{shown}");
    let lines: Vec<&str> = shown.lines().collect();
    let drawn = lines.iter().find(|line| line.contains("wrong") && line.starts_with('1')).unwrap();
    let marks = lines.iter().find(|line| line.contains("^^^^^ here")).unwrap();
    assert_eq!(drawn.find("wrong"), marks.find('^'), "{shown}");
    assert!(label(3).contains("long.json:1:4"));
}

#[test]
fn messages_fit_the_terminal() {
    let code = Code::new("io", "A file cannot be read");
    let message = "Could not run: the file /etc/a.yaml is larger than the limit of bytes";
    let diagnostic =
        Diagnostic::new(Severity::Error, code, message).help("pass a larger --limit bytes=SIZE, such as 10M");
    let style = Style { color: false, width: Some(40), wraps: true, verbatim: true };
    assert_eq!(
        render::human(&diagnostic, &style),
        "Error: Could not run: the file\n  /etc/a.yaml is larger than the limit\n  of bytes\n\
         help: pass a larger --limit bytes=SIZE,\n  such as 10M\n"
    );
}
