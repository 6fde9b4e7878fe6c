//! The part of the core and of the standard library that is written in Ruby. => The parts of the core and of the
//! standard library that are written in Ruby.

use std::sync::Arc;

use crate::ast::Program;
use crate::symbol::Symbols;

/// A library that is loaded when it is required, or when one of its constants is first named.
pub(crate) struct Library {
    pub name: &'static str,
    pub constants: &'static [&'static str],
    pub source: &'static str,
}

/// The files that are loaded into every interpreter.
pub(crate) const CORE: &[(&str, &str)] = &[
    ("kernel.rb", include_str!("kernel.rb")),
    ("partial.rb", include_str!("partial.rb")),
    ("enumerable.rb", include_str!("enumerable.rb")),
    ("enumerator.rb", include_str!("enumerator.rb")),
    ("array.rb", include_str!("array.rb")),
    ("hash.rb", include_str!("hash.rb")),
    ("string.rb", include_str!("string.rb")),
    ("struct.rb", include_str!("struct.rb")),
];

/// Loaded on demand.
pub(crate) const LIBRARIES: &[Library] = &[
    Library { name: "set", constants: &["Set", "SortedSet"], source: include_str!("set.rb") },
    Library { name: "ostruct", constants: &["OpenStruct"], source: include_str!("ostruct.rb") },
    Library { name: "ipaddr", constants: &["IPAddr"], source: include_str!("ipaddr.rb") },
    Library { name: "uri", constants: &["URI", "CGI"], source: include_str!("uri.rb") },
    Library { name: "base64", constants: &["Base64"], source: include_str!("base64.rb") },
    Library { name: "digest", constants: &["Digest", "OpenSSL"], source: include_str!("digest.rb") },
    Library { name: "json", constants: &["JSON", "PSON"], source: include_str!("json.rb") },
    Library { name: "yaml", constants: &["YAML", "Psych"], source: include_str!("yaml.rb") },
    Library { name: "shellwords", constants: &["Shellwords"], source: include_str!("shellwords.rb") },
    Library { name: "forwardable", constants: &["Forwardable"], source: include_str!("forwardable.rb") },
    Library { name: "time", constants: &["Time", "Date", "DateTime"], source: include_str!("time.rb") },
    Library { name: "erb", constants: &["ERB"], source: include_str!("erb.rb") },
    Library { name: "stringio", constants: &["StringIO"], source: include_str!("stringio.rb") },
    Library {
        name: "file",
        constants: &["File", "IO", "FileTest", "FileUtils", "Pathname", "Dir"],
        source: include_str!("file.rb"),
    },
    Library { name: "random", constants: &["Random", "SecureRandom"], source: include_str!("random.rb") },
    Library { name: "semantic_puppet", constants: &["SemanticPuppet"], source: include_str!("semantic_puppet.rb") },
    Library { name: "gem", constants: &["Gem"], source: include_str!("gem.rb") },
    Library { name: "resolv", constants: &["Resolv"], source: include_str!("resolv.rb") },
    Library { name: "puppet_type", constants: &[], source: include_str!("puppet_type.rb") },
    Library { name: "puppet", constants: &["Puppet", "Facter", "Hiera", "PuppetX"], source: include_str!("puppet.rb") },
];

/// Parses a file of the prelude, without the bodies of its methods.
pub(crate) fn parse(source: &'static str, name: &str, symbols: &mut Symbols) -> Arc<Program> {
    // The prelude is part of the program and tested with it.
    let program = crate::parse::parse_outline(source, name, symbols)
        .unwrap_or_else(|error| panic!("{name}:{}: {}", error.line, error.message));
    Arc::new(program)
}

/// The library that defines a constant.
pub(crate) fn library_of(constant: &str) -> Option<&'static str> {
    LIBRARIES.iter().find(|one| one.constants.contains(&constant)).map(|one| one.name)
}

/// Returns whether a library is part of the prelude.
pub(crate) fn is_library(name: &str) -> bool {
    LIBRARIES.iter().any(|one| one.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of a tree without the numbers of methods.
    fn without_numbers(text: &str) -> String {
        let mut parts = text.split("number: ");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| text + part.split_once(')').map_or(part, |(_, rest)| rest))
    }

    #[test]
    fn methods_that_are_read_later_are_the_same() {
        let libraries = LIBRARIES.iter().map(|library| (library.name, library.source));
        let mut count = 0;
        for (name, source) in CORE.iter().copied().chain(libraries) {
            let mut symbols = Symbols::new();
            let whole = without_numbers(&format!("{:?}", crate::parse::parse(source, name, &mut symbols).unwrap()));
            let outline = format!("{:?}", parse(source, name, &mut symbols));
            let methods = crate::parse::methods_of(source, name, &mut symbols);
            for method in &methods {
                let (parameters, body) = (&method.parameters, &method.body);
                let text = format!("parameters: {parameters:?}, body: {body:?}, line: {}, ", method.line);
                assert!(whole.contains(&without_numbers(&text)), "{name}:{}", method.line);
            }
            assert_eq!(outline.matches("unread: Some").count(), methods.len(), "{name}");
            count += methods.len();
        }
        assert!(count > 500, "{count}");
    }
}
