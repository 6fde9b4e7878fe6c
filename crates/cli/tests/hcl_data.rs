//! `data_hash: hcl_data`: data in HCL, as a user sees it.

use std::fs;
use std::process::Command;

/// The answer to a question with a hierarchy of one level that reads `data.hcl`, and the exit status.
fn ask(hcl: &str, level: &str, arguments: &[&str]) -> (String, bool) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    fs::create_dir(root.join("data")).unwrap();
    let hiera = format!("version: 5\nhierarchy:\n  - name: H\n    data_hash: hcl_data\n    {level}\n");
    fs::write(root.join("hiera.yaml"), hiera).unwrap();
    fs::write(root.join("data/data.hcl"), hcl).unwrap();
    fs::write(root.join("data/web.tfvars"), "role = \"from tfvars\"\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .args(["lookup", "--node", "web01.example.com", "--fact", "site=lon", "--confdir", "/none"])
        .args(["--fact", "roles=[\"web\",\"db\"]", "--environment-dir"])
        .arg(&root)
        .args(arguments)
        .current_dir(&root)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    (text.replace(&root.display().to_string(), "{root}"), output.status.success())
}

fn answer(hcl: &str, key: &str) -> String {
    let (text, found) = ask(hcl, "path: data.hcl", &[key, "--render-as", "json"]);
    assert!(found, "{text}");
    text.trim().to_string()
}

#[test]
fn expressions_are_worked_out_without_variables() {
    assert_eq!(answer("a = [for n in [1, 2, 3] : n * 2 if n > 1]\n", "a"), "[4,6]");
    assert_eq!(answer("a = { for n in [\"x\", \"y\"] : upper(n) => strlen(n) }\n", "a"), r#"{"X":1,"Y":1}"#);
    assert_eq!(answer("a = 1 == 1 ? \"yes ${1 + 1}\" : \"no\"\n", "a"), r#""yes 2""#);
    assert_eq!(answer("a = null\nb = 1.5\nc = 10000000000000000000000\n", "c"), "10000000000000000000000");
    assert_eq!(answer("a = <<-E\n  one\n    two\n  E\n", "a"), r#""one\n  two\n""#);
}

#[test]
fn hiera_resolves_interpolations_that_hcl_ignores() {
    assert_eq!(answer("a = \"%%{facts.site}-$${x}\"\n", "a"), r#""lon-${x}""#);
    assert_eq!(answer("b = [1]\na = \"%%{alias('b')}\"\n", "a"), "[1]");
}

#[test]
fn blocks_are_hashes_below_their_names_and_labels() {
    let hcl =
        "x { a = 1 }\ny \"l\" { b = 2 }\ny \"m\" { b = 3 }\nz { n = 1 }\nz { n = 2 }\nx2 {\n  in { deep = true }\n}\n";
    assert_eq!(answer(hcl, "x"), r#"{"a":1}"#);
    assert_eq!(answer(hcl, "y"), r#"{"l":{"b":2},"m":{"b":3}}"#);
    assert_eq!(answer(hcl, "z"), r#"[{"n":1},{"n":2}]"#);
    assert_eq!(answer(hcl, "x2.in.deep"), "true");
    assert_eq!(answer("b {\n z = 1\n a { q = 1 }\n c = 2\n}\n", "b"), r#"{"z":1,"a":{"q":1},"c":2}"#);
}

#[test]
fn every_part_knows_its_line() {
    let hcl = "a = {\n  x = [1,\n    2]\n  \"y\" = upper(\"b\")\n}\nb \"l\" {\n  c = 1\n}\n";
    let (text, _) = ask(hcl, "path: data.hcl", &["a", "--origins"]);
    assert_eq!(text, "a.x.0 = 1  # data/data.hcl:2\na.x.1 = 2  # data/data.hcl:3\na.y = \"B\"  # data/data.hcl:4\n");
    let (text, _) = ask(hcl, "path: data.hcl", &["b.l.c", "--origins"]);
    assert_eq!(text, "b.l.c = 1  # data/data.hcl:7\n");
}

#[test]
fn errors_are_reported_with_the_place_in_the_file() {
    let error = |hcl: &str| {
        let (text, found) = ask(hcl, "path: data.hcl", &["a"]);
        assert!(!found, "{text}");
        text
    };
    let reported = [
        "a = [1\nb = 2\n",
        "a = var.x\n",
        "a = \"%{facts.site}\"\n",
        "a = nosuch(1)\n",
        "a = file(\"/etc/passwd\")\n",
        "a = timestamp()\n",
        "a = 1\na { b = 1 }\n",
        "a { b = 1 }\na \"l\" { b = 1 }\n",
        "\"a::b\" = 1\n",
    ]
    .map(error);
    insta::assert_snapshot!(reported.join("---\n"));
}

#[test]
fn all_kinds_of_locations_lead_to_files() {
    for level in ["paths: [none.hcl, web.tfvars]", "glob: '*.tfvars'", "mapped_paths: [roles, r, '%{r}.tfvars']"] {
        let (text, found) = ask("", level, &["role"]);
        assert_eq!((text.as_str(), found), ("--- from tfvars\n", true), "{level}");
    }
}

#[test]
fn the_function_takes_a_path_and_no_options() {
    let (text, found) = ask("a = 1", "path: data.hcl\n    options: {x: 1}", &["a"]);
    assert!(!found && text.contains("'hcl_data' one of 'path', 'paths'"), "{text}");
    let (text, found) = ask("a = 1", "uri: 'https://example.com'", &["a"]);
    assert!(!found && text.contains("'hcl_data' one of 'path', 'paths'"), "{text}");
}

#[test]
fn deep_blocks_are_read_or_refused() {
    let deep = "a {\n".repeat(20_000) + &"}\n".repeat(20_000);
    // Whatever the parser makes of it, it ends.
    let _ = ask(&deep, "path: data.hcl", &["a", "--render-as", "s"]);
}
