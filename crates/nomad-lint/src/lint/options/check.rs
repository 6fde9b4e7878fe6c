//! Compares a `config` with the options of its driver.

use hieratic_hcl_syntax::suggestion;
use hieratic_hcl_types::{Number, quoted};
use hieratic_nomad_job::Job;
use hieratic_nomad_job::record::{Data, Datum, Text};
use hieratic_nomad_job::schema::TASK;

use super::schema::{DriverOption, OptionKind, TextRule};
use crate::block::Block;
use crate::finding::Finding;
use crate::lint::remark;
use crate::nomad_version::NomadVersion;
use crate::rule::Rule;

/// The check of one `config`.
pub(super) struct ConfigCheck<'c> {
    pub(super) job: &'c Job,
    pub(super) task: &'c Block<'c>,
    pub(super) driver: &'static str,
    pub(super) version: NomadVersion,
    pub(super) found: &'c mut Vec<Finding>,
}

/// The place of an option: for messages, and in the job.
#[derive(Clone)]
pub(super) struct OptionPath {
    /// The names of the blocks around it, each with a dot after: `mount.tmpfs_options.`.
    blocks: String,
    /// The path of the values around it: `Job.TaskGroups[0].Tasks[0].Config["mount"][0]`.
    path: String,
}

impl OptionPath {
    fn member(&self, key: &str) -> String {
        format!("{}[{}]", self.path, quoted(key))
    }

    fn within(&self, key: &str, item: Option<usize>) -> OptionPath {
        let item = item.map(|item| format!("[{item}]")).unwrap_or_default();
        OptionPath { blocks: format!("{}{key}.", self.blocks), path: format!("{}{item}", self.member(key)) }
    }
}

impl ConfigCheck<'_> {
    /// The place of the `config` itself.
    pub(super) fn root(&self) -> OptionPath {
        OptionPath { blocks: String::new(), path: self.task.at("Config").path() }
    }

    /// Checks the options of a `config`.
    pub(super) fn config(&mut self, options: &[DriverOption], entries: &[(Text, Datum)]) {
        self.body(options, entries, &self.root(), None);
    }

    /// Checks the options of a `config` or of a block in it, which is at that place.
    fn body(&mut self, options: &[DriverOption], entries: &[(Text, Datum)], outer: &OptionPath, place: Option<&Datum>) {
        for (key, datum) in entries {
            match options.iter().find(|option| *option.name == **key) {
                Some(option) => self.option(option, datum, outer),
                None => self.unknown(options, key, datum, outer),
            }
        }
        for option in options.iter().filter(|option| option.required) {
            let name = option.name;
            let given = entries.iter().find(|(key, _)| **key == *name).map(|(_, datum)| datum);
            let is_null = given.is_some_and(|datum| datum.value == Data::Null);
            // The schema accepts null, and the driver refuses the empty text that it becomes.
            if is_null {
                let message =
                    format!("the driver {} needs the option \"{}{name}\", which is null", self.driver, outer.blocks);
                self.refuse(message, None, outer.member(name), given);
            } else if given.is_none() {
                let message = format!("the driver {} needs the option \"{}{name}\"", self.driver, outer.blocks);
                self.report(message, None, outer.member(name), place);
            }
        }
    }

    fn unknown(&mut self, options: &[DriverOption], key: &str, datum: &Datum, outer: &OptionPath) {
        // A name of slashes is a comment in HCL's JSON syntax.
        if key == "//" {
            return;
        }
        let driver = self.driver;
        if key == "dynamic" {
            let message =
                format!("the driver {driver} has no option \"dynamic\": dynamic blocks are not expanded in config");
            self.report(message, Some(help_for_dynamic(&datum.value)), outer.member(key), Some(datum));
            return;
        }
        let mut help = None;
        let hint = suggestion(key, options.iter().map(|option| option.name));
        let hint = hint.map_or_else(String::new, |name| format!("; did you mean \"{name}\"?"));
        if hint.is_empty() && outer.blocks.is_empty() {
            help = place_in_task(key);
        }
        let message = format!("the driver {driver} has no option \"{}{key}\"{hint}", outer.blocks);
        self.report(message, help, outer.member(key), Some(datum));
    }

    fn option(&mut self, option: &DriverOption, datum: &Datum, outer: &OptionPath) {
        let name = option.name;
        if let Some(since) = option.since.filter(|since| *since > self.version) {
            let message = format!(
                "the driver {} has the option \"{}{name}\" since Nomad {since}, and not in {}",
                self.driver, outer.blocks, self.version
            );
            self.report(message, None, outer.member(name), Some(datum));
            return;
        }
        let error = match (option.kind, &datum.value) {
            (_, Data::Null | Data::Unknown) | (OptionKind::Any, _) => None,
            (OptionKind::Block(_) | OptionKind::TextBlock, Data::List(items)) if items.len() > 1 => {
                let message = format!(
                    "the driver {} takes one block \"{}{name}\", not {}",
                    self.driver,
                    outer.blocks,
                    items.len()
                );
                self.report(message, None, outer.member(name), Some(datum));
                return;
            }
            (OptionKind::Block(options) | OptionKind::Blocks(options), value) => {
                self.nested(options, name, value, datum, outer)
            }
            (kind, value) => mismatch(kind, value).or_else(|| self.scalars(option, datum, outer)),
        };
        if let Some(error) = error {
            let expected = option.kind.name();
            let message = format!(
                "the driver {} takes {expected} for the option \"{}{name}\", not {error}",
                self.driver, outer.blocks
            );
            self.report(message, help_for(option.kind, &datum.value, name), outer.member(name), Some(datum));
        }
    }

    /// Checks blocks. Returns the kind of the value if it is something else.
    fn nested(
        &mut self,
        options: &[DriverOption],
        name: &str,
        value: &Data,
        datum: &Datum,
        outer: &OptionPath,
    ) -> Option<String> {
        match value {
            Data::Map(entries) => self.body(options, entries, &outer.within(name, None), Some(datum)),
            Data::List(items) => {
                if let Some(other) = items
                    .iter()
                    .find(|item| !matches!(item.value, Data::Map(_) | Data::List(_) | Data::Null | Data::Unknown))
                {
                    return Some(format!("a list with {}", describe(&other.value)));
                }
                for (at, item) in items.iter().enumerate() {
                    let place = outer.within(name, Some(at));
                    match &item.value {
                        Data::Map(entries) => self.body(options, entries, &place, Some(item)),
                        // A list in the list is one block, whose arguments are those of its maps.
                        Data::List(maps) => {
                            let is_map = |map: &&Datum| matches!(map.value, Data::Map(_) | Data::Null | Data::Unknown);
                            if let Some(other) = maps.iter().find(|map| !is_map(map)) {
                                return Some(format!("a list with {}", describe(&other.value)));
                            }
                            let entries: Vec<(Text, Datum)> = maps.iter().flat_map(entries_of).cloned().collect();
                            if let Some(repeated) = repeated_argument(options, &entries) {
                                return Some(format!("a list whose maps repeat {}", quoted(repeated)));
                            }
                            self.body(options, &entries, &place, Some(item));
                        }
                        _ => {}
                    }
                }
            }
            other => return Some(describe(other)),
        }
        None
    }

    /// Applies the rule for strings to the value, whose type is right.
    fn scalars(&mut self, option: &DriverOption, datum: &Datum, outer: &OptionPath) -> Option<String> {
        let name = option.name;
        for text in texts(&datum.value).filter(|text| !is_interpolated(text)) {
            let expected = match option.rule {
                _ if option.required && text.is_empty() => Some("a string that is not empty".to_owned()),
                TextRule::Free => None,
                TextRule::OneOf(values) => (!text.is_empty() && !values.contains(&text)).then(|| listed(values)),
                TextRule::Form(form) => form(text).map(str::to_owned),
            };
            if let Some(expected) = expected {
                let hint = match option.rule {
                    TextRule::OneOf(values) => suggestion(text, values.iter().copied()),
                    _ => None,
                };
                let hint = hint.map_or_else(String::new, |value| format!("; did you mean \"{value}\"?"));
                let message = format!(
                    "the driver {} takes {expected} for the option \"{}{name}\", not {}{hint}",
                    self.driver,
                    outer.blocks,
                    quoted(text)
                );
                self.refuse(message, None, outer.member(name), Some(datum));
            }
        }
        None
    }

    /// Adds a finding about the schema of the driver, at a value or at the task's `config`.
    fn report(&mut self, message: String, help: Option<String>, path: String, datum: Option<&Datum>) {
        self.add(Rule::DriverOption, message, help, path, datum);
    }

    /// Adds a finding about a value that the schema permits.
    pub(super) fn refuse(&mut self, message: String, help: Option<String>, path: String, datum: Option<&Datum>) {
        self.add(Rule::DriverValue, message, help, path, datum);
    }

    fn add(&mut self, rule: Rule, message: String, help: Option<String>, path: String, datum: Option<&Datum>) {
        let place = datum.and_then(|datum| self.job.place(datum));
        let place = place.or_else(|| self.task.at("Config").range());
        self.found.push(Finding { help, ..remark(rule, message, path, place) });
    }
}

fn entries_of(map: &Datum) -> &[(Text, Datum)] {
    match &map.value {
        Data::Map(entries) => entries,
        _ => &[],
    }
}

/// An argument that is there twice. Blocks may be repeated.
fn repeated_argument<'e>(options: &[DriverOption], entries: &'e [(Text, Datum)]) -> Option<&'e str> {
    let is_argument = |option: &DriverOption| {
        !matches!(option.kind, OptionKind::Block(_) | OptionKind::Blocks(_) | OptionKind::TextBlock)
    };
    let mut names: Vec<&str> = entries.iter().map(|(key, _)| &**key).collect();
    names.sort_unstable();
    let mut pairs = names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
    pairs.find(|name| options.iter().any(|option| option.name == *name && is_argument(option)))
}

/// The strings of a value: itself, or those in a list or in its maps.
fn texts(value: &Data) -> Box<dyn Iterator<Item = &str> + '_> {
    match value {
        Data::Text(text) => Box::new(std::iter::once(&**text)),
        Data::List(items) => Box::new(items.iter().flat_map(|item| texts(&item.value))),
        Data::Map(entries) => Box::new(entries.iter().flat_map(|(_, datum)| texts(&datum.value))),
        _ => Box::new(std::iter::empty()),
    }
}

/// Returns whether the client puts something else into the text.
fn is_interpolated(text: &str) -> bool {
    text.contains("${") || text.contains("%{")
}

/// Returns whether the client may put something into the text that is not a string.
fn may_be_anything(text: &str) -> bool {
    is_interpolated(text) && text.contains('(')
}

fn listed(values: &[&str]) -> String {
    match values {
        [only] => quoted(only),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(|value| quoted(value)).collect();
            format!("{} or {}", first.join(", "), quoted(last))
        }
        [] => String::new(),
    }
}

/// Describes a value that cannot be converted to a type; `None` if it can be.
fn mismatch(kind: OptionKind, value: &Data) -> Option<String> {
    let within = |kind: OptionKind, items: &mut dyn Iterator<Item = &Data>| {
        for item in items {
            if let Some(error) = mismatch(kind, item) {
                return Some(format!("one with {error}"));
            }
        }
        None
    };
    match (kind, value) {
        (_, Data::Null | Data::Unknown | Data::Pending(_)) | (OptionKind::Any, _) => None,
        (_, Data::Text(text)) if may_be_anything(text) => None,
        // The value of a reference is known only to the client, and may be any scalar.
        (OptionKind::Bool | OptionKind::Integer(..), Data::Text(text)) if is_interpolated(text) => None,
        (OptionKind::Text, Data::Text(_) | Data::Bool(_) | Data::Int(_) | Data::Uint(_) | Data::Float(_)) => None,
        (OptionKind::Bool, Data::Bool(_)) => None,
        (OptionKind::Bool, Data::Text(text)) if matches!(&**text, "true" | "false" | "1" | "0") => None,
        (OptionKind::Integer(least, most), Data::Int(number)) if (least..=most).contains(number) => None,
        (OptionKind::Integer(_, most), Data::Uint(number)) if i64::try_from(*number).is_ok_and(|it| it <= most) => None,
        (OptionKind::Integer(least, most), Data::Float(number)) => fault_of_float(*number, least, most),
        (OptionKind::Integer(least, most), Data::Text(text)) => fault_of_digits(text, least, most),
        (OptionKind::Texts, Data::List(items)) => within(OptionKind::Text, &mut items.iter().map(|item| &item.value)),
        (OptionKind::TextMap | OptionKind::NumberMap, Data::List(items)) => {
            let maps = items.iter().filter(|item| item.value != Data::Null);
            maps.into_iter().find_map(|item| match &item.value {
                Data::Map(entries) => within(element(kind), &mut entries.iter().map(|(_, datum)| &datum.value)),
                Data::Unknown => None,
                other => Some(format!("a list with {}", describe(other))),
            })
        }
        (OptionKind::TextBlock, Data::List(items)) => items.first().and_then(|item| match &item.value {
            inner @ (Data::Null | Data::List(_)) => Some(format!("a list with {}", describe(inner))),
            inner => mismatch(kind, inner),
        }),
        (OptionKind::TextBlock, Data::Map(entries)) => {
            within(OptionKind::Text, &mut entries.iter().map(|(_, datum)| &datum.value))
        }
        (OptionKind::Integer(..), Data::Int(_) | Data::Uint(_)) => Some(describe_exactly(value)),
        (_, other) => Some(describe(other)),
    }
}

/// The type of the values of a map.
fn element(kind: OptionKind) -> OptionKind {
    match kind {
        OptionKind::NumberMap => OptionKind::Integer(i64::MIN, i64::MAX),
        _ => OptionKind::Text,
    }
}

fn fault_of_float(number: f64, least: i64, most: i64) -> Option<String> {
    /// The first number above all integers, which floats can represent exactly.
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    let is_integer = number.fract() == 0.0 && (-BEYOND..BEYOND).contains(&number);
    // The number is an integer in the range, so nothing is cut off.
    let is_within = is_integer && (least..=most).contains(&(number as i64));
    (!is_within).then(|| number.to_string())
}

fn fault_of_digits(text: &str, least: i64, most: i64) -> Option<String> {
    let number = Number::parse(text).and_then(|number| number.to_i64());
    let is_whole = number.is_some_and(|number| (least..=most).contains(&number));
    (!is_whole).then(|| quoted(text))
}

fn describe_exactly(value: &Data) -> String {
    match value {
        Data::Int(number) => number.to_string(),
        Data::Uint(number) => number.to_string(),
        other => describe(other),
    }
}

/// Describes a value in a message.
fn describe(value: &Data) -> String {
    match value {
        Data::Text(text) => quoted(text),
        Data::Bool(_) => "a truth value".to_owned(),
        Data::Int(_) | Data::Uint(_) | Data::Float(_) => "a number".to_owned(),
        Data::List(_) => "a list".to_owned(),
        Data::Map(_) | Data::Record(_) => "a map".to_owned(),
        Data::Bytes(_) => "bytes".to_owned(),
        Data::Null | Data::Pending(_) | Data::Unknown => "null".to_owned(),
    }
}

/// Suggests how to write a value of another type.
fn help_for(kind: OptionKind, value: &Data, name: &str) -> Option<String> {
    match (kind, value) {
        (OptionKind::Texts, Data::Text(text)) => Some(format!("write {name} = [{}]", quoted(text))),
        (OptionKind::Bool, Data::Text(text)) => match text.to_ascii_lowercase().as_str() {
            "yes" | "on" | "true" => Some(format!("write {name} = true")),
            "no" | "off" | "false" => Some(format!("write {name} = false")),
            _ => None,
        },
        (OptionKind::TextMap | OptionKind::NumberMap | OptionKind::TextBlock, Data::List(items))
            if items.iter().any(|item| matches!(item.value, Data::Text(_))) =>
        {
            Some(format!("write {name} {{ key = value }}"))
        }
        (OptionKind::Block(_) | OptionKind::Blocks(_), Data::List(_) | Data::Text(_)) => {
            Some(format!("write {name} {{ ... }}"))
        }
        _ => None,
    }
}

/// Suggests the place in the task for an option that the driver does not have.
fn place_in_task(key: &str) -> Option<String> {
    let block = match key {
        "environment" | "envs" => "env",
        "cpu" | "memory" | "cores" | "memory_max" => "resources",
        "depends_on" => "lifecycle",
        other => other,
    };
    if block == "lifecycle" && key != block {
        return Some("order tasks with a lifecycle block in the task".to_owned());
    }
    if TASK.block(block).is_some() {
        return Some(format!("{block} is a block of the task: write it next to config, not in it"));
    }
    TASK.attribute(block).map(|_| format!("{block} is an argument of the task: write it next to config, not in it"))
}

/// Suggests a replacement for a `dynamic` block in `config`.
fn help_for_dynamic(value: &Data) -> String {
    let name = match value {
        Data::List(items) => items.first().and_then(|item| match &item.value {
            Data::Map(entries) => entries.first().map(|(key, _)| &**key),
            _ => None,
        }),
        _ => None,
    };
    let name = name.unwrap_or("mount");
    format!("write {name} = [for item in LIST : {{ ... }}] instead: plugins take a list of objects for blocks")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_converted_as_in_hcl() {
        use OptionKind::{Any, Bool, Integer, NumberMap, Text, TextBlock, TextMap, Texts};
        let whole = Integer(i64::MIN, i64::MAX);
        let list = |values: Vec<Data>| Data::List(values.into_iter().map(Datum::derived).collect());
        let map = |value: Data| Data::Map(vec![("a".into(), Datum::derived(value))]);
        for (expected, value, refused) in [
            (Text, Data::Int(5), None),
            (Text, list(vec!["a".into()]), Some("a list")),
            (Bool, Data::from("true"), None),
            (Bool, Data::from("yes"), Some("\"yes\"")),
            (Bool, Data::from("${meta.privileged}"), None),
            (Bool, Data::Int(1), Some("a number")),
            (whole, Data::from("64"), None),
            (whole, Data::from("64mb"), Some("\"64mb\"")),
            (whole, Data::from("1.5"), Some("\"1.5\"")),
            (whole, Data::Float(1.5), Some("1.5")),
            (Integer(0, 10), Data::Int(-1), Some("-1")),
            (Texts, list(vec!["a".into(), Data::Int(1)]), None),
            (Texts, list(vec![map("a".into())]), Some("one with a map")),
            (Texts, Data::from("a:b"), Some("\"a:b\"")),
            (Texts, Data::from("${jsondecode(meta.a)}"), None),
            (TextMap, list(vec![map("x".into())]), None),
            (TextMap, map("x".into()), Some("a map")),
            (NumberMap, list(vec![map("x".into())]), Some("one with \"x\"")),
            (NumberMap, list(vec![map("80".into())]), None),
            (TextBlock, list(vec![map("x".into())]), None),
            (TextBlock, list(vec![Data::Null]), Some("a list with null")),
            (TextBlock, list(vec![list(vec![map("x".into())])]), Some("a list with a list")),
            (Any, Data::from("x"), None),
        ] {
            assert_eq!(mismatch(expected, &value).as_deref(), refused, "{value:?}");
        }
    }
}
