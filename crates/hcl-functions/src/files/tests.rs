#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use hieratic_hcl_types::Value;

use crate::{Files, functions};

/// A temporary folder for one test.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("hieratic-cty-functions-{name}-{}", std::process::id()));
        std::fs::create_dir_all(path.join("base/sub")).unwrap();
        std::fs::write(path.join("base/a.txt"), "a").unwrap();
        std::fs::write(path.join("base/sub/b.txt"), "b").unwrap();
        std::fs::write(path.join("secret.txt"), "s").unwrap();
        Self(path)
    }

    fn call(&self, outside: bool, name: &str, arguments: &[&str]) -> Result<Value, String> {
        let base = self.0.join("base");
        let table = functions(Some(Files::new(base.to_str().unwrap()).outside(outside)));
        let arguments: Vec<Value> = arguments.iter().map(|text| Value::string(*text)).collect();
        table.get(name).unwrap().call(&arguments).map_err(|error| error.message().to_owned())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

#[test]
fn files_outside_of_the_folder_are_refused() {
    let folder = Folder::new("guard");
    assert_eq!(folder.call(false, "file", &["sub/../a.txt"]).unwrap().as_str(), Some("a"));
    let absolute = folder.0.join("secret.txt");
    let absolute = absolute.to_str().unwrap();
    for path in ["../secret.txt", absolute, "sub/../../secret.txt"] {
        assert!(folder.call(false, "file", &[path]).unwrap_err().contains("outside of the folder"), "{path}");
        assert!(folder.call(false, "fileexists", &[path]).unwrap_err().contains("outside of the folder"), "{path}");
        assert_eq!(folder.call(true, "file", &[path]).unwrap().as_str(), Some("s"), "{path}");
    }
    assert!(folder.call(false, "fileset", &["..", "*.txt"]).unwrap_err().contains("outside of the folder"));
    assert!(folder.call(false, "fileset", &["sub", "../../*.txt"]).unwrap_err().contains("outside of the folder"));
    assert_eq!(folder.call(true, "fileset", &["sub", "../../*.txt"]).unwrap().length(), Some(1));
}

#[cfg(unix)]
#[test]
fn links_that_lead_outside_are_refused() {
    let folder = Folder::new("links");
    std::os::unix::fs::symlink("../secret.txt", folder.0.join("base/out.txt")).unwrap();
    std::os::unix::fs::symlink("a.txt", folder.0.join("base/in.txt")).unwrap();
    std::os::unix::fs::symlink("..", folder.0.join("base/sub/up")).unwrap();
    assert_eq!(folder.call(false, "file", &["in.txt"]).unwrap().as_str(), Some("a"));
    assert!(folder.call(false, "file", &["out.txt"]).unwrap_err().contains("outside of the folder"));
    assert!(folder.call(false, "fileset", &[".", "*.txt"]).unwrap_err().contains("outside of the folder"));
    assert_eq!(folder.call(true, "fileset", &[".", "*.txt"]).unwrap().length(), Some(3));
    // A circle ends with a message.
    assert!(folder.call(true, "fileset", &[".", "**/b.txt"]).is_ok_and(|set| set.length() >= Some(1)));
}

#[test]
fn file_functions_are_disabled_without_a_folder() {
    let table = functions(None);
    let error = table.get("file").unwrap().call(&[Value::string("x")]).unwrap_err();
    assert_eq!(error.message(), "filesystem function disabled");
}
