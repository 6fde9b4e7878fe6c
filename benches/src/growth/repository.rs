//! A small control repository, which a case makes larger in one dimension.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder in which a case writes a control repository.
pub(crate) struct Repository {
    folder: PathBuf,
}

/// The sizes of the parts that do not grow.
pub(crate) struct Parts {
    pub(crate) keys: usize,
    pub(crate) files: usize,
    pub(crate) nodes: usize,
    pub(crate) levels: usize,
}

impl Default for Parts {
    fn default() -> Parts {
        Parts { keys: 20, files: 3, nodes: 3, levels: 2 }
    }
}

impl Repository {
    pub(crate) fn new(folder: &Path) -> Repository {
        Repository { folder: folder.to_owned() }
    }

    /// Writes a file.
    pub(crate) fn write(&self, name: &str, text: &str) -> io::Result<()> {
        let path = self.folder.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, text)
    }

    /// Adds text to a file that was written.
    pub(crate) fn append(&self, name: &str, text: &str) -> io::Result<()> {
        let before = fs::read_to_string(self.folder.join(name))?;
        self.write(name, &(before + text))
    }

    /// Writes a hierarchy, a class, keys, and facts of nodes.
    pub(crate) fn base(&self, parts: &Parts) -> io::Result<()> {
        let Parts { keys, files, nodes, levels } = *parts;
        let level = |index: usize| format!("  - {{name: L{index}, path: 'l/{index}.yaml'}}\n");
        self.hierarchy(&(0..levels).map(level).collect::<String>())?;
        self.write("environment.conf", "modulepath = modules\n")?;
        let mut common = "---\nlookup_options:\n  deep::k: {merge: deep}\n".to_owned();
        for key in 0..keys {
            // Writing to a string never fails.
            let _ = writeln!(common, "k::k{key}: 'value {key}'");
        }
        common.push_str("m::c::p: 1\n");
        self.write("data/common.yaml", &common)?;
        for index in 0..levels {
            self.write(&format!("data/l/{index}.yaml"), &format!("l::k{index}: {index}\ndeep::k: {{l{index}: 1}}\n"))?;
        }
        for index in 0..files {
            self.write(
                &format!("data/nodes/{}.yaml", node(index)),
                &format!("node::k: {index}\nk::k1: node{index}\n"),
            )?;
        }
        self.write("modules/m/manifests/c.pp", "# A class.\nclass m::c (Integer $p) {\n  $x = lookup('k::k1')\n}\n")?;
        self.write("manifests/site.pp", "node default {\n  include m::c\n}\n")?;
        self.facts(nodes, |_| String::new())
    }

    /// Writes a hierarchy with more levels between those of nodes and roles.
    pub(crate) fn hierarchy(&self, levels: &str) -> io::Result<()> {
        self.write(
            "hiera.yaml",
            &format!(
                "version: 5\ndefaults: {{datadir: data, data_hash: yaml_data}}\nhierarchy:\n  \
                 - {{name: Node, path: 'nodes/%{{trusted.certname}}.yaml'}}\n{levels}  \
                 - {{name: Role, path: 'roles/%{{facts.role}}.yaml'}}\n  - {{name: Common, path: common.yaml}}\n"
            ),
        )
    }

    /// Writes the facts of nodes, with more facts of each, which end with a comma.
    pub(crate) fn facts(&self, nodes: usize, more: impl Fn(usize) -> String) -> io::Result<()> {
        let line = |index: usize| {
            format!(
                "{{\"certname\": \"{}\", \"facts\": {{{}\"role\": \"r{}\", \"os\": {{\"family\": \"Debian\"}}}}}}\n",
                node(index),
                more(index),
                index % 3
            )
        };
        self.write("facts.ndjson", &(0..nodes).map(line).collect::<String>())
    }

    /// Runs git in the repository. Its own settings and those of the user do not matter.
    pub(crate) fn git(&self, arguments: &[&str]) -> io::Result<()> {
        let status = Command::new("git")
            .args(["-c", "user.name=A", "-c", "user.email=a@b", "-c", "gc.auto=0"])
            .args(arguments)
            .current_dir(&self.folder)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .status()?;
        if status.success() { Ok(()) } else { Err(io::Error::other(format!("git {} fails", arguments.join(" ")))) }
    }

    /// Commits everything.
    pub(crate) fn commit(&self) -> io::Result<()> {
        if !self.folder.join(".git").exists() {
            self.git(&["init", "-q", "-b", "main"])?;
        }
        self.git(&["add", "-A"])?;
        self.git(&["commit", "-q", "-m", "state"])
    }
}

/// The name of a node.
pub(crate) fn node(index: usize) -> String {
    format!("n{index:06}.example.com")
}
