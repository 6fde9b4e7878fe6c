//! `secret decrypt`.

use std::process::ExitCode;

use hieratic::Error;
use hieratic::eyaml::{Decryptor, KeySource, encrypted_parts};
use hieratic_diagnostics::Position;
use zeroize::Zeroizing;

use super::args::DecryptArguments;
use super::faults::{fault, input_error};
use super::input;
use super::settings::Settings;
use crate::output;

/// Prints decrypted values, without redaction.
pub(super) fn run(arguments: &DecryptArguments) -> Result<ExitCode, Error> {
    let settings = Settings::new(&arguments.keys)?;
    let decryptor = Decryptor::new(&settings.options(), &KeySource::of_user());
    let text = match arguments {
        DecryptArguments { eyaml: Some(path), .. } | DecryptArguments { file: Some(path), .. } => input::text(path)?,
        DecryptArguments { string: Some(text), .. } => Zeroizing::new(text.clone()),
        DecryptArguments { stdin: true, .. } => {
            Zeroizing::new(String::from_utf8_lossy(&input::standard_input()?).into_owned())
        }
        _ => {
            return Err(
                input_error("You must specify a source").help("pass one of --string, --file, --eyaml and --stdin")
            );
        }
    };
    let out =
        if arguments.eyaml.is_some() { decrypt_with_markers(&text, &decryptor)? } else { plain(&text, &decryptor)? };
    output::print_line_of_bytes(&out);
    Ok(ExitCode::SUCCESS)
}

/// Replaces the encrypted parts of a string by `DEC::PKCS7[...]!`.
fn decrypt_with_markers(text: &str, decryptor: &Decryptor) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut out = Zeroizing::new(Vec::with_capacity(text.len()));
    let mut done = 0;
    for part in encrypted_parts(text) {
        let plain = decrypt_part(part.text, part.range.start, text, decryptor)?;
        out.extend_from_slice(&text.as_bytes()[done..part.range.start]);
        out.extend_from_slice(b"DEC::PKCS7[");
        out.extend_from_slice(&plain);
        out.extend_from_slice(b"]!");
        done = part.range.end;
    }
    out.extend_from_slice(&text.as_bytes()[done..]);
    Ok(out)
}

/// Replaces the encrypted parts of a string by plain text; after a key, several lines become a literal block.
fn plain(text: &str, decryptor: &Decryptor) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut out = Zeroizing::new(Vec::with_capacity(text.len()));
    let mut done = 0;
    for part in encrypted_parts(text) {
        let plain = decrypt_part(part.text, part.range.start, text, decryptor)?;
        let before = &text.as_bytes()[done..part.block_start(text).unwrap_or(part.range.start).max(done)];
        out.extend_from_slice(before);
        if before.is_empty() || !plain.contains(&b'\n') {
            out.extend_from_slice(&plain);
        } else {
            out.extend_from_slice(b"|\n  ");
            for byte in plain.iter() {
                out.push(*byte);
                if *byte == b'\n' {
                    out.extend_from_slice(b"  ");
                }
            }
        }
        done = part.range.end;
    }
    out.extend_from_slice(&text.as_bytes()[done..]);
    Ok(out)
}

fn decrypt_part(part: &str, at: usize, text: &str, decryptor: &Decryptor) -> Result<Zeroizing<Vec<u8>>, Error> {
    decryptor.open(part).map_err(|error| {
        let line = Position::at_offset(text.as_bytes(), at).line;
        let described = fault(&error);
        let help = described.help_text().unwrap_or_default().to_owned();
        input_error(format!("the value on line {line} cannot be decrypted: {error}")).help(help)
    })
}
