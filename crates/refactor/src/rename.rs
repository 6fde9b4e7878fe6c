//! [`rename`]: renames a key.

use std::collections::HashSet;
use std::path::Path;

use hieratic::Settings;
use hieratic::value::Value;
use hieratic_diagnostics::Source;
use hieratic_lint::names_looked_up;

use crate::class;
use crate::data::{DataFile, apply_splices, key_like, verified};
use crate::interpolations;
use crate::plan::{ExpectedEffect, Plan, PlanError};
use hieratic::sandbox::SlashPath as _;

/// Renames a key in all environments of the repository, or in the one in the settings and those that share the key: in
/// the data of all levels, in `lookup_options`, in interpolations, in lookups of manifests and templates with a literal
/// key and, for a parameter of a class, in the class.
///
/// # Errors
/// The key does not exist, the new key exists, or a file cannot be changed.
pub fn rename(settings: &Settings, old: &str, new: &str) -> Result<Plan, PlanError> {
    let mut plan = Plan::across(settings, &[old, new])?;
    check_names(&plan, old, new)?;
    plan.expected = ExpectedEffect::Renamed { old: old.to_owned(), new: new.to_owned() };
    let data = plan.contents.data.clone();
    let mut is_known = false;
    refuse_unread(&plan, old)?;
    for file in &data {
        let Some(text) = plan.text(&file.path)? else { continue };
        let has = file.keys.iter().chain(&file.options).any(|key| key == old);
        is_known |= file.keys.iter().any(|key| key == old);
        let mentions = text.contains("%{") && text.contains(old);
        if !has && !mentions {
            continue;
        }
        let refused = |message: String, plan: &Plan| {
            PlanError::new(
                format!("{}: {message}", plan.shown(&file.path)),
                "change the file by hand, and run the command again",
            )
        };
        if !file.is_editable {
            return Err(refused(format!("'{old}' is in a file that is neither YAML nor JSON"), &plan));
        }
        let mut text = text;
        if has {
            text = in_data(&text, old, new).map_err(|message| refused(message, &plan))?;
        }
        if let Some(changed) = interpolations::renamed(&text, old, new).map_err(|message| refused(message, &plan))? {
            text = changed;
        }
        plan.set(&file.path, text)?;
    }
    is_known |= class::rename(&mut plan, old, new)?;
    in_code(&mut plan, old, new)?;
    if is_known {
        Ok(plan)
    } else {
        Err(PlanError::new(format!("nothing has the key '{old}'"), "name a key of the data, or a parameter of a class"))
    }
}

fn check_names(plan: &Plan, old: &str, new: &str) -> Result<(), PlanError> {
    let is_name = |name: &str| !name.is_empty() && !name.contains(['%', '\n', '\'', '"']) && name != "lookup_options";
    if let Some(bad) = [old, new].into_iter().find(|name| !is_name(name)) {
        return Err(PlanError::new(
            format!("'{bad}' cannot be the name of a key"),
            "name keys without quotes and interpolations",
        ));
    }
    if old == new {
        return Err(PlanError::new("both names are the same", "name the key as it is, then as it is to be"));
    }
    match plan.contents.data.iter().find(|file| file.keys.iter().any(|key| key == new)) {
        Some(file) => {
            let message = format!("{} already has the key '{new}'", plan.shown(&file.path));
            Err(PlanError::new(message, "choose another name, or remove that key first"))
        }
        None => Ok(()),
    }
}

/// A file that cannot be read may have the key.
fn refuse_unread(plan: &Plan, old: &str) -> Result<(), PlanError> {
    for path in &plan.contents.unread {
        let may_have_it = plan.text(path).map_or(true, |text| text.is_some_and(|text| text.contains(old)));
        if may_have_it {
            let message = format!("{} cannot be read and may have the key '{old}'", plan.shown(path));
            return Err(PlanError::new(message, "fix the file first"));
        }
    }
    Ok(())
}

/// A data file in which a key, and the options of it, have another name.
fn in_data(text: &str, old: &str, new: &str) -> Result<String, String> {
    const OPTIONS: &str = "lookup_options";
    let file = DataFile::read(text)?;
    let places = [file.key_place(&[old]), file.key_place(&[OPTIONS, old])];
    let splices = places
        .into_iter()
        .flatten()
        .map(|place| {
            let written = key_like(&text[place.clone()], new);
            (place, written)
        })
        .collect();
    let renamed = |hash: &hieratic::Hash| -> hieratic::Hash {
        let name = |key: &Value| if key.as_str() == Some(old) { Value::from(new) } else { key.clone() };
        hash.iter().map(|(key, value)| (name(key), value.clone())).collect()
    };
    let mut expected = renamed(file.values()).into_map();
    if let Some(Value::Hash(options)) = expected.get(&Value::from(OPTIONS)).cloned() {
        expected.insert(OPTIONS.into(), renamed(&options).into());
    }
    verified(apply_splices(text, splices), &expected.into())
}

/// The calls in code that write the name out.
fn in_code(plan: &mut Plan, old: &str, new: &str) -> Result<(), PlanError> {
    for (path, is_manifest) in plan.contents.code.clone() {
        let Ok(Some(text)) = plan.text(&path) else { continue };
        if !text.contains(old) {
            continue;
        }
        let source = Source::new(path.to_slashes(), text.clone());
        let mut splices = Vec::new();
        for (written, span) in names_looked_up(&path, &source) {
            let Some(changed) = interpolations::name(&written, old, new) else { continue };
            let start = span.range().start;
            match source.slice(span).find(&written) {
                Some(at) => splices.push((start + at..start + at + written.len(), changed)),
                None => plan.warnings.push(unchanged(plan, &path, &source, start, old)),
            }
        }
        if !splices.is_empty() {
            let changed = apply_splices(&text, splices);
            if is_manifest && !class::is_code(&path, &changed) {
                let message = format!("{} could not be read after the change", plan.shown(&path));
                return Err(PlanError::new(message, "change the calls in it by hand"));
            }
            plan.set(&path, changed)?;
        }
        warn_of_words(plan, &path, old)?;
    }
    Ok(())
}

/// Warns of other quoted occurrences of the name, which may look the key up in a way that is not recognized.
fn warn_of_words(plan: &mut Plan, path: &Path, old: &str) -> Result<(), PlanError> {
    let Some(text) = plan.text(path)? else { return Ok(()) };
    let Ok(word) = regex::Regex::new(&format!(r#"['"]{}(?:\.[^'"\n]*)?['"]"#, regex::escape(old))) else {
        return Ok(());
    };
    let source = Source::new(path.to_slashes(), text.clone());
    let mut known: HashSet<String> = plan.warnings.iter().cloned().collect();
    for found in word.find_iter(&text) {
        let warning = unchanged(plan, path, &source, found.start(), old);
        if known.insert(warning.clone()) {
            plan.warnings.push(warning);
        }
    }
    Ok(())
}

fn unchanged(plan: &Plan, path: &Path, source: &Source, at: usize, old: &str) -> String {
    format!("{}:{} still uses '{old}'", plan.shown(path), source.position(at).line)
}
