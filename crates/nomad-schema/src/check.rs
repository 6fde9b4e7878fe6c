//! Checks a file against the schema of its kind.

use hieratic_budget::{Budget, Exhausted};
use hieratic_hcl1::{File, Item, Literal, Scalar, Token, TokenKind, Value};
use hieratic_source::{Span, nearest};
use hieratic_value::ErasedSort as _;
use hieratic_value::collections::HashMap;

use crate::finding::Finding;
use crate::kind::{Decoder, Kind};
use crate::notation::{Choice, Field, Schema, Shape, Type};
use crate::rules::{self, config_entry};
use crate::types::{fits, is_duration, is_template, noun, only_value, parse_size};

/// Checks a file against the schema of its kind.
///
/// # Errors
/// The budget is exhausted.
pub fn check(kind: Kind, file: &File, budget: &Budget) -> Result<Vec<Finding>, Exhausted> {
    let schema = kind.schema();
    let mut checker = Checker { kind, file, schema, budget, findings: Vec::new() };
    let root = if kind == Kind::ConsulConfigEntry { config_entry::root(file) } else { None };
    if let Some(root) = root.and_then(|root| schema.get(&root)).or_else(|| schema.get(kind.root())) {
        checker.object(root, kind.name(), None, &file.items)?;
    }
    let mut findings = checker.findings;
    findings.extend(rules::check(kind, file));
    findings.sort_erased_by_key(|finding| finding.span.start);
    Ok(findings)
}

struct Checker<'f> {
    kind: Kind,
    file: &'f File,
    schema: &'static Schema,
    budget: &'f Budget,
    findings: Vec<Finding>,
}

impl Checker<'_> {
    fn report(&mut self, is_refused: bool, span: Span, message: String, help: Option<String>) {
        self.findings.push(Finding { span, message, help, is_refused });
    }

    fn span(&self, token: &Token) -> Span {
        self.file.span(token)
    }

    /// The name of a key. One that has none is reported.
    fn name(&mut self, token: &Token) -> Option<String> {
        match self.file.name(token) {
            Ok(name) => Some(name),
            Err(message) => {
                self.report(true, self.span(token), message, None);
                None
            }
        }
    }

    /// Checks an object of a type. `owner` is its name, and `place` the key that begins it.
    fn object(
        &mut self,
        of: &'static Type,
        owner: &str,
        place: Option<&Token>,
        items: &[Item],
    ) -> Result<(), Exhausted> {
        let mut seen: HashMap<&'static str, usize> = HashMap::default();
        let mut spelled: HashMap<&'static str, String> = HashMap::default();
        // The fields that have a value, and its name in the file.
        let mut filled: HashMap<&'static str, &Token> = HashMap::default();
        let last = if self.kind == Kind::ConsulAgent { self.last_arguments(of, items) } else { HashMap::default() };
        for item in items {
            self.budget.step()?;
            let Some(key) = item.keys.first() else { continue };
            let Some(name) = self.name(key) else { continue };
            match find(of, &name) {
                Some(field) => {
                    let count = seen.entry(field.name).or_default();
                    *count += 1;
                    let is_first = *count == 1;
                    let spelling = spelled.entry(field.name).or_insert_with(|| name.clone());
                    // Both of Consul's decoders read one of the spellings, and do not know the other.
                    let is_of_consul = match self.kind {
                        Kind::ConsulConfigEntry => field.name != "Kind",
                        kind => kind == Kind::ConsulAgent,
                    };
                    if !is_first && is_of_consul && *spelling != name {
                        let message = format!("\"{name}\" is \"{spelling}\", which is set already");
                        self.report(true, self.span(key), message, Some("leave one of them".to_owned()));
                    } else if !is_first {
                        self.repeated(of, field, item, key);
                    }
                    // Consul's agent reads the last one alone.
                    let is_overridden = matches!(item.value, Value::Literal(_))
                        && last.get(field.name).is_some_and(|last| !std::ptr::eq(*last, item));
                    if !is_overridden {
                        self.field(of, field, item)?;
                    }
                    if self.kind != Kind::ConsulConfigEntry || has_value(self.file, field, &item.value) {
                        filled.insert(field.name, key);
                    }
                }
                None if of.is_open => self.open_value(&name, key, item),
                None => self.unknown(of, (owner, place.is_none()), &name, key, item),
            }
        }
        for field in of.fields.iter().filter(|field| field.is_required && !filled.contains_key(field.name)) {
            let span = place.map_or(Span::at(0), |token| self.span(token));
            self.report(true, span, format!("{owner} needs \"{}\"", field.name), help_of_values(field));
        }
        for choice in &of.choices {
            self.choice(choice, owner, place, &filled);
        }
        Ok(())
    }

    /// Checks which of several fields have a value.
    fn choice(&mut self, choice: &Choice, owner: &str, place: Option<&Token>, filled: &HashMap<&'static str, &Token>) {
        let given: Vec<(&str, &Token)> =
            choice.names.iter().filter_map(|name| Some((*name, *filled.get(name)?))).collect();
        match given.as_slice() {
            [(first, _), (second, key), ..] if choice.is_exclusive => {
                let message = format!("{owner} has both \"{first}\" and \"{second}\"");
                self.report(true, self.span(key), message, Some("leave one of them".to_owned()));
            }
            [] if choice.is_required => {
                let span = place.map_or(Span::at(0), |token| self.span(token));
                let names: Vec<String> = choice.names.iter().map(|name| format!("\"{name}\"")).collect();
                self.report(true, span, format!("{owner} needs one of {}", names.join(", ")), None);
            }
            _ => {}
        }
    }

    /// A value of a name that only another program knows. Nomad passes on strings alone.
    fn open_value(&mut self, name: &str, key: &Token, item: &Item) {
        let is_string = matches!(&item.value, Value::Literal(literal)
            if matches!(literal.token.kind, TokenKind::String | TokenKind::Heredoc));
        if self.kind == Kind::NomadAgent && !is_string {
            self.report(true, self.span(key), format!("\"{name}\" is not a string"), Some("write a string".to_owned()));
        }
    }

    fn unknown(&mut self, of: &'static Type, (owner, is_root): (&str, bool), name: &str, key: &Token, item: &Item) {
        let is_block = matches!(item.value, Value::Object(_)) && item.assign.is_none();
        let noun = if is_block { "block" } else { "argument" };
        let in_case = of.fields.iter().map(|field| field.name).find(|known| known.eq_ignore_ascii_case(name));
        let spellings = of.fields.iter().flat_map(|field| std::iter::once(field.name).chain(field.alias));
        let near = in_case.or_else(|| nearest(name, spellings));
        let help = match near {
            Some(near) => Some(format!("did you mean \"{near}\"?")),
            None => self.home(name).map(|home| format!("it belongs into the block \"{home}\"")),
        };
        let is_refused = of.is_strict && !(is_root && item.keys.len() == 1 && self.is_forgotten(name));
        let effect = if is_refused { "" } else { ": it has no effect" };
        self.report(is_refused, self.span(key), format!("{owner} has no {noun} \"{name}\"{effect}"), help);
    }

    /// Whether the agent of Nomad forgets a name that it does not know: it takes these for names of inner blocks.
    fn is_forgotten(&self, name: &str) -> bool {
        const FORGOTTEN: [&str; 13] = [
            "chroot_env",
            "datadog_tags",
            "default_identity",
            "enabled_schedulers",
            "license",
            "meta",
            "options",
            "retry_join",
            "server_join",
            "servers",
            "service_identity",
            "start_join",
            "template",
        ];
        self.kind == Kind::NomadAgent && FORGOTTEN.iter().any(|known| known.eq_ignore_ascii_case(name))
    }

    /// The block of the root that knows a name.
    fn home(&self, name: &str) -> Option<&'static str> {
        let root = self.schema.get(self.kind.root())?;
        let knows = |field: &&Field| {
            let of = field.shape.object().and_then(|of| self.schema.get(of));
            of.is_some_and(|of| !of.is_open && find(of, name).is_some())
        };
        root.fields.iter().find(knows).map(|field| field.name)
    }

    /// The last argument of each name.
    fn last_arguments<'i>(&self, of: &'static Type, items: &'i [Item]) -> HashMap<&'static str, &'i Item> {
        let argument = |item: &'i Item| {
            // A name that cannot be read is reported.
            let name = self.file.name(item.keys.first()?).ok()?;
            let field = find(of, &name)?;
            matches!(item.value, Value::Literal(_)).then_some((field.name, item))
        };
        items.iter().filter_map(argument).collect()
    }

    fn repeated(&mut self, of: &Type, field: &Field, item: &Item, key: &Token) {
        // The check of JSON reports keys that are there twice.
        if self.file.is_json && matches!(self.kind, Kind::ConsulAgent | Kind::ConsulConfigEntry) {
            return;
        }
        let is_block = field.shape.object().is_some() || matches!(field.shape, Shape::Map | Shape::Object);
        let is_several =
            matches!(field.shape, Shape::Labelled(_) | Shape::Blocks(_) | Shape::Table(_)) || field.is_many;
        // The decoder of Nomad's agent and policies counts names, and takes a second one for an unknown one.
        let is_unique = of.is_strict && matches!(self.kind, Kind::NomadAgent | Kind::NomadPolicy);
        // The table of Consul's agent has a list for several blocks, which is not a block.
        let is_list = match self.kind {
            Kind::ConsulAgent => {
                matches!(field.shape, Shape::Block(_) | Shape::Map)
                    || field.shape == Shape::Any && matches!(item.value, Value::Object(_))
            }
            Kind::ConsulConfigEntry => matches!(field.shape, Shape::Block(_)),
            _ => false,
        };
        let is_refused = is_unique || is_list || field.is_once;
        if is_block && !field.is_once && (is_several || !is_refused || matches!(item.value, Value::List(_))) {
            return;
        }
        let effect = match (is_refused, field.alias) {
            (true, _) => "",
            (false, None) => ": the last one counts",
            (false, Some(_)) => ": only one counts",
        };
        let message = format!("\"{}\" is set twice{effect}", field.name);
        self.report(is_refused, self.span(key), message, Some("leave one of them".to_owned()));
    }

    fn field(&mut self, of: &Type, field: &'static Field, item: &Item) -> Result<(), Exhausted> {
        let Some(key) = item.keys.first() else { return Ok(()) };
        let program = self.kind.program();
        if let Some((version, instead)) = field.removed {
            // Consul's agent does not know it anymore.
            let is_refused = of.is_strict && self.kind == Kind::ConsulAgent;
            let effect = if is_refused { "does not exist" } else { "has no effect" };
            let message = format!("\"{}\" {effect} since {program} {version}", field.name);
            self.report(is_refused, self.span(key), message, Some(instead.to_owned()));
            return Ok(());
        }
        if let Some(instead) = field.deprecated {
            let message = format!("\"{}\" is deprecated in {program}", field.name);
            self.report(false, self.span(key), message, Some(instead.to_owned()));
        }
        let decoder = if of.is_weak { Decoder::Weak } else { self.kind.decoder() };
        // Nothing but JSON has `null`.
        if matches!(self.kind, Kind::ConsulAgent | Kind::ConsulConfigEntry) && is_null(&item.value) {
            return Ok(());
        }
        match field.shape {
            Shape::Any => Ok(()),
            Shape::Object => {
                if !matches!(only_value(&item.value), Value::Object(_)) && !is_list_of_objects(&item.value) {
                    self.mismatch(field, item);
                }
                Ok(())
            }
            Shape::Block(_) | Shape::Blocks(_) | Shape::Labelled(_) | Shape::Table(_) => {
                self.block(of, field, item, decoder)
            }
            Shape::Map => self.map(field, item, decoder),
            Shape::Strings | Shape::Ints => {
                self.list(field, item, decoder);
                Ok(())
            }
            shape => {
                self.scalar(field, shape, item, decoder);
                Ok(())
            }
        }
    }

    fn mismatch(&mut self, field: &Field, item: &Item) {
        let written = match &item.value {
            Value::Literal(literal) => self.file.text(&literal.token).lines().next().unwrap_or_default().to_owned(),
            Value::List(_) => "a list".to_owned(),
            Value::Object(_) if item.assign.is_none() => "a block".to_owned(),
            Value::Object(_) => "an object".to_owned(),
        };
        let span = self.value_span(item);
        self.report(
            true,
            span,
            format!("\"{}\" is {written}", field.name),
            Some(format!("write {}", noun(field.shape))),
        );
    }

    /// The place of a value: the literal, or the name of a longer value.
    fn value_span(&self, item: &Item) -> Span {
        match (&item.value, item.keys.first()) {
            (Value::Literal(literal), _) => self.span(&literal.token),
            (_, Some(key)) => self.span(key),
            (_, None) => Span::at(0),
        }
    }

    /// Whether a list with one value is the value itself.
    fn is_unwrapped(&self, decoder: Decoder) -> bool {
        decoder == Decoder::Exact || self.kind == Kind::ConsulConfigEntry
    }

    fn scalar(&mut self, field: &Field, shape: Shape, item: &Item, decoder: Decoder) {
        let value = if self.is_unwrapped(decoder) { only_value(&item.value) } else { &item.value };
        match value {
            Value::Literal(literal) if item.keys.len() == 1 && fits(shape, decoder, self.file, &literal.token) => {
                self.literal(field, shape, literal);
            }
            // The commands read the literal by themselves, and pass over another value.
            _ if shape == Shape::Size => {
                let message = format!("\"{}\" is not a size: it has no effect", field.name);
                self.report(false, self.value_span(item), message, Some(format!("write {}", noun(shape))));
            }
            _ => self.mismatch(field, item),
        }
    }

    /// A literal of the right type: its value.
    fn literal(&mut self, field: &Field, shape: Shape, literal: &Literal) {
        let text = match self.file.scalar(&literal.token) {
            Ok(_) => self.file.name(&literal.token).unwrap_or_default(),
            Err(message) => {
                self.report(true, self.span(&literal.token), message, None);
                return;
            }
        };
        let is_template = is_template(&text);
        let is_size = || parse_size(self.file.text(&literal.token).trim_matches('"')).is_some();
        if shape == Shape::Size && !text.is_empty() && !is_template && !is_size() {
            let message = format!("\"{}\" is {}, which is not a size", field.name, self.file.text(&literal.token));
            let help = Some("write a number with a unit such as MB or GiB".to_owned());
            self.report(true, self.span(&literal.token), message, help);
        } else if shape == Shape::Duration && self.kind == Kind::ConsulConfigEntry && is_number(&literal.token) {
            let help = Some(format!("write a unit: \"{text}s\""));
            let message = format!("\"{}\" is {text} nanoseconds", field.name);
            self.report(false, self.span(&literal.token), message, help);
        } else if shape == Shape::Duration
            && (!text.is_empty() || matches!(self.kind, Kind::ConsulAgent | Kind::ConsulConfigEntry))
            && !is_template
        {
            if !is_duration(&text) {
                let help = Some("write a number with a unit: ns, us, ms, s, m or h".to_owned());
                let message = format!("\"{}\" is \"{text}\", which is not a length of time", field.name);
                self.report(true, self.span(&literal.token), message, help);
            }
        } else {
            self.value(field, &text, literal);
        }
    }

    /// A value that must be one of several.
    fn value(&mut self, field: &Field, text: &str, literal: &Literal) {
        // In a list, an empty string is one of the values.
        let is_default = text.is_empty() && !field.is_required && field.shape != Shape::Strings;
        let is_same = |value: &&str| **value == *text || field.is_nocase && value.eq_ignore_ascii_case(text);
        let is_known = field.values.iter().any(is_same);
        if field.values.is_empty() || is_known || is_default || is_template(text) {
            return;
        }
        let near = completion(text, &field.values).or_else(|| nearest(text, field.values.iter().copied()));
        let help = near.map(|near| format!("did you mean \"{near}\"?")).or_else(|| help_of_values(field));
        let message = if field.is_loose {
            format!("{} does not know the value \"{text}\": it has no effect", field.name)
        } else {
            format!("{} cannot have the value \"{text}\"", field.name)
        };
        self.report(!field.is_loose, self.span(&literal.token), message, help);
    }

    fn list(&mut self, field: &Field, item: &Item, decoder: Decoder) {
        let of = if field.shape == Shape::Ints { Shape::Int } else { Shape::String };
        match &item.value {
            Value::List(list) if item.keys.len() == 1 => {
                for value in &list.values {
                    let value = if self.is_unwrapped(decoder) { only_value(value) } else { value };
                    match value {
                        Value::Literal(literal) if fits(of, decoder, self.file, &literal.token) => {
                            self.literal(field, of, literal);
                        }
                        _ => return self.mismatch(field, item),
                    }
                }
            }
            Value::Literal(literal)
                if decoder == Decoder::Weak && item.keys.len() == 1 && fits(of, decoder, self.file, &literal.token) =>
            {
                self.literal(field, of, literal);
            }
            _ => self.mismatch(field, item),
        }
    }

    fn map(&mut self, field: &'static Field, item: &Item, decoder: Decoder) -> Result<(), Exhausted> {
        if item.keys.len() > 1 && decoder != Decoder::Vault {
            self.mismatch(field, item);
            return Ok(());
        }
        let Value::Object(object) = &item.value else {
            // A list of objects is what several blocks are in JSON.
            let is_json = self.file.is_json && !matches!(self.kind, Kind::ConsulAgent | Kind::ConsulConfigEntry);
            if !(is_list_of_objects(&item.value) && (is_json || decoder != Decoder::Nomad)) {
                self.mismatch(field, item);
            }
            return Ok(());
        };
        for inner in &object.items {
            self.budget.step()?;
            let value = if self.kind == Kind::ConsulConfigEntry { only_value(&inner.value) } else { &inner.value };
            let fits_here = match value {
                Value::Literal(literal) => fits(field.shape, decoder, self.file, &literal.token),
                // Consul has tables of other values, too.
                _ => decoder == Decoder::Exact,
            };
            if let (false, Some(key)) = (fits_here, inner.keys.first()) {
                let message = format!("a value in \"{}\" is not a string", field.name);
                self.report(true, self.span(key), message, Some("write a string".to_owned()));
            }
        }
        Ok(())
    }

    fn block(&mut self, owner: &Type, field: &'static Field, item: &Item, decoder: Decoder) -> Result<(), Exhausted> {
        let (Some(name), Some(key)) = (field.shape.object(), item.keys.first()) else { return Ok(()) };
        let Some(of) = self.schema.get(name) else { return Ok(()) };
        let needs_label = matches!(field.shape, Shape::Labelled(_) | Shape::Table(_));
        // HCL1 makes lists of blocks, and JSON does not.
        let is_no_list = self.kind == Kind::ConsulAgent && self.file.is_json && field.shape == Shape::Blocks(name);
        match &item.value {
            Value::Object(_) if is_no_list => {
                self.mismatch(field, item);
                Ok(())
            }
            Value::Object(_) | Value::List(_)
                if self.file.is_json && item.keys.len() > 1 + usize::from(needs_label) =>
            {
                self.flattened(of, field, item, item.keys.get(1 + usize::from(needs_label)..).unwrap_or_default())
            }
            Value::Object(object) => {
                if self.kind == Kind::ConsulConfigEntry && needs_label && item.keys.len() == 1 {
                    return object.items.iter().try_for_each(|inner| self.row(of, field, inner));
                }
                self.labels([owner, of], field, item, needs_label, &object.items);
                let is_table = needs_label && item.keys.len() == 1 && has_only_objects(&object.items);
                if is_table {
                    for inner in &object.items {
                        self.nested(of, field, inner)?;
                    }
                    return Ok(());
                }
                if needs_label && item.keys.len() == 1 && object.items.is_empty() {
                    return Ok(());
                }
                self.objects(of, field, key, &object.items)
            }
            Value::List(list)
                if is_list_of_objects(&item.value)
                    && (!(self.kind == Kind::ConsulConfigEntry
                        || self.kind == Kind::ConsulAgent && self.file.is_json)
                        || list.values.len() == 1
                        || !matches!(field.shape, Shape::Block(_)))
                    && (decoder != Decoder::Nomad || self.file.is_json || field.shape == Shape::Blocks(name)) =>
            {
                for value in &list.values {
                    let Value::Object(object) = value else { continue };
                    if self.kind == Kind::ConsulConfigEntry && needs_label {
                        object.items.iter().try_for_each(|inner| self.row(of, field, inner))?;
                    } else {
                        self.objects(of, field, key, &object.items)?;
                    }
                }
                Ok(())
            }
            _ => {
                self.mismatch(field, item);
                Ok(())
            }
        }
    }

    /// Checks an object with nothing but objects. HCL1 makes their names labels of the block, where most decoders of
    /// Nomad do not look for blocks.
    fn flattened(&mut self, of: &'static Type, field: &Field, item: &Item, names: &[Token]) -> Result<(), Exhausted> {
        let (Some(key), Some(first)) = (item.keys.first(), names.first()) else { return Ok(()) };
        let Some(inner) = self.name(first) else { return Ok(()) };
        let is_read = match self.kind {
            Kind::NomadAgent => matches!(
                (field.name, inner.as_str()),
                ("client", "chroot_env" | "meta" | "options" | "server_join" | "template")
                    | ("server", "server_join")
                    | ("plugin", "config")
                    | ("consul" | "vault" | "reporting", _)
            ),
            Kind::NomadPolicy => false,
            _ => true,
        };
        if is_read {
            return self.objects(of, field, key, &[Item { keys: names.to_vec(), ..item.clone() }]);
        }
        let message = format!("Nomad does not find \"{inner}\": \"{}\" has nothing but objects", field.name);
        let help = Some("write an argument beside them, or the file in HCL".to_owned());
        self.report(true, self.span(first), message, help);
        Ok(())
    }

    /// Checks an entry of a table of Consul.
    fn row(&mut self, of: &'static Type, field: &Field, inner: &Item) -> Result<(), Exhausted> {
        let Some(key) = inner.keys.first() else { return Ok(()) };
        match only_value(&inner.value) {
            Value::Object(object) => self.objects(of, field, key, &object.items),
            value if is_null(value) => Ok(()),
            _ => {
                let message = format!("a value in \"{}\" is not an object", field.name);
                let help = format!("write {} = {{ NAME = {{ ... }} }}", field.name);
                self.report(true, self.span(key), message, Some(help));
                Ok(())
            }
        }
    }

    fn nested(&mut self, of: &'static Type, field: &Field, inner: &Item) -> Result<(), Exhausted> {
        match (&inner.value, inner.keys.first()) {
            (Value::Object(object), Some(key)) => self.objects(of, field, key, &object.items),
            _ => Ok(()),
        }
    }

    fn objects(&mut self, of: &'static Type, field: &Field, key: &Token, items: &[Item]) -> Result<(), Exhausted> {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.object(of, field.name, Some(key), items))
    }

    /// The labels of a block.
    fn labels(&mut self, [owner, of]: [&Type; 2], field: &Field, item: &Item, needs_label: bool, items: &[Item]) {
        let labels = item.keys.get(1..).unwrap_or_default();
        match (needs_label, labels) {
            // The types of Vault's blocks have rules of their kind.
            (true, []) if !has_only_objects(items) && !of.is_open && self.kind != Kind::VaultServer => {
                // The decoder of Consul takes the arguments for blocks, of which only a policy has one.
                let is_policy = |item: &Item| {
                    item.keys.first().is_some_and(|key| {
                        // A name that cannot be read is reported.
                        self.file.name(key).is_ok_and(|name| name.eq_ignore_ascii_case("policy"))
                    })
                };
                let is_of_consul = self.kind == Kind::ConsulPolicy && !items.iter().all(is_policy);
                let is_refused = is_of_consul || matches!(self.kind, Kind::NomadPolicy | Kind::NomadQuota);
                if let Some(key) = item.keys.first() {
                    let message = format!("the block \"{}\" has no label", field.name);
                    let help = Some(format!("write {} \"NAME\" {{", field.name));
                    self.report(is_refused, self.span(key), message, help);
                }
            }
            (false, [label, ..]) => {
                // The label is an unknown name, and the content of the block is not read.
                let has_required = of.fields.iter().any(|field| field.is_required);
                // The commands for volumes and quotas do not look at labels.
                let is_passed_over = matches!(self.kind, Kind::CsiVolume | Kind::HostVolume | Kind::NomadQuota)
                    && !matches!(field.name, "required" | "preferred" | "topology");
                let is_refused = !is_passed_over && (owner.is_strict || of.is_strict || has_required);
                let message = format!("the block \"{}\" has no labels", field.name);
                self.report(is_refused, self.span(label), message, Some("remove the label".to_owned()));
            }
            // Consul finds no policy in the block of the second label.
            (true, [_, second, ..])
                if matches!(self.kind, Kind::NomadQuota | Kind::ConsulConfigEntry)
                    || owner.is_strict && matches!(self.kind, Kind::NomadAgent | Kind::NomadPolicy)
                    || self.kind == Kind::ConsulPolicy && of.fields.iter().any(|field| field.is_required) =>
            {
                let message = format!("the block \"{}\" has more than one label", field.name);
                self.report(true, self.span(second), message, Some("leave one label".to_owned()));
            }
            _ => {}
        }
    }
}

/// The field of a name.
fn find(of: &'static Type, name: &str) -> Option<&'static Field> {
    of.fields.iter().find(|field| field.is_named(name, of.is_cased || field.is_cased))
}

/// Whether a field has a value that Consul's server tells apart from none.
fn has_value(file: &File, field: &Field, value: &Value) -> bool {
    let value = match field.shape {
        Shape::Blocks(_) | Shape::Strings | Shape::Ints => value,
        _ => only_value(value),
    };
    match value {
        Value::Literal(literal) => match (field.shape, file.scalar(&literal.token)) {
            (Shape::Bool, Ok(Scalar::Bool(truth))) => truth,
            (Shape::Int | Shape::Float, Ok(Scalar::Integer(number))) => number != 0,
            (Shape::Int | Shape::Float, Ok(Scalar::Float(number))) => number != 0.0,
            (_, Ok(Scalar::String(text))) => !text.is_empty(),
            // A literal that cannot be read is reported. Others become strings.
            (_, Ok(_) | Err(_)) => true,
        },
        Value::List(list) => !list.values.is_empty(),
        // A block is an element of a list, an object of JSON is not.
        Value::Object(object) => match field.shape {
            Shape::Block(_) => true,
            Shape::Blocks(_) if !file.is_json => true,
            _ => !object.items.is_empty(),
        },
    }
}

fn is_null(value: &Value) -> bool {
    matches!(value, Value::Literal(literal) if literal.token.kind == TokenKind::Null)
}

fn is_number(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Number | TokenKind::Float)
}

/// The only value that begins with a string.
fn completion<'v>(text: &str, values: &[&'v str]) -> Option<&'v str> {
    let mut begun = values.iter().filter(|value| !text.is_empty() && value.starts_with(text));
    begun.next().copied().filter(|_| begun.next().is_none())
}

fn help_of_values(field: &Field) -> Option<String> {
    (!field.values.is_empty()).then(|| format!("it is one of {}", field.values.join(", ")))
}

/// Whether an object has nothing but objects, so that their names are labels.
fn has_only_objects(items: &[Item]) -> bool {
    !items.is_empty() && items.iter().all(|item| matches!(item.value, Value::Object(_)) && item.keys.len() == 1)
}

fn is_list_of_objects(value: &Value) -> bool {
    matches!(value, Value::List(list) if list.values.iter().all(|value| matches!(value, Value::Object(_))))
}
