//! Rules of the entries of Consul's configuration, as a server has them.

use hieratic_hcl1::{File, Item, Token, Value};
use hieratic_source::nearest;
use hieratic_value::collections::HashSet;

use super::arguments::{known_text, refused};
use crate::finding::Finding;
use crate::kind::Kind;
use crate::types::only_value;

/// Returns the type of an entry in the schema: its kind. `None` if there is no such kind.
pub(crate) fn root(file: &File) -> Option<String> {
    // A name that cannot be read is reported by the check.
    let is_kind =
        |item: &&Item| item.keys.first().is_some_and(|key| matches!(file.name(key).as_deref(), Ok("Kind" | "kind")));
    let of_kind = file.items.iter().filter(is_kind).collect::<Vec<&Item>>();
    let is_capital = |item: &&&Item| item.keys.first().is_some_and(|key| file.name(key).as_deref() == Ok("Kind"));
    let item = of_kind.iter().rfind(is_capital).or(of_kind.last())?;
    let Value::Literal(literal) = &item.value else { return None };
    // As above.
    let kind = file.name(&literal.token).ok()?;
    kinds().contains(&kind.as_str()).then_some(kind)
}

/// Returns whether a string is the name of a kind, or nearly.
pub(crate) fn is_near_kind(text: &str) -> bool {
    let is_same = |kind: &&str| kind.eq_ignore_ascii_case(text);
    kinds().iter().any(is_same) || text.contains('-') && nearest(text, kinds().iter().copied()).is_some()
}

fn kinds() -> &'static [&'static str] {
    let root = Kind::ConsulConfigEntry.schema().get("root");
    root.and_then(|root| root.fields.first()).map_or(&[], |field| field.values.as_slice())
}

/// The rules of an entry.
pub(super) fn check(file: &File) -> Vec<Finding> {
    let Some(kind) = root(file) else { return Vec::new() };
    let entry = Object { file, key: None, items: &file.items };
    let mut findings = Findings { file, found: Vec::new() };
    match kind.as_str() {
        "proxy-defaults" => proxy_defaults(&entry, &mut findings),
        "service-defaults" => service_defaults(&entry, &mut findings),
        "service-splitter" => splitter(&entry, &mut findings),
        "service-resolver" => resolver(&entry, &mut findings),
        "service-router" => router(&entry, &mut findings),
        "service-intentions" => intentions(&entry, &mut findings),
        "ingress-gateway" => ingress(&entry, &mut findings),
        "terminating-gateway" => terminating(&entry, &mut findings),
        "api-gateway" => api_gateway(&entry, &mut findings),
        "http-route" => {
            for path in entry.all("Rules").iter().flat_map(|rule| rule.all("Matches")).flat_map(|one| one.all("Path")) {
                let is_pattern = path.text("Match").is_none_or(|(_, kind)| kind == "regex");
                if let Some((token, value)) = path.text("Value")
                    && !is_pattern
                    && !value.starts_with('/')
                {
                    findings.token(token, "the path does not begin with /", "write / before it");
                }
            }
        }
        "tcp-route" => {
            if let [_, second, ..] = entry.all("Services").as_slice() {
                findings.at(second, "a tcp-route has one service alone", "leave one of them");
            }
        }
        _ => {}
    }
    findings.found
}

struct Findings<'f> {
    file: &'f File,
    found: Vec<Finding>,
}

impl Findings<'_> {
    fn token(&mut self, token: &Token, message: impl Into<String>, help: &str) {
        self.found.push(refused(self.file.span(token), message.into(), help));
    }

    fn at(&mut self, object: &Object<'_>, message: impl Into<String>, help: &str) {
        if let Some(key) = object.key {
            self.token(key, message, help);
        }
    }
}

/// An object of an entry, with the name that begins it.
#[derive(Clone, Copy)]
struct Object<'f> {
    file: &'f File,
    key: Option<&'f Token>,
    items: &'f [Item],
}

impl<'f> Object<'f> {
    /// The items of a name in any spelling.
    fn of(&self, name: &'static str) -> impl DoubleEndedIterator<Item = (&'f Token, &'f Item)> {
        let file = self.file;
        self.items.iter().filter_map(move |item| {
            let key = item.keys.first()?;
            // A name that cannot be read is reported elsewhere.
            let written = file.name(key).ok()?;
            let is_same = written.chars().filter(|letter| *letter != '_').map(|letter| letter.to_ascii_lowercase());
            is_same.eq(name.chars().map(|letter| letter.to_ascii_lowercase())).then_some((key, item))
        })
    }

    /// The objects of a name: those of its blocks and of its lists.
    fn all(&self, name: &'static str) -> Vec<Object<'f>> {
        self.of(name)
            .flat_map(|(key, item)| {
                let of_list = match &item.value {
                    Value::List(list) => list.values.as_slice(),
                    value => std::slice::from_ref(value),
                };
                let object = move |value: &'f Value| match value {
                    Value::Object(object) => {
                        // The first name in an object of a list is its place.
                        let place = match &item.value {
                            Value::List(_) => object.items.first().and_then(|item| item.keys.first()).unwrap_or(key),
                            _ => key,
                        };
                        Some(Object { file: self.file, key: Some(place), items: &object.items })
                    }
                    _ => None,
                };
                of_list.iter().filter_map(object).collect::<Vec<Object<'f>>>()
            })
            .collect()
    }

    /// The objects in a table, with their names.
    fn table(&self, name: &'static str) -> Vec<(&'f Token, String, Object<'f>)> {
        let mut rows = Vec::new();
        let mut push = |key: &'f Token, value: &'f Value| {
            // A name that cannot be read is reported elsewhere.
            if let (Value::Object(object), Ok(name)) = (only_value(value), self.file.name(key)) {
                rows.push((key, name, Object { file: self.file, key: Some(key), items: &object.items }));
            }
        };
        for (_, item) in self.of(name) {
            if let Some(label) = item.keys.get(1) {
                push(label, &item.value);
                continue;
            }
            let objects = match &item.value {
                Value::List(list) => list.values.as_slice(),
                value => std::slice::from_ref(value),
            };
            for value in objects {
                let Value::Object(object) = value else { continue };
                object.items.iter().for_each(|inner| {
                    if let Some(key) = inner.keys.first() {
                        push(key, &inner.value);
                    }
                });
            }
        }
        rows
    }

    fn literal(&self, name: &'static str) -> Option<&'f Token> {
        let last = self.of(name).next_back().map(|(_, item)| only_value(&item.value));
        match last? {
            Value::Literal(literal) => Some(&literal.token),
            Value::List(_) | Value::Object(_) => None,
        }
    }

    /// The strings in a list, or the only one, that no other program fills in.
    fn texts(&self, name: &'static str) -> Vec<(&'f Token, String)> {
        let values = self.of(name).flat_map(|(_, item)| match &item.value {
            Value::List(list) => list.values.as_slice(),
            value => std::slice::from_ref(value),
        });
        let text = |value: &'f Value| match value {
            Value::Literal(literal) => Some((&literal.token, known_text(self.file, &literal.token)?)),
            Value::List(_) | Value::Object(_) => None,
        };
        values.filter_map(text).collect()
    }

    /// A string that is not empty and that no other program fills in.
    fn text(&self, name: &'static str) -> Option<(&'f Token, String)> {
        let token = self.literal(name)?;
        Some((token, known_text(self.file, token).filter(|text| !text.is_empty())?))
    }

    fn number(&self, name: &'static str) -> Option<(&'f Token, f64)> {
        let token = self.literal(name)?;
        // A value of another type is reported elsewhere.
        let number = match self.file.name(token).ok()?.as_str() {
            "" | "false" => 0.0,
            "true" => 1.0,
            text => text.parse().ok()?,
        };
        Some((token, number))
    }

    fn has(&self, name: &'static str) -> bool {
        self.of(name).next().is_some()
    }
}

fn proxy_defaults(entry: &Object<'_>, findings: &mut Findings<'_>) {
    if let Some((token, name)) = entry.text("Name")
        && name != "global"
    {
        findings.token(token, format!("proxy-defaults cannot have the name \"{name}\""), "write \"global\"");
    }
    for logs in entry.all("AccessLogs") {
        let kind = logs.text("Type");
        let is_file = kind.as_ref().is_some_and(|(_, kind)| kind == "file");
        match (logs.text("Path"), kind) {
            (None, Some((token, _))) if is_file && !logs.has("Path") => {
                findings.token(token, "access logs in a file need \"Path\"", "write the path of the file");
            }
            (Some((token, _)), _) if !is_file && (logs.text("Type").is_some() || !logs.has("Type")) => {
                findings.token(token, "access logs have a path only in a file", "write Type = \"file\"");
            }
            _ => {}
        }
    }
}

fn service_defaults(entry: &Object<'_>, findings: &mut Findings<'_>) {
    if let Some((token, name)) = entry.text("Name")
        && name == "*"
    {
        findings.token(token, "service-defaults belong to one service, not to *", "write the name of a service");
    }
    for destination in entry.all("Destination") {
        port(&destination, findings);
        let mut seen = HashSet::default();
        for (token, address) in destination.texts("Addresses") {
            if !seen.insert(address) {
                findings.token(token, "the address is there twice", "leave one of them");
            }
        }
    }
    for upstreams in entry.all("UpstreamConfig") {
        for upstream in upstreams.all("Overrides") {
            if !upstream.has("Name") {
                findings.at(&upstream, "an override needs \"Name\"", "write the name of the upstream");
            }
        }
        for defaults in upstreams.all("Defaults") {
            if let Some((token, _)) = defaults.text("Name") {
                findings.token(token, "the defaults of upstreams have no name", "leave it out");
            }
        }
    }
}

fn port(object: &Object<'_>, findings: &mut Findings<'_>) {
    if let Some((token, port)) = object.number("Port")
        && !(1.0..=65535.0).contains(&port)
        // A port of 0 is none, which is reported elsewhere.
        && port != 0.0
    {
        findings.token(token, "a port is between 1 and 65535", "write another number");
    }
}

/// The weight of a split in hundredths of a percent, as the server rounds it.
fn hundredths(weight: f64) -> f64 {
    #[expect(clippy::cast_possible_truncation, reason = "the server computes in 32 bits")]
    let narrow = weight as f32 * 100.0;
    f64::from(narrow).round()
}

fn splitter(entry: &Object<'_>, findings: &mut Findings<'_>) {
    let splits = entry.all("Splits");
    let of_split = |split: &Object<'_>| match split.literal("Weight") {
        Some(_) => split.number("Weight").map(|(_, weight)| weight),
        None => Some(0.0),
    };
    let weights: Option<Vec<f64>> = splits.iter().map(of_split).collect();
    // A weight that cannot be read is reported elsewhere, or another program fills it in.
    if let (Some(weights), Some(last)) = (weights, splits.last()) {
        let sum = weights.into_iter().map(hundredths).sum::<f64>();
        if sum != 10_000.0 {
            let token = last.literal("Weight").or(last.key);
            let message = format!("the weights of the splits add up to {}, not to 100", sum / 100.0);
            if let Some(token) = token {
                findings.token(token, message, "change a weight");
            }
        }
    }
    let name = entry.text("Name").map(|(_, name)| name);
    let mut seen = HashSet::default();
    for split in &splits {
        let part = |name: &'static str| split.text(name).map(|(_, text)| text);
        let is_filled_in = ["Service", "ServiceSubset", "Namespace", "Partition"]
            .iter()
            .any(|name| split.literal(name).is_some_and(|token| known_text(split.file, token).is_none()));
        let has_headers = split.has("RequestHeaders") || split.has("ResponseHeaders");
        let service = part("Service").or_else(|| name.clone());
        let target = (service, part("ServiceSubset"), part("Namespace"), part("Partition"));
        if !is_filled_in && !has_headers && !seen.insert(target) {
            findings.at(split, "two splits have the same target", "leave one of them");
        }
    }
}

fn router(entry: &Object<'_>, findings: &mut Findings<'_>) {
    for route in entry.all("Routes") {
        let conditions: Vec<Object<'_>> = route.all("Match").iter().flat_map(|one| one.all("HTTP")).collect();
        conditions.iter().for_each(|http| conditions_of(http, findings));
        let has_path = conditions.iter().any(|http| http.has("PathExact") || http.has("PathPrefix"));
        for destination in route.all("Destination") {
            if let Some((token, _)) = destination.text("PrefixRewrite")
                && !has_path
            {
                findings.token(token, "PrefixRewrite needs a path to replace", "write PathPrefix or PathExact");
            }
        }
    }
}

/// Paths begin with a slash, and methods are there once.
fn conditions_of(http: &Object<'_>, findings: &mut Findings<'_>) {
    let mut methods = HashSet::default();
    for (token, method) in http.texts("Methods") {
        if !methods.insert(method) {
            findings.token(token, "the method is there twice", "leave one of them");
        }
    }
    for name in ["PathExact", "PathPrefix"] {
        if let Some((token, path)) = http.text(name)
            && !path.starts_with('/')
        {
            findings.token(token, format!("{name} does not begin with /"), "write / before it");
        }
    }
}

/// So many names of subsets are compared with an unknown one.
const MAX_COMPARED: usize = 256;

fn resolver(entry: &Object<'_>, findings: &mut Findings<'_>) {
    let subsets = entry.table("Subsets");
    for (key, name, _) in &subsets {
        let is_inner = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        let is_valid = (1..=63).contains(&name.len())
            && name.chars().all(is_inner)
            && !name.starts_with('-')
            && !name.ends_with('-');
        if !is_valid && !crate::types::is_template(name) {
            let help = "names have 1 to 63 small letters, digits and -, and no - at the ends";
            findings.token(key, format!("\"{name}\" cannot be the name of a subset"), help);
        }
    }
    let known: HashSet<&str> = subsets.iter().map(|(_, name, _)| name.as_str()).collect();
    let is_filled_in = subsets.iter().any(|(_, name, _)| crate::types::is_template(name));
    let unknown = |name: &str| !known.contains(name) && !is_filled_in;
    let compared = if subsets.len() > MAX_COMPARED { &[] } else { subsets.as_slice() };
    let near = |name: &str| {
        nearest(name, compared.iter().map(|(_, known, _)| known.as_str()))
            .map_or_else(|| "add it to Subsets".to_owned(), |near| format!("did you mean \"{near}\"?"))
    };
    if let Some((token, name)) = entry.text("DefaultSubset")
        && unknown(&name)
    {
        findings.token(token, format!("there is no subset \"{name}\""), &near(&name));
    }
    for (key, name, _) in entry.table("Failover") {
        if name != "*" && unknown(&name) && !crate::types::is_template(&name) {
            findings.token(key, format!("there is no subset \"{name}\""), &near(&name));
        }
    }
    for balancer in entry.all("LoadBalancer") {
        let policy = balancer.text("Policy");
        // A policy that another program fills in may be any.
        if policy.is_none() && balancer.literal("Policy").is_some_and(|token| known_text(entry.file, token).is_none()) {
            continue;
        }
        let policy = policy.map(|(_, policy)| policy).unwrap_or_default();
        for (name, of) in [("RingHashConfig", "ring_hash"), ("LeastRequestConfig", "least_request")] {
            if let Some((key, _)) = balancer.of(name).next()
                && policy != of
            {
                findings.token(key, format!("{name} belongs to the policy \"{of}\""), "change Policy, or leave it out");
            }
        }
        for policy in balancer.all("HashPolicies") {
            match (policy.text("Field"), policy.text("FieldValue")) {
                (Some((token, field)), None) if !policy.has("FieldValue") => {
                    findings.token(token, format!("the field \"{field}\" needs \"FieldValue\""), "write its name");
                }
                (None, Some((token, _))) if !policy.has("Field") => {
                    findings.token(token, "\"FieldValue\" needs \"Field\"", "write header, cookie or query_parameter");
                }
                _ => {}
            }
        }
        if let Some(first) = balancer.all("HashPolicies").first()
            && !matches!(policy.as_str(), "ring_hash" | "maglev")
        {
            findings.at(first, "HashPolicies belong to a policy with a hash", "write ring_hash or maglev in Policy");
        }
    }
}

fn intentions(entry: &Object<'_>, findings: &mut Findings<'_>) {
    let mut partly = |token: &Token, name: &str| {
        let is_partial = name.contains('*') && name != "*";
        if is_partial {
            let help = "write * alone, or the name of a service";
            findings.token(token, format!("\"{name}\" has a wildcard beside other characters"), help);
        }
    };
    if let Some((token, name)) = entry.text("Name") {
        partly(token, &name);
    }
    let sources = entry.all("Sources");
    for source in &sources {
        if let Some((token, name)) = source.text("Name") {
            partly(token, &name);
        }
    }
    let mut seen = HashSet::default();
    for source in &sources {
        let part = |name: &'static str| match source.literal(name) {
            // Another program fills it in.
            Some(token) => known_text(source.file, token).map(Some),
            None => Some(None),
        };
        let target = ["Name", "Peer", "Partition", "Namespace", "SamenessGroup"].map(part);
        if target.iter().all(Option::is_some) && source.has("Name") && !seen.insert(target) {
            findings.at(source, "two sources are the same", "leave one of them");
        }
        for permission in source.all("Permissions") {
            for http in permission.all("HTTP") {
                conditions_of(&http, findings);
            }
        }
    }
}

fn ingress(entry: &Object<'_>, findings: &mut Findings<'_>) {
    let mut ports: HashSet<u64> = HashSet::default();
    for listener in entry.all("Listeners") {
        if let Some((token, port)) = listener.number("Port")
            && !ports.insert(port.to_bits())
        {
            findings.token(token, "two listeners have the same port", "change one of them");
        }
        let protocol = listener.text("Protocol").map(|(_, protocol)| protocol.to_ascii_lowercase());
        let is_tcp = protocol.as_deref() == Some("tcp") || !listener.has("Protocol");
        let services = listener.all("Services");
        if let [_, second, ..] = services.as_slice()
            && is_tcp
        {
            findings.at(second, "a listener of tcp has one service alone", "leave one of them, or change Protocol");
        }
        let mut names = HashSet::default();
        let mut hosts = HashSet::default();
        for (token, host) in services.iter().flat_map(|service| service.texts("Hosts")) {
            if !hosts.insert(host) {
                findings.token(token, "the listener has the host twice", "leave one of them");
            }
        }
        for service in &services {
            let Some((token, name)) = service.text("Name") else { continue };
            if is_tcp && name == "*" {
                findings.token(token, "a listener of tcp needs the name of a service", "write a name instead of *");
            }
            let has_scope = service.has("Namespace") || service.has("Partition");
            if !has_scope && !names.insert(name) {
                findings.token(token, "the listener has the service twice", "leave one of them");
            }
            if let Some((key, _)) = service.of("Hosts").next()
                && is_tcp
            {
                findings.token(key, "a listener of tcp has no hosts", "leave them out, or change Protocol");
            }
        }
    }
}

fn terminating(entry: &Object<'_>, findings: &mut Findings<'_>) {
    let mut names = HashSet::default();
    for service in entry.all("Services") {
        if let Some((token, name)) = service.text("Name")
            && !service.has("Namespace")
            && !names.insert(name)
        {
            findings.token(token, "the gateway has the service twice", "leave one of them");
        }
        let files = ["CAFile", "CertFile", "KeyFile"];
        let is_missing = |service: &Object<'_>, name: &'static str| {
            // A string that cannot be read is reported elsewhere.
            service.literal(name).is_none_or(|token| service.file.name(token).is_ok_and(|text| text.is_empty()))
        };
        let needs_all = service.text("CertFile").or_else(|| service.text("KeyFile"));
        if let (Some((token, _)), Some(missing)) = (needs_all, files.iter().find(|name| is_missing(&service, name))) {
            findings.token(token, format!("a certificate needs \"{missing}\", too"), "write the path of the file");
        }
    }
}

fn api_gateway(entry: &Object<'_>, findings: &mut Findings<'_>) {
    let mut names = HashSet::default();
    for listener in entry.all("Listeners") {
        port(&listener, findings);
        let Some((token, name)) = listener.text("Name") else { continue };
        let is_valid_part = |part: &str| {
            let is_inner = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
            !part.is_empty() && part.chars().all(is_inner) && !part.starts_with('-') && !part.ends_with('-')
        };
        if !name.split('.').all(is_valid_part) {
            let help = "names have small letters, digits, - and .";
            findings.token(token, format!("\"{name}\" cannot be the name of a listener"), help);
        }
        if !names.insert(name) {
            findings.token(token, "two listeners have the same name", "change one of them");
        }
        if let Some((token, _)) = listener.text("Hostname")
            && listener.text("Protocol").is_some_and(|(_, protocol)| protocol.eq_ignore_ascii_case("tcp"))
        {
            findings.token(token, "a listener of tcp has no host name", "leave it out, or change Protocol");
        }
    }
}
