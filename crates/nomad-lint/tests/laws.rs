//! What holds for every job, sensible or not.

use hieratic_nomad_job::schema::{Field, JOB, Kind, Scalar, Struct};
use hieratic_nomad_job::{Job, Options};
use hieratic_nomad_lint::{Finding, Severity, errors_text, validate, warnings_text};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Texts that some rule or other looks at.
const TEXTS: [&str; 28] = [
    "",
    "service",
    "batch",
    "system",
    "csi",
    "host",
    "http",
    "tcp",
    "script",
    "nomad",
    "consul",
    "regexp",
    "version",
    "(",
    "signal",
    "vault",
    "default",
    "${JOB}",
    "* * * * *",
    "exponential",
    "fibonacci",
    "/",
    "..",
    "md5:ab",
    "10.0.0.0/8",
    "block-device",
    "single-node-writer",
    "ignore",
];

/// Numbers at the edges.
const NUMBERS: [i64; 12] =
    [0, 1, -1, 2, 50, 100, 65_536, 5_000_000_000, 30_000_000_000, i64::MAX, i64::MIN, 3_600_000_000_000];

/// Chances one after the other, each from the one before.
struct Chances(u64);

impl Chances {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn text(&mut self, own: &[String]) -> Value {
        match self.below(TEXTS.len() + own.len()) {
            at if at < TEXTS.len() => TEXTS[at].into(),
            at => own[at - TEXTS.len()].clone().into(),
        }
    }

    fn scalar(&mut self, of: Scalar, own: &[String]) -> Value {
        let number = NUMBERS[self.below(NUMBERS.len())];
        match of {
            Scalar::Text | Scalar::Named(_) => self.text(own),
            Scalar::Bool => (self.below(2) == 0).into(),
            Scalar::Integer | Scalar::Int(64) | Scalar::Duration => number.into(),
            Scalar::Int(bits) => (number >> (64 - bits)).into(),
            Scalar::Uint(bits) => (number.unsigned_abs() >> (64 - bits)).into(),
        }
    }

    fn value(&mut self, field: &Field, own: &[String]) -> Value {
        let count = self.below(3);
        match field.kind {
            Kind::Plain(of) | Kind::Maybe(of) => self.scalar(of, own),
            Kind::List(of) => (0..count).map(|_| self.scalar(of, own)).collect(),
            Kind::Map(of) => self.keyed(own, |chances| chances.scalar(of, own)),
            Kind::MapOfLists(of) => self.keyed(own, |chances| json!([chances.scalar(of, own)])),
            Kind::Any => json!({ "a": 1 }),
            Kind::Bytes => Value::Null,
            Kind::One(of) => self.structure(of, own),
            Kind::Many(of) => (0..count).map(|_| self.structure(of, own)).collect(),
            Kind::Keyed(of) => self.keyed(own, |chances| chances.structure(of, own)),
        }
    }

    fn keyed(&mut self, own: &[String], mut value: impl FnMut(&mut Self) -> Value) -> Value {
        let count = self.below(3);
        let entries = (0..count).map(|_| (self.text(own).as_str().unwrap().to_owned(), value(self)));
        Value::Object(entries.collect::<Vec<_>>().into_iter().collect())
    }

    fn structure(&mut self, of: &Struct, own: &[String]) -> Value {
        let mut members = Map::new();
        for field in of.fields {
            if self.below(3) > 0 {
                members.insert(field.name.to_owned(), self.value(field, own));
            }
        }
        Value::Object(members)
    }
}

fn random_job() -> impl Strategy<Value = Job> {
    (any::<u64>(), prop::collection::vec(any::<String>(), 3)).prop_map(|(seed, own)| {
        let job = json!({ "Job": Chances(seed).structure(&JOB, &own) }).to_string();
        Job::parse(job, &Options { json: true, ..Options::default() }).unwrap()
    })
}

/// How often the messages of findings stand in a text.
fn all_stand_in(findings: &[Finding], severity: Severity, text: &str) -> bool {
    findings.iter().filter(|finding| finding.severity == severity).all(|finding| text.contains(&finding.message))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_job_can_be_validated(job in random_job()) {
        let findings = validate(&job);
        let (errors, warnings) = (errors_text(&findings), warnings_text(&findings));
        prop_assert!(all_stand_in(&findings, Severity::Error, &errors));
        prop_assert!(findings.iter().all(|finding| finding.path.starts_with("Job")));
        let has = |severity| findings.iter().any(|finding| finding.severity == severity);
        prop_assert_eq!(has(Severity::Error), !errors.is_empty());
        prop_assert_eq!(has(Severity::Warning), !warnings.is_empty());
    }

    #[test]
    fn validation_is_deterministic(job in random_job()) {
        let (one, other) = (validate(&job), validate(&job));
        prop_assert_eq!(errors_text(&one), errors_text(&other));
        prop_assert_eq!(warnings_text(&one), warnings_text(&other));
    }

    /// Texts with any letters where rules take texts apart.
    #[test]
    fn any_string_can_be_validated(text in any::<String>(), odd in "[-$%{}()\\[\\]\\\\./:*?,#@a-z0-9 é]{0,24}") {
        for text in [text, odd] {
            let constraint = |operator| json!({ "LTarget": text, "Operand": operator, "RTarget": text });
            let constraints = ["regexp", "version", "semver", "distinct_property"].map(constraint);
            let job = json!({ "Job": {
                "ID": text, "Type": "batch",
                "Constraints": constraints,
                "Periodic": { "Specs": [text, format!("{text} * * * *")], "TimeZone": text },
                "TaskGroups": [{
                    "Networks": [{ "Hostname": text }],
                    "Services": [{ "Name": text, "PortLabel": text,
                        "Checks": [{ "Type": "http", "Path": text, "Interval": 1e9 as i64, "Timeout": 1e9 as i64 }],
                        "Connect": { "SidecarService": { "Proxy": { "TransparentProxy": {
                            "UID": text, "ExcludeOutboundCIDRs": [text] } } } } }],
                    "Tasks": [{ "Name": text, "Kind": format!("connect-proxy:{text}"),
                        "Templates": [{ "DestPath": text, "Perms": text }],
                        "Artifacts": [{ "GetterOptions": { "checksum": format!("md5:{text}") } }],
                        "CSIPluginConfig": { "MountDir": text, "StagePublishBaseDir": text } }],
                }],
            } });
            let job = Job::parse(job.to_string(), &Options { json: true, ..Options::default() }).unwrap();
            prop_assert!(!validate(&job).is_empty());
        }
    }
}
