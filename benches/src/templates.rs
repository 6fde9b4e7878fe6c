//! Rendering templates, beside Jinja2.

use std::path::Path;
use std::time::Instant;

use hieratic::jinja::{Budget, Engine, Files, Options, from_value, read_yaml};
use hieratic::powers::Limits;

/// Renders each `*.j2` of a folder with its `variables.json`, and prints for each the least of the times of some runs, reading the
/// template counted in and reading the variables not. The texts go beside the templates.
pub(crate) fn measure(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(folder.join("variables.json"))?;
    let variables = from_value(&read_yaml("variables.json", &text)?);
    let mut names: Vec<_> =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    names.retain(|path| path.extension().is_some_and(|extension| extension == "j2"));
    names.sort();
    for path in names {
        let template = std::fs::read_to_string(&path)?;
        let mut least = f64::INFINITY;
        let mut rendered = String::new();
        for _ in 0..10 {
            let limits = Limits { steps: u64::MAX / 2, bytes: u64::MAX / 2, ..Limits::default() };
            let options = Options {
                base: folder.into(),
                files: Files::below([folder]),
                budget: Budget::new(limits),
                ..Options::default()
            };
            let start = Instant::now();
            let engine = Engine::new(&options);
            rendered = engine.render_text("template.j2", &template, variables.clone())?;
            least = least.min(start.elapsed().as_secs_f64());
        }
        println!("{} {least}", path.file_stem().unwrap_or_default().to_string_lossy());
        std::fs::write(path.with_extension("txt"), rendered)?;
    }
    Ok(())
}
