//! Renders the templates of a pack.

use hieratic_budget::Budget;
use hieratic_go_template::{Rendering, Segment, Templates, Value, parse_into, render as render_template};
use hieratic_hcl_eval::syntax::format;
use hieratic_sandbox::Files;
use hieratic_value::ErasedSort as _;

use crate::context::{context, legacy_contexts};
use crate::failure::Failure;
use crate::functions::{PackFunctions, SYNTAX};
use crate::pack::{Pack, PackFile};
use crate::variables::{Inputs, Variables};

/// The options of rendering a pack.
#[derive(Clone, Copy, Debug)]
pub struct RenderOptions<'r> {
    /// The files that templates may read.
    pub files: &'r Files,
    /// Whether a missing key of a map is an error.
    pub is_strict: bool,
    /// Whether files that are not jobs are rendered as well.
    pub with_auxiliary: bool,
    /// Whether templates have the first syntax of nomad-pack (`--parser-v1`): `[[ .pack.variable ]]`.
    pub is_legacy: bool,
    /// Whether variables may be without a value: templates get nothing for them.
    pub allows_unset: bool,
    /// The work that it may cost.
    pub budget: &'r Budget,
}

/// A rendered template.
#[derive(Clone, Debug)]
pub struct RenderedFile {
    /// The name of the template: `web/templates/web.nomad.tpl`.
    pub name: String,
    /// The rendered text.
    pub text: String,
    /// The parts of the text in order, each with its template.
    pub segments: Vec<Segment>,
}

impl RenderedFile {
    /// The text with the layout that the reference gives to jobs and other files of HCL.
    pub fn formatted(&self) -> String {
        if !self.name.ends_with(".nomad.tpl") && !self.name.ends_with(".hcl.tpl") {
            return self.text.clone();
        }
        // The formatter changes blanks alone, so the text stays UTF-8.
        String::from_utf8_lossy(&format(self.text.as_bytes())).into_owned()
    }

    /// The template, and the byte of it, that a byte of the text comes from.
    pub fn origin(&self, offset: usize) -> Option<(&str, usize)> {
        let index = self.segments.partition_point(|segment| segment.start <= offset).checked_sub(1)?;
        let segment = self.segments.get(index)?;
        let inner = if segment.is_literal { offset - segment.start } else { 0 };
        Some((&segment.template, segment.span.first() + inner))
    }
}

/// Renders all templates of a pack and its dependencies, sorted by name. Blank results are left out.
///
/// # Errors
/// The variables or a template are invalid.
pub fn render(pack: &Pack, inputs: &Inputs, options: &RenderOptions<'_>) -> Result<Vec<RenderedFile>, Failure> {
    let variables = Variables::new(pack, inputs)?;
    if !options.allows_unset {
        variables.require_values()?;
    }
    let mut all = Vec::new();
    if options.is_legacy {
        for (pack, dot) in legacy_contexts(pack, &variables) {
            add(pack, &dot, options, &mut all);
        }
    } else {
        collect(pack, &context(pack, &variables), options, &mut all);
    }
    let files: Vec<&PackFile> = all.iter().map(|(file, _)| *file).collect();
    let mut templates = Templates::default();
    for (file, _) in &all {
        let parsed = parse_into(&mut templates, file.template_name(), &file.text, &SYNTAX, options.budget);
        parsed.map_err(|error| Failure::of_parse(&error, &files))?;
    }
    let functions = PackFunctions { files: options.files, folder: &pack.folder, is_legacy: options.is_legacy };
    let rendering = Rendering {
        templates: &templates,
        functions: &functions,
        is_strict: options.is_strict,
        no_value: "",
        budget: options.budget,
    };
    let mut rendered = Vec::new();
    for (file, dot) in all.iter().filter(|(file, _)| !file.is_helper()) {
        let result = render_template(file.template_name(), dot, &rendering);
        let result = result.map_err(|error| {
            let failure = Failure::of_render(&error, &files, "nomad-pack");
            let message = error.fault.to_string();
            let is_without_pack = ["nil data; no entry for key", "nil pointer evaluating", "map has no entry for key"];
            if !options.is_legacy && is_without_pack.iter().any(|start| message.starts_with(start)) {
                failure.with_help(FIRST_SYNTAX)
            } else {
                failure
            }
        })?;
        if !result.text.trim().is_empty() {
            let name = file.template_name().to_owned();
            rendered.push(RenderedFile { name, text: result.text, segments: result.segments });
        }
    }
    rendered.sort_erased_by(|one, other| one.name.cmp(&other.name));
    Ok(rendered)
}

/// The advice for templates that name variables as before nomad-pack 0.1.
const FIRST_SYNTAX: &str =
    "write [[ var \"NAME\" . ]], or read the pack with --parser-v1 if all variables are written so";

/// The templates of a pack and its dependencies, each with its dot.
fn collect<'p>(pack: &'p Pack, dot: &Value, options: &RenderOptions<'_>, all: &mut Vec<(&'p PackFile, Value)>) {
    for (name, inner) in &pack.dependencies {
        if let Value::Map(entries) = dot
            && let Some(dot) = entries.get(name)
        {
            collect(inner, dot, options, all);
        }
    }
    add(pack, dot, options, all);
}

/// The templates of a pack, with their dot.
fn add<'p>(pack: &'p Pack, dot: &Value, options: &RenderOptions<'_>, all: &mut Vec<(&'p PackFile, Value)>) {
    let is_job = |file: &&PackFile| file.template_name().ends_with(".nomad.tpl") || file.is_helper();
    let templates = pack.templates.iter().filter(|file| options.with_auxiliary || is_job(file));
    all.extend(templates.map(|file| (file, dot.clone())));
}
