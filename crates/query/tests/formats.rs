//! What rows are written as.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use hieratic_query::{Format, Writer};
use parquet::file::reader::{FileReader, SerializedFileReader};
use support::{example, printed};

const SQL: &str = "select key, value, number, secret, array_agg(line) over () is null as without_lines, null as nothing
    from lookups where key in ('profile::web::port', 'profile::base::packages') order by key";

#[test]
fn every_format_has_the_same_rows() {
    let engine = example();
    let formats = [Format::Table, Format::Ndjson, Format::Csv, Format::Json];
    let written = formats.map(|format| format!("{format:?}\n{}", printed(&engine, SQL, format).unwrap()));
    insta::assert_snapshot!(written.join("\n"));
}

#[test]
fn parquet_files_have_the_columns_of_the_query() {
    let engine = example();
    let mut rows = engine.ask("select key, line, secret from lookups order by key").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    let mut writer = Writer::new(Format::Parquet, rows.schema(), std::fs::File::create(&path).unwrap()).unwrap();
    let mut count = 0;
    while let Some(batch) = rows.next_batch().unwrap() {
        count += batch.num_rows();
        writer.write(&batch).unwrap();
    }
    writer.finish().unwrap();
    let file = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
    let lines: Vec<String> = file.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
    assert_eq!(lines.len(), count);
    assert!(count > 5, "{lines:?}");
    assert!(lines.contains(&"{key: \"site::domain\", line: 10, secret: false}".to_owned()), "{lines:?}");
}

#[test]
fn queries_without_rows_have_columns() {
    let engine = example();
    let sql = "select key, line from lookups where key = 'nosuch'";
    let written = |format| printed(&engine, sql, format).unwrap();
    assert_eq!(written(Format::Csv), "key,line\r\n");
    assert_eq!(written(Format::Table), "key  line\n---  ----\n");
    assert_eq!(written(Format::Ndjson), "");
    assert_eq!(written(Format::Json), "[]\n");
}

#[test]
fn tables_stay_on_their_lines() {
    let engine = example();
    let text =
        printed(&engine, "select E'a\\nb\\x1b[31m' as \"x\ny\", '::add-mask::a' as z, 1 as n", Format::Table).unwrap();
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(!text.contains('\u{1b}'), "{text:?}");
    let command = printed(&engine, "select '::add-mask::a' as z", Format::Table).unwrap();
    assert!(!command.contains("\n::add-mask"), "{command}");
}
