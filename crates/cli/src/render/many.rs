//! All templates of roles for all hosts: as files in a folder, or as a comparison with another revision.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

use hieratic::templates::RenderFailure;
use hieratic::value::ErasedSort as _;
use hieratic::{Error, ErrorKind};
use hieratic_diagnostics::{Diagnose, Diagnostic, Severity};
use hieratic_report::LineDiff;

use super::play::{OpenRole, Play, RenderOutput, Target};
use crate::report::Reporter;
use crate::usage::usage;
use crate::{codes, files, output, revision};
use hieratic::sandbox::SlashPath as _;

/// A template that is rendered for a host.
struct Task<'r> {
    role: &'r OpenRole,
    template: PathBuf,
    host: Option<String>,
    /// The file, from the folder of all.
    file: PathBuf,
}

/// All templates of all roles for all hosts. `needs_all` says whether a template that is named has to be in all roles.
fn tasks<'r>(play: &Play<'_>, roles: &'r [OpenRole], needs_all: bool) -> Result<Vec<Task<'r>>, Error> {
    let hosts = play.host_names()?;
    for host in hosts.iter().flatten() {
        let mut parts = Path::new(host).components();
        if !matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)) {
            return Err(usage(format!("the host '{host}' cannot be the name of a folder"))
                .help("name other hosts with --host NAME, or rename it in the inventory"));
        }
    }
    let mut tasks = Vec::new();
    for role in roles {
        let templates = match &play.arguments.template {
            Some(one) if !needs_all && !role.has_template(one)? => Vec::new(),
            Some(one) => vec![one.clone()],
            None => role.templates()?,
        };
        let names: BTreeSet<PathBuf> = templates.iter().cloned().collect();
        for template in templates {
            // A file is called as its template is, unless another one is called so.
            let plain = template.with_extension("");
            let is_plain = template.extension().is_some_and(|ending| ending == "j2") && !names.contains(&plain);
            let name = if is_plain { &plain } else { &template };
            if name.components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir)) {
                return Err(usage(format!("the template {} has no name in its role", template.display()))
                    .help("name a template by its path in the folder templates of the role"));
            }
            for host in &hosts {
                // A play need not use a role for all hosts.
                if !play.uses(role, host.as_deref())? {
                    continue;
                }
                let folder = host.as_deref().or(play.arguments.place.node.as_deref()).unwrap_or("localhost");
                let file = Path::new(folder).join(role.name()).join(name);
                tasks.push(Task { role, template: template.clone(), host: host.clone(), file });
            }
        }
    }
    Ok(tasks)
}

fn open_roles(play: &Play<'_>, reporter: &Reporter) -> Result<Vec<OpenRole>, Error> {
    let folder = play.arguments.role.as_deref().ok_or_else(|| {
        usage("no role is named".to_owned()).help("name a role, or the folder of all roles, with --role FOLDER")
    })?;
    play.role_folders(folder)?.iter().map(|role| play.role(role, reporter)).collect()
}

/// Warns of roles that no play uses for any host: nothing of them is rendered.
fn report_unused(play: &Play<'_>, roles: &[OpenRole], tasks: &[Task<'_>], reporter: &Reporter) -> Result<(), Error> {
    let used: BTreeSet<&str> = tasks.iter().map(|task| task.role.name()).collect();
    let mut unused = Vec::new();
    for role in roles.iter().filter(|role| !used.contains(role.name())) {
        if !role.templates()?.is_empty() {
            unused.push(format!("'{}'", role.name()));
        }
    }
    let names: Vec<&str> = unused.iter().map(String::as_str).collect();
    let message = match names.as_slice() {
        _ if !play.has_playbook() => return Ok(()),
        [] => return Ok(()),
        [one] => format!("no play uses the role {one} for these hosts: its templates are not rendered"),
        all => {
            format!(
                "no play uses the roles {} for these hosts: their templates are not rendered",
                super::play::shown(all)
            )
        }
    };
    let help = "a role that another one depends on is not one of the play: render it without --playbook, with its parameters in --vars";
    reporter.diagnostic(&Diagnostic::new(Severity::Warning, codes::USAGE, message).help(help));
    Ok(())
}

/// The roles of another revision, which may have none.
fn roles_before(play: &Play<'_>, reporter: &Reporter) -> Result<Vec<OpenRole>, Error> {
    match &play.arguments.role {
        Some(folder) if play.has_folder(folder) => open_roles(play, reporter),
        _ => Ok(Vec::new()),
    }
}

/// Renders a template. Returns its text or the errors.
fn rendered(play: &Play<'_>, task: &Task<'_>, reporter: &Reporter) -> Result<String, Vec<Diagnostic>> {
    let result = task.role.template(&task.template).and_then(|path| {
        let (role, name, host) = (Some(task.role), &*task.template, task.host.as_deref());
        play.rendering(Target { role, name, path: &path, host }, reporter)
    });
    match result {
        Ok(RenderOutput::Rendering(rendering)) => rendering.text.map_err(|failure| match failure {
            RenderFailure::Data(error) => error.diagnose(),
            failure => failure.diagnose(),
        }),
        Ok(RenderOutput::Tree(_)) => Err(usage("templates over a tree are rendered one by one".to_owned()).diagnose()),
        Err(error) => Err(error.diagnose()),
    }
}

/// Reports diagnostics, with the file that is not written.
fn report_faults(reporter: &Reporter, file: &Path, faults: Vec<Diagnostic>) {
    reporter.diagnostics(faults.into_iter().map(|error| error.note(format!("for {}", file.display()))));
}

/// Writes a file for each host and template into a new folder: all of them, or no file if one fails.
pub(super) fn into_folder(play: &Play<'_>, folder: &Path, reporter: &Reporter) -> Result<ExitCode, Error> {
    if fs::symlink_metadata(folder).is_ok() && !fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none()) {
        return Err(usage(format!("{} is there already", folder.display()))
            .help("name a folder that is not there, or an empty one"));
    }
    let roles = open_roles(play, reporter)?;
    let tasks = tasks(play, &roles, true)?;
    report_unused(play, &roles, &tasks, reporter)?;
    let unwritten = |path: &Path, error: &io::Error| {
        let message = format!("{} cannot be written: {error}", path.display());
        let code = hieratic_lint::rules::UNREADABLE.code;
        Error::new(ErrorKind::Fatal, code, message).help(files::advice_to_write(path, error))
    };
    let part = Part::new(folder).map_err(|error| unwritten(folder, &error))?;
    // The facts of a host are read once if its files follow each other.
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    order.sort_erased_by_key(|at| &tasks[*at].file);
    let mut failed = BTreeMap::new();
    for at in order {
        let task = &tasks[at];
        match rendered(play, task, reporter) {
            Ok(text) => part.write(&task.file, &text).map_err(|error| unwritten(&folder.join(&task.file), &error))?,
            Err(faults) => _ = failed.insert(at, faults),
        }
    }
    let count = failed.len();
    for (at, faults) in failed {
        report_faults(reporter, &tasks[at].file, faults);
    }
    if count > 0 {
        let all = output::counted(tasks.len(), "file");
        return Err(usage(format!("{count} of {all} cannot be rendered: nothing was written"))
            .help("fix the templates, or name one template or one host"));
    }
    part.finish(folder).map_err(|error| unwritten(folder, &error))?;
    output::print(format!("{} in {}\n", output::counted(tasks.len(), "file"), folder.display()).as_bytes());
    Ok(ExitCode::SUCCESS)
}

/// A folder that takes its name when all its files are written, and is removed otherwise.
struct Part(PathBuf);

impl Part {
    fn new(folder: &Path) -> io::Result<Part> {
        let name = folder.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        let part = folder.with_file_name(format!(
            ".{}.{}.part",
            name.to_string_lossy(),
            crate::files::private::process_number()
        ));
        fs::create_dir(&part)?;
        Ok(Part(part))
    }

    /// Writes a file, which only its owner may read: there may be passwords in it.
    fn write(&self, file: &Path, text: &str) -> io::Result<()> {
        let path = self.0.join(file);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&path)?.write_all(text.as_bytes())
    }

    fn finish(self, folder: &Path) -> io::Result<()> {
        // An empty folder of this name gives way.
        if folder.is_dir() {
            fs::remove_dir(folder)?;
        }
        fs::rename(&self.0, folder)
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // It is gone if it has its name. Of what cannot be removed nothing is left to say: the run failed already.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Prints what differs between the files of another revision and those of now.
pub(super) fn differences(play: &Play<'_>, base: &str, reporter: &Reporter) -> Result<ExitCode, Error> {
    let limits = play.arguments.code_may.limits();
    let mut place = play.arguments.place.clone();
    place.revision = Some(revision::commit(base, &mut place, limits)?);
    let before = play.beside(place, reporter)?;
    let (roles, roles_before) = (open_roles(play, reporter)?, roles_before(&before, reporter)?);
    let (tasks, tasks_before) = (tasks(play, &roles, true)?, tasks(&before, &roles_before, false)?);
    report_unused(play, &roles, &tasks, reporter)?;
    let of = |tasks: &'_ [Task<'_>]| -> BTreeMap<PathBuf, usize> {
        tasks.iter().enumerate().map(|(at, task)| (task.file.clone(), at)).collect()
    };
    let (now, then) = (of(&tasks), of(&tasks_before));
    let all: BTreeSet<&PathBuf> = now.keys().chain(then.keys()).collect();
    let (mut failed, mut changed) = (0, 0);
    let mut unrendered = Unrendered::default();
    for file in all.iter().copied() {
        let side = |play: &Play<'_>, tasks: &[Task<'_>], at: Option<&usize>| {
            at.and_then(|at| tasks.get(*at)).map(|task| rendered(play, task, reporter)).transpose()
        };
        let sides = (side(&before, &tasks_before, then.get(file)), side(play, &tasks, now.get(file)));
        let (one, other) = match sides {
            (Ok(one), Ok(other)) => (one, other),
            (Err(one), Err(other)) if messages(&one).eq(messages(&other)) => {
                unrendered.add(file, other);
                continue;
            }
            (one, other) => {
                failed += 1;
                let named = |faults: Vec<Diagnostic>, note: &str| -> Vec<Diagnostic> {
                    faults.into_iter().map(|error| error.note(note.to_owned())).collect()
                };
                if let Err(faults) = one {
                    report_faults(reporter, file, named(faults, &format!("in {base}")));
                }
                if let Err(faults) = other {
                    report_faults(reporter, file, faults);
                }
                continue;
            }
        };
        if one == other {
            continue;
        }
        changed += 1;
        let name = |side: &Option<String>, letter: &str| match side {
            Some(_) => format!("{letter}/{}", file.display()),
            None => "/dev/null".to_owned(),
        };
        let names = (name(&one, "a"), name(&other, "b"));
        let (one, other) = (one.unwrap_or_default(), other.unwrap_or_default());
        reporter.print_text(LineDiff::new(&one, &other).unified(&names.0, &names.1).as_bytes());
    }
    let compared = all.len() - unrendered.count();
    unrendered.report(base, all.len(), reporter);
    if failed > 0 {
        let all = output::counted(all.len(), "file");
        return Err(usage(format!("{failed} of {all} cannot be compared"))
            .help("fix the templates, or name one template or one host"));
    }
    if changed == 0 {
        output::print(format!("{}: no difference\n", output::counted(compared, "file")).as_bytes());
    }
    Ok(ExitCode::SUCCESS)
}

fn messages(faults: &[Diagnostic]) -> impl Iterator<Item = &str> {
    faults.iter().map(|error| error.message.as_str())
}

/// The files that neither revision can render, for the same reason: a role need not be for all hosts.
#[derive(Default)]
struct Unrendered(Vec<(Vec<Diagnostic>, Vec<PathBuf>)>);

impl Unrendered {
    fn add(&mut self, file: &Path, faults: Vec<Diagnostic>) {
        match self.0.iter_mut().find(|(known, _)| *known == faults) {
            Some((_, files)) => files.push(file.to_owned()),
            None => self.0.push((faults, vec![file.to_owned()])),
        }
    }

    fn count(&self) -> usize {
        self.0.iter().map(|(_, files)| files.len()).sum()
    }

    /// Reports each reason once, with the files.
    fn report(self, base: &str, all: usize, reporter: &Reporter) {
        let count = self.count();
        if count == 0 {
            return;
        }
        for (faults, files) in self.0 {
            let names: Vec<String> = files.iter().map(|file| file.to_slashes()).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let note = format!("for {}", super::play::shown(&names));
            reporter.diagnostics(
                faults.into_iter().map(|error| Diagnostic { severity: Severity::Warning, ..error }.note(note.clone())),
            );
        }
        let message = format!(
            "{count} of {} cannot be rendered, as in {base}: they are not compared",
            output::counted(all, "file")
        );
        reporter.diagnostic(
            &Diagnostic::new(Severity::Warning, codes::USAGE, message)
                .help("if a role is not for all hosts, name hosts with --host NAME, or compare one role"),
        );
    }
}
