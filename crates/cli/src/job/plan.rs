//! `--diff`: the changes from another job to this one, like `nomad job plan`.

use std::path::{Path, PathBuf};

use hieratic::nomad_job::{Difference, Job, Options};
use hieratic::nomad_lint::{Severity, validate, warnings_text};
use hieratic::{Error, Permissions};
use hieratic_output::RenderAs;

use super::{Format, JobArguments, add, entries, hiera, options, read};
use crate::report::Reporter;
use crate::usage::usage;
use crate::{documents, hints, revision};

/// Prints the changes from another job; returns whether there are none. The other may be the JSON of the API, as
/// `nomad job inspect` prints it, or a file of a git revision.
pub(super) fn compare(
    job: &Job,
    other: &Path,
    arguments: &JobArguments,
    format: Format,
    reporter: &Reporter,
) -> Result<bool, Error> {
    let mut other_arguments = arguments.clone();
    let mut file = other.to_owned();
    if let Some((name, path)) = revision_of(other) {
        let permissions = arguments.permissions;
        let limits = arguments.limits.limits();
        let folder = documents::around(&path);
        let outside = permissions.granted(true, &folder).outside;
        other_arguments.revision.commit = Some(revision::open(&name, &folder, outside, limits)?);
        file = path;
    } else {
        // A revision of the flag is that of the job itself.
        other_arguments.revision.commit = None;
    }
    let Some(before) = parse(&file, &other_arguments, reporter)? else { return Ok(false) };
    let Some(difference) = Difference::between(&before, job) else {
        return Err(usage("the jobs have different identifiers").help("only two versions of one job can be compared"));
    };
    match (arguments.render_as.as_deref(), format) {
        // JSON is the usual format of a job, but that of changes only with `--format json`.
        (Some("json" | "report"), _) => {
            let diff: serde_json::Value =
                serde_json::from_str(&difference.to_json()).map_err(|error| usage(error.to_string()))?;
            let findings = validate(job);
            let warnings: Vec<_> =
                findings.into_iter().filter(|finding| finding.severity == Severity::Warning).collect();
            let report = serde_json::json!({ "Diff": diff, "Warnings": warnings_text(&warnings) });
            reporter.print_report(&report, &["Old", "New"]);
        }
        (Some(name), Format::Data(_)) if name != "s" => {
            return Err(usage(format!("changes cannot be printed as {name}")).help("the formats are text and json"));
        }
        _ => {
            let text = difference.to_text(arguments.verbose);
            reporter.print_redacted(reporter.redactor().text(&text).as_bytes(), RenderAs::S);
        }
    }
    Ok(!difference.has_changes())
}

/// Reads the other job. Reports an invalid one, and returns `None`.
fn parse(file: &Path, arguments: &JobArguments, reporter: &Reporter) -> Result<Option<Job>, Error> {
    let permissions: Permissions = arguments.permissions_in(&documents::folder(file));
    let text = read(file, arguments, &permissions)?;
    let mut options = options(file, arguments, &permissions)?;
    // The other job may be in another folder, for which there are no entries or others.
    if let Ok(run) = entries::entry(file, arguments) {
        entries::add(&run, &mut options);
    }
    if let Some(data) = hiera(arguments, &text, &options.budget, reporter)? {
        add(data, &mut options);
    }
    if is_of_api(&text) {
        options = Options { json: true, arguments: Vec::new(), files: Vec::new(), ..options };
    }
    // The other job may be older, and know less variables.
    options.strict = false;
    options.allow_undeclared = true;
    options.shared_arguments = true;
    match Job::parse(text, &options) {
        Ok(before) => Ok(Some(before)),
        Err(failure) => {
            hints::report_hcl(reporter, &failure, hints::NOT_DENIED);
            Ok(None)
        }
    }
}

/// Splits `REV:FILE`, unless there is a file of that name.
fn revision_of(other: &Path) -> Option<(String, PathBuf)> {
    let (revision, file) = other.to_str()?.split_once(':')?;
    // A drive of Windows is not a revision.
    let is_drive = revision.len() == 1 && file.starts_with(['\\', '/']);
    (!revision.is_empty() && !file.is_empty() && !is_drive && !other.exists())
        .then(|| (revision.to_owned(), PathBuf::from(file)))
}

/// Returns whether the source is a job in the API's JSON, and not HCL's JSON.
fn is_of_api(text: &[u8]) -> bool {
    // A job file is not JSON.
    let value: Option<serde_json::Value> = serde_json::from_slice(text).ok();
    value.is_some_and(|value| ["Job", "ID", "TaskGroups"].iter().any(|name| value.get(name).is_some()))
}
