//! The life of encrypted values through the command: `hieratic secret`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use hieratic_testing::skipped;

/// A folder with the keys of the recorded file.
struct Folder(tempfile::TempDir);

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/secrets").join(name)
}

fn recorded() -> String {
    fs::read_to_string(fixture("recorded.eyaml")).unwrap()
}

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        fs::create_dir(folder.path("keys")).unwrap();
        for name in ["private_key.pkcs7.pem", "public_key.pkcs7.pem"] {
            let key = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crypto/tests/keys").join(name);
            fs::copy(key, folder.path("keys").join(name)).unwrap();
        }
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
        command
            .arg("secret")
            .args(arguments)
            .current_dir(self.0.path())
            .env("HOME", self.0.path())
            .env_remove("EDITOR");
        command.env_remove("EYAML_CONFIG").env("HIERATIC_PRIVATE_DIR", self.path("private")).stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Standard output of a run that succeeds.
    fn answer(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}\n{}", text(&output.stderr));
        text(&output.stdout)
    }

    /// Edits a file with a script in place of an editor.
    fn edit(&self, file: &str, script: &str) -> Output {
        self.write("editor.sh", &format!("set -e\nfile=\"$1\"\n{script}\n"));
        let output = self.command(&["edit", file]).env("EDITOR", "sh editor.sh").output().unwrap();
        assert_eq!(self.left(), Vec::<String>::new(), "plain text was left");
        output
    }

    /// What is in the private folder beside its lock.
    fn left(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path("private")).into_iter().flatten();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name != "lock").collect()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn output_of_eyaml_is_decrypted_as_eyaml_does() {
    let folder = Folder::new();
    folder.write("data.eyaml", &recorded());
    let expected = |name: &str| fs::read_to_string(fixture(name)).unwrap();
    assert_eq!(folder.answer(&["decrypt", "-e", "data.eyaml"]), expected("decrypted-eyaml.txt"));
    assert_eq!(folder.answer(&["decrypt", "-f", "data.eyaml"]), expected("decrypted-file.txt"));
}

#[test]
fn every_way_in_and_out_fits_the_other() {
    let folder = Folder::new();
    folder.write("plain.txt", "from a file\n");
    for (arguments, plain) in [
        (vec!["-s", "a text"], "a text\n"),
        (vec!["-s", "-dashes-"], "-dashes-\n"),
        (vec!["-f", "plain.txt"], "from a file\n"),
        (vec!["-s", "wörter"], "wörter\n"),
    ] {
        let encrypted = folder.answer(&[&["encrypt", "-o", "string"], arguments.as_slice()].concat());
        assert!(encrypted.starts_with("ENC[PKCS7,") && encrypted.ends_with("]\n"), "{encrypted}");
        assert_eq!(folder.answer(&["decrypt", "-s", encrypted.trim()]), plain);
    }
    let mut child = folder
        .command(&["encrypt", "--stdin", "-o", "string"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"piped").unwrap();
    let encrypted = text(&child.wait_with_output().unwrap().stdout);
    assert_eq!(folder.answer(&["decrypt", "-s", encrypted.trim()]), "piped\n");
}

#[test]
fn values_are_written_as_eyaml_writes_them() {
    let folder = Folder::new();
    let redacted = |arguments: &[&str]| {
        let text = folder.answer(&[&["encrypt", "-s", "x"], arguments].concat());
        let is_cipher = |c: char| c.is_ascii_alphanumeric() || c == '+' || c == '/';
        text.lines()
            .map(|line| match line.trim_end_matches([']', '=']).trim_start_matches(is_cipher).len() {
                _ if line.trim_start().len() == 60 && !line.contains("ENC[") => "  (60 characters)".to_owned(),
                _ => line.split("MII").next().unwrap().to_owned(),
            })
            .filter(|line| line != "  (60 characters)")
            .map(|line| if line.ends_with("PKCS7,") || !line.ends_with(']') { line } else { "  (rest)]".to_owned() })
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert_eq!(redacted(&["-o", "string"]), "ENC[PKCS7,");
    assert_eq!(redacted(&["-o", "string", "-l", "key"]), "key: ENC[PKCS7,");
    assert_eq!(redacted(&["-o", "block"]), "  ENC[PKCS7,\n  (rest)]");
    assert_eq!(redacted(&["-o", "block", "-l", "key"]), "key: >\n  ENC[PKCS7,\n  (rest)]");
    assert_eq!(redacted(&[]), "string: ENC[PKCS7,\n\nOR\n\nblock: >\n  ENC[PKCS7,\n  (rest)]");
}

#[test]
fn encrypting_needs_the_public_key_only() {
    let folder = Folder::new();
    fs::remove_file(folder.path("keys/private_key.pkcs7.pem")).unwrap();
    assert!(folder.answer(&["encrypt", "-s", "x", "-o", "string"]).starts_with("ENC[PKCS7,"));
    folder.write("new.eyaml", "a: DEC::PKCS7[x]!\nb: >\n  DEC::PKCS7[y]!\n");
    let encrypted = folder.answer(&["encrypt", "-e", "new.eyaml"]);
    assert!(encrypted.starts_with("a: ENC[PKCS7,") && encrypted.contains("\nb: >\n  ENC[PKCS7,"), "{encrypted}");
    let output = folder.run(&["decrypt", "-s", "ENC[PKCS7,AAAA]"]);
    assert!(!output.status.success());
    assert!(text(&output.stderr).contains("No such file or directory @ rb_sysopen"), "{}", text(&output.stderr));
}

#[test]
fn keys_are_those_of_the_configuration_of_eyaml() {
    let folder = Folder::new();
    fs::rename(folder.path("keys"), folder.path("elsewhere")).unwrap();
    let options =
        "pkcs7_public_key: elsewhere/public_key.pkcs7.pem\npkcs7_private_key: elsewhere/private_key.pkcs7.pem\n";
    assert!(!folder.run(&["encrypt", "-s", "x"]).status.success());
    fs::create_dir(folder.path(".eyaml")).unwrap();
    folder.write(".eyaml/config.yaml", options);
    let encrypted = folder.answer(&["encrypt", "-s", "x", "-o", "string"]);
    folder.write(".eyaml/config.yaml", "pkcs7_public_key: wrong.pem\n");
    folder.write("named.yaml", options);
    let output =
        folder.command(&["decrypt", "-s", encrypted.trim()]).env("EYAML_CONFIG", "named.yaml").output().unwrap();
    assert_eq!(text(&output.stdout), "x\n");
    let key = |name: &str| folder.read(&format!("elsewhere/{name}_key.pkcs7.pem"));
    let flags = ["--pkcs7-private-key-env-var", "PRIVATE", "--pkcs7-public-key-env-var", "PUBLIC"];
    let output = folder
        .command(&[&["decrypt", "-s", encrypted.trim()], flags.as_slice()].concat())
        .env("PRIVATE", key("private"))
        .env("PUBLIC", key("public"))
        .output()
        .unwrap();
    assert_eq!(text(&output.stdout), "x\n", "{}", text(&output.stderr));
}

#[test]
fn new_keys_decrypt_their_output_and_are_not_overwritten() {
    let folder = Folder::new();
    fs::remove_dir_all(folder.path("keys")).unwrap();
    let make = ["createkeys", "--pkcs7-keysize", "1024", "--pkcs7-subject", "/C=US/CN=test"];
    folder.answer(&make);
    let encrypted = folder.answer(&["encrypt", "-s", "x", "-o", "string"]);
    assert_eq!(folder.answer(&["decrypt", "-s", encrypted.trim()]), "x\n");
    let before = folder.read("keys/private_key.pkcs7.pem");
    let again = folder.run(&make);
    assert!(!again.status.success() && text(&again.stderr).contains("was not overwritten"));
    assert_eq!(folder.read("keys/private_key.pkcs7.pem"), before);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |name: &str| fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode("keys/private_key.pkcs7.pem"), 0o600);
    }
}

/// Where no path is named, a link of the repository does not say where keys are written.
#[cfg(unix)]
#[test]
fn new_keys_do_not_leave_the_folder_through_links() {
    let make = ["createkeys", "--pkcs7-keysize", "1024"];
    let elsewhere = tempfile::tempdir().unwrap();
    let folder = Folder::new();
    fs::remove_dir_all(folder.path("keys")).unwrap();
    for (link, target) in [
        ("keys", elsewhere.path().to_owned()),
        ("keys", elsewhere.path().join("none")),
        ("keys/private_key.pkcs7.pem", elsewhere.path().join("private.pem")),
    ] {
        let _ = fs::remove_file(folder.path("keys"));
        fs::create_dir_all(folder.path(link).parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(&target, folder.path(link)).unwrap();
        let refused = folder.run(&make);
        let message = text(&refused.stderr);
        assert!(!refused.status.success() && message.contains("out of the current folder"), "{link}: {message}");
        assert!(message.contains("--pkcs7-private-key"), "{link}: {message}");
        assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0, "{link}");
    }
    fs::remove_dir_all(folder.path("keys")).unwrap();
    // A link within the folder may be followed, and one in a path that was named.
    fs::create_dir(folder.path("real")).unwrap();
    std::os::unix::fs::symlink("real", folder.path("keys")).unwrap();
    folder.answer(&make);
    assert!(folder.path("real/private_key.pkcs7.pem").is_file());
    std::os::unix::fs::symlink(elsewhere.path(), folder.path("away")).unwrap();
    let named = ["--pkcs7-private-key", "away/a.pem", "--pkcs7-public-key", "away/b.pem"];
    folder.answer(&[make.as_slice(), &named].concat());
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 2);
}

#[test]
fn rotating_changes_the_ciphertext_only() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("data/nodes")).unwrap();
    let crlf = "a: 1 # kept\r\nb:   ENC_NOT\r\n";
    folder.write("data/common.eyaml", &recorded());
    folder.write("data/nodes/web.yaml", &recorded().replace("line:", "other:   "));
    folder.write("data/nodes/none.yaml", crlf);
    let plain = folder.answer(&["decrypt", "-e", "data/common.eyaml"]);
    let new = ["--pkcs7-private-key", "new/private.pem", "--pkcs7-public-key", "new/public.pem"];
    folder.answer(&[&["createkeys", "--pkcs7-keysize", "1024"], new.as_slice()].concat());
    let rotate = ["rotate", "data", "--new-public-key", "new/public.pem"];
    let dry = folder.run(&[rotate.as_slice(), &["--dry-run"]].concat());
    assert!(text(&dry.stderr).contains("8 values in 2 files would be encrypted"), "{}", text(&dry.stderr));
    assert_eq!(folder.read("data/common.eyaml"), recorded());
    folder.answer(&rotate);
    assert_eq!(folder.answer(&[&["decrypt", "-e", "data/common.eyaml"], new.as_slice()].concat()), plain);
    assert_eq!(folder.read("data/nodes/none.yaml"), crlf);
    let frame = |text: &str| {
        let mut out = String::new();
        let mut inside = false;
        for line in text.lines() {
            let cipher = inside;
            inside = (inside || line.contains("ENC[")) && !line.ends_with(']');
            if !cipher {
                out.push_str(line.split("ENC[").next().unwrap());
                out.push('\n');
            } else {
                assert!(line.len() <= 66, "{line}");
            }
        }
        out
    };
    assert_eq!(frame(&folder.read("data/common.eyaml")), frame(&recorded()));
    // Started again it finds that all is done, also in a part of the files.
    folder.write("data/nodes/web.yaml", &recorded());
    let again = folder.run(&rotate);
    assert!(text(&again.stderr).contains("4 values in 1 file encrypted to the new keys; 4 already used the new keys"));
    // A value that nobody can open stops all of it.
    folder.write("data/a.yaml", "a: ENC[PKCS7,AAAA]\n");
    folder.write("data/nodes/web.yaml", &recorded());
    let failed = folder.run(&rotate);
    assert!(!failed.status.success() && text(&failed.stderr).contains("data/a.yaml:1:4"), "{}", text(&failed.stderr));
    assert_eq!(folder.read("data/nodes/web.yaml"), recorded());
}

#[test]
fn editing_encrypts_only_changed_values() {
    let folder = Folder::new();
    folder.write("data.eyaml", &recorded());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(folder.path("data.eyaml"), fs::Permissions::from_mode(0o640)).unwrap();
    }
    let script = "cp \"$file\" seen.txt; stat -c %a \"$file\" \"$(dirname \"$file\")\" > modes.txt 2>/dev/null || true
        sed -i 's/in a block/changed/; s/^list:/new: DEC::PKCS7[added]!\\nlist:/' \"$file\"";
    let output = folder.edit("data.eyaml", script);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(
        folder.read("seen.txt").contains("line: DEC(1)::PKCS7[on one line]!\nblock: >\n    DEC(2)::PKCS7[in a block]!")
    );
    assert_eq!(folder.read("modes.txt"), "600\n700\n");
    let after = folder.read("data.eyaml");
    let plain = folder.answer(&["decrypt", "-e", "data.eyaml"]);
    let expected = fs::read_to_string(fixture("decrypted-eyaml.txt")).unwrap();
    assert_eq!(plain, expected.replace("in a block", "changed").replace("list:", "new: DEC::PKCS7[added]!\nlist:"));
    for line in recorded().lines().filter(|line| line.starts_with("line:") || line.starts_with("  - ENC[")) {
        assert!(after.contains(line), "an untouched value changed");
    }
    assert!(after.contains("block: >\n    ENC[PKCS7,"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(folder.path("data.eyaml")).unwrap().permissions().mode() & 0o777, 0o640);
    }
}

#[test]
fn an_edit_that_makes_no_sense_changes_nothing() {
    let folder = Folder::new();
    folder.write("data.eyaml", &recorded());
    for (script, message) in [
        ("true", ""),
        ("exit 3", "did not exit successfully"),
        ("rm \"$file\"", "moved by editor"),
        (": > \"$file\"", "blank"),
        ("sed -i 's/on one line]!/on one line/' \"$file\"; sed -i '/^list/,$d; /^block/,$d' \"$file\"", "has no end"),
        ("sed -i 's/DEC(2)/DEC(1)/' \"$file\"", "the number 1 is duplicated"),
        ("sed -i 's/DEC(2)/DEC(22)/' \"$file\"", "no value has the number 22"),
        ("sed -i 's/DEC(2)::PKCS7/DEC::GPG/' \"$file\"", "the encryptor 'GPG' is not supported"),
    ] {
        let output = folder.edit("data.eyaml", script);
        assert_eq!(output.status.success(), message.is_empty(), "{script}");
        let stderr = text(&output.stderr);
        assert!(stderr.contains(message), "{script}: {stderr}");
        assert!(!stderr.contains("on one line"), "{stderr}");
        assert_eq!(folder.read("data.eyaml"), recorded(), "{script}");
    }
}

#[test]
fn a_concurrent_edit_is_not_overwritten() {
    let folder = Folder::new();
    folder.write("data.eyaml", &recorded());
    let output = folder.edit("data.eyaml", "sed -i 's/in a block/mine/' \"$file\"; echo 'theirs: 1' > data.eyaml");
    assert!(!output.status.success());
    assert_eq!(folder.read("data.eyaml"), "theirs: 1\n");
    assert!(text(&output.stderr).contains("data.eyaml.edited"));
    assert!(folder.answer(&["decrypt", "-e", "data.eyaml.edited"]).contains("DEC::PKCS7[mine]!"));
}

#[test]
fn a_new_file_is_created_and_other_values_stay() {
    let folder = Folder::new();
    let output = folder.edit("new.eyaml", "printf 'a: DEC::PKCS7[one]!\\n' >> \"$file\"");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(folder.answer(&["decrypt", "-e", "new.eyaml"]), "---\na: DEC::PKCS7[one]!\n");
    folder.write("mixed.eyaml", "a: ENC[GPG,AAAA]\nb: 1\n");
    let output = folder.edit("mixed.eyaml", "sed -i 's/^b: 1/b: DEC::PKCS7[two]!/' \"$file\"");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(folder.read("mixed.eyaml").starts_with("a: ENC[GPG,AAAA]\nb: ENC[PKCS7,"));
}

/// Where the real `eyaml` is installed, it reads what is written here, and the other way round.
#[test]
fn the_real_eyaml_agrees() {
    if Command::new("eyaml").arg("version").output().is_err() {
        skipped("eyaml is not installed: the recorded file stands in for it");
        return;
    }
    let folder = Folder::new();
    fs::remove_dir_all(folder.path("keys")).unwrap();
    folder.answer(&["createkeys", "--pkcs7-keysize", "1024"]);
    let eyaml = |arguments: &[&str]| {
        let output = Command::new("eyaml").args(arguments).current_dir(folder.0.path()).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    folder.write("plain.eyaml", "a: DEC::PKCS7[wörd 1]!\nb: >\n   DEC::PKCS7[two\nlines]!\n");
    folder.write("ours.eyaml", &folder.answer(&["encrypt", "-e", "plain.eyaml"]));
    folder.write("theirs.eyaml", &eyaml(&["encrypt", "-e", "plain.eyaml"]));
    for file in ["ours.eyaml", "theirs.eyaml"] {
        for flag in ["-e", "-f"] {
            assert_eq!(folder.answer(&["decrypt", flag, file]), eyaml(&["decrypt", flag, file]), "{flag} {file}");
        }
    }
    folder.answer(&[
        "createkeys",
        "--pkcs7-keysize",
        "1024",
        "--pkcs7-private-key",
        "n.pem",
        "--pkcs7-public-key",
        "c.pem",
    ]);
    folder.answer(&["rotate", "theirs.eyaml", "--new-public-key", "c.pem"]);
    let rotated =
        eyaml(&["decrypt", "-e", "theirs.eyaml", "--pkcs7-private-key", "n.pem", "--pkcs7-public-key", "c.pem"]);
    assert_eq!(rotated, folder.read("plain.eyaml"));
}
