//! The tables and their columns, and [`Batches`], which collects rows.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayBuilder, ArrayRef, BooleanBuilder, Float64Builder, Int64Builder, RecordBatch, RecordBatchOptions,
    StringBuilder,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::arrow::error::ArrowError;

/// A table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Table {
    Nodes,
    Facts,
    Lookups,
    Levels,
    Files,
    Findings,
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnType {
    Text,
    Integer,
    Number,
    Boolean,
}

/// A column: its name, its type, and whether every row has a value.
pub(crate) type Column = (&'static str, ColumnType, bool);

impl Table {
    pub(crate) const ALL: [Table; 6] =
        [Table::Nodes, Table::Facts, Table::Lookups, Table::Levels, Table::Files, Table::Findings];

    /// Returns the name in queries.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Table::Nodes => "nodes",
            Table::Facts => "facts",
            Table::Lookups => "lookups",
            Table::Levels => "levels",
            Table::Files => "files",
            Table::Findings => "findings",
        }
    }

    /// Returns the name of the plan step that computes its rows.
    pub(crate) fn step(self) -> &'static str {
        match self {
            Table::Nodes => "NodesExec",
            Table::Facts => "FactsExec",
            Table::Lookups => "LookupsExec",
            Table::Levels => "LevelsExec",
            Table::Files => "FilesExec",
            Table::Findings => "FindingsExec",
        }
    }

    /// Returns the columns, in the order of a row's cells.
    pub(crate) fn columns(self) -> &'static [Column] {
        use ColumnType::{Boolean, Integer, Number, Text};
        match self {
            Table::Nodes => &[
                ("node", Text, true),
                ("environment", Text, true),
                ("class", Text, false),
                ("facts", Integer, true),
                ("error", Text, false),
            ],
            Table::Facts => &[
                ("node", Text, true),
                ("path", Text, true),
                ("value", Text, true),
                ("text", Text, false),
                ("integer", Integer, false),
                ("number", Number, false),
                ("boolean", Boolean, false),
            ],
            Table::Lookups => &[
                ("node", Text, true),
                ("key", Text, true),
                ("module", Text, false),
                ("value", Text, false),
                ("string", Text, false),
                ("integer", Integer, false),
                ("float", Number, false),
                ("boolean", Boolean, false),
                ("error", Text, false),
                ("file", Text, false),
                ("line", Integer, false),
                ("level", Text, false),
                ("layer", Text, false),
                ("merge", Text, false),
                ("contributions", Text, false),
                ("secret", Boolean, true),
                ("facts", Text, false),
                ("text", Text, false),
                ("number", Number, false),
            ],
            Table::Levels => &[
                ("node", Text, true),
                ("position", Integer, true),
                ("module", Text, false),
                ("level", Text, true),
                ("path", Text, false),
                ("exists", Boolean, true),
                ("keys", Integer, false),
                ("error", Text, false),
            ],
            Table::Files => &[
                ("path", Text, true),
                ("module", Text, false),
                ("format", Text, false),
                ("bytes", Integer, false),
                ("keys", Integer, false),
            ],
            Table::Findings => &[
                ("rule", Text, true),
                ("code", Text, true),
                ("severity", Text, true),
                ("file", Text, false),
                ("line", Integer, false),
                ("message", Text, true),
                ("help", Text, false),
                ("fingerprint", Text, true),
            ],
        }
    }

    /// Returns the columns by which rows are selected before they are computed.
    pub(crate) fn filter_columns(self) -> &'static [&'static str] {
        match self {
            Table::Nodes | Table::Levels => &["node"],
            Table::Facts => &["node", "path"],
            Table::Lookups => &["node", "key"],
            Table::Files | Table::Findings => &[],
        }
    }

    /// Returns the approximate number of rows: enough to decide which of two tables is read first, so that the other
    /// one is restricted to the rows of the first.
    pub(crate) fn rough_size(self) -> usize {
        match self {
            Table::Files | Table::Findings => 1_000,
            Table::Nodes => 10_000,
            Table::Levels => 100_000,
            Table::Facts => 1_000_000,
            Table::Lookups => 100_000_000,
        }
    }

    /// Returns the columns as queries see them.
    pub(crate) fn schema(self) -> SchemaRef {
        Arc::new(Schema::new(self.fields()))
    }

    /// Returns the columns, and [`MULTIPLICITY`] after them.
    pub(crate) fn schema_with_multiplicity(self) -> SchemaRef {
        let mut fields = self.fields();
        fields.push(Field::new(MULTIPLICITY, DataType::Int64, false));
        Arc::new(Schema::new(fields))
    }

    fn fields(self) -> Vec<Field> {
        let field = |(name, kind, is_always): &Column| {
            let kind = match kind {
                ColumnType::Text => DataType::Utf8,
                ColumnType::Integer => DataType::Int64,
                ColumnType::Number => DataType::Float64,
                ColumnType::Boolean => DataType::Boolean,
            };
            Field::new(*name, kind, !is_always)
        };
        self.columns().iter().map(field).collect()
    }

    /// Returns the index of the column with this name.
    pub(crate) fn index(self, name: &str) -> Option<usize> {
        self.columns().iter().position(|(column, _, _)| *column == name)
    }
}

/// The column of plans with the number of equal rows that one row stands for. Queries cannot name it. It follows the
/// other columns.
pub(crate) const MULTIPLICITY: &str = "#multiplicity";

/// A cell of a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell<'c> {
    None,
    Text(&'c str),
    Integer(i64),
    Number(f64),
    Boolean(bool),
}

impl<'c> Cell<'c> {
    /// Returns an optional string.
    pub(crate) fn text(text: Option<&'c str>) -> Cell<'c> {
        text.map_or(Cell::None, Cell::Text)
    }

    /// A count, a line or a size.
    pub(crate) fn count(count: Option<impl TryInto<i64>>) -> Cell<'c> {
        count.map_or(Cell::None, |count| Cell::Integer(count.try_into().unwrap_or(i64::MAX)))
    }
}

/// The maximum size of the strings in a batch, in bytes: values can be large.
const MAX_TEXT: usize = 4 << 20;

/// Collects rows in the requested columns.
pub(crate) struct Batches {
    schema: SchemaRef,
    /// The indexes of the selected columns, each with its values so far.
    columns: Vec<(usize, Values)>,
    rows: usize,
    /// The size of their strings, in bytes.
    bytes: usize,
}

enum Values {
    Text(StringBuilder),
    Integer(Int64Builder),
    Number(Float64Builder),
    Boolean(BooleanBuilder),
}

impl Batches {
    /// Creates builders for columns of a table, given by their indexes; `schema` has the same columns.
    pub(crate) fn new(table: Table, schema: SchemaRef, projection: &[usize]) -> Batches {
        let values = |index: &usize| {
            let kind = table.columns().get(*index).map_or(ColumnType::Integer, |(_, kind, _)| *kind);
            let values = match kind {
                ColumnType::Text => Values::Text(StringBuilder::new()),
                ColumnType::Integer => Values::Integer(Int64Builder::new()),
                ColumnType::Number => Values::Number(Float64Builder::new()),
                ColumnType::Boolean => Values::Boolean(BooleanBuilder::new()),
            };
            (*index, values)
        };
        Batches { schema, columns: projection.iter().map(values).collect(), rows: 0, bytes: 0 }
    }

    /// Adds a row; `cell` is only called for the requested columns.
    pub(crate) fn push<'c>(&mut self, cell: &dyn Fn(usize) -> Cell<'c>) {
        for (index, values) in &mut self.columns {
            let cell = cell(*index);
            if let Cell::Text(text) = &cell {
                self.bytes += text.len();
            }
            values.push(cell);
        }
        self.rows += 1;
    }

    /// The number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Returns whether the batch has as many rows as requested, or the maximum size.
    pub(crate) fn is_full(&self, rows: usize) -> bool {
        self.rows >= rows || self.bytes >= MAX_TEXT
    }

    /// The rows so far.
    pub(crate) fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let columns = self.columns.iter_mut().map(|(_, values)| values.finish()).collect();
        self.bytes = 0;
        // Rows without columns are counted.
        let options = RecordBatchOptions::new().with_row_count(Some(std::mem::take(&mut self.rows)));
        RecordBatch::try_new_with_options(self.schema.clone(), columns, &options)
    }
}

impl Values {
    /// Adds a cell, or null if it has another type, which no table does.
    fn push(&mut self, cell: Cell<'_>) {
        match (self, cell) {
            (Values::Text(values), Cell::Text(text)) => values.append_value(text),
            (Values::Integer(values), Cell::Integer(number)) => values.append_value(number),
            (Values::Number(values), Cell::Number(number)) => values.append_value(number),
            (Values::Boolean(values), Cell::Boolean(value)) => values.append_value(value),
            (Values::Text(values), _) => values.append_null(),
            (Values::Integer(values), _) => values.append_null(),
            (Values::Number(values), _) => values.append_null(),
            (Values::Boolean(values), _) => values.append_null(),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        let builder: &mut dyn ArrayBuilder = match self {
            Values::Text(values) => values,
            Values::Integer(values) => values,
            Values::Number(values) => values,
            Values::Boolean(values) => values,
        };
        builder.finish()
    }
}
