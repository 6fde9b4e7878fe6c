//! Tells the command which commit it is built from, and for which machine, and lists the pages about codes of errors.
//!
//! Debug builds name no commit: they would be built anew after every one.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=HIERATIC_COMMIT");
    println!("cargo:rerun-if-env-changed=HIERATIC_PIE");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let commit = match variable("HIERATIC_COMMIT") {
        given if !given.is_empty() => format!(" ({given})"),
        _ if variable("PROFILE") == "release" => commit().map(|commit| format!(" ({commit})")).unwrap_or_default(),
        _ => String::new(),
    };
    if variable("CARGO_CFG_TARGET_OS") == "linux" && variable("CARGO_CFG_TARGET_ENV") == "gnu" {
        if !is_pie(&variable("HIERATIC_PIE")) {
            println!("cargo:rustc-link-arg-bins=-no-pie");
        }
        if variable("HOST") == variable("TARGET") {
            unwind_without_a_library(Path::new(&variable("OUT_DIR")));
        }
    }
    println!("cargo:rustc-env=HIERATIC_COMMIT={commit}");
    println!("cargo:rustc-env=HIERATIC_TARGET={}", variable("TARGET"));
    fs::write(Path::new(&variable("OUT_DIR")).join("pages.rs"), pages()).expect("the output folder is writable");
}

/// Whether somebody wants a program that lies at another address each time. It starts more slowly, because the dynamic linker then writes
/// 85,000 addresses into it first; docs/security.md says what it is good for.
fn is_pie(wanted: &str) -> bool {
    !matches!(wanted, "" | "0")
}

/// Links what unwinds the stack into the command, where the C compiler has it as an archive. The dynamic linker takes 0.3 ms to load the
/// library, as long as it takes to start `/bin/true`.
///
/// The standard library asks for `libgcc_s` by name: here is one under that name that the linker finds first, and that names the archives.
fn unwind_without_a_library(folder: &Path) {
    println!("cargo:rerun-if-env-changed=RUSTC_LINKER");
    let linker = std::env::var("RUSTC_LINKER").unwrap_or_else(|_| "cc".into());
    let archive = |name: &str| {
        let output = Command::new(&linker).arg(format!("-print-file-name={name}")).output().ok()?;
        let path = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        // The compiler prints only the name of an archive that it does not have.
        Path::new(&path).is_absolute().then_some(path)
    };
    let (Some(unwinder), Some(support)) = (archive("libgcc_eh.a"), archive("libgcc.a")) else { return };
    let script = format!("INPUT(\"{unwinder}\" \"{support}\")\n");
    fs::write(folder.join("libgcc_s.so"), script).expect("the output folder is writable");
    println!("cargo:rustc-link-search=native={}", folder.display());
}

/// The table of the pages in `docs/errors`: the name of each, and its text.
fn pages() -> String {
    // The folder of this build: several clones may share the program that runs here.
    let package = std::env::var_os("CARGO_MANIFEST_DIR").expect("Cargo sets it for a build script");
    let folder = Path::new(&package).join("errors");
    println!("cargo:rerun-if-changed={}", folder.display());
    let entries = fs::read_dir(&folder).expect("the documentation is there");
    let mut names: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".md")?.to_owned()))
        .filter(|name| name != "README")
        .collect();
    names.sort();
    let mut table = "const PAGES: &[(&str, &str)] = &[\n".to_owned();
    for name in names {
        let path = folder.join(format!("{name}.md"));
        // Writing to a string cannot fail.
        let _ = writeln!(table, "    ({name:?}, include_str!({:?})),", path.display().to_string());
    }
    table + "];\n"
}

/// The commit and its day, if this is a checkout and git is there to ask.
fn commit() -> Option<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8(output.stdout).ok()?.trim().to_owned()).filter(|text| !text.is_empty())
    };
    // Another repository may be around a package that was unpacked there.
    let root = git(&["rev-parse", "--show-toplevel"])?;
    Path::new(&root).join("crates/cli/build.rs").exists().then_some(())?;
    for file in ["HEAD", "logs/HEAD"] {
        println!("cargo:rerun-if-changed={}", git(&["rev-parse", "--git-path", file])?);
    }
    git(&["log", "-1", "--format=%h %cs"])
}
