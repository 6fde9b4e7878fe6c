//! Changes of every kind, in every format.

use hieratic::lookup::Origin;
use hieratic::{Redactor, Value};
use hieratic_impact::{Cause, Diff, Part, PartValue, Presence, Side};
use hieratic_report::pages::changes_page;
use hieratic_report::{
    Change, ChangeGroup, Failing, Failure, Finding, Job, Key, NodeSet, Parameter, Place, Report, Resource, Severity,
};

fn part(path: &str, base: Value, head: Value) -> Part {
    let origin = Some(Origin::File { file: std::path::Path::new("data/a.yaml").into(), line: 3, column: 1 });
    let found = |value| Some(PartValue { value, origin: origin.clone(), is_error: false, is_redacted: false });
    Part::new(vec![path.into()], Diff { base, head }.map(found))
}

fn key(name: &str, base: Value, head: Value) -> Change {
    Change::Key(Key {
        key: name.into(),
        presence: Presence::Both,
        parts: vec![part("in-the-key", base, head)],
        causes: vec![Cause::Facts],
        as_on: None,
        place: None,
    })
}

/// One change of each kind, each with a separate name.
fn all() -> Vec<(&'static str, Change)> {
    let place = || Place { file: "manifests/site.pp".into(), line: 7 };
    let resource = Resource {
        reference: "File[/the-resource]".into(),
        presence: Presence::Head,
        severity: Severity::New,
        remarks: vec!["new".into()],
        parts: vec![part("mode", "0600".into(), "0644".into())],
        place: Some(place()),
    };
    let parameter = Parameter {
        key: "the::parameter".into(),
        declarations: Diff { base: None, head: Some("Integer, required".into()) },
        place: place(),
    };
    let finding = Finding { rule: "the-rule", severity: "warning", message: "it is wrong".into(), place: None };
    let state = Some("job \"the-job\"".to_owned());
    let job = Job {
        job: "the-job".into(),
        entry: None,
        place: place(),
        moved_from: None,
        presence: Presence::Both,
        states: Diff { base: state.clone(), head: state },
        parts: Vec::new(),
        nodes: None,
    };
    let reasons = Diff { base: None, head: Some("the reason".into()) };
    vec![
        ("the::key", key("the::key", 1.into(), 2.into())),
        ("the reason", Change::Failure(Failure { failing: Failing::Lookup, reasons })),
        ("File[/the-resource]", Change::Resource(resource)),
        ("the::parameter", Change::Parameter(parameter)),
        ("the-rule", Change::Finding(finding)),
        ("the-job", Change::Job(job)),
    ]
}

fn report(changes: impl IntoIterator<Item = Change>) -> Report {
    let nodes = |count| NodeSet { title: "web01".into(), count, facts: None, names: vec!["web01".into()] };
    let group = |change: Change| {
        let nodes = change.kind().heading.is_none().then(|| nodes(1));
        ChangeGroup { nodes, environments: Vec::new(), changes: vec![change] }
    };
    let mut report = Report::default();
    report.groups = changes.into_iter().map(group).collect();
    report
}

#[test]
fn every_format_shows_every_kind() {
    let all = all();
    let kinds: Vec<&str> = all.iter().map(|(_, change)| change.kind().list).collect();
    assert_eq!(kinds, Change::KINDS.map(|kind| kind.list));
    let report = report(all.iter().map(|(_, change)| change.clone()));
    let json = report.to_value().unwrap();
    for (name, change) in &all {
        let list = json.as_hash().unwrap().get(change.kind().list).unwrap();
        assert!(list.inspect().contains(name), "JSON has no {name}: {}", list.inspect());
        let formats =
            [report.to_text(true, None), report.to_markdown(), report.to_annotations(), changes_page(&report)];
        for text in formats {
            assert!(text.contains(name) || text.contains(&name.replace("::", "%3A%3A")), "no {name}: {text}");
        }
    }
}

#[test]
fn json_keeps_every_digit() {
    let digits = "123456789012345678901234567890123456789012345678901234567890";
    let number = hieratic::json::parse(digits.as_bytes()).unwrap();
    let json = report([key("a", 1.into(), number)]).to_value().unwrap();
    assert!(json.inspect().contains(&format!("\"value\"=>{digits}, ")), "{}", json.inspect());
}

#[test]
fn secrets_of_a_side_leave_no_part() {
    let mut report = report([key("a", "hunter2".into(), "public".into()), key("b", 1.into(), 2.into())]);
    let secrets = hieratic::secrets::Secrets::default();
    secrets.add(&"hunter2".into());
    report.redact_secrets(&Redactor::new(secrets, false), &|key| key == "b");
    for change in report.changes() {
        let Change::Key(key) = change else { panic!("{change:?}") };
        let [part] = key.parts.as_slice() else { panic!("{:?}", key.parts) };
        assert!(part.path.is_empty() && part.values.as_ref().into_iter().flatten().all(|found| found.is_redacted));
        assert!(change.entry().is_redacted());
    }
    let text = report.to_text(false, Some(80)) + &report.to_markdown() + &report.to_value().unwrap().inspect();
    assert!(!text.contains("public") && !text.contains("hunter2") && !text.contains("in-the-key"), "{text}");
}

#[test]
fn annotations_of_errors_are_errors() {
    let mut parts = vec![part("a", 1.into(), "cannot be decrypted".into())];
    for found in parts.iter_mut().flat_map(|part| part.values.as_mut().side(Side::Head)) {
        found.is_error = true;
    }
    let (causes, as_on, place) = (Vec::new(), None, None);
    let key = Key { key: "k".into(), presence: Presence::Both, parts, causes, as_on, place };
    let text = report([Change::Key(key)]).to_annotations();
    let expected = "::error title=k changes on web01::- a: 1%0A+ cannot be decrypted\n";
    assert!(text.starts_with(expected), "{text}");
}
