//! [`Answers`]: the answers of many nodes as a table of Arrow.

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder, StringBuilder, UInt32Builder};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use hieratic::code::Condition;
use hieratic::{Facts, Limits, Permissions, Redactor};
use hieratic_fleet::{Options, Row, Scalar, Shard, Summary, answers};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use crate::environment::Environment;
use crate::facts::NodesArgument;

/// The number of rows of a batch.
const BATCH: usize = 1 << 16;

/// The number of batches that wait for the consumer: more would use memory, fewer would block the cores.
const AHEAD: usize = 2;

/// The answers of many nodes as a table, one row for each node and key. Nothing is looked up before the table is read, and each time it
/// is read, the nodes are asked again.
#[pyclass(frozen, module = "hieratic")]
pub(crate) struct Answers {
    question: AnswersQuery,
    summary: Arc<Mutex<Option<Summary>>>,
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
    permissions: Permissions,
    root: PathBuf,
}

impl Answers {
    pub(crate) fn new(
        environment: &Bound<'_, Environment>,
        nodes: NodesArgument,
        keys: Vec<String>,
        filter: Option<String>,
        shard: Option<&str>,
        reveal: bool,
        skip_errors: bool,
    ) -> PyResult<Answers> {
        let own = environment.get();
        let shard = shard.map(str::parse::<Shard>).transpose().map_err(PyValueError::new_err)?.unwrap_or_default();
        let question = AnswersQuery {
            environment: own.inner.clone(),
            nodes,
            keys,
            filter: filter.map(Arc::from),
            shard,
            reveal,
            skip_errors,
            permissions: own.permissions(),
            root: own.root.clone(),
        };
        Ok(Answers { question, summary: Arc::default() })
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
        let stream = FFI_ArrowArrayStream::new(Box::new(self.question.clone().stream(self.summary.clone())?));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// The schema of the table.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*schema()).map_err(|error| PyValueError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The last reading in numbers: how many nodes, rows and failed rows there were, how many nodes had to be asked, and why others have
    /// no rows. None before the table was read to its end.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let summary = self.summary.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(summary) = summary else { return Ok(None) };
        let dict = PyDict::new(py);
        dict.set_item("nodes", summary.nodes)?;
        dict.set_item("rows", summary.rows)?;
        dict.set_item("failed", summary.failed)?;
        dict.set_item("classes", summary.classes)?;
        dict.set_item("unanswered", summary.unanswered)?;
        let faults: Vec<String> = summary.faults.iter().map(ToString::to_string).collect();
        dict.set_item("faults", faults)?;
        Ok(Some(dict))
    }
}

/// The columns, as those of the Parquet files of `hieratic lookup --nodes`.
fn schema() -> SchemaRef {
    let field = |name: &str, kind: DataType| Field::new(name, kind, !matches!(name, "node" | "key" | "secret"));
    Arc::new(Schema::new(vec![
        field("node", DataType::Utf8),
        field("key", DataType::Utf8),
        field("value", DataType::Utf8),
        field("string", DataType::Utf8),
        field("integer", DataType::Int64),
        field("float", DataType::Float64),
        field("boolean", DataType::Boolean),
        field("error", DataType::Utf8),
        field("file", DataType::Utf8),
        field("line", DataType::UInt32),
        field("level", DataType::Utf8),
        field("secret", DataType::Boolean),
    ]))
}

type Batch = Result<RecordBatch, ArrowError>;

/// The batches that a thread makes.
struct Stream {
    batches: Receiver<Batch>,
    is_over: bool,
}

impl Iterator for Stream {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        if self.is_over {
            return None;
        }
        let batch = self.batches.recv().ok();
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
    fn stream(self, summary: Arc<Mutex<Option<Summary>>>) -> PyResult<Stream> {
        let (sender, batches) = sync_channel(AHEAD);
        let answer = move || {
            let result = self.answer(&sender);
            match result {
                Ok(done) => {
                    let fault = (!self.skip_errors).then(|| faults(&done)).flatten();
                    *summary.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
                    if let Some(message) = fault {
                        let _ = sender.send(Err(ArrowError::ComputeError(message)));
                    }
                }
                // The consumer has gone, or a batch cannot be built.
                Err(error) => {
                    let _ = sender.send(Err(ArrowError::ComputeError(error.to_string())));
                }
            }
        };
        std::thread::Builder::new().name("hieratic-answers".to_owned()).spawn(answer)?;
        Ok(Stream { batches, is_over: false })
    }

    fn answer(&self, sender: &SyncSender<Batch>) -> io::Result<Summary> {
        let condition = self.filter.as_deref().map(Condition::new);
        let chosen = |facts: &Facts| match &condition {
            None => Ok(true),
            Some(condition) => match condition.of(&*self.environment, facts) {
                Ok(value) => Ok(value.is_truthy()),
                Err(failure) => Err(format!("the condition where cannot be evaluated: {failure}")),
            },
        };
        let options = Options {
            wanted: &|key| hieratic::lookup::is_wanted(key, &self.keys),
            chosen: &chosen,
            shard: self.shard,
            origins: true,
            limits: Limits::default(),
            mask: Redactor::new(self.environment.secrets(), self.reveal),
            root: self.root.clone(),
            progress: &|_| {},
            ..Options::default()
        };
        let mut columns = Columns::default();
        let send = |columns: &mut Columns| {
            let batch = columns.finish().map_err(io::Error::other)?;
            sender.send(Ok(batch)).map_err(|_| io::Error::other("the reader has ended"))
        };
        let sources = self.nodes.clone().sources(self.permissions);
        let summary = answers(&self.environment.at_one_moment(), sources, &options, &mut |node, rows| {
            for row in rows.iter() {
                columns.push(node, row);
                if columns.rows == BATCH {
                    send(&mut columns)?;
                }
            }
            Ok(())
        })?;
        if columns.rows > 0 {
            send(&mut columns)?;
        }
        Ok(summary)
    }
}

/// Why nodes have no rows.
fn faults(summary: &Summary) -> Option<String> {
    let first = summary.faults.first()?;
    let more = summary.unanswered.saturating_sub(1);
    let others = if more > 0 { format!(" (and {more} more)") } else { String::new() };
    Some(format!("the lookup for a node failed: {first}{others}; pass skip_errors=True to leave such nodes out"))
}

/// The rows of a batch, by column.
#[derive(Default)]
struct Columns {
    rows: usize,
    node: StringBuilder,
    key: StringBuilder,
    value: StringBuilder,
    string: StringBuilder,
    integer: Int64Builder,
    float: Float64Builder,
    boolean: BooleanBuilder,
    error: StringBuilder,
    file: StringBuilder,
    line: UInt32Builder,
    level: StringBuilder,
    secret: BooleanBuilder,
}

impl Columns {
    fn push(&mut self, node: &str, row: &Row) {
        self.rows += 1;
        let cell = row.answer.as_ref().ok();
        let scalar = cell.map(|cell| &cell.scalar);
        self.node.append_value(node);
        self.key.append_value(&row.key);
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
        self.line.append_option(row.line);
        self.level.append_option(row.level.as_deref());
        self.secret.append_value(row.secret);
    }

    fn finish(&mut self) -> Batch {
        self.rows = 0;
        RecordBatch::try_new(
            schema(),
            vec![
                Arc::new(self.node.finish()),
                Arc::new(self.key.finish()),
                Arc::new(self.value.finish()),
                Arc::new(self.string.finish()),
                Arc::new(self.integer.finish()),
                Arc::new(self.float.finish()),
                Arc::new(self.boolean.finish()),
                Arc::new(self.error.finish()),
                Arc::new(self.file.finish()),
                Arc::new(self.line.finish()),
                Arc::new(self.level.finish()),
                Arc::new(self.secret.finish()),
            ],
        )
    }
}
