//! The filter `pop_ace` of `ansible.netcommon`.

use hieratic_jinja::extend::filters::arguments::given;
use hieratic_jinja::extend::objects::{Dict, Entries, List};
use hieratic_jinja::extend::python::compare::equal;
use hieratic_jinja::extend::python::kind::{element, entries};
use hieratic_jinja::extend::python::{Kind, iterate, kind, type_name};
use hieratic_jinja::extend::{Args, Host, Result, Value, error, work};

use super::arguments::{check_given, flag, only_keys, optional_text, text, text_or};

const CRITERIA: &[&str] = &["afi", "acl_name", "source", "destination", "sequence", "protocol", "grant"];

/// The entries to remove.
struct Selection {
    criteria: Vec<(String, String)>,
    is_first_only: bool,
    all_criteria: bool,
    fails: bool,
}

/// Returns the filter `pop_ace`: access lists without the entries that match, and those entries.
pub fn pop_ace(_: &dyn Host, args: Args) -> Result<Value> {
    let [data, options, criteria] = args.bind(["data", "filter_options", "match_criteria"], 1)?;
    let data = given(data);
    let selection = Selection::new(options, criteria)?;
    if !matches!(kind(&data)?, Kind::List | Kind::Dict) {
        return Err(error("Error when using plugin 'pop_ace': Input is not valid for pop_ace"));
    }
    // Each has the lists of IPv4 and those of the other family.
    let (mut kept, mut removed) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    for family in iterate(&data)? {
        let afi = part(&family, "afi")?;
        let at = usize::from(afi.as_str() != Some("ipv4"));
        for acl in iterate(&part(&family, "acls")?)? {
            let name = element(check_dictionary(&acl)?, &Value::from("name"))?.unwrap_or_else(|| Value::from(""));
            let (mut aces, mut popped) = (Vec::new(), Vec::new());
            for ace in element(&acl, &Value::from("aces"))?.map_or(Ok(Vec::new()), |aces| iterate(&aces))? {
                let is_open = !selection.is_first_only || popped.is_empty();
                if selection.matches(&ace, &name, &afi)? && is_open {
                    popped.push(ace);
                } else {
                    aces.push(ace);
                }
            }
            for (lists, aces) in [(&mut kept, aces), (&mut removed, popped)] {
                if let Some(list) = lists.get_mut(at).filter(|_| !aces.is_empty()) {
                    list.push(dictionary([("name", name.clone()), ("aces", List::value(aces))]));
                }
            }
        }
    }
    if selection.fails && removed.iter().all(Vec::is_empty) {
        return Err(error("Error when using plugin 'pop_ace': no entries removed on the provided match_criteria"));
    }
    let of_families = |[v4, v6]: [Vec<Value>; 2]| {
        let family = |acls, afi: &str| dictionary([("acls", List::value(acls)), ("afi", Value::from(afi))]);
        dictionary([("acls", List::value(vec![family(v4, "ipv4"), family(v6, "ipv6")]))])
    };
    Ok(dictionary([("clean_acls", of_families(kept)), ("removed_aces", of_families(removed))]))
}

fn dictionary<const N: usize>(parts: [(&str, Value); N]) -> Value {
    Dict::value(parts.into_iter().map(|(name, value)| (Value::from(name), value)).collect::<Entries>())
}

fn check_dictionary(value: &Value) -> Result<&Value> {
    match kind(value)? {
        Kind::Dict => Ok(value),
        _ => Err(error(format!("'{}' object has no attribute 'get'", type_name(value)))),
    }
}

/// Returns the value of a key, or none.
fn part(dict: &Value, key: &str) -> Result<Value> {
    Ok(element(check_dictionary(dict)?, &Value::from(key))?.unwrap_or_else(|| Value::from(())))
}

impl Selection {
    fn new(options: Option<Value>, criteria: Option<Value>) -> Result<Selection> {
        let missing = |name: &str| error(format!("missing required arguments: {name}"));
        // The reference has no default for the options, and fails without them.
        let options = options.filter(|options| !options.is_none()).ok_or_else(|| missing("filter_options"))?;
        let criteria = criteria.filter(|criteria| !criteria.is_none()).ok_or_else(|| missing("match_criteria"))?;
        only_keys(check_dictionary(&options)?, "filter_options", &["failed_when", "match_all", "remove"])?;
        only_keys(check_dictionary(&criteria)?, "match_criteria", CRITERIA)?;
        let option = |name: &str, default: &str, known: &[&str]| -> Result<String> {
            let given = text_or(element(&options, &Value::from(name))?, default, name)?;
            if known.contains(&given.as_str()) {
                return Ok(given);
            }
            Err(error(format!("value of {name} must be one of: {}, got: {given}", known.join(", "))))
        };
        let mut given = Vec::new();
        for (key, value) in entries(&criteria)? {
            let name = text(Some(key), "key")?;
            // An empty criterion has no effect.
            if let Some(value) = optional_text(Some(value))?.filter(|value| !value.is_empty()) {
                given.push((name, value));
            }
        }
        if element(&criteria, &Value::from("afi"))?.is_none_or(|afi| afi.is_none()) {
            return Err(missing("afi found in match_criteria"));
        }
        Ok(Selection {
            criteria: given,
            is_first_only: option("remove", "all", &["first", "all"])? == "first",
            all_criteria: match element(&options, &Value::from("match_all"))? {
                Some(all) => {
                    check_given(&all, "match_all", "bool")?;
                    flag(Some(all), "match_all")?
                }
                None => false,
            },
            fails: option("failed_when", "missing", &["missing", "never"])? == "missing",
        })
    }

    /// Returns whether an entry matches all criteria, or one of them.
    fn matches(&self, ace: &Value, name: &Value, afi: &Value) -> Result<bool> {
        let mut answers = Vec::with_capacity(self.criteria.len());
        for (criterion, wanted) in &self.criteria {
            work::steps(1)?;
            let is = |value: &Value| equal(value, &Value::from(wanted.as_str()));
            answers.push(match criterion.as_str() {
                "acl_name" => is(name)?,
                "afi" => is(afi)?,
                "source" | "destination" => {
                    let address = element(check_dictionary(ace)?, &Value::from(criterion.as_str()))?;
                    let address = address.unwrap_or_else(|| Dict::value(Entries::new()));
                    let of = |key: &str| {
                        let found = element(check_dictionary(&address)?, &Value::from(key))?;
                        Ok::<_, hieratic_jinja::extend::Error>(found.unwrap_or_else(|| Value::from("NA")))
                    };
                    is(&of("address")?)? || is(&of("host")?)? || equal(&of("any")?, &Value::from(wanted == "any"))?
                }
                _ => is(&element(check_dictionary(ace)?, &Value::from(criterion.as_str()))?
                    .unwrap_or_else(|| Value::from("NA")))?,
            });
        }
        Ok(if self.all_criteria { !answers.contains(&false) } else { answers.contains(&true) })
    }
}
