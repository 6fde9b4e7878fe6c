//! Random documents with directives, most of which resolve.

use std::path::Path;

use hieratic_directives::{File, Files, ReadFault};

use super::choices::Choices;
use super::documents::{Extras, Kind, Place};

/// Directives, strategies and names for maps.
pub struct Directives;

impl Extras for Directives {
    fn entry(&mut self, choices: &mut Choices, places: &[Place], path: &[String]) -> Option<(String, String)> {
        let optional = if choices.chance(12) { "?" } else { "" };
        let known: Vec<&Place> = places
            .iter()
            .filter(|place| place.done && !path.starts_with(&place.path) && place.path.iter().all(|key| is_text(key)))
            .collect();
        let maps: Vec<&Place> = known.iter().copied().filter(|place| place.kind == Kind::Map).collect();
        let named: Vec<&Place> = maps.iter().copied().filter(|place| place.anchor.is_some()).collect();
        let value = choices.choose(&["", "", "", "", "", "null", "raw", "{}"]).to_owned();
        let from = if choices.chance(80) { &maps } else { &known };
        match choices.below(16) {
            0..=5 => {
                let target = choices.of_any(from)?;
                Some((format!("+{optional}{}", pointer(&target.path)), value))
            }
            6 | 7 => {
                let target = choices.of_any(from)?;
                let common = target.path.iter().zip(path).take_while(|(one, other)| one == other).count();
                let dots = ".".repeat(path.len() - common + 1);
                Some((format!("+{optional}{dots}{}", pointer(&target.path[common..])), value))
            }
            8 => {
                let target = choices.of_any(&named)?;
                Some((format!("+{optional}*{}", target.anchor.as_deref().unwrap_or_default()), value))
            }
            9 => {
                let file = choices.choose(&["one.yaml", "two.yaml", "one.yaml#/x", "two.yaml#/l", "none.yaml"]);
                let optional = if file == "none.yaml" { "?" } else { optional };
                Some((format!("+{optional}include"), file.to_owned()))
            }
            10 => Some(("+?/missing/x".to_owned(), String::new())),
            11 | 12 => {
                let strategy = choices.choose(&["merge", "merge", "replace", "whiteout", "nullout", "error"]);
                Some(("+%".to_owned(), strategy.to_owned()))
            }
            13 => Some(("+&".to_owned(), "named".to_owned())),
            14 => Some(("+*named".to_owned(), String::new())),
            _ => Some(("+plain".to_owned(), "1".to_owned())),
        }
    }
}

fn is_text(key: &str) -> bool {
    !matches!(key, "~" | "true")
}

fn pointer(path: &[String]) -> String {
    path.iter().map(|key| format!("/{}", key.replace('~', "~0").replace('/', "~1"))).collect()
}

/// Two files.
#[derive(Clone)]
pub struct TwoFiles;

impl Files for TwoFiles {
    fn read(&mut self, name: &str, _: &Path) -> Result<File, ReadFault> {
        let text = match name {
            "one.yaml" => "x: {y: 1, z: [1, 2]}\nl: 1\n",
            "two.yaml" => "# two\nl: [v, w]\nx:\n  +/a:\nz: {x: 1}\n",
            _ => return Err(ReadFault { message: format!("No such file: '{name}'"), help: None, absent: true }),
        };
        Ok(File { name: name.into(), identity: name.into(), folder: None, text: text.into() })
    }
}
