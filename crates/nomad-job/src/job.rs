//! Converts a job file to a job.

use std::io;
use std::sync::Arc;

use hieratic_hcl_eval::{Attribute, Block, File, Problems, Range, Schema, Source, Span};
use hieratic_hcl_types::{Text, Value};

use crate::decode::{Decoder, decode_job};
use crate::json::{self, NotJson};
use crate::record::{Data, Datum, Record};
use crate::scope::{Tables, as_written, context};
use crate::variables::{Assignments, Variable, Variables, locals};
use crate::{Failure, Options, api, normalize};

/// A parsed job.
#[derive(Clone, Debug)]
pub struct Job {
    record: Record,
    source: Arc<Source>,
    variables: Vec<Variable>,
    undeclared: Vec<Text>,
    warnings: Problems,
}

impl Job {
    /// Parses a job file: HCL, in native or JSON syntax, or the API's JSON if [`Options::json`] is set.
    ///
    /// # Errors
    ///
    /// The file, its variables or its values are invalid. The error contains all problems with positions.
    ///
    /// ```
    /// use hieratic_nomad_job::{Job, Options};
    ///
    /// let source = "variable \"n\" { type = number }\njob \"web\" {\n  priority = var.n\n}\n";
    /// let options = Options { arguments: vec!["n=70".into()], ..Options::default() };
    /// let job = Job::parse(source, &options)?;
    /// assert!(job.to_json().unwrap().contains("\"Priority\": 70,"));
    ///
    /// let failure = Job::parse("job \"web\" {\n  prio = 1\n}\n", &Options { path: "a.hcl".into(), ..options }).unwrap_err();
    /// assert!(failure.to_string().starts_with("<nil>: Undefined -var variable; "));
    /// # Ok::<(), hieratic_nomad_job::Failure>(())
    /// ```
    pub fn parse(source: impl Into<Vec<u8>>, options: &Options) -> Result<Job, Failure> {
        let source = source.into();
        if options.json {
            if !options.arguments.is_empty() || !options.values.is_empty() || !options.files.is_empty() {
                return Err(Failure::from_text(
                    "Invalid job options: cannot use variables with JSON files.".to_owned(),
                ));
            }
            return match api::parse(&source) {
                Ok(mut record) => Ok(Job {
                    record: {
                        namespaces(&mut record, options);
                        record
                    },
                    source: Arc::new(Source::new(options.path.as_str(), source)),
                    variables: Vec::new(),
                    undeclared: Vec::new(),
                    warnings: Problems::default(),
                }),
                Err(error) => Err(Failure::from_text(format!("Failed to parse JSON job: {error}"))),
            };
        }
        let file = file(&options.path, source);
        let mut problems = file.problems().clone();
        let (files, more) = variable_files(options)?;
        problems.append(more);
        if problems.has_errors() {
            return Err(Failure::with_first(problems));
        }
        read(&file, &files, options, problems)
    }

    /// Returns the JSON that the command prints: `{"Job": ...}`.
    ///
    /// # Errors
    ///
    /// The job contains an infinite number, which JSON cannot represent.
    pub fn to_json(&self) -> Result<String, NotJson> {
        json::document("Job", &self.record)
    }

    /// Writes the JSON in portions, to save memory for large jobs.
    ///
    /// # Errors
    ///
    /// Writing fails, or the job contains an infinite number. In the latter case, nothing is written.
    pub fn write_json(&self, to: &mut dyn io::Write) -> io::Result<()> {
        json::write("Job", &self.record, to)
    }

    /// Returns the job as data.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Returns the variables in the order of their declaration, with all their assignments.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Returns the names of values in variable files that the job does not declare, if the files are
    /// [for several jobs](Options::allow_undeclared).
    pub fn undeclared_values(&self) -> impl Iterator<Item = &str> {
        self.undeclared.iter().map(|name| &**name)
    }

    /// Returns the warnings about the job file.
    pub fn warnings(&self) -> &Problems {
        &self.warnings
    }

    /// Returns the variables without a value, which only a [partial](Options::partial) job has.
    pub fn unset(&self) -> impl Iterator<Item = &Variable> {
        self.variables.iter().filter(|variable| variable.assignments.is_empty())
    }

    /// The job as data, to be changed.
    pub(crate) fn record_mut(&mut self) -> &mut Record {
        &mut self.record
    }

    /// Returns the job file.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// Returns the range of a value in the job file.
    pub fn place(&self, datum: &Datum) -> Option<Range> {
        datum.place.map(|place| self.range(place))
    }

    /// Returns a span of the job file as a range with lines and columns.
    pub fn range(&self, span: Span) -> Range {
        Range::new(self.source.clone(), span)
    }
}

/// Parses a file in native or JSON syntax: JSON begins with a brace, after blanks.
fn file(name: &str, source: Vec<u8>) -> File {
    let json = source.iter().find(|byte| **byte != b' ') == Some(&b'{');
    if json { File::json(name, source) } else { File::native(name, source) }
}

/// The variable files, read.
fn variable_files(options: &Options) -> Result<(Vec<File>, Problems), Failure> {
    let mut files = Vec::with_capacity(options.files.len());
    let mut warnings = Problems::default();
    for given in &options.files {
        let content = match &given.content {
            Ok(content) => content.clone(),
            Err(failure) => {
                let path = hieratic_hcl_types::quoted(&given.path);
                let detail = format!("failed to read {path}: {failure}");
                let problem = hieratic_hcl_eval::Problem::error("Failed to read file", detail);
                return Err(Failure::with_prefix("unable to parse var file", problem.into()));
            }
        };
        let file = file(&given.path, content);
        if file.problems().has_errors() {
            return Err(Failure::with_prefix("unable to parse var file", file.problems().clone()));
        }
        warnings.extend(file.problems().iter().cloned());
        files.push(file);
    }
    Ok((files, warnings))
}

/// Reads the job of a file that was parsed without errors.
fn read(file: &File, files: &[File], options: &Options, mut problems: Problems) -> Result<Job, Failure> {
    let (content, more) = file.body().content(&top());
    let failed = !more.is_empty();
    problems.append(more);
    if failed {
        return Err(Failure::with_all(problems));
    }

    let tables = Tables::new(options);
    let Definitions { variables, values, locals } =
        define_names(file, &content.blocks, files, &tables, options, &mut problems);
    if problems.has_errors() {
        return Err(Failure::with_all(problems));
    }

    let undefined = as_written(file.source());
    let context =
        context(&tables.all, &undefined, values, locals, &options.budget).with_unknown_labels(options.partial);
    let mut decoder = Decoder::new(&context, options.partial);
    let jobs: Vec<Block<'_>> = content.blocks.into_iter().filter(|block| &*block.kind == "job").collect();
    let decoded = decode_job(&mut decoder, &jobs);
    problems.append(decoder.take_problems());
    let (mut record, mut extras) = match decoded {
        Some(decoded) if !problems.has_errors() => decoded,
        _ => return Err(Failure::with_all(problems)),
    };
    problems.append(decoder.evaluate_pending(&mut record, extras.tasks.iter_mut().chain(&mut extras.secrets)));
    if problems.has_errors() {
        return Err(Failure::with_first(problems));
    }
    normalize::job(&mut record, extras);
    namespaces(&mut record, options);
    let (variables, undeclared) = variables.into_parts();
    Ok(Job { record, source: file.source().clone(), variables, undeclared, warnings: problems })
}

/// The names that the expressions of a job can refer to.
struct Definitions<'f> {
    variables: Variables<'f>,
    /// The object `var`.
    values: Value,
    /// The object `local`.
    locals: Value,
}

/// The variables and locals that blocks declare, with their values.
fn define_names<'f>(
    file: &File,
    blocks: &[Block<'f>],
    files: &[File],
    tables: &Tables,
    options: &Options,
    problems: &mut Problems,
) -> Definitions<'f> {
    let mut variables = Variables::new(options.extensions);
    let mut attributes = Vec::new();
    problems.append(declare(blocks, &mut variables));
    problems.append(collect_locals(blocks, &mut attributes));
    let assignments = Assignments {
        environment: &options.environment,
        files,
        arguments: &options.arguments,
        set_arguments: &options.set_arguments,
        values: &options.values,
        strict: options.strict,
        allow_undeclared: options.allow_undeclared,
        shared_arguments: options.shared_arguments,
    };
    problems.append(assignments.assign(&mut variables));
    let (values, more) = variables.values(&tables.without_files, options);
    problems.append(more);
    let undefined = as_written(file.source());
    let empty = Value::object(Vec::new());
    let global = context(&tables.all, &undefined, values.clone(), empty, &options.budget);
    let (locals, more) = locals(&attributes, &global);
    problems.append(more);
    Definitions { variables, values, locals }
}

/// Evaluates an expression as if it were part of a job file, even if the rest of the job has errors: for editors.
///
/// # Errors
///
/// The expression or a variable file is invalid.
///
/// ```
/// use hieratic_nomad_job::{Options, evaluate_expression};
///
/// let source = "variable \"n\" { default = 1 }\nlocals { m = var.n + 1 }\njob \"web\" {";
/// let value = evaluate_expression(source, "local.m + 1", &Options { partial: true, ..Options::default() })?;
/// assert!(value.same(&hieratic_hcl_types::Value::from(3_i64)));
/// # Ok::<(), hieratic_nomad_job::Failure>(())
/// ```
pub fn evaluate_expression(source: impl Into<Vec<u8>>, expression: &str, options: &Options) -> Result<Value, Failure> {
    let file = file(&options.path, source.into());
    let (files, _) = variable_files(options)?;
    let (content, _) = file.body().content(&top());
    let tables = Tables::new(options);
    // Problems of the rest of the file are reported when the job is read.
    let mut others = Problems::default();
    let Definitions { values, locals, .. } =
        define_names(&file, &content.blocks, &files, &tables, options, &mut others);
    let parsed = File::native_expression(&options.path, expression);
    let mut problems = parsed.problems().clone();
    let undefined = as_written(parsed.source());
    let context = context(&tables.all, &undefined, values, locals, &options.budget);
    let value = parsed.expression().map(|expression| expression.value(&context));
    let value = value.map(|(value, more)| {
        problems.append(more);
        value
    });
    match (value, problems.has_errors()) {
        (Some(value), false) => Ok(value),
        _ => Err(Failure::with_first(problems)),
    }
}

/// The blocks of a job file.
fn top() -> Schema {
    Schema::new(&[], &[("variables", &[]), ("variable", &["name"]), ("locals", &[]), ("job", &["name"])])
}

/// Sets what flags say of the job.
fn namespaces(record: &mut Record, options: &Options) {
    for (name, given) in [("ConsulNamespace", &options.consul_namespace), ("VaultNamespace", &options.vault_namespace)]
    {
        if let Some(given) = given.as_deref().filter(|given| !given.is_empty()) {
            record.set(name, Data::Text(given.into()), None);
        }
    }
    for (name, given) in [("Region", &options.region), ("Namespace", &options.namespace)] {
        let is_missing = record.get(name).is_none_or(|datum| datum.value == Data::Null);
        if let Some(given) = given.as_deref().filter(|given| !given.is_empty() && is_missing) {
            record.set(name, Data::Text(given.into()), None);
        }
    }
}

/// Declares the variables of all `variable` and `variables` blocks.
fn declare<'a>(blocks: &[Block<'a>], variables: &mut Variables<'a>) -> Problems {
    let mut problems = Problems::default();
    for block in blocks {
        match &*block.kind {
            "variable" => problems.append(variables.declare(block)),
            "variables" => {
                let (attributes, more) = block.body.just_attributes();
                problems.append(more);
                for attribute in &attributes {
                    problems.append(variables.declare_default(attribute));
                }
            }
            _ => {}
        }
    }
    problems
}

/// The arguments of all `locals` blocks.
fn collect_locals<'a>(blocks: &[Block<'a>], locals: &mut Vec<Attribute<'a>>) -> Problems {
    let mut problems = Problems::default();
    for block in blocks.iter().filter(|block| &*block.kind == "locals") {
        let (attributes, more) = block.body.just_attributes();
        problems.append(more);
        locals.extend(attributes);
    }
    problems
}
