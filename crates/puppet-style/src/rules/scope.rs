//! Variables that a class reads without setting them.

use std::collections::{BTreeMap, BTreeSet};

use super::Context;
use crate::failure::Failure;
use crate::kind::Kind;
use crate::manifest::{Definition, Manifest};
use crate::problem::Data;
use crate::token::Id;

/// The variables that every class has.
const DEFAULT: [&str; 24] = [
    "name",
    "title",
    "module_name",
    "environment",
    "clientcert",
    "clientversion",
    "servername",
    "serverip",
    "serverversion",
    "caller_module_name",
    "alias",
    "audit",
    "before",
    "loglevel",
    "noop",
    "notify",
    "require",
    "schedule",
    "stage",
    "subscribe",
    "tag",
    "facts",
    "trusted",
    "server_facts",
];

pub(super) fn scope(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    // Puppet-lint keeps the variables of one class for the next one of the file.
    let mut set: BTreeSet<&str> = DEFAULT.into_iter().collect();
    for definition in manifest.definitions()? {
        let mut variables = Variables { manifest, set: &mut set, read: Vec::new(), of_blocks: BTreeMap::new() };
        variables.walk(definition)?;
        let Variables { read, of_blocks, .. } = variables;
        for variable in read {
            let name = manifest.value(variable);
            let plain = without_last_keys(name);
            let is_of_block = of_blocks.get(&manifest.line(variable)).is_some_and(|names| names.contains(plain));
            let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
            let is_fact = name != plain && matches!(plain, "facts" | "trusted");
            if !is_of_block && !name.contains("::") && !is_fact && !set.contains(plain) && !is_number {
                cx.warn(variable, "top-scope variable being used without an explicit namespace", Data::None);
            }
        }
    }
    Ok(())
}

/// The name of a variable without the keys at its end.
fn without_last_keys(name: &str) -> &str {
    match name.find('[') {
        Some(start) if name.ends_with(']') && name.len() > start + 2 => &name[..start],
        _ => name,
    }
}

/// The variables of a class or defined type.
struct Variables<'v, 'm, 's> {
    manifest: &'m Manifest<'s>,
    set: &'v mut BTreeSet<&'m str>,
    read: Vec<Id>,
    /// The parameters of blocks, by the lines on which they can be read.
    of_blocks: BTreeMap<i64, BTreeSet<&'m str>>,
}

impl<'m> Variables<'_, 'm, '_> {
    fn walk(&mut self, definition: &Definition) -> Result<(), Failure> {
        let manifest = self.manifest;
        manifest.budget.steps((definition.end - definition.start) as u64)?;
        let is_parameter = |id: &Id| {
            let is_end = matches!(manifest.next_code_kind(*id), Some(Kind::Comma | Kind::Equals | Kind::Rparen));
            manifest.kind(*id) == Kind::Variable && is_end
        };
        let parameters = definition.parameters.clone().unwrap_or(0..0).filter(is_parameter);
        self.set.extend(parameters.map(|id| manifest.value(id)));
        let mut of_block: Option<BTreeSet<&str>> = None;
        for id in definition.start..=definition.end {
            match (manifest.kind(id), &mut of_block) {
                (Kind::Equals, _) => self.assign(id)?,
                (Kind::Variable, Some(names)) => {
                    names.insert(manifest.value(id));
                }
                (Kind::Variable, None) => self.read.push(id),
                (Kind::Pipe, None) => of_block = Some(BTreeSet::new()),
                (Kind::Pipe, Some(names)) => {
                    let names = std::mem::take(names);
                    self.open_block(id, &names)?;
                    of_block = None;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Takes the variables in front of an equals sign: one, or several in brackets.
    fn assign(&mut self, equals: Id) -> Result<(), Failure> {
        let manifest = self.manifest;
        let Some(before) = manifest.prev_code(equals) else { return Ok(()) };
        match manifest.kind(before) {
            Kind::Variable => {
                self.set.insert(manifest.value(before));
            }
            Kind::Rbrack => {
                let (mut depth, mut at) = (0i64, Some(before));
                while let Some(id) = at {
                    manifest.budget.step()?;
                    match manifest.kind(id) {
                        Kind::Variable => {
                            self.set.insert(manifest.value(id));
                        }
                        Kind::Rbrack => depth += 1,
                        Kind::Lbrack => {
                            depth -= 1;
                            if depth == 0 {
                                break;
                            }
                        }
                        Kind::Comma => {}
                        _ => break,
                    }
                    at = manifest.prev_code(id);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes the parameters of the block after a pipe, for all of its lines.
    fn open_block(&mut self, pipe: Id, names: &BTreeSet<&'m str>) -> Result<(), Failure> {
        let manifest = self.manifest;
        let mut depth = 0i64;
        let end = (pipe..manifest.len()).find(|id| {
            depth += match manifest.kind(*id) {
                Kind::Lbrace => 1,
                Kind::Rbrace => -1,
                _ => 0,
            };
            depth == 0 && manifest.kind(*id) == Kind::Rbrace
        });
        let end = end.ok_or(Failure::Unforeseen)?;
        let lines = manifest.line(pipe)..=manifest.line(end);
        let count = u64::try_from(lines.end() - lines.start()).unwrap_or(0);
        manifest.budget.steps((end - pipe) as u64 + count.saturating_mul(names.len() as u64))?;
        for line in lines {
            self.of_blocks.entry(line).or_default().extend(names);
        }
        Ok(())
    }
}
