//! The functions as C calls them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ffi::{CStr, CString, c_char};
use std::fs;
use std::path::Path;
use std::ptr::{null, null_mut};

use hieratic::*;

const HIERA: &str = "version: 5\nhierarchy:\n  - {name: Role, path: 'roles/%{facts.role}.yaml'}\n  - {name: Common, path: common.yaml}\n";
const COMMON: &str = "port: 80\nlist: [a]\npassword: swordfish\nlookup_options:\n  password: {convert_to: Sensitive}\nbroken: \"%{nosuch('x')}\"\n";

fn repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("hiera.yaml", HIERA);
    write("data/common.yaml", COMMON);
    write("data/roles/web.yaml", "port: 8080\nlist: [b]\n");
    folder
}

fn c(text: &str) -> CString {
    CString::new(text).unwrap()
}

/// What a call gave: its text, or the kind and the message of its error.
fn result(text: *mut c_char, error: *mut Failure) -> Result<String, (Kind, String)> {
    if text.is_null() {
        // SAFETY: a call that fails sets the error, which is freed once.
        unsafe {
            let message = CStr::from_ptr(hieratic_error_message(error)).to_str().unwrap().to_owned();
            let kind = hieratic_error_get_kind(error);
            hieratic_error_free(error);
            return Err((kind, message));
        }
    }
    assert!(error.is_null());
    // SAFETY: a call that succeeds gives a text, which is freed once.
    unsafe {
        let owned = CStr::from_ptr(text).to_str().unwrap().to_owned();
        hieratic_string_free(text);
        Ok(owned)
    }
}

/// A node of a repository.
struct TestNode(*mut Node);

impl TestNode {
    fn open(folder: &Path, facts: &str) -> TestNode {
        let (folder, facts) = (c(&folder.display().to_string()), c(facts));
        // SAFETY: texts end with NUL, and the handles are used before they are freed.
        unsafe {
            let environment = hieratic_environment_open(folder.as_ptr(), null(), null_mut());
            assert!(!environment.is_null());
            let node = hieratic_node_open(environment, c("n").as_ptr(), facts.as_ptr(), null(), null_mut());
            hieratic_environment_free(environment);
            assert!(!node.is_null());
            TestNode(node)
        }
    }

    fn key(
        &self,
        call: unsafe extern "C" fn(*const Node, *const c_char, *const c_char, *mut *mut Failure) -> *mut c_char,
        key: &str,
        options: &str,
    ) -> Result<String, (Kind, String)> {
        let (key, options, mut error) = (c(key), c(options), null_mut());
        // SAFETY: texts end with NUL, and the node lives.
        let text = unsafe { call(self.0, key.as_ptr(), options.as_ptr(), &raw mut error) };
        result(text, error)
    }

    fn lookup(&self, key: &str, options: &str) -> Result<String, (Kind, String)> {
        self.key(hieratic_lookup, key, options)
    }

    fn code(&self, language: &str, code: &str, options: &str) -> Result<String, (Kind, String)> {
        code_of(self.0, hieratic_eval, language, code, options)
    }
}

impl Drop for TestNode {
    fn drop(&mut self) {
        // SAFETY: it is freed once.
        unsafe { hieratic_node_free(self.0) }
    }
}

type CodeFunction =
    unsafe extern "C" fn(*const Node, *const c_char, *const c_char, *const c_char, *mut *mut Failure) -> *mut c_char;

fn code_of(
    node: *const Node,
    call: CodeFunction,
    language: &str,
    code: &str,
    options: &str,
) -> Result<String, (Kind, String)> {
    let (language, code, options, mut error) = (c(language), c(code), c(options), null_mut());
    // SAFETY: texts end with NUL, and the node is NULL or lives.
    let text = unsafe { call(node, language.as_ptr(), code.as_ptr(), options.as_ptr(), &raw mut error) };
    result(text, error)
}

#[test]
fn options_choose_the_answer() {
    let folder = repository();
    let web = TestNode::open(folder.path(), r#"{"role": "web"}"#);
    assert_eq!(web.lookup("port", "{}").unwrap(), "8080");
    assert_eq!(web.lookup("list", r#"{"merge": "unique"}"#).unwrap(), r#"["b","a"]"#);
    assert_eq!(web.lookup("list", r#"{"merge": {"strategy": "unique"}}"#).unwrap(), r#"["b","a"]"#);
    assert_eq!(web.lookup("none", r#"{"default": {"a": [1.5, null]}}"#).unwrap(), r#"{"a":[1.5,null]}"#);
    let (kind, message) = web.lookup("port", r#"{"type": "String"}"#).unwrap_err();
    assert!(kind == Kind::Failed && message.contains("expects a String"), "{message}");
    for (options, said) in [
        ("[]", "options is not a JSON object"),
        ("{", "options is not JSON"),
        (r#"{"merg": 1}"#, "unknown option 'merg'"),
        (r#"{"merge": "sideways"}"#, "the option 'merge'"),
        (r#"{"type": "Integer["}"#, "the option 'type'"),
        (r#"{"reveal": "yes"}"#, "the option 'reveal' is not true or false"),
    ] {
        let (kind, message) = web.lookup("port", options).unwrap_err();
        assert!(kind == Kind::Argument && message.contains(said), "{options}: {message}");
    }
    let db = TestNode::open(folder.path(), r#"{"role": "db"}"#);
    assert_eq!(db.lookup("port", "{}").unwrap(), "80");
}

#[test]
fn secrets_are_redacted_unless_they_are_revealed() {
    let folder = repository();
    let node = TestNode::open(folder.path(), "{}");
    let reveal = r#"{"reveal": true}"#;
    let redacted = "\"Sensitive [value redacted]\"";
    assert_eq!(node.lookup("password", "{}").unwrap(), redacted);
    assert_eq!(node.lookup("password", reveal).unwrap(), "\"swordfish\"");
    for call in [hieratic_why, hieratic_origins] {
        assert!(!node.key(call, "password", "{}").unwrap().contains("swordfish"));
        assert!(node.key(call, "password", reveal).unwrap().contains("swordfish"));
    }
    assert_eq!(node.code("puppet", "lookup('password')", "{}").unwrap(), redacted);
    assert_eq!(node.code("puppet", "lookup('password')", reveal).unwrap(), "\"swordfish\"");
    // An unwrapped secret is a string like any other, but it is known.
    let code = "\"x-${unwrap(lookup('password'))}\"";
    assert!(!node.code("puppet", code, "{}").unwrap().contains("swordfish"));
    let template = "<%= unwrap(lookup('password')) %>";
    assert_eq!(code_of(node.0, hieratic_render, "epp", template, "{}").unwrap(), "Sensitive [value redacted]");
    assert_eq!(code_of(node.0, hieratic_render, "epp", template, reveal).unwrap(), "swordfish");
    let all = |options: &str| {
        let (options, mut error) = (c(options), null_mut());
        // SAFETY: the node lives, and texts end with NUL.
        let text = unsafe { hieratic_lookup_all(node.0, options.as_ptr(), &raw mut error) };
        result(text, error)
    };
    assert_eq!(all(r#"{"patterns": ["p*"]}"#).unwrap(), format!(r#"{{"password":{redacted},"port":80}}"#));
    assert_eq!(all(r#"{"patterns": ["p*"], "reveal": true}"#).unwrap(), r#"{"password":"swordfish","port":80}"#);
    let (_, message) = all("{}").unwrap_err();
    assert!(message.starts_with("broken: "), "{message}");
    assert!(!all(r#"{"skip_errors": true}"#).unwrap().contains("broken"));
    let (_, message) = all(r#"{"patterns": ["x*"]}"#).unwrap_err();
    assert!(message.contains("no key of the node matches 'x*'"), "{message}");
    assert_eq!(all(r#"{"patterns": ["x*"], "allow_empty": true}"#).unwrap(), "{}");
}

#[test]
fn a_repository_has_no_capabilities_by_default() {
    let folder = repository();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("x.txt"), "outside").unwrap();
    let code = format!("file('{}')", outside.path().join("x.txt").display());
    let node = TestNode::open(folder.path(), "{}");
    assert_eq!(node.code("puppet", &code, "{}").unwrap_err().0, Kind::Failed);
    assert_eq!(code_of(null(), hieratic_eval, "puppet", &code, "{}").unwrap_err().0, Kind::Failed);
    let allowed = r#"{"allow_outside": true}"#;
    assert_eq!(code_of(null(), hieratic_eval, "puppet", &code, allowed).unwrap(), "\"outside\"");
    // The permissions of a node are those of its environment: an option of a call does not widen them.
    assert_eq!(node.code("puppet", &code, allowed).unwrap_err().0, Kind::Failed);
}

#[test]
fn code_has_facts_and_variables() {
    let alone = |language: &str, code: &str, options: &str| code_of(null(), hieratic_eval, language, code, options);
    let options = r#"{"facts": {"role": "web"}, "variables": {"x": [1, 2]}}"#;
    assert_eq!(alone("puppet", "[$facts['role'], $x]", options).unwrap(), r#"["web",[1,2]]"#);
    assert_eq!(alone("hcl", "[role, x[1]]", options).unwrap(), r#"["web",2]"#);
    assert_eq!(code_of(null(), hieratic_render, "jinja2", "{{ x[0] }}", options).unwrap(), "1");
    let (kind, message) = alone("puppet", "1", r#"{"tree": {}}"#).unwrap_err();
    assert_eq!((kind, message.as_str()), (Kind::Argument, "the option 'tree' requires the language unfurl"));
    let folder = repository();
    let node = TestNode::open(folder.path(), "{}");
    assert_eq!(node.code("puppet", "1", r#"{"facts": {}}"#).unwrap_err().0, Kind::Argument);
    assert_eq!(node.code("puppet", "lookup('port')", "{}").unwrap(), "80");
    assert_eq!(node.code("hcl", "hiera(\"port\")", "{}").unwrap(), "80");
}

#[test]
fn a_value_with_nul_is_an_error() {
    let (kind, message) = code_of(null(), hieratic_render, "jinja2", "{{ '\\x00' }}", "{}").unwrap_err();
    assert!(kind == Kind::Failed && message.contains("NUL"), "{message}");
    // JSON escapes it.
    assert_eq!(code_of(null(), hieratic_eval, "puppet", "\"a\\u{0}b\"", "{}").unwrap(), "\"a\\u0000b\"");
    let deep = format!("{}1{}", "[".repeat(150), "]".repeat(150));
    let (kind, message) = code_of(null(), hieratic_eval, "puppet", &deep, "{}").unwrap_err();
    assert!(kind == Kind::Failed && message.contains("cannot be written as JSON"), "{message}");
}

#[test]
fn jobs_are_read_with_variables_and_data() {
    let folder = repository();
    let node = TestNode::open(folder.path(), "{}");
    let job = "variable \"n\" { type = number }\njob \"web\" {\n  priority = var.n\n  group \"g\" {\n    count = hiera(\"port\")\n    \
               task \"t\" { driver = \"raw_exec\" }\n  }\n}\n";
    let text = node.key(hieratic_job, job, r#"{"variables": {"n": 70}}"#).unwrap();
    assert!(text.contains("\"Priority\": 70") && text.contains("\"Count\": 80"), "{text}");
    let (kind, _) = node.key(hieratic_job, job, "{}").unwrap_err();
    assert_eq!(kind, Kind::Failed);
    let (_, message) = node.key(hieratic_job, job, r#"{"variables": {"n": "70", "m": "1"}}"#).unwrap_err();
    assert!(message.contains('m'), "{message}");
    assert!(node.key(hieratic_job, job, r#"{"variables": {"n": "70", "m": "1"}, "allow_undeclared": true}"#).is_ok());
}

#[test]
fn an_error_knows_its_place() {
    let folder = repository();
    let node = TestNode::open(folder.path(), "{}");
    let (key, mut error) = (c("broken"), null_mut());
    // SAFETY: the node lives, the text ends with NUL, and the error is read before it is freed.
    unsafe {
        assert!(hieratic_lookup(node.0, key.as_ptr(), null(), &raw mut error).is_null());
        let text = |text: *const c_char| CStr::from_ptr(text).to_str().unwrap().to_owned();
        assert!(text(hieratic_error_file(error)).ends_with("data/common.yaml"));
        assert_eq!(hieratic_error_line(error), 6);
        assert_eq!(text(hieratic_error_code(error)), "interpolation-method");
        assert!(text(hieratic_error_report(error)).contains("nosuch"));
        hieratic_error_free(error);
    }
}

#[test]
fn values_have_types() {
    let folder = repository();
    fs::write(
        folder.path().join("data/common.yaml"),
        "port: 80\nall: {a: [1, 2.5, true, null, \"x\\0y\"], 7: seven, big: 123456789012345678901}\n",
    )
    .unwrap();
    let node = TestNode::open(folder.path(), "{}");
    // SAFETY: texts end with NUL, and the value is used before it is freed.
    unsafe {
        let mut error = null_mut();
        let value = hieratic_lookup_value(node.0, c("all").as_ptr(), null(), &raw mut error);
        assert!(
            error.is_null() && hieratic_value_get_kind(value) == ValueKind::Hash && hieratic_value_length(value) == 3
        );
        let list = hieratic_value_get(value, c("a").as_ptr());
        let kinds: Vec<ValueKind> =
            (0..6).map(|index| hieratic_value_get_kind(hieratic_value_item(list, index))).collect();
        use ValueKind::{Boolean, Float, Integer, String, Undef};
        assert_eq!(kinds, [Integer, Float, Boolean, Undef, String, Undef]);
        assert_eq!(hieratic_value_integer(hieratic_value_item(list, 0)), 1);
        assert_eq!(hieratic_value_float(hieratic_value_item(list, 0)), 1.0);
        assert_eq!(hieratic_value_float(hieratic_value_item(list, 1)), 2.5);
        assert_eq!(hieratic_value_boolean(hieratic_value_item(list, 2)), 1);
        let mut length = 0;
        let text = hieratic_value_string(hieratic_value_item(list, 4), &raw mut length);
        assert_eq!(std::slice::from_raw_parts(text.cast::<u8>(), length + 1), b"x\0y\0");
        assert_eq!(hieratic_value_integer(hieratic_value_key(value, 1)), 7);
        assert_eq!(hieratic_value_get_kind(hieratic_value_get(value, c("big").as_ptr())), ValueKind::Other);
        assert!(hieratic_value_get(value, c("7").as_ptr()).is_null() && hieratic_value_item(value, 3).is_null());
        assert!(hieratic_value_get(null(), null()).is_null() && hieratic_value_string(value, null_mut()).is_null());
        hieratic_value_free(value);
        hieratic_value_free(null_mut());
        assert!(hieratic_lookup_value(node.0, c("nosuch").as_ptr(), null(), &raw mut error).is_null());
        assert_eq!(hieratic_error_get_kind(error), Kind::NotFound);
        hieratic_error_free(error);
    }
}

#[test]
fn limits_end_calls() {
    let folder = repository();
    let node = TestNode::open(folder.path(), "{}");
    let loops = "Integer[1, 1000000000000].each |$i| { }";
    for options in [r#"{"limits": {"steps": 1000}}"#, r#"{"limits": {"steps": 1000000000000}, "timeout": 0.05}"#] {
        let mut error = null_mut();
        let (language, code, options) = (c("puppet"), c(loops), c(options));
        // SAFETY: texts end with NUL.
        let text = unsafe { hieratic_eval(node.0, language.as_ptr(), code.as_ptr(), options.as_ptr(), &raw mut error) };
        assert_eq!(result(text, error).unwrap_err().0, Kind::Limit);
    }
    let (kind, message) = node.key(hieratic_lookup, "port", r#"{"limits": {"stops": 1}}"#).unwrap_err();
    assert!(kind == Kind::Argument && message.contains("stops"), "{message}");
    let (kind, message) = node.key(hieratic_lookup, "port", r#"{"limits": {"file": 4}}"#).unwrap_err();
    assert!(kind == Kind::Argument && message.contains("'file' is that of the environment"), "{message}");
    let (kind, message) = node.key(hieratic_why, "port", r#"{"limits": {"steps": 0}}"#).unwrap_err();
    assert!(kind == Kind::Limit && message.contains("more than 0 steps are needed"), "{message}");
    // SAFETY: texts end with NUL.
    unsafe {
        let mut error = null_mut();
        assert!(hieratic_environment_open(c("/no/such/folder").as_ptr(), null(), &raw mut error).is_null());
        assert_eq!(hieratic_error_get_kind(error), Kind::FileNotFound);
        hieratic_error_free(error);
    }
}
