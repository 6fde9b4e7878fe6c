//! `secret encrypt`.

use std::process::ExitCode;

use hieratic::Error;
use hieratic::eyaml::{Encryptor, KeySource, Layout, decrypted_parts};
use hieratic_diagnostics::Position;

use super::args::{EncryptArguments, Output};
use super::faults::{fault, input_error};
use super::input;
use super::settings::Settings;
use crate::output;

/// The indentation of blocks, as in the reference.
const INDENTATION: &str = "  ";

/// Prints encrypted values.
pub(super) fn run(arguments: &EncryptArguments) -> Result<ExitCode, Error> {
    let settings = Settings::new(&arguments.keys)?;
    let encryptor = || Encryptor::new(&settings.options(), &KeySource::of_user()).map_err(|error| fault(&error));
    if let Some(path) = &arguments.eyaml {
        let encrypted = encrypted_file(&input::text(path)?, &encryptor()?)?;
        output::print_line(&encrypted);
        return Ok(ExitCode::SUCCESS);
    }
    let plain = match arguments {
        EncryptArguments { string: Some(text), .. } => text.as_bytes().to_vec().into(),
        EncryptArguments { file: Some(path), .. } => input::file(path)?,
        EncryptArguments { stdin: true, .. } => input::standard_input()?,
        EncryptArguments { password: true, .. } => input::password()?,
        _ => {
            return Err(input_error("You must specify a source")
                .help("pass one of --string, --file, --eyaml, --stdin and --password"));
        }
    };
    let encrypted = encryptor()?.encrypt(&plain).map_err(|error| fault(&error))?;
    let output = match (arguments.output, settings.text("output").as_deref()) {
        (Some(output), _) => output,
        (None, Some("block")) => Output::Block,
        (None, Some("string")) => Output::String,
        (None, _) => Output::Examples,
    };
    let label = arguments.label.clone().or_else(|| settings.text("label"));
    output::print_line(&format_encrypted(&encrypted, output, label.as_deref()));
    Ok(ExitCode::SUCCESS)
}

fn format_encrypted(encrypted: &str, output: Output, label: Option<&str>) -> String {
    let layout = Layout::Block { indentation: INDENTATION.into(), width: 60 };
    let block = format!("{INDENTATION}{}", layout.lay_out(encrypted));
    let line =
        |label: Option<&str>| label.map_or_else(|| encrypted.to_owned(), |label| format!("{label}: {encrypted}"));
    match output {
        Output::String => line(label),
        Output::Block => label.map_or_else(|| block.clone(), |label| format!("{label}: >\n{block}")),
        Output::Examples => {
            let string = line(Some(label.unwrap_or("string")));
            format!("{string}\n\nOR\n\n{}: >\n{block}", label.unwrap_or("block"))
        }
    }
}

/// A file with its decrypted parts encrypted.
fn encrypted_file(text: &str, encryptor: &Encryptor) -> Result<String, Error> {
    let parts = decrypted_parts(text).map_err(|at| unclosed(text, at))?;
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for part in parts {
        if !part.encryptor.eq_ignore_ascii_case("pkcs7") {
            return Err(input_error(format!("the encryptor '{}' is not supported", part.encryptor))
                .help("write DEC::PKCS7[...]!"));
        }
        let encrypted = encryptor.encrypt(part.plain.as_bytes()).map_err(|error| fault(&error))?;
        out.push_str(&text[done..part.range.start]);
        out.push_str(&part.layout.lay_out(&encrypted));
        done = part.range.end;
    }
    out.push_str(&text[done..]);
    Ok(out)
}

/// The error of a decrypted part that does not end; it does not quote the line, which is secret.
pub(super) fn unclosed(text: &str, at: usize) -> Error {
    let line = Position::at_offset(text.as_bytes(), at).line;
    input_error(format!("the decrypted value on line {line} has no end"))
        .help("a value ends with ]!, as in DEC::PKCS7[value]!")
}
