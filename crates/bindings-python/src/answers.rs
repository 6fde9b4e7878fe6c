//! [`Answers`]: the answers of many nodes as a table of Arrow.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::builder::{BooleanBuilder, Float64Builder, Int32Builder, Int64Builder, StringBuilder};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use hieratic::budget::{Budget, Exhausted};
use hieratic::code::Condition;
use hieratic::{Facts, Limits, Permissions, Redactor};
use hieratic_bindings_core::BindingError;
use hieratic_fleet::{ChosenFacts, Options, Row, Scalar, Shard, Summary, TABLE_VERSION, answers_with_facts};
use maud::html;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};

use crate::environment::Environment;
use crate::error::PythonError;
use crate::facts::NodesArgument;
use crate::forks::{ForkSafe, Process, RunningWork};
use crate::work::{TICK, Work, keep_signal, limits_of, new_pool, take_signal, timeout_of};

/// The number of rows of a batch.
const BATCH: usize = 1 << 16;

/// The number of batches that wait for the consumer: more would use memory, fewer would block the cores.
const AHEAD: usize = 2;

/// The answers of many nodes as a table, one row for each node and key. Nothing is looked up before the table is read, and each time it
/// is read, the nodes are asked again.
#[pyclass(frozen, module = "hieratic")]
pub(crate) struct Answers {
    question: AnswersQuery,
    environment: Py<Environment>,
    shard: Option<String>,
    outcome: ForkSafe<Outcome>,
}

/// The end of the last reading: its numbers, or its error. A library that reads the table converts the error.
#[derive(Clone, Default)]
struct Outcome {
    summary: Arc<Mutex<Option<Summary>>>,
    error: Arc<Mutex<Option<PythonError>>>,
}

impl Outcome {
    fn summary(&self) -> Option<Summary> {
        self.summary.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set_summary(&self, done: Summary) {
        *self.summary.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
    }

    fn set_error(&self, error: PythonError) {
        *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    }

    fn take_error(&self) -> Option<PythonError> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Everything that a thread needs to answer.
#[derive(Clone)]
struct AnswersQuery {
    environment: Arc<hieratic::Environment>,
    nodes: NodesArgument,
    keys: Vec<String>,
    filter: Option<Arc<str>>,
    shard: Shard,
    reveal: bool,
    skip_errors: bool,
    allow_empty: bool,
    facts: Vec<String>,
    work: Work,
    permissions: Permissions,
    root: PathBuf,
}

/// The arguments of `Environment.answers` besides the nodes.
pub(crate) struct AnswersArguments {
    pub(crate) keys: Vec<String>,
    pub(crate) filter: Option<String>,
    pub(crate) shard: Option<String>,
    pub(crate) reveal: bool,
    pub(crate) skip_errors: bool,
    pub(crate) allow_empty: bool,
    pub(crate) facts: Vec<String>,
    pub(crate) work: Work,
}

impl Answers {
    pub(crate) fn new(
        environment: &Bound<'_, Environment>,
        nodes: NodesArgument,
        arguments: AnswersArguments,
    ) -> PyResult<Answers> {
        let own = environment.get();
        let AnswersArguments { keys, filter, shard: named, reveal, skip_errors, allow_empty, facts, work } = arguments;
        let shard = named.as_deref().map(str::parse::<Shard>).transpose().map_err(PyValueError::new_err)?;
        let shard = shard.unwrap_or_default();
        nodes.require(&own.permissions())?;
        if let Some(Err(failure)) = filter.as_deref().map(|filter| Condition::new(filter).check()) {
            return Err(PyValueError::new_err(format!("the condition where cannot be read: {failure}")));
        }
        let shared = own.share(environment.py())?;
        let question = AnswersQuery {
            environment: shared.inner,
            nodes,
            keys,
            filter: filter.map(Arc::from),
            shard,
            reveal,
            skip_errors,
            allow_empty,
            facts,
            work,
            permissions: own.permissions(),
            root: shared.root,
        };
        Ok(Answers {
            question,
            environment: environment.clone().unbind(),
            shard: named,
            outcome: ForkSafe::new(Outcome::default()),
        })
    }

    /// The end of the last reading. A fork in the midst of one starts anew, because nothing unlocks what that has locked.
    fn outcome(&self, py: Python<'_>) -> PyResult<Outcome> {
        self.outcome.get(py, || Ok(Outcome::default()))
    }

    /// The query for another thread, with the environment as this process can use it.
    fn query(&self, py: Python<'_>) -> PyResult<AnswersQuery> {
        let environment = self.environment.get().share(py)?.inner;
        Ok(AnswersQuery { environment, ..self.question.clone() })
    }
}

#[pymethods]
impl Answers {
    /// The table as a stream, as the [PyCapsule
    /// interface](https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html) specifies. A consumer
    /// that wants another schema casts.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows a producer to ignore it.
        let _ = requested_schema;
        let stream = FFI_ArrowArrayStream::new(Box::new(self.query(py)?.stream(self.outcome(py)?)?));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// The schema of the table.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*schema()).map_err(|error| PyValueError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The number of rows. The table is read for it, unless it was read to its end before.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let rows = match self.outcome(py)?.summary().map(|done| done.rows) {
            Some(rows) => rows,
            None => {
                let (question, outcome) = (self.query(py)?, self.outcome(py)?);
                let counted = self.question.work.run(py, move |budget| question.count(budget, &outcome));
                self.environment.get().warn_of_skipped_levels(py)?;
                counted?
            }
        };
        Ok(usize::try_from(rows).unwrap_or(usize::MAX))
    }

    /// True: a table of answers is something, even without rows, and to count them would read it.
    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self) -> String {
        let AnswersQuery { keys, nodes, environment, .. } = &self.question;
        let keys = if keys.is_empty() { "all keys".to_owned() } else { keys.join(", ") };
        let nodes = match nodes {
            NodesArgument::Paths(paths) => {
                paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
            }
            NodesArgument::Known(nodes) if nodes.len() == 1 => "1 node".to_owned(),
            NodesArgument::Known(nodes) => format!("{} nodes", nodes.len()),
        };
        format!("<hieratic.Answers: {keys} of {nodes} in {}>", environment.name())
    }

    /// The first rows as a table of HTML, as notebooks show them.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let question = self.query(py)?;
        self.question.work.run(py, move |budget| question.first_rows(budget))
    }

    /// The table of pyarrow.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        read_whole(slf, "pyarrow", "table")
    }

    /// The frame of Polars.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        read_whole(slf, "polars", "DataFrame")
    }

    /// The frame of pandas.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let frame = slf.py().import("pandas")?.getattr("DataFrame")?;
        if frame.hasattr("from_arrow")? {
            read_by(slf, &frame, "from_arrow")
        } else {
            // Before version 3 of pandas.
            Answers::to_arrow(slf)?.call_method0("to_pandas")
        }
    }

    /// A worker asks the same question in its own environment.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let own = slf.get();
        let AnswersQuery { nodes, keys, filter, reveal, skip_errors, allow_empty, .. } = &own.question;
        let named = PyDict::new(py);
        named.set_item("where", filter.as_deref())?;
        named.set_item("shard", own.shard.as_deref())?;
        named.set_item("reveal", reveal)?;
        named.set_item("skip_errors", skip_errors)?;
        named.set_item("allow_empty", allow_empty)?;
        named.set_item("facts", &own.question.facts)?;
        named.set_item("limits", limits_of(py, own.question.work)?)?;
        named.set_item("timeout", timeout_of(own.question.work))?;
        let rebuild = py.import("hieratic._pickles")?.getattr("answers")?;
        Ok((rebuild, (&own.environment, nodes.to_python(py)?, keys.clone(), named).into_pyobject(py)?))
    }

    /// The last reading in numbers: how many nodes, rows and failed rows there were, how many nodes had to be asked, and why others have
    /// no rows. None before the table was read to its end.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(summary) = self.outcome(py)?.summary() else { return Ok(None) };
        let dict = PyDict::new(py);
        dict.set_item("nodes", summary.nodes)?;
        dict.set_item("rows", summary.rows)?;
        dict.set_item("failed", summary.failed)?;
        dict.set_item("classes", summary.classes)?;
        dict.set_item("unanswered", summary.unanswered)?;
        let keys = PyDict::new(py);
        for (key, nodes) in self.question.keys.iter().zip(&summary.found) {
            keys.set_item(key, nodes)?;
        }
        dict.set_item("keys", keys)?;
        let faults: Vec<String> = summary.faults.iter().map(ToString::to_string).collect();
        dict.set_item("faults", faults)?;
        Ok(Some(dict))
    }
}

/// Reads the table by a function of a library.
fn read_whole<'py>(answers: &Bound<'py, Answers>, module: &str, function: &str) -> PyResult<Bound<'py, PyAny>> {
    read_by(answers, answers.py().import(module)?.as_any(), function)
}

/// The result of a library that reads the table, or the exception that ended it: libraries make another one of it.
fn read_by<'py>(
    answers: &Bound<'py, Answers>,
    library: &Bound<'py, PyAny>,
    function: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let py = answers.py();
    let outcome = answers.get().outcome(py)?;
    // Those that an earlier reader has left.
    let _ = (take_signal(), outcome.take_error());
    let read = library.call_method1(function, (answers,));
    match (read, take_signal()) {
        (_, Some(signal)) => {
            // It was raised again for readers that this library does not call.
            let _ = py.check_signals();
            Err(signal)
        }
        (read, None) => {
            py.check_signals()?;
            answers.get().environment.get().warn_of_skipped_levels(py)?;
            read.map_err(|error| outcome.take_error().map_or(error, Into::into))
        }
    }
}

/// Asks Python for signals on a thread that has the interpreter's lock, or whose caller has given it back in a way that only Python knows.
#[expect(
    unsafe_code,
    reason = "attach() believes the thread attached that a library has detached below a function of this one"
)]
fn check_signals() -> PyResult<()> {
    // SAFETY: the state is given back on the same thread, and nothing of the interpreter is used after that.
    unsafe {
        let state = pyo3::ffi::PyGILState_Ensure();
        let signals = Python::assume_attached().check_signals();
        pyo3::ffi::PyGILState_Release(state);
        signals
    }
}

/// Lets Python raise the exception of Ctrl-C once more: a library makes an exception by its own rules of a table that ends.
#[expect(unsafe_code, reason = "the function of Python's interface has no wrapper")]
fn raise_again() {
    // SAFETY: it may be called at any time, without the interpreter's lock.
    unsafe { pyo3::ffi::PyErr_SetInterrupt() }
}

/// The columns, as those of the Parquet files of `hieratic lookup --nodes`.
fn schema() -> SchemaRef {
    let field = |name: &str, kind: DataType| Field::new(name, kind, !matches!(name, "node" | "key" | "secret"));
    let about = [("hieratic.table", TABLE_VERSION), ("hieratic.version", env!("CARGO_PKG_VERSION"))];
    let about = about.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let columns = vec![
        field("node", DataType::Utf8),
        field("key", DataType::Utf8),
        field("module", DataType::Utf8),
        field("value", DataType::Utf8),
        field("string", DataType::Utf8),
        field("integer", DataType::Int64),
        field("float", DataType::Float64),
        field("boolean", DataType::Boolean),
        field("error", DataType::Utf8),
        field("file", DataType::Utf8),
        field("line", DataType::Int32),
        field("level", DataType::Utf8),
        field("layer", DataType::Utf8),
        field("merge", DataType::Utf8),
        field("contributions", DataType::Utf8),
        field("secret", DataType::Boolean),
        field("facts", DataType::Utf8),
    ];
    Arc::new(Schema::new_with_metadata(columns, about.into_iter().collect::<HashMap<String, String>>()))
}

type Batch = Result<RecordBatch, ArrowError>;

/// The batches that a thread makes.
struct Stream {
    batches: Receiver<Batch>,
    /// The budget of the thread.
    budget: Budget,
    /// The process in which the thread is.
    process: Process,
    is_over: bool,
}

impl Iterator for Stream {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        if self.is_over {
            return None;
        }
        let batch = loop {
            match self.batches.recv_timeout(TICK) {
                Ok(batch) => break Some(batch),
                Err(RecvTimeoutError::Disconnected) => break None,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if !self.process.is_current() {
                break Some(Err(ArrowError::ComputeError(
                    "this process was forked while the table was read".to_owned(),
                )));
            }
            if let Err(signal) = check_signals() {
                keep_signal(signal);
                raise_again();
                self.budget.cancel();
                break Some(Err(ArrowError::ComputeError("interrupted".to_owned())));
            }
        };
        self.is_over = !matches!(batch, Some(Ok(_)));
        batch
    }
}

impl RecordBatchReader for Stream {
    fn schema(&self) -> SchemaRef {
        schema()
    }
}

impl AnswersQuery {
    /// Starts to answer on a thread, which ends when the stream is dropped.
    fn stream(self, outcome: Outcome) -> PyResult<Stream> {
        let (sender, batches) = sync_channel(AHEAD);
        let budget = Budget::new(Limits { steps: u64::MAX, bytes: u64::MAX, ..self.work.limits });
        let own = budget.clone();
        // Threads of this table: those of other calls must not wait until it is read, and those of a parent process are gone.
        let pool = new_pool()?;
        let running = RunningWork::new();
        let answer = move || {
            let _running = running;
            let mut columns = Columns::default();
            let send = |columns: &mut Columns| {
                let batch = columns.finish().map_err(io::Error::other)?;
                sender.send(Ok(batch)).map_err(|_| io::Error::other("the reader has ended"))
            };
            let read = pool.install(|| {
                let (done, choice) = self.answer(&own, &mut |node, facts, rows| {
                    for row in rows.iter() {
                        columns.push(node, facts, row);
                        if columns.rows == BATCH {
                            send(&mut columns)?;
                        }
                    }
                    Ok(())
                })?;
                if columns.rows > 0 {
                    send(&mut columns)?;
                }
                Ok::<_, io::Error>((done, choice))
            });
            match read {
                Ok((done, choice)) => {
                    let problem = self.fault(&done, &choice);
                    outcome.set_summary(done);
                    if let Some(problem) = problem {
                        let message = problem.message().to_owned();
                        outcome.set_error(problem);
                        // The consumer may have gone.
                        let _ = sender.send(Err(ArrowError::ComputeError(message)));
                    }
                }
                // The consumer has gone, or a batch cannot be built.
                Err(error) => {
                    outcome.set_error(of_reading(&error));
                    let _ = sender.send(Err(ArrowError::ComputeError(error.to_string())));
                }
            }
        };
        std::thread::Builder::new().name("hieratic-answers".to_owned()).spawn(answer)?;
        Ok(Stream { batches, budget, process: Process::current(), is_over: false })
    }

    /// Passes the answers of the nodes on. Returns what was chosen, with what it has met.
    fn answer(&self, budget: &Budget, take: &mut hieratic_fleet::TakeAnswers<'_>) -> io::Result<(Summary, Choice)> {
        let condition = self.filter.as_deref().map(Condition::new);
        let added = ChosenFacts::new(&self.facts);
        let chosen = |facts: &Facts| {
            budget.ended().map_err(|ended| ended.to_string())?;
            let is_chosen = match &condition {
                None => true,
                Some(condition) => match condition.evaluate(&*self.environment, facts) {
                    Ok(value) => value.is_truthy(),
                    Err(failure) => return Err(format!("the condition where cannot be evaluated: {failure}")),
                },
            };
            if is_chosen {
                added.note(facts);
            }
            Ok(is_chosen)
        };
        let options = Options {
            selects_key: &|key| hieratic::lookup::matches_patterns(key, &self.keys),
            named: &self.keys,
            chosen: &chosen,
            shard: self.shard,
            origins: true,
            limits: Limits { time: None, ..self.work.limits },
            redactor: Redactor::new(self.environment.secrets(), self.reveal),
            global: self.environment.layers().global_config.parent().map(Path::to_owned),
            facts: &self.facts,
            root: self.root.clone(),
            progress: &|_| {},
            ..Options::default()
        };
        let sources = self.nodes.clone().sources(self.permissions);
        let summary =
            answers_with_facts(&self.environment.at_one_moment(), sources, &options, &mut |node, facts, rows| {
                budget.ended().map_err(io::Error::other)?;
                take(node, facts, rows)
            })?;
        // Nodes that were not asked any more have an error each.
        budget.ended().map_err(io::Error::other)?;
        Ok((summary, Choice { condition, added }))
    }

    /// Reads the table without its columns, and returns the number of its rows.
    fn count(&self, budget: &Budget, outcome: &Outcome) -> Result<u64, PythonError> {
        let (done, choice) = self.answer(budget, &mut |_, _, _| Ok(())).map_err(|error| of_reading(&error))?;
        if let Some(problem) = self.fault(&done, &choice) {
            return Err(problem);
        }
        let rows = done.rows;
        outcome.set_summary(done);
        Ok(rows)
    }

    /// The first rows as a table of HTML.
    fn first_rows(&self, budget: &Budget) -> Result<String, PythonError> {
        let mut rows = Vec::new();
        let mut is_cut = false;
        let read = self.answer(budget, &mut |node, _, of_node| {
            for row in of_node.iter() {
                if rows.len() == SHOWN_ROWS {
                    is_cut = true;
                    return Err(io::Error::other("enough"));
                }
                let line = row.line.map(|line| line.to_string());
                let cells = [
                    Some(node),
                    Some(&*row.key),
                    row.answer.as_ref().ok().map(|cell| cell.json.as_str()),
                    row.answer.as_ref().err().map(String::as_str),
                    row.file.as_deref(),
                    line.as_deref(),
                    row.level.as_deref(),
                ];
                rows.push(html! { tr { @for cell in cells { td { (cell.unwrap_or_default()) } } } });
            }
            Ok(())
        });
        match read {
            Err(error) if !is_cut => return Err(of_reading(&error)),
            Ok((done, choice)) => {
                if let Some(problem) = self.fault(&done, &choice) {
                    return Err(problem);
                }
            }
            // There are enough rows.
            Err(_) => {}
        }
        let head = ["node", "key", "value", "error", "file", "line", "level"];
        let table = html! {
            table {
                thead { tr { @for name in head { th { (name) } } } }
                tbody { @for row in &rows { (row) } }
            }
            @if is_cut { p { "the first " (SHOWN_ROWS) " rows" } }
        };
        Ok(table.into_string())
    }

    /// Returns why the table does not answer the query: nodes without rows, keys or facts that no node has, or a condition that no node
    /// meets.
    fn fault(&self, summary: &Summary, choice: &Choice) -> Option<PythonError> {
        let wrong = |message: String| PythonError::plain(message, "correct the question, or the facts");
        if !self.skip_errors
            && let Some(first) = summary.faults.first()
        {
            let more = summary.unanswered.saturating_sub(1);
            let others = if more > 0 { format!(" (and {more} more)") } else { String::new() };
            let help = "pass skip_errors=True to leave such nodes out";
            return Some(wrong(format!("the lookup for a node failed: {first}{others}; {help}")));
        }
        if self.allow_empty {
            return None;
        }
        let help = "pass allow_empty=True if the nodes are a part of a fleet";
        if summary.nodes == 0 {
            // Without nodes in the first place, the empty table is the answer.
            let condition = choice.condition.as_ref().filter(|condition| condition.chose_none())?;
            let unknown = condition.unknown_facts();
            let unknown: String = unknown.iter().map(|fact| format!(": {fact}")).collect();
            return Some(wrong(format!("no node is left{unknown}; {help}")));
        }
        if self.shard != Shard::default() {
            return None;
        }
        if let Some(unknown) = choice.added.unknown().first() {
            return Some(wrong(format!("{unknown}; {help}")));
        }
        let missing = summary.missing(&self.keys);
        let first = missing.first()?;
        let others = if missing.len() > 1 { format!(" (and {} more)", missing.len() - 1) } else { String::new() };
        let message = format!("no node has a value for the key '{first}'{others}; {help}");
        Some(BindingError::key_not_found(message, "check the spelling of the key").into())
    }
}

/// The choice of nodes and of their facts by a question.
struct Choice {
    condition: Option<Condition>,
    added: ChosenFacts,
}

/// The number of rows that a notebook shows.
const SHOWN_ROWS: usize = 20;

/// The error of a table that is not read to its end.
fn of_reading(error: &io::Error) -> PythonError {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<Exhausted>()) {
        Some(limit) => BindingError::exhausted(limit).into(),
        None => PythonError::plain(error.to_string(), "correct the question, or the facts"),
    }
}

/// The rows of a batch, by column.
#[derive(Default)]
struct Columns {
    rows: usize,
    node: StringBuilder,
    key: StringBuilder,
    module: StringBuilder,
    value: StringBuilder,
    string: StringBuilder,
    integer: Int64Builder,
    float: Float64Builder,
    boolean: BooleanBuilder,
    error: StringBuilder,
    file: StringBuilder,
    line: Int32Builder,
    level: StringBuilder,
    layer: StringBuilder,
    merge: StringBuilder,
    contributions: StringBuilder,
    secret: BooleanBuilder,
    facts: StringBuilder,
}

impl Columns {
    fn push(&mut self, node: &str, facts: Option<&str>, row: &Row) {
        self.rows += 1;
        let cell = row.answer.as_ref().ok();
        let scalar = cell.map(|cell| &cell.scalar);
        self.node.append_value(node);
        self.key.append_value(&row.key);
        self.module.append_option(row.module());
        self.value.append_option(cell.map(|cell| &cell.json));
        self.string.append_option(match scalar {
            Some(Scalar::String(text)) => Some(&**text),
            _ => None,
        });
        self.integer.append_option(match scalar {
            Some(Scalar::Integer(number)) => Some(*number),
            _ => None,
        });
        self.float.append_option(match scalar {
            Some(Scalar::Float(number)) => Some(*number),
            _ => None,
        });
        self.boolean.append_option(match scalar {
            Some(Scalar::Boolean(value)) => Some(*value),
            _ => None,
        });
        self.error.append_option(row.answer.as_ref().err());
        self.file.append_option(row.file.as_deref());
        // No file has more lines: it would have more bytes than may be read.
        self.line.append_option(row.line.map(|line| i32::try_from(line).unwrap_or(i32::MAX)));
        self.level.append_option(row.level.as_deref());
        self.layer.append_option(row.layer.as_deref());
        self.merge.append_option(row.merge.as_deref());
        self.contributions.append_option(row.contributions.as_deref());
        self.secret.append_value(row.secret);
        self.facts.append_option(facts);
    }

    fn finish(&mut self) -> Batch {
        self.rows = 0;
        RecordBatch::try_new(
            schema(),
            vec![
                Arc::new(self.node.finish()),
                Arc::new(self.key.finish()),
                Arc::new(self.module.finish()),
                Arc::new(self.value.finish()),
                Arc::new(self.string.finish()),
                Arc::new(self.integer.finish()),
                Arc::new(self.float.finish()),
                Arc::new(self.boolean.finish()),
                Arc::new(self.error.finish()),
                Arc::new(self.file.finish()),
                Arc::new(self.line.finish()),
                Arc::new(self.level.finish()),
                Arc::new(self.layer.finish()),
                Arc::new(self.merge.finish()),
                Arc::new(self.contributions.finish()),
                Arc::new(self.secret.finish()),
                Arc::new(self.facts.finish()),
            ],
        )
    }
}
