//! The range of `diff`.

use std::path::PathBuf;

use hieratic::Error;
use hieratic_report::{Head, Sides};

use super::DiffArguments;
use crate::revisions;
use crate::usage::usage;

/// The two states that the arguments mean. `earlier` are those of the comparison before, and the files that have changed
/// since.
pub(super) fn parse_range(arguments: &DiffArguments, earlier: Option<(&Sides, &[PathBuf])>) -> Result<Sides, Error> {
    let (settings, folder) = revisions::environment(&arguments.place);
    if let Some(against) = &arguments.against {
        if !against.is_dir() {
            return Err(usage(format!("{} is not a folder", against.display()))
                .help("name the folder with the other state of the control repository"));
        }
        // A folder that contains environments is another state of all of them.
        let has_environments = against.ends_with("environments") || against.join("environments").is_dir();
        let all = revisions::of_all_environments(&arguments.place).filter(|_| has_environments);
        let all = all.and_then(|_| settings.environmentpath.as_ref()?.folders().next());
        // Git is not asked here, and links are followed as elsewhere.
        let folder = all.map_or(folder, |all| hieratic::sandbox::real_path(all).unwrap_or_else(|_| all.to_owned()));
        return Ok(Sides::from_folders(settings, folder, against));
    }
    let help = "run it in a control repository, or compare with a folder: --against FOLDER";
    let limits = arguments.limits.limits();
    let repository = revisions::repository(&folder, settings.permissions.outside, limits, help)?;
    let range = arguments.revisions.as_deref().unwrap_or("HEAD");
    let (base, head, from_merge_base) = match (range.split_once("..."), range.split_once("..")) {
        (Some((base, head)), _) => (base, head, true),
        (None, Some((base, head))) => (base, head, false),
        // The working tree.
        (None, None) => (range, "", false),
    };
    let has_dots = range.contains("..");
    let is_bare = repository.is_bare();
    if is_bare && !has_dots {
        let root = repository.root().display();
        let message = format!("{root} is a bare repository, which has no working tree to compare with");
        return Err(usage(message).help("name both sides: BASE..HEAD"));
    }
    // As in git, `BASE...` means `git diff --merge-base BASE`, and `BASE..` compares two commits.
    let head = match (has_dots, from_merge_base, head) {
        (false, ..) => Head::WorkingTree,
        (true, true, "") if !is_bare => Head::WorkingTree,
        _ => Head::Revision(or_head(head)),
    };
    if let Some((sides, touched)) = earlier
        && let names = Sides::resolve_names(&repository, or_head(base), head, from_merge_base)
        && names.map_err(revisions::failed)? == sides.names
        && let Some(sides) = sides.update(settings.clone(), &repository, touched).map_err(revisions::failed)?
    {
        return Ok(sides);
    }
    Sides::from_revisions(settings, &repository, or_head(base), head, from_merge_base).map_err(revisions::failed)
}

fn or_head(name: &str) -> &str {
    if name.is_empty() { "HEAD" } else { name }
}
