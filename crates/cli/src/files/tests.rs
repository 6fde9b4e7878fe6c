//! Replacing files, ended at every step.

use std::fs;
use std::path::{Path, PathBuf};

use super::claim::Claim;
use super::recovery::recover_in;
use super::replace::{Change, Transaction};
use crate::args::{Color, MessageFormat};
use crate::report::Reporter;

const NAMES: [&str; 3] = ["a.yaml", "b.yaml", "new.yaml"];

struct TestFolder {
    folder: tempfile::TempDir,
    journals: PathBuf,
}

impl TestFolder {
    fn new() -> TestFolder {
        let folder = tempfile::tempdir().unwrap();
        let journals = folder.path().join("journals");
        super::private::folder(&journals, "").unwrap();
        fs::create_dir(folder.path().join("data")).unwrap();
        for name in &NAMES[..2] {
            fs::write(folder.path().join("data").join(name), "old").unwrap();
        }
        TestFolder { folder, journals }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn claims(&self) -> Vec<Claim> {
        let reporter = Reporter::new(MessageFormat::Human, Color::Never);
        NAMES.iter().map(|name| Claim::acquire(&self.data().join(name), &reporter).unwrap()).collect()
    }

    /// The content of each file, and the names of all other files there.
    fn texts(&self) -> (Vec<Option<String>>, Vec<String>) {
        let texts = NAMES.iter().map(|name| fs::read_to_string(self.data().join(name)).ok()).collect();
        let names = fs::read_dir(self.data()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        (texts, names.filter(|name| !NAMES.contains(&name.as_str())).collect())
    }

    fn recover(&self) -> Vec<String> {
        let mut messages = Vec::new();
        recover_in(&self.journals, &mut |message| messages.push(message));
        messages
    }

    fn journals_left(&self) -> usize {
        fs::read_dir(&self.journals).unwrap().count()
    }
}

fn changes(claims: &[Claim]) -> Vec<Change<'_>> {
    claims.iter().map(|claim| Change::new(claim, b"new")).collect()
}

/// Makes that many steps, and then stops like a killed process. Returns whether more steps remain.
fn killed_after(steps: usize, place: &TestFolder) -> bool {
    let claims = place.claims();
    let changes = changes(&claims);
    let mut transaction =
        Transaction::new(&changes.iter().collect::<Vec<_>>(), &place.journals).unwrap_or_else(|_| panic!());
    // Dropping it only releases its locks.
    (0..steps).all(|_| transaction.step().unwrap_or_else(|_| panic!("step of {steps}")))
}

fn old() -> Vec<Option<String>> {
    vec![Some("old".into()), Some("old".into()), None]
}

fn new() -> Vec<Option<String>> {
    vec![Some("new".into()); 3]
}

#[test]
fn killed_at_any_step_all_files_are_old_or_new() {
    let (mut olds, mut news, mut mixed) = (0, 0, 0);
    for steps in 0.. {
        let place = TestFolder::new();
        let more = killed_after(steps, &place);
        let (texts, _) = place.texts();
        mixed += usize::from(texts != old() && texts != new());
        place.recover();
        let (texts, others) = place.texts();
        assert!(texts == old() || texts == new(), "{steps}: {texts:?}");
        assert_eq!((others.len(), place.journals_left()), (0, 0), "{steps}: {others:?}");
        if texts == old() {
            olds += 1
        } else {
            news += 1
        }
        if !more {
            break;
        }
    }
    assert!(olds > 3 && news > 3 && mixed > 1, "{olds} {news} {mixed}");
}

/// A read-only run warns of inconsistent files, and changes nothing.
#[test]
fn a_partial_replacement_is_reported() {
    let mut reported = 0;
    for steps in 0.. {
        let place = TestFolder::new();
        let more = killed_after(steps, &place);
        let before = place.texts();
        let found =
            |folder: PathBuf| super::interrupted::find_inconsistent(&place.journals, &[folder.canonicalize().unwrap()]);
        let sentences = found(place.data());
        let is_mixed = before.0 != old() && before.0 != new();
        assert_eq!(sentences.len(), usize::from(is_mixed), "{steps}: {:?} {sentences:?}", before.0);
        assert!(sentences.iter().all(|sentence| sentence.contains("was to replace 3 files")), "{sentences:?}");
        assert_eq!(found(place.journals.clone()), Vec::<String>::new(), "another folder");
        assert_eq!(place.texts(), before);
        reported += sentences.len();
        if !more {
            break;
        }
    }
    assert!(reported > 1, "{reported}");
}

/// A recovery may be killed as well.
#[test]
fn a_killed_recovery_is_recovered() {
    let place = TestFolder::new();
    // Three files are written and named, then the journal is marked, and one is exchanged.
    assert!(killed_after(8, &place));
    let (texts, others) = place.texts();
    assert_eq!((texts[0].as_deref(), texts[1].as_deref(), others.len()), (Some("new"), Some("old"), 3));
    let journal = fs::read_dir(&place.journals).unwrap().next().unwrap().unwrap().path();
    let bytes = fs::read(&journal).unwrap();
    assert_eq!(place.recover().len(), 1);
    assert_eq!(place.texts(), (new(), vec![]));
    fs::write(&journal, bytes).unwrap();
    assert!(place.recover().is_empty());
    assert_eq!((place.texts(), place.journals_left()), ((new(), vec![]), 0));
}

#[test]
fn files_changed_by_others_are_kept_beside_the_new_ones() {
    let place = TestFolder::new();
    assert!(killed_after(8, &place));
    fs::write(place.data().join("b.yaml"), "theirs").unwrap();
    let messages = place.recover();
    let (texts, others) = place.texts();
    assert_eq!(texts, [Some("new".into()), Some("theirs".into()), Some("new".into())]);
    assert_eq!(others, ["b.yaml.edited"]);
    assert!(messages.iter().any(|message| message.contains("b.yaml.edited")), "{messages:?}");
}

#[test]
fn a_file_that_changes_meanwhile_stops_the_replacement() {
    for steps in 0..9 {
        let place = TestFolder::new();
        let claims = place.claims();
        let changes = changes(&claims);
        let mut transaction =
            Transaction::new(&changes.iter().collect::<Vec<_>>(), &place.journals).unwrap_or_else(|_| panic!());
        for _ in 0..steps {
            assert!(transaction.step().unwrap_or_else(|_| panic!("{steps}")));
        }
        // By renaming, as most editors do. The second file is exchanged in the ninth step.
        let theirs = place.folder.path().join("theirs");
        fs::write(&theirs, "theirs").unwrap();
        fs::rename(&theirs, place.data().join("b.yaml")).unwrap();
        let error = loop {
            match transaction.step() {
                Ok(more) => assert!(more, "{steps}: it was not seen"),
                Err(error) => break error,
            }
        };
        assert!(transaction.fail(error).is_conflict);
        let (texts, others) = place.texts();
        assert_eq!(texts, [Some("old".into()), Some("theirs".into()), None], "{steps}");
        assert_eq!((others.len(), place.journals_left()), (0, 0), "{steps}: {others:?}");
    }
}

#[test]
fn a_live_run_is_left_alone() {
    let place = TestFolder::new();
    let claims = place.claims();
    let changes = changes(&claims);
    let mut transaction =
        Transaction::new(&changes.iter().collect::<Vec<_>>(), &place.journals).unwrap_or_else(|_| panic!());
    for _ in 0..8 {
        assert!(transaction.step().unwrap_or_else(|_| panic!()));
    }
    let before = place.texts();
    assert!(place.recover().is_empty());
    assert_eq!((place.texts(), place.journals_left()), (before, 1));
    while transaction.step().unwrap_or_else(|_| panic!()) {}
    assert_eq!((place.texts(), place.journals_left()), ((new(), vec![]), 0));
}

#[test]
fn a_file_is_claimed_by_one_run_only() {
    let place = TestFolder::new();
    let claims = place.claims();
    let reporter = Reporter::new(MessageFormat::Human, Color::Never);
    // By another name of the path as well.
    let path = place.data().join("../data/a.yaml");
    let refusal = Claim::acquire(&path, &reporter).unwrap_err();
    assert!(refusal.message.contains("is being changed by"), "{}", refusal.message);
    drop(claims);
    assert!(Claim::acquire(&path, &reporter).is_ok());
}

/// A file of this name in a repository is not ours.
#[test]
fn similar_looking_files_are_not_removed() {
    let place = TestFolder::new();
    fs::write(place.data().join(".hieratic-0123456789abcdef"), "theirs").unwrap();
    place.recover();
    drop(place.claims());
    assert_eq!(place.texts().1, [".hieratic-0123456789abcdef"]);
}

#[cfg(unix)]
#[test]
fn a_file_with_two_names_is_refused() {
    let place = TestFolder::new();
    fs::hard_link(place.data().join("a.yaml"), place.folder.path().join("other")).unwrap();
    let reporter = Reporter::new(MessageFormat::Human, Color::Never);
    let refusal = Claim::acquire(&place.data().join("a.yaml"), &reporter).unwrap_err();
    assert!(refusal.message.contains("hard links"), "{}", refusal.message);
    // Once a file has its name back, it can be claimed.
    fs::remove_file(place.folder.path().join("other")).unwrap();
    assert!(Claim::acquire(Path::new(&place.data().join("a.yaml")), &reporter).is_ok());
}
