//! A comparison as JSON, as `docs/changes.md` describes it.

use hieratic::value::Str;
use hieratic::{Hash, Value};

use crate::rows::Line;
use crate::view::{ChangeEntry, LoneEnvironment, NewFinding, NodeGroup, View};

impl View {
    /// The comparison as data, as `diff --format json` prints it.
    pub fn to_value(&self) -> Value {
        to_json(self)
    }
}

fn to_json(view: &View) -> Value {
    let text = |text: &str| Value::from(text);
    let optional = |text: &Option<String>| text.as_deref().map_or(Value::Undef, Value::from);
    let place = |(file, line): &(String, u32)| hash(vec![("file", text(file)), ("line", number(*line as usize))]);
    let line = |line: &Line| {
        let mut pairs = vec![
            ("side", text(if line.is_head { "head" } else { "base" })),
            ("path", line.path.iter().cloned().collect()),
            (if line.is_error { "error" } else { "value" }, line.value.clone()),
        ];
        pairs.extend(line.origin.as_deref().map(|origin| ("origin", text(origin))));
        if line.is_redacted {
            pairs.push(("redacted", true.into()));
        }
        hash(pairs)
    };
    let change = |change: &ChangeEntry| {
        let mut pairs = vec![
            ("key", text(&change.key)),
            ("parts", change.lines.iter().map(line).collect()),
            ("causes", change.causes.iter().map(|cause| text(cause)).collect()),
        ];
        if !change.remarks.is_empty() {
            pairs.push(("remarks", change.remarks.iter().map(|remark| text(remark)).collect()));
        }
        pairs.extend(change.place.as_ref().map(|at| ("place", place(at))));
        hash(pairs)
    };
    let resource = |change: &ChangeEntry| {
        let mut pairs = vec![
            ("resource", text(&change.key)),
            ("remarks", change.remarks.iter().map(|remark| text(remark)).collect()),
            ("parts", change.lines.iter().map(line).collect()),
        ];
        pairs.extend(change.place.as_ref().map(|at| ("place", place(at))));
        hash(pairs)
    };
    let nodes = |group: &NodeGroup| {
        let facts = group.facts.as_ref().map(|facts| {
            let pairs: Hash = facts.iter().map(|(name, value)| (name.as_str(), text(value))).collect();
            ("facts", Value::from(pairs))
        });
        let mut pairs =
            vec![("count", number(group.count)), ("names", group.names.iter().cloned().map(Value::String).collect())];
        pairs.extend(facts);
        hash(pairs)
    };
    // The environment is only named if the repository has several.
    let environments = |names: &[Str]| -> Option<(&str, Value)> {
        let names = names.iter().cloned().map(Value::String).collect();
        (!view.environments.is_empty()).then_some(("environments", names))
    };
    let group = |group: &NodeGroup| {
        let mut pairs = vec![("nodes", nodes(group)), ("changes", group.changes.iter().map(change).collect())];
        pairs.extend(environments(&group.environments));
        hash(pairs)
    };
    let catalogs = |group: &NodeGroup| {
        let mut pairs = vec![("nodes", nodes(group)), ("changes", group.changes.iter().map(resource).collect())];
        pairs.extend(environments(&group.environments));
        hash(pairs)
    };
    let broken = |group: &NodeGroup| {
        let [base, head] = &group.reasons;
        let what = if group.is_catalog { "catalog" } else { "lookup" };
        let mut pairs =
            vec![("nodes", nodes(group)), ("what", text(what)), ("base", optional(base)), ("head", optional(head))];
        pairs.extend(environments(&group.environments));
        hash(pairs)
    };
    let parameters = view.parameters.iter().map(|parameter| {
        let [base, head] = &parameter.sides;
        let mut pairs = vec![
            ("key", text(&parameter.key)),
            ("base", optional(base)),
            ("head", optional(head)),
            ("place", place(&parameter.place)),
        ];
        pairs.extend(environments(&parameter.environments));
        hash(pairs)
    });
    let finding = |finding: &NewFinding| {
        let mut pairs = vec![
            ("code", text(finding.code)),
            ("severity", text(finding.severity)),
            ("message", text(&finding.message)),
        ];
        pairs.extend(finding.place.as_ref().map(|at| ("place", place(at))));
        pairs.extend(environments(&finding.environments));
        hash(pairs)
    };
    let lone = |lone: &LoneEnvironment| {
        hash(vec![
            ("environment", Value::String(lone.name.clone())),
            ("side", text(if lone.is_head { "head" } else { "base" })),
        ])
    };
    let mut all = vec![
        ("base", text(&view.names[0])),
        ("head", text(&view.names[1])),
        (
            "summary",
            hash(vec![
                ("nodes", number(view.nodes)),
                ("asked", number(view.classes)),
                ("made_up", view.are_synthetic.into()),
                ("changed_nodes", number(view.touched)),
                ("changed_keys", number(view.keys)),
                ("changed_resources", number(view.resources)),
                ("failures", number(view.failures)),
            ]),
        ),
        ("groups", view.groups.iter().map(group).collect()),
        ("broken", view.broken.iter().map(broken).collect()),
        ("catalogs", view.catalogs.iter().map(catalogs).collect()),
        ("parameters", parameters.collect()),
        ("findings", view.findings.iter().map(finding).collect()),
        ("not_compared", view.notes.iter().map(|note| text(note)).collect()),
    ];
    all.extend(environments(&view.environments));
    if !view.lone.is_empty() {
        all.push(("only_on_one_side", view.lone.iter().map(lone).collect()));
    }
    if !view.ignored.is_empty() {
        all.push(("ignored", view.ignored.iter().map(|reference| text(reference)).collect()));
    }
    hash(all)
}

pub(crate) fn hash(pairs: Vec<(&str, Value)>) -> Value {
    pairs.into_iter().collect::<Hash>().into()
}

fn number(count: usize) -> Value {
    Value::Integer(i64::try_from(count).unwrap_or(i64::MAX))
}
