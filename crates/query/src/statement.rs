//! [`parse_query`]: parses a statement and checks that it only reads.

use std::ops::ControlFlow;

use datafusion::sql::parser::{DFParserBuilder, Statement};
use datafusion::sql::sqlparser::ast::{Expr, Query, Select, SetExpr, Statement as Sql, Visit, Visitor};

use crate::error::{Fault, Kind};

/// The longest query, in bytes.
const MAX_LENGTH: usize = 128 << 10;

/// The maximum nesting of queries and parentheses.
const MAX_DEPTH: usize = 50;

/// Parses a query whose expressions may nest this deep; a chain of operators nests as often as it has operators.
/// Statements that would read files, write or change settings are refused.
///
/// A chain that is too long takes a lot of stack before that is detected.
pub(crate) fn parse_query(sql: &str, depth: u32) -> Result<Statement, Fault> {
    if sql.len() > MAX_LENGTH {
        return Err(Fault::new(Kind::Limit, format!("the query is longer than {MAX_LENGTH} bytes")));
    }
    let parser = DFParserBuilder::new(sql).with_recursion_limit(MAX_DEPTH).build();
    let statements = parser.and_then(|mut parser| parser.parse_statements());
    let mut statements = statements.map_err(|error| Fault::of(&error))?;
    let Some(statement) = statements.pop_front() else {
        return Err(Fault::new(Kind::Syntax, "there is no query").help("try: select node, key, value from lookups"));
    };
    if !statements.is_empty() {
        return Err(Fault::new(Kind::Refused, "there are several statements").help("ask one query at a time"));
    }
    check_statement(&statement, depth)?;
    Ok(statement)
}

/// Returns whether the statement requests a plan, not rows.
pub(crate) fn is_explain(statement: &Statement) -> bool {
    matches!(statement, Statement::Explain(_))
}

fn check_statement(statement: &Statement, depth: u32) -> Result<(), Fault> {
    match statement {
        Statement::Statement(statement) => match &**statement {
            Sql::Query(query) => match query.visit(&mut StatementVisitor { left: depth }) {
                ControlFlow::Continue(()) => Ok(()),
                ControlFlow::Break(RefusalReason::Writes(feature)) => Err(refused(feature)),
                ControlFlow::Break(RefusalReason::TooDeep) => {
                    Err(Fault::new(Kind::Limit, format!("expressions nest deeper than {depth} levels"))
                        .help("a chain of operators nests, too: write `key in (...)` for many `key = ... or ...`")
                        .help(format!("or raise the limit: --limit depth={}", depth.saturating_mul(10))))
                }
            },
            Sql::ShowTables { .. } | Sql::ShowColumns { .. } | Sql::ExplainTable { .. } => Ok(()),
            other => Err(refused(&first_words(&other.to_string()))),
        },
        Statement::CreateExternalTable(_) => Err(refused("CREATE EXTERNAL TABLE")),
        Statement::CopyTo(_) => Err(refused("COPY")),
        Statement::Reset(_) => Err(refused("RESET")),
        Statement::Explain(explain) => check_statement(&explain.statement, depth),
    }
}

fn refused(feature: &str) -> Fault {
    Fault::new(Kind::Refused, format!("{feature} is refused: a query only reads the tables of Hieratic"))
        .help("write a SELECT; to keep its rows, pass --output FILE")
}

/// Returns the name of a statement: its first word, and the second one if that is the kind of its object.
fn first_words(statement: &str) -> String {
    let mut words = statement.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or("this statement").to_uppercase();
    let second = words.next().map(str::to_uppercase);
    let kinds = ["TABLE", "VIEW", "SCHEMA", "DATABASE", "FUNCTION", "INDEX", "INTO", "FROM"];
    match second.filter(|second| kinds.contains(&second.as_str())) {
        Some(second) => format!("{first} {second}"),
        None => first,
    }
}

/// The reason why a query is refused.
enum RefusalReason {
    Writes(&'static str),
    TooDeep,
}

/// Finds what writes inside of a query, and how deep its expressions nest.
struct StatementVisitor {
    left: u32,
}

impl Visitor for StatementVisitor {
    type Break = RefusalReason;

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<RefusalReason> {
        if query.with.as_ref().is_some_and(|with| with.recursive) {
            return ControlFlow::Break(RefusalReason::Writes("WITH RECURSIVE"));
        }
        match &*query.body {
            SetExpr::Insert(_) => ControlFlow::Break(RefusalReason::Writes("INSERT INTO")),
            SetExpr::Update(_) => ControlFlow::Break(RefusalReason::Writes("UPDATE")),
            SetExpr::Delete(_) => ControlFlow::Break(RefusalReason::Writes("DELETE")),
            SetExpr::Merge(_) => ControlFlow::Break(RefusalReason::Writes("MERGE")),
            _ => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<RefusalReason> {
        match select.into {
            Some(_) => ControlFlow::Break(RefusalReason::Writes("SELECT INTO")),
            None => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_expr(&mut self, _: &Expr) -> ControlFlow<RefusalReason> {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(RefusalReason::TooDeep),
        }
    }

    fn post_visit_expr(&mut self, _: &Expr) -> ControlFlow<RefusalReason> {
        self.left += 1;
        ControlFlow::Continue(())
    }
}
