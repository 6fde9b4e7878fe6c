//! The lookup `password`: <https://docs.ansible.com/ansible/latest/collections/ansible/builtin/password_lookup.html>.
//!
//! A password is read from its file. Ansible creates a file that does not exist; here that is an error.

use std::path::Path;

use hieratic_jinja::extend::python::str as text_of;
use hieratic_jinja::extend::{Args, Error, ErrorKind, Host, Result, Value, define, error};

use super::lookup::Table;
use crate::filters::password_hash;

pub const TABLE: Table = &[define(
    "password",
    "path, length=20, chars=['ascii_letters', 'digits', '.,:-_'], encrypt=None, ident=None, seed=None",
    "Returns a password, which is kept in a file or, with `/dev/null`, made anew.",
    password,
)];

/// The options of the lookup.
const OPTIONS: [&str; 5] = ["length", "encrypt", "chars", "ident", "seed"];

/// The methods whose hashes are written with an identifier that Ansible stores next to the salt.
const WITH_IDENT: [&str; 2] = ["bcrypt", "blowfish"];

fn password(host: &dyn Host, args: Args) -> Result<Vec<Value>> {
    args.only(&OPTIONS)?;
    args.positional
        .iter()
        .map(|term| {
            let term = Term::parse(&text_of(term)?, &args)?;
            let stored = Stored::read(host, &term.file)?;
            let Some(method) = term.option("encrypt") else { return Ok(Value::from(stored.password)) };
            let Some(salt) = stored.salt else {
                return Err(unsupported(&format!("it would write a salt to the file {}", term.file)));
            };
            if stored.ident.is_none() && WITH_IDENT.contains(&method) {
                return Err(unsupported(&format!("it would write an ident to the file {}", term.file)));
            }
            if let (Some(stored), Some(given)) = (&stored.ident, term.option("ident"))
                && stored != given
            {
                let message =
                    format!("The ident parameter provided ({given}) does not match the stored one ({stored}).");
                return Err(error(message));
            }
            let ident = stored.ident.as_deref().or(term.option("ident"));
            let mut named = vec![("salt".into(), Value::from(salt))];
            named.extend(ident.map(|ident| ("ident".into(), Value::from(ident))));
            let positional = vec![Value::from(stored.password), Value::from(method)];
            password_hash(host, Args { callee: "password".into(), positional, named })
        })
        .collect()
}

/// The name of a file, and options.
struct Term {
    file: String,
    options: Vec<(String, String)>,
}

impl Term {
    fn parse(term: &str, args: &Args) -> Result<Term> {
        let mut options = Vec::new();
        for (name, value) in args.named.iter().filter(|(_, value)| !value.is_none()) {
            options.push((name.to_string(), text_of(value)?));
        }
        let mut parts = Vec::new();
        for word in term.split(' ') {
            match word.split_once('=') {
                Some((name, value)) if OPTIONS.contains(&name) => options.push((name.to_owned(), value.to_owned())),
                Some((name, _)) if !parts.is_empty() => {
                    return Err(error(format!("Unrecognized parameter(s) given to password lookup: {name}")));
                }
                _ => parts.push(word),
            }
        }
        Ok(Term { file: parts.join(" ").trim_end().to_owned(), options })
    }

    fn option(&self, name: &str) -> Option<&str> {
        let found = self.options.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, value)| &**value).filter(|value| !value.is_empty())
    }
}

/// The content of a file: `PASSWORD salt=SALT ident=IDENT`.
struct Stored {
    password: String,
    salt: Option<String>,
    ident: Option<String>,
}

impl Stored {
    /// Reads the file, which is named from the folder of the playbook.
    fn read(host: &dyn Host, file: &str) -> Result<Stored> {
        let playbook = host.given("playbook_dir").and_then(|folder| folder.as_str().map(str::to_owned));
        let files = host.files();
        let path = files.absolute(&playbook.map_or_else(|| file.into(), |folder| Path::new(&folder).join(file)));
        if !files.is_file(&path) {
            let reason = format!("it would write a new password to the file {file}, and templates cannot write files");
            return Err(unsupported(&reason));
        }
        let text = files.read_text(&path)?;
        let text = text.trim_end();
        let (password, rest) = text.rsplit_once(" salt=").map_or((text, None), |(one, rest)| (one, Some(rest)));
        let (salt, ident) = match rest.filter(|rest| !rest.is_empty()) {
            Some(rest) => {
                rest.rsplit_once(" ident=").map_or((Some(rest), None), |(salt, ident)| (Some(salt), Some(ident)))
            }
            None => (None, None),
        };
        Ok(Stored { password: password.to_owned(), salt: salt.map(str::to_owned), ident: ident.map(str::to_owned) })
    }
}

/// The error about a password that Ansible would create. Like an unknown lookup, it cannot be ignored.
fn unsupported(reason: &str) -> Error {
    Error::new(ErrorKind::UnknownFunction, format!("the lookup 'password' is not supported here: {reason}"))
}
