//! Misspelled strategies and directives, and the remains of `+%: merge`.

use std::path::Path;

use hieratic_directives::{Document, File, Files, LocalFiles, Options, ReadFault, RestoreOptions, expand, restore};
use hieratic_value::Value;

fn read(text: &str) -> Document {
    Document::parse(text, "main.yaml", ".".as_ref()).unwrap()
}

/// Expands a document. Returns the value or the error messages, and the warnings, each with its help.
fn expand_text(text: &str) -> (Result<Value, Vec<String>>, Vec<String>) {
    let line = |one: &hieratic_diagnostics::Diagnostic| format!("{} ({})", one.message, one.help.join(", "));
    match expand(&read(text), &mut LocalFiles::below(".".as_ref()), &Options::default()) {
        Ok(expanded) => (Ok(expanded.to_value()), expanded.warnings().iter().map(line).collect()),
        Err(failure) => (Err(failure.diagnostics().iter().map(line).collect()), Vec::new()),
    }
}

fn value(text: &str) -> Value {
    read(text).root().to_value()
}

#[test]
fn a_misspelled_strategy_is_an_error() {
    for (text, suggestion) in [
        ("b: {x: {a: 1}}\nu: {+/b: , x: {+%: whitout}}\n", "whiteout"),
        ("b: {x: {a: 1}}\nu: {+/b: , x: {+%: Merge, c: 1}}\n", "merge"),
        ("x: {+%: repalce}\n", "replace"),
        ("l: [{+%: nullou}]\n", "nullout"),
    ] {
        let faults = expand_text(text).0.unwrap_err();
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].ends_with(&format!("is not known (did you mean '{suggestion}'?)")), "{faults:?}");
    }
}

#[test]
fn an_unknown_strategy_replaces_with_a_warning() {
    let (value_of, warnings) = expand_text("base: {x: {a: 1}}\nt: {+/base: , x: {+%: other, c: 3}}\n");
    assert_eq!(value_of.unwrap(), value("{base: {x: {a: 1}}, t: {x: {c: 3}}}"));
    assert_eq!(
        warnings,
        ["the merge strategy 'other' is not known: the map replaces the one below it \
          (the strategies are merge, whiteout, nullout, error, replace)"]
    );
    for nothing in ["''", "null", "false", "0"] {
        let (_, warnings) =
            expand_text(&format!("base: {{x: {{a: 1}}}}\nt: {{+/base: , x: {{+%: {nothing}, c: 3}}}}\n"));
        assert!(warnings.is_empty(), "{warnings:?}");
    }
}

#[test]
fn a_misspelled_include_is_an_error() {
    for (key, suggestion) in [("+inlcude", "+include"), ("+?includ-tls", "+?include-tls"), ("+icnlude_1", "+include_1")]
    {
        let faults = expand_text(&format!("a: {{'{key}': x.yaml}}\n")).0.unwrap_err();
        assert_eq!(faults, [format!("the key '{key}' is not a directive (did you mean '{suggestion}'?)")]);
        assert!(expand_text(&format!("a: {{'{key}': {{file: x.yaml}}}}\n")).0.is_err(), "{key}");
    }
    // Data, as the variables of an environment are written.
    for data in ["{+HOME: }", "{+exclude: x}", "{+inlcude: 1}", "{+foo: bar}", "{+in: x.yaml}"] {
        let (value_of, warnings) = expand_text(&format!("a: {data}\n"));
        assert_eq!((value_of.unwrap(), warnings.len()), (value(&format!("a: {data}\n")), 0), "{data}");
    }
}

#[test]
fn unknown_keys_of_an_include_are_warned_about() {
    let text = "a: {+?include: {file: none.yaml, whne: X, 1: 2, merge: rwa}}\n";
    let (_, warnings) = expand_text(text);
    assert_eq!(
        warnings,
        [
            "the key 'whne' of an include is not known, and has no effect (did you mean 'when'?)",
            "the key '1' of an include is not known, and has no effect (the keys are file, merge, repository, when)",
            "the value 'rwa' of `merge` is not known, and has no effect (did you mean 'raw'?)",
        ]
    );
    let (_, warnings) = expand_text("a: {+?include: {file: none.yaml, merge: raw, when: X, repository: }}\n");
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[test]
fn an_unused_merge_strategy_stays() {
    let text =
        "base: {v: {a: 1}}\nt: {+/base: , v: {+%: merge, b: 2}}\nu: {v: {+%: merge, c: 3}, l: [{+%: merge, d: 4}]}\n";
    let expanded = "{base: {v: {a: 1}}, t: {v: {b: 2, a: 1}}, u: {v: {+%: merge, c: 3}, l: [{+%: merge, d: 4}]}}";
    assert_eq!(expand_text(text).0.unwrap(), value(expanded));
    let options = Options { is_final: true, ..Options::default() };
    let result = expand(&read(text), &mut LocalFiles::below(".".as_ref()), &options).unwrap();
    assert_eq!(result.to_value(), value("{base: {v: {a: 1}}, t: {v: {b: 2, a: 1}}, u: {v: {c: 3}, l: [{d: 4}]}}"));
}

/// Restores a document for changed data, and checks the law.
fn restored(text: &str, changed: &str) -> String {
    let changed = value(changed);
    let mut files = LocalFiles::below(".".as_ref());
    let restored = restore(&read(text), &changed, &mut files, &RestoreOptions::default()).unwrap().text;
    assert_eq!(expand_text(&restored).0.unwrap(), changed, "{restored}");
    restored
}

#[test]
fn an_unused_merge_strategy_is_restored() {
    let text = "v:\n  +%: merge\n  a: 1\nw: 2\n";
    assert_eq!(restored(text, "{v: {+%: merge, a: 1}, w: 3}"), text.replace("w: 2", "w: 3"));
    assert_eq!(restored(text, "{v: {+%: merge, a: 5}, w: 2}"), text.replace("a: 1", "a: 5"));
    assert_eq!(restored(text, "{v: {a: 1}, w: 2}"), "v:\n  a: 1\nw: 2\n");
    assert_eq!(restored("v:\n  a: 1\n", "{v: {a: 1, +%: merge}}"), "v:\n  a: 1\n  +%: merge\n");
}

#[test]
fn overriding_one_key_of_an_inherited_item_is_short() {
    let text = "base:\n  name: b\n  servers:\n  - {host: a, port: 1, tags: [x], opts: {q: 1}}\n  - plain\n  - {host: b, port: 2, tags: [y], opts: {q: 2}}\n  - {host: c, port: 3}\nweb:\n  # the defaults\n  +/base: # of all\n  name: w\n";
    let changed = |second: &str, more: &str| {
        format!(
            "{{base: {{name: b, servers: [{{host: a, port: 1, tags: [x], opts: {{q: 1}}}}, plain, {{host: b, port: 2, \
             tags: [y], opts: {{q: 2}}}}, {{host: c, port: 3}}]}}, web: {{name: w, servers: [{{host: a, port: 1, tags: \
             [x], opts: {{q: 1}}}}, plain, {second}, {{host: c, port: 3}}{more}]}}}}"
        )
    };
    let own = |second: &str| format!("  servers:\n  - +%: merge\n  - plain\n  - +%: merge\n{second}");
    assert_eq!(
        restored(text, &changed("{host: b, port: 9, tags: [y], opts: {q: 2}}", "")),
        format!("{text}{}", own("    port: 9\n"))
    );
    // A key that goes, one in a map, and an item that is appended.
    assert_eq!(
        restored(text, &changed("{host: b, tags: [y], opts: {q: 3}}", ", last")),
        format!("{text}{}  - last\n", own("    port:\n      +%: whiteout\n    opts:\n      q: 3\n"))
    );
}

/// Files and repositories of a test.
struct IncludedFiles;

impl Files for IncludedFiles {
    fn read(&mut self, name: &str, folder: &Path) -> Result<File, ReadFault> {
        let path = folder.join(name).display().to_string();
        let text = match path.as_str() {
            "/d/shared.yaml" => "from: beside\n",
            "/lib/shared.yaml" | "/lib/./shared.yaml" => "from: repository\n+include: deeper/more.yaml\n",
            "/lib/deeper/more.yaml" => "more: 1\n",
            "/lib/template.yaml" => "spec: {service_template: {repositories: {late: {url: 'file:/lib'}}}}\n",
            "/d/empty.py" => "# import tosca\n\n",
            "/d/code.py" => "import tosca\n",
            _ => return Err(ReadFault { message: format!("no {path}"), help: None, absent: true }),
        };
        let folder = Path::new(&path).parent().map(Path::to_owned);
        Ok(File { name: path.clone(), identity: path, folder, text: text.to_owned() })
    }

    fn repository(
        &mut self,
        name: &str,
        address: Option<&str>,
        folder: &Path,
    ) -> Result<std::path::PathBuf, ReadFault> {
        match (name, address) {
            ("spec", None) | (_, Some("file:/lib")) => Ok("/lib".into()),
            (_, Some(_)) => Err(ReadFault { message: "would have to be cloned".to_owned(), help: None, absent: false }),
            (_, None) => Err(ReadFault {
                message: format!("no repository has the name '{name}' in {}", folder.display()),
                help: None,
                absent: true,
            }),
        }
    }
}

/// Expands a document with files and repositories.
fn given(text: &str) -> Result<(Value, Vec<String>), String> {
    let document = Document::parse(text, "main.yaml", "/d".as_ref()).unwrap();
    let expanded = expand(&document, &mut IncludedFiles, &Options::default()).map_err(|failure| failure.to_string())?;
    let warnings = expanded.warnings().iter().map(|warning| warning.message.clone()).collect();
    Ok((expanded.to_value(), warnings))
}

#[test]
fn includes_resolve_in_their_repository() {
    let repository = value("{m: {from: repository, more: 1}}");
    for text in [
        "m: {+include: {file: shared.yaml, repository: spec}}\n",
        "m: {+include: {file: ./shared.yaml, repository: {url: 'file:/lib'}}}\n",
    ] {
        assert_eq!(given(text), Ok((repository.clone(), Vec::new())), "{text}");
    }
    assert_eq!(given("m: {+include: shared.yaml}\n").unwrap().0, value("{m: {from: beside}}"));
    let declared =
        "environment: {repositories: {lib: {url: 'file:/lib'}}}\nm: {+include: {file: shared.yaml, repository: lib}}\n";
    assert_eq!(given(declared).unwrap().0.as_hash().unwrap().get("m"), repository.as_hash().unwrap().get("m"));
    // A file that is included later declares it.
    let late = "m: {+include: {file: shared.yaml, repository: late}}\nn: {+include: {file: template.yaml, repository: spec}}\n";
    assert_eq!(given(late).unwrap().0.as_hash().unwrap().get("m"), repository.as_hash().unwrap().get("m"));
}

#[test]
fn a_missing_repository_is_an_error() {
    for (include, message) in [
        (
            "{file: shared.yaml, repository: none}",
            "missing includes: [\"+include:{'file': 'shared.yaml', 'repository': 'none'}\"]",
        ),
        ("{file: ../d/shared.yaml, repository: spec}", "Path not allowed outside of repository spec"),
        ("{file: a/../../d/shared.yaml, repository: spec}", "Path not allowed outside of repository spec"),
        ("{file: /d/shared.yaml, repository: spec}", "Path not allowed outside of repository spec"),
        ("{file: 'https://x/y.yaml', repository: spec}", "Path not allowed outside of repository spec"),
        ("{file: shared.yaml, repository: {name: x}}", "bad inline repository definition"),
        ("{file: shared.yaml, repository: [spec]}", "bad inline repository definition"),
        ("{file: shared.yaml, repository: {url: 'https://x/y.git'}}", "would have to be cloned"),
    ] {
        let failure = given(&format!("m: {{+include: {include}}}\n")).unwrap_err();
        assert!(failure.contains(message), "{include}: {failure}");
    }
    let (result, warnings) = given("m: {+?include: {file: x.yaml, repository: {url: 'https://x/y.git'}}}\n").unwrap();
    assert_eq!(result, value("m: {}\n"));
    assert_eq!(warnings.len(), 1, "{warnings:?}");
}

#[test]
fn python_includes_are_an_error() {
    let defined = "{m: {tosca_definitions_version: tosca_simple_unfurl_1_0_0, topology_template: {}}}";
    assert_eq!(given("m: {+?include: empty.py}\n"), Ok((value(defined), Vec::new())));
    let (result, warnings) = given("m: {+?include: code.py}\n").unwrap();
    assert_eq!(result, value("m: {}\n"));
    assert!(warnings[0].ends_with("it is Python, and its classes are not run"), "{warnings:?}");
    assert!(given("m: {+include: code.py}\n").unwrap_err().ends_with("its classes are not run"));
    assert_eq!(given("m: {+?include: none.py}\n"), Ok((value("m: {}\n"), Vec::new())));
}
