//! Documents with values and files that Ansible Vault encrypted, with `ansible-vault` of ansible-core 2.15.9 and the password `swordfish`.

use std::fs;
use std::path::Path;
use std::process::Command;

const SITE: &str = r"web:
  password: !vault |
    $ANSIBLE_VAULT;1.1;AES256
    64313836383730316161633864643034356337653362386263313731613235333032643231383266
    6133646231613639613333376466303462653266633830650a636332656439623138373233616430
    30363938346536646534636236653333333566313164333764303766343563386534396437303339
    6637336339336635340a353937383865623765636361633262663834316661636234346365666532
    3966
  +include: inner.yaml
";

const INNER: &str = r"login: !vault-json |
  $ANSIBLE_VAULT;1.1;AES256
  37346530653530633861366633643731386363643631313162656437396639373534386663313765
  6435643763393363343632663130323139666663336466610a343663303936366261383138653362
  32316539393431363365623834656230623363646634356562623864623366343235336234323564
  3434343262636536310a656139313136366632653862353037346636386232613161333331613831
  33326565653034656361653034353835623861656339626162303562656462613835643066653336
  3931393036333131313932653661633331363637386164313462
all: {+include: whole.yaml}
";

const WHOLE: &str = r"$ANSIBLE_VAULT;1.1;AES256
63396465623130353963346638666135326364333533393462336637303265666538336465353539
3465303134303061383363643137636536323333343063620a643639616336623431373865313836
37643162386533626238326266323733643835373530613465353334366561363137353437353837
6463386563663263630a623161636333383266653661346462343663396464626463333639306531
33666132393863313265303336653364333564626339333036373739613965383962363235653530
3362396331613636303565396561663939346164613663623039
";

fn written() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("site.yaml", SITE),
        ("inner.yaml", INNER),
        ("whole.yaml", WHOLE),
        ("password", "swordfish\n"),
        ("other", "x\n"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// What a command prints on standard output alone; it has to be successful.
fn printed(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_hieratic")).args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// What a command prints, in whole, and whether it was successful.
fn run(folder: &Path, arguments: &[&str]) -> (String, bool) {
    let output = Command::new(env!("CARGO_BIN_EXE_hieratic")).args(arguments).current_dir(folder).output().unwrap();
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    (text, output.status.success())
}

const SECRETS: [&str; 3] = ["s3cr3t-value", "ann-smith", "inner-secret"];

#[test]
fn a_password_decrypts_values_and_files() {
    let folder = written();
    let flags = ["expand", "site.yaml", "--vault-password-file", "password", "--render-as", "json"];
    let (plain, is_successful) = run(folder.path(), &[&flags[..], &["--reveal"]].concat());
    assert!(is_successful, "{plain}");
    let plain: serde_json::Value = serde_json::from_str(&plain).unwrap();
    let web = serde_json::json!({
        "password": "s3cr3t-value",
        "login": {"user": "ann-smith", "ports": [1, 2]},
        "all": {"db": {"password": "inner-secret", "port": 5432}},
    });
    assert_eq!(plain, serde_json::json!({"web": web}));
    for more in [&[][..], &["--origins"], &["--explain"]] {
        for format in ["json", "yaml", "s", "report"] {
            let flags = ["expand", "site.yaml", "--vault-password-file", "password", "--render-as", format];
            let (reported, is_successful) = run(folder.path(), &[&flags[..], more].concat());
            assert!(is_successful, "{reported}");
            assert!(!SECRETS.iter().any(|secret| reported.contains(secret)), "{format} {more:?}: {reported}");
        }
    }
}

#[test]
fn without_the_right_password_nothing_is_decrypted() {
    let folder = written();
    let (reported, is_successful) = run(folder.path(), &["expand", "site.yaml"]);
    assert!(!is_successful && reported.contains("found !vault but no vault password provided"), "{reported}");
    assert!(reported.contains("site.yaml:2:13") && reported.contains("pass --vault-password-file"), "{reported}");
    let (reported, is_successful) = run(folder.path(), &["expand", "site.yaml", "--vault-password-file", "other"]);
    assert!(!is_successful && reported.contains("a !vault value cannot be decrypted"), "{reported}");
    fs::write(folder.path().join("site.yaml"), "web: {+include: whole.yaml}\n").unwrap();
    let (reported, is_successful) = run(folder.path(), &["expand", "site.yaml"]);
    assert!(!is_successful && reported.contains("whole.yaml' is encrypted by Ansible Vault"), "{reported}");
    fs::write(folder.path().join("whole.yaml"), WHOLE.replace("6339", "6338")).unwrap();
    let (reported, is_successful) = run(folder.path(), &["expand", "site.yaml", "--vault-password-file", "password"]);
    assert!(!is_successful, "{reported}");
}

#[test]
fn check_takes_an_encrypted_value_for_a_string() {
    let folder = written();
    let (reported, _) = run(folder.path(), &["check", "site.yaml"]);
    assert!(
        reported.contains("whole.yaml' is encrypted by Ansible Vault") && !reported.contains("!vault"),
        "{reported}"
    );
    fs::write(folder.path().join("inner.yaml"), "a: 1\n").unwrap();
    let (reported, is_successful) = run(folder.path(), &["check", "site.yaml"]);
    assert!(is_successful, "{reported}");
    // Other faults are reported.
    fs::write(folder.path().join("inner.yaml"), "a: {+/none: }\n").unwrap();
    let (reported, is_successful) = run(folder.path(), &["check", "site.yaml"]);
    assert!(!is_successful && reported.contains("missing includes"), "{reported}");
}

#[test]
fn any_number_of_values_ends_with_the_budget() {
    let folder = written();
    let value = SITE.lines().skip(2).take(6).map(|line| format!("{line}\n")).collect::<String>();
    let many: String = (0..400).map(|at| format!("k{at}: !vault |\n{value}")).collect();
    fs::write(folder.path().join("site.yaml"), many).unwrap();
    let flags = ["expand", "site.yaml", "--vault-password-file", "password", "--limit", "steps=100000"];
    let (reported, is_successful) = run(folder.path(), &flags);
    assert!(!is_successful && reported.contains("steps"), "{reported}");
}

#[test]
fn restore_keeps_encrypted_values() {
    let folder = written();
    let vault = ["--vault-password-file", "password"];
    for flags in [&[][..], &["--reveal"]] {
        let expanded = printed(folder.path(), &[&["expand", "site.yaml"], &vault[..], flags].concat());
        fs::write(folder.path().join("edited.yaml"), format!("{expanded}extra: 1\n")).unwrap();
        let restored = printed(folder.path(), &[&["restore", "site.yaml", "edited.yaml"], &vault[..]].concat());
        assert_eq!(restored, format!("{SITE}extra: 1\n"), "{flags:?}");
    }
}

#[test]
fn restore_writes_no_secret_and_no_redaction_mark() {
    let folder = written();
    let vault = ["--vault-password-file", "password"];
    let refusal = |flags: &[&str], more: &str| {
        let expanded = printed(folder.path(), &[&["expand", "site.yaml"], &vault[..], flags].concat());
        fs::write(folder.path().join("edited.yaml"), format!("{expanded}{more}\n")).unwrap();
        let edit = ["restore", "site.yaml", "edited.yaml", "--in-place"];
        let (reported, is_successful) = run(folder.path(), &[&edit, &vault[..]].concat());
        assert!(!is_successful, "{reported}");
        assert_eq!(fs::read_to_string(folder.path().join("site.yaml")).unwrap(), SITE);
        assert!(!SECRETS.iter().any(|secret| reported.contains(secret)), "{reported}");
        reported
    };
    let reported = refusal(&[], "copy: Sensitive [value redacted]");
    assert!(reported.contains("the value at copy is redacted") && reported.contains("--reveal"), "{reported}");
    let reported = refusal(&[], "Sensitive [value redacted]: 1");
    assert!(reported.contains("the key at ") && reported.contains("is redacted"), "{reported}");
    let reported = refusal(&["--reveal"], "copy: s3cr3t-value");
    assert!(reported.contains("would have a decrypted value as plain text"), "{reported}");
}

#[test]
fn expressions_read_decrypted_values_and_print_them_redacted() {
    let folder = written();
    let eval = |flags: &[&str]| {
        run(folder.path(), &[&["eval", "--language", "unfurl", "--tree", "site.yaml"], flags].concat())
    };
    let vault = ["--vault-password-file", "password"];
    let expression = "{eval: {template: '{{ \".::web::password\" | eval | b64encode }}'}}";
    let (reported, is_successful) = eval(&[&vault[..], &["--reveal", "-e", expression, "--kind", "map"]].concat());
    assert!(is_successful && reported.contains("czNjcjN0LXZhbHVl"), "{reported}");
    for path in [".::web::password", ".::web::login::user", ".::web::all::db::password"] {
        let (reported, is_successful) = eval(&[&vault[..], &["-e", path]].concat());
        assert!(is_successful && reported.contains("redacted"), "{reported}");
    }
    let reversed = "{eval: {template: '{{ \".::web::password\" | eval | reverse }}'}}";
    for code in [expression, reversed] {
        let (reported, is_successful) = eval(&[&vault[..], &["-e", code, "--kind", "map"]].concat());
        assert!(is_successful && reported.contains("redacted"), "{reported}");
    }
    let (reported, is_successful) = eval(&["-e", ".::web::password"]);
    assert!(!is_successful && reported.contains("--vault-password-file"), "{reported}");
}
