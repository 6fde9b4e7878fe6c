//! A report as JSON, as `docs/changes.md` describes it.

use hieratic::Value;
use hieratic::value::Rich;
use hieratic::value::{Mismatch, Str};
use serde::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};

use crate::change::Change;
use crate::overview::{Overview, OverviewRow};
use crate::report::{ChangeGroup, LoneEnvironment, NodeSet, Report};
use crate::rows::Line;

impl Report {
    /// Returns the report as data, as `diff --format json` prints it.
    ///
    /// # Errors
    /// Never: no part of a report fails to be serialized.
    pub fn to_value(&self) -> Result<Value, Mismatch> {
        Value::from_data(self)
    }
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(None)?;
        for (side, name) in self.names.as_ref().sides() {
            map.serialize_entry(side.name(), name)?;
        }
        map.serialize_entry("headline", &self.first_line())?;
        map.serialize_entry("summary", &self.summary)?;
        map.serialize_entry("overview", &self.overview())?;
        for kind in Change::KINDS {
            if kind.is_grouped {
                map.serialize_entry(kind.list, &self.groups_of(kind).map(GroupData::new).collect::<Vec<_>>())?;
            } else {
                let single = self.groups_of(kind).flat_map(SingleData::of_group);
                map.serialize_entry(kind.list, &single.collect::<Vec<_>>())?;
            }
        }
        map.serialize_entry("not_compared", &self.notes)?;
        // The environment is only named if the repository has several.
        if !self.environments.is_empty() {
            map.serialize_entry("environments", &Names(&self.environments))?;
        }
        if !self.lone.is_empty() {
            map.serialize_entry("only_on_one_side", &self.lone)?;
        }
        if !self.ignored.is_empty() {
            map.serialize_entry("ignored", &self.ignored)?;
        }
        map.end()
    }
}

impl Serialize for Overview {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(Some(2))?;
        map.serialize_entry("keys", &self.keys)?;
        map.serialize_entry("resources", &self.resources)?;
        map.end()
    }
}

impl Serialize for OverviewRow {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(None)?;
        map.serialize_entry("name", &self.name)?;
        map.serialize_entry("state", self.state())?;
        if !self.effect.is_empty() {
            map.serialize_entry("effect", &self.effect)?;
        }
        for (name, value) in [("before", &self.values.base), ("after", &self.values.head)] {
            map.serialize_entry(name, value)?;
        }
        if self.others > 0 {
            map.serialize_entry("others", &self.others)?;
        }
        map.serialize_entry("nodes", &self.nodes)?;
        map.serialize_entry("which", &self.which)?;
        map.serialize_entry("places", &self.places)?;
        map.end()
    }
}

/// The changes of some nodes.
#[derive(serde::Serialize)]
struct GroupData<'r> {
    nodes: Option<&'r NodeSet>,
    changes: &'r [Change],
    #[serde(skip_serializing_if = "Names::is_empty")]
    environments: Names<'r>,
}

/// A change that is not in a group with others.
#[derive(serde::Serialize)]
struct SingleData<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<&'r NodeSet>,
    #[serde(flatten)]
    change: &'r Change,
    #[serde(skip_serializing_if = "Names::is_empty")]
    environments: Names<'r>,
}

impl<'r> GroupData<'r> {
    fn new(group: &'r ChangeGroup) -> GroupData<'r> {
        GroupData { nodes: group.nodes.as_ref(), changes: &group.changes, environments: Names(&group.environments) }
    }
}

impl<'r> SingleData<'r> {
    fn of_group(group: &'r ChangeGroup) -> impl Iterator<Item = SingleData<'r>> {
        let ChangeGroup { nodes, environments, changes } = group;
        changes.iter().map(|change| SingleData { nodes: nodes.as_ref(), change, environments: Names(environments) })
    }
}

/// Names of nodes or environments.
struct Names<'n>(&'n [Str]);

impl Names<'_> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Names<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_seq(self.0.iter().map(|name| &**name))
    }
}

impl Serialize for NodeSet {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(None)?;
        map.serialize_entry("count", &self.count)?;
        map.serialize_entry("names", &Names(&self.names))?;
        if let Some(facts) = &self.facts {
            map.serialize_entry("facts", &Facts(facts))?;
        }
        map.end()
    }
}

/// Facts in the order in which they describe nodes.
struct Facts<'f>(&'f [(String, String)]);

impl Serialize for Facts<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl Serialize for LoneEnvironment {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(Some(2))?;
        map.serialize_entry("environment", &*self.name)?;
        map.serialize_entry("side", self.side.name())?;
        map.end()
    }
}

/// A value whose integers keep all their digits, as `serde_json` hands them out.
struct Exact<'v>(&'v Value);

impl Serialize for Exact<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        const NUMBER: &str = "$serde_json::private::Number";
        match self.0 {
            Value::Rich(rich) if matches!(&**rich, Rich::BigInteger(_)) => {
                let mut number = out.serialize_struct(NUMBER, 1)?;
                number.serialize_field(NUMBER, &self.0.to_text())?;
                number.end()
            }
            value => value.serialize(out),
        }
    }
}

impl Serialize for Line {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(None)?;
        map.serialize_entry("side", self.side.name())?;
        map.serialize_entry("path", &self.path)?;
        map.serialize_entry(if self.is_error { "error" } else { "value" }, &Exact(&self.value))?;
        if let Some(origin) = &self.origin {
            map.serialize_entry("origin", origin)?;
        }
        if self.is_redacted {
            map.serialize_entry("redacted", &true)?;
        }
        if self.is_moved {
            map.serialize_entry("moved", &true)?;
        }
        map.end()
    }
}
