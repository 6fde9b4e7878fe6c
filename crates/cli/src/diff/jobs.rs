//! The Nomad jobs of a repository on both sides.

use hieratic::layers::repository_of;
use hieratic::{Error, Limits, Redactor};
use hieratic_impact::Diff;
use hieratic_lint::{JobValues, Options};
use hieratic_report::{JobReport, Report, Sides, compare_jobs, count_jobs, job_options};

use super::range::parse_range;
use super::{DiffArguments, command, forge};
use crate::job::environment;
use crate::revisions;

/// Compares the jobs as the settings run them; `None` if flags leave jobs out.
///
/// # Errors
/// A variable of the environment has no text.
pub(super) fn compare(arguments: &DiffArguments, sides: &Sides, limits: Limits) -> Result<Option<JobReport>, Error> {
    if arguments.no_jobs {
        return Ok(None);
    }
    let options = options(arguments, sides, limits)?;
    Ok(Some(compare_jobs(options, sides.root(), &sides.changed())))
}

/// The options of both sides: the values of jobs are those of the settings.
fn options(arguments: &DiffArguments, sides: &Sides, limits: Limits) -> Result<Diff<Options>, Error> {
    let job_values = JobValues {
        sets: arguments.job_sets.clone(),
        environment: environment::variables(None)?,
        ..JobValues::default()
    };
    Ok(job_options(sides, job_values, limits))
}

/// Compares the jobs of a repository without Hiera's data.
///
/// # Errors
/// The repository has no jobs either; `error` names what is missing.
pub(super) fn report_without_data(
    arguments: &DiffArguments,
    limits: Limits,
    redactor: &Redactor,
    error: Error,
) -> Result<Report, Error> {
    if arguments.no_jobs || arguments.catalogs || arguments.against.is_some() {
        return Err(error);
    }
    let (_, folder) = revisions::environment(&arguments.place);
    if repository_of(&folder).is_none() {
        return Err(error);
    }
    let sides = parse_range(arguments, None)?;
    let Some(mut jobs) = compare(arguments, &sides, limits)? else { return Err(error) };
    jobs.leave_out_jobs_of_nodes();
    if jobs.count == 0 && count_jobs(&options(arguments, &sides, limits)?.head, sides.root()) == 0 {
        return Err(error);
    }
    let mut report = Report::default();
    report.names.clone_from(&sides.names);
    report.is_without_data = true;
    report.notes = sides.notes();
    report.add_jobs(&jobs, &sides, redactor);
    report.forge = forge::links(arguments, &sides)?;
    report.command = command(arguments);
    Ok(report)
}
