//! How long templates take, beside Jinja2: `benches/compare-templates` runs this.
//!
//! `templates FOLDER` renders each `NAME.j2` of a folder with its `NAME.json`, or with `variables.json`, and prints the processor
//! time of reading and rendering it with a new engine, and of rendering it again. The text goes to `NAME.txt`. `templates FOLDER once`
//! renders each only once more and looks at no clock, for profilers.

use std::path::Path;
use std::time::Duration;

use hieratic_budget::Limits;
use hieratic_jinja::{Budget, Engine, Files, Options, extend::Value, from_value, read_yaml};
use rustix::time::{ClockId, clock_gettime};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // `cargo bench` adds a flag of its own.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let folder = Path::new(arguments.first().ok_or("expected a folder")?);
    let is_timed = arguments.get(1).is_none_or(|word| word != "once");
    let shared = read(&folder.join("variables.json"))?;
    let mut names: Vec<_> =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    names.retain(|path| path.extension().is_some_and(|extension| extension == "j2"));
    names.sort();
    for path in names {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let template = std::fs::read_to_string(&path)?;
        let variables = match read(&path.with_extension("json"))? {
            Some(own) => own,
            None => shared.clone().unwrap_or_default(),
        };
        match measured(folder, &template, &variables, is_timed) {
            Ok((whole, again, rendered)) => {
                std::fs::write(path.with_extension("txt"), rendered)?;
                println!("{name}\t{whole}\t{again}");
            }
            Err(problem) => println!("{name}\t{}", problem.message.replace(['\t', '\n'], " ")),
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Option<Value>, Box<dyn std::error::Error>> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(from_value(&read_yaml("variables", &text)?))),
        Err(_) => Ok(None),
    }
}

/// The seconds of reading and rendering, those of rendering alone, and the text.
fn measured(
    folder: &Path,
    template: &str,
    variables: &Value,
    is_timed: bool,
) -> Result<(f64, f64, String), hieratic_jinja::TemplateError> {
    let engine = || {
        let limits = Limits { steps: u64::MAX / 2, bytes: u64::MAX / 2, ..Limits::default() };
        Engine::new(&Options {
            base: folder.into(),
            files: Files::below([folder]),
            budget: Budget::new(limits),
            ..Options::default()
        })
    };
    let rendered = engine().render_text("template.j2", template, variables.clone())?;
    if !is_timed {
        let kept = engine();
        return Ok((0.0, 0.0, kept.render_prepared(&kept.prepare("template.j2", template)?, variables.clone())?));
    }
    let whole = least(|| drop(engine().render_text("template.j2", template, variables.clone())));
    let kept = engine();
    let prepared = kept.prepare("template.j2", template)?;
    let again = least(|| drop(kept.render_prepared(&prepared, variables.clone())));
    Ok((whole, again, rendered))
}

/// The least processor time of something, in seconds: so many at once that the clock is precise, and that a few times.
fn least(mut run: impl FnMut()) -> f64 {
    let mut count = 1;
    let mut least = f64::INFINITY;
    let mut rounds = 0;
    while rounds < 25 {
        let start = now();
        for _ in 0..count {
            run();
        }
        let element = now() - start;
        if element < Duration::from_millis(4) {
            count *= 2;
            continue;
        }
        least = least.min(element.as_secs_f64() / f64::from(count));
        rounds += 1;
    }
    least
}

fn now() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let part = |number: i64| u64::try_from(number).unwrap_or(0);
    Duration::from_secs(part(time.tv_sec)) + Duration::from_nanos(part(time.tv_nsec))
}
