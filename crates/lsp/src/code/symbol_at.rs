//! [`Symbol`]: the symbol under the cursor, determined from the tokens around it. This also works in code that cannot be
//! parsed.

use hieratic_diagnostics::Span;
use hieratic_puppet_syntax::{Token, TokenKind};

use crate::document::Document;
use crate::outline::plain;

/// The symbol that a word names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Symbol {
    /// A variable, without its dollar.
    Variable(String),
    /// A class, by a name in lower case.
    Class(String),
    /// A resource type or a defined type, in lower case.
    ResourceType(String),
    /// A function, in lower case.
    Function(String),
    /// A word that begins with an upper-case letter: a data type, an alias, or a resource type.
    Type(String),
    /// An attribute of resources of a type; of a class that is declared like a resource, `title` is its name.
    Attribute {
        /// The type of the resource.
        of: String,
        /// The class, if the type is `class`.
        title: Option<String>,
        name: String,
    },
    /// A key that is looked up.
    Key(String),
    /// A fact, by its path: `$facts['os']['family']`.
    Fact(Vec<String>),
    /// A file of a module: what names it, and `module/path`.
    File(&'static str, String),
    /// A resource, by its type in lower case and its title: where it is declared, or in a reference.
    Resource { of: String, title: String },
}

/// Data types that have strings in brackets, which are not titles.
const TYPES_OF_STRINGS: [&str; 8] =
    ["Enum", "NotUndef", "Optional", "Pattern", "Regexp", "Resource", "Runtime", "TypeReference"];

/// Functions whose arguments are names of classes.
const CLASS_FUNCTIONS: [&str; 3] = ["include", "contain", "require"];

/// Functions whose first argument is a key.
const LOOKUP_FUNCTIONS: [&str; 5] = ["lookup", "hiera", "hiera_array", "hiera_hash", "hiera_include"];

/// Functions whose argument is a file of a module, with the folder that it is in.
pub(crate) const FILE_FUNCTIONS: [(&str, &str); 5] = [
    ("template", "templates"),
    ("epp", "templates"),
    ("file", "files"),
    ("find_file", "files"),
    ("binary_file", "files"),
];

/// Returns the token at an offset; of two adjacent ones, the second, unless it is an operator, or the rest of a string after
/// a variable.
pub(crate) fn token_at(document: &Document, offset: usize) -> Option<usize> {
    let tokens = document.tokens();
    let offset = u32::try_from(offset).ok()?;
    let touching =
        tokens.iter().enumerate().filter(|(_, token)| token.span.start <= offset && offset <= token.span.end);
    let touching: Vec<(usize, &Token)> = touching.collect();
    let ends_variable = touching.iter().any(|(_, token)| token.kind == TokenKind::Variable && token.span.end == offset);
    let is_rest = |token: &Token| ends_variable && token.kind == TokenKind::StringPart && token.span.start == offset;
    let order = |(_, token): &(usize, &Token)| (!is_word(token) || is_rest(token), token.span.end == offset);
    let (index, _) = touching.into_iter().min_by_key(order)?;
    Some(index)
}

fn is_word(token: &Token) -> bool {
    !matches!(token.kind, TokenKind::Sign | TokenKind::Bracket)
}

/// The tokens of a document without comments.
pub(crate) struct CodeWords<'d> {
    document: &'d Document,
    /// The tokens without comments.
    tokens: Vec<Token>,
}

impl<'d> CodeWords<'d> {
    pub(crate) fn new(document: &'d Document) -> CodeWords<'d> {
        let tokens = document.tokens().iter().filter(|token| token.kind != TokenKind::Comment).copied().collect();
        CodeWords { document, tokens }
    }

    /// Returns the number of words.
    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The index of the word that is a token.
    pub(crate) fn index_at(&self, offset: usize) -> Option<usize> {
        let token = *self.document.tokens().get(token_at(self.document, offset)?)?;
        self.tokens.iter().position(|known| *known == token)
    }

    /// Returns the index of the first word that starts at an offset or after it.
    pub(crate) fn first_behind(&self, offset: usize) -> usize {
        self.tokens.partition_point(|token| token.span.first() < offset)
    }

    pub(crate) fn kind(&self, index: usize) -> Option<TokenKind> {
        Some(self.tokens.get(index)?.kind)
    }

    /// Returns the source of a word.
    pub(crate) fn text(&self, index: usize) -> &'d str {
        match self.tokens.get(index) {
            Some(token) => self.document.slice(token.span),
            None => "",
        }
    }

    /// Returns the span of a word.
    pub(crate) fn extent(&self, index: usize) -> Span {
        match self.tokens.get(index) {
            Some(token) => token.span,
            None => Span::default(),
        }
    }

    fn before(&self, index: usize) -> &'d str {
        index.checked_sub(1).map_or("", |index| self.text(index))
    }

    /// A string without its quotes.
    pub(crate) fn unquoted(&self, index: usize) -> &'d str {
        self.text(index).trim_matches(['\'', '"'])
    }

    /// The bracket that is open around a word.
    pub(crate) fn open_around(&self, index: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for at in (0..index).rev() {
            match (self.kind(at)?, self.text(at)) {
                (TokenKind::Bracket, ")" | "]" | "}" | "|>" | "|>>") => depth += 1,
                (TokenKind::Bracket, "(" | "[" | "{" | "<|" | "<<|") => match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => return Some(at),
                },
                _ => {}
            }
        }
        None
    }

    /// The resource whose body a word is in: its type, the class that it declares, and the brace that opens it.
    pub(crate) fn resource_around(&self, index: usize) -> Option<(String, Option<String>, usize)> {
        let open = self.open_around(index)?;
        if self.text(open) != "{" {
            return None;
        }
        let name = open.checked_sub(1)?;
        let text = self.text(name);
        let of = match (self.kind(name)?, text) {
            (TokenKind::Name, _) => plain(text).to_lowercase(),
            (TokenKind::Keyword, "class") => "class".to_owned(),
            // Defaults of a resource type, or a collector.
            (TokenKind::TypeName, _) => plain(text).to_lowercase(),
            // An override: `File['/x'] {`.
            (TokenKind::Bracket, "]") => {
                let bracket = self.open_around(name)?;
                match self.kind(bracket.checked_sub(1)?)? {
                    TokenKind::TypeName => plain(self.text(bracket - 1)).to_lowercase(),
                    _ => return None,
                }
            }
            (TokenKind::Bracket, "|>" | "|>>") => {
                let bracket = self.open_around(name)?;
                plain(self.text(bracket.checked_sub(1)?)).to_lowercase()
            }
            _ => return None,
        };
        // `class foo {` and `define foo {` are not resources. Neither are `node x {` and operands.
        let outer = name.checked_sub(1).map_or("", |index| self.text(index));
        if matches!(outer, "class" | "define" | "function" | "node" | "plan" | "inherits" | "type") {
            return None;
        }
        let title = (of == "class").then(|| {
            // The title that comes last before the word.
            let mut at = index;
            while at > open + 1 {
                at -= 1;
                if self.text(at) == ":" && self.kind(at) == Some(TokenKind::Sign) {
                    return Some(plain(self.unquoted(at - 1)).to_lowercase());
                }
            }
            None
        });
        Some((of, title.flatten(), open))
    }

    /// The function whose arguments a word is among: its name, the parenthesis, and how many commas are before the word.
    pub(crate) fn call_around(&self, index: usize) -> Option<(String, usize, usize)> {
        let mut at = index;
        // Lists, hashes and blocks among the arguments are passed over.
        loop {
            let open = self.open_around(at)?;
            if self.text(open) == "(" {
                let name = open.checked_sub(1)?;
                if !matches!(self.kind(name)?, TokenKind::Name | TokenKind::TypeName) {
                    at = open;
                    continue;
                }
                let mut commas = 0;
                let mut depth = 0_usize;
                for between in open + 1..index {
                    match self.text(between) {
                        "(" | "[" | "{" => depth += 1,
                        ")" | "]" | "}" => depth = depth.saturating_sub(1),
                        "," if depth == 0 => commas += 1,
                        _ => {}
                    }
                }
                return Some((plain(self.text(name)).to_lowercase(), open, commas));
            }
            at = open;
        }
    }

    /// Returns the symbol that a word names.
    pub(crate) fn symbol(&self, index: usize) -> Option<Symbol> {
        let text = self.text(index);
        let next = self.text(index + 1);
        match self.kind(index)? {
            TokenKind::Variable => {
                let name = text.trim_start_matches('$');
                Some(Symbol::Variable(name.to_owned()))
            }
            TokenKind::TypeName => Some(Symbol::Type(plain(text).to_owned())),
            TokenKind::String => self.string(index),
            TokenKind::Keyword if matches!(next, "=>" | "+>") => self.attribute(index, text),
            TokenKind::Name => self.name(index, text, next),
            _ => None,
        }
    }

    fn attribute(&self, index: usize, name: &str) -> Option<Symbol> {
        let (of, title, _) = self.resource_around(index)?;
        Some(Symbol::Attribute { of, title, name: name.to_owned() })
    }

    fn name(&self, index: usize, text: &str, next: &str) -> Option<Symbol> {
        let lower = plain(text).to_lowercase();
        if matches!(next, "=>" | "+>") {
            return self.attribute(index, text);
        }
        match self.before(index) {
            "class" | "inherits" => return Some(Symbol::Class(lower)),
            "define" => return Some(Symbol::ResourceType(lower)),
            "function" | "plan" => return Some(Symbol::Function(lower)),
            "." => return Some(Symbol::Function(lower)),
            _ => {}
        }
        if next == "{" {
            return Some(Symbol::ResourceType(lower));
        }
        if next == "(" || CLASS_FUNCTIONS.contains(&text) {
            return Some(Symbol::Function(lower));
        }
        if self.is_class_argument(index) {
            return Some(Symbol::Class(lower));
        }
        let is_statement =
            ["notice", "warning", "err", "fail", "info", "debug", "realize", "tag", "return", "next", "break"];
        is_statement.contains(&text).then_some(Symbol::Function(lower))
    }

    /// Returns whether a word is an argument of `include` or a similar function.
    fn is_class_argument(&self, index: usize) -> bool {
        let mut at = index;
        while let Some(before) = at.checked_sub(1) {
            match self.text(before) {
                "," | "[" | "(" => at = before,
                word if CLASS_FUNCTIONS.contains(&word) => return self.kind(before) == Some(TokenKind::Name),
                _ if at < index && self.text(at) == "," => at = before,
                _ => return false,
            }
        }
        false
    }

    /// The fact whose name a string is: `$facts['os']['family']`.
    fn fact(&self, index: usize) -> Option<Symbol> {
        let mut path = vec![self.unquoted(index).to_owned()];
        let mut open = index.checked_sub(1).filter(|open| self.text(*open) == "[")?;
        loop {
            let before = open.checked_sub(1)?;
            match (self.kind(before)?, self.text(before).trim_start_matches(['$', ':'])) {
                (TokenKind::Variable, "facts") => break,
                (TokenKind::Bracket, "]") => {
                    let inner = before.checked_sub(1).filter(|inner| self.kind(*inner) == Some(TokenKind::String))?;
                    path.push(self.unquoted(inner).to_owned());
                    open = inner.checked_sub(1).filter(|open| self.text(*open) == "[")?;
                }
                _ => return None,
            }
        }
        path.reverse();
        Some(Symbol::Fact(path))
    }

    /// The resource that a list of titles declares: `file { ['/a', '/b']:`. The list begins at a bracket.
    fn declared_in_list(&self, bracket: usize, title: &str) -> Option<Symbol> {
        let brace = bracket.checked_sub(1).filter(|brace| self.text(*brace) == "{")?;
        let name = brace.checked_sub(1).filter(|name| self.kind(*name) == Some(TokenKind::Name))?;
        Some(resource(self.text(name), title))
    }

    fn string(&self, index: usize) -> Option<Symbol> {
        let inside = self.unquoted(index);
        if let Some(path) = inside.strip_prefix("puppet:///modules/") {
            return Some(Symbol::File("files", path.to_owned()));
        }
        if self.is_class_argument(index) {
            return Some(Symbol::Class(plain(inside).to_lowercase()));
        }
        let open = self.open_around(index)?;
        let before = self.before(open);
        match self.text(open) {
            "[" if before == "Class" => Some(Symbol::Class(plain(inside).to_lowercase())),
            "{" if before == "class" && self.text(index + 1) == ":" => {
                Some(Symbol::Class(plain(inside).to_lowercase()))
            }
            "[" if self.kind(open.checked_sub(1)?) == Some(TokenKind::TypeName) => {
                (!TYPES_OF_STRINGS.contains(&before)).then(|| resource(before, inside))
            }
            "[" => self.fact(index).or_else(|| self.declared_in_list(open, inside)),
            "{" if self.text(index + 1) == ":" => {
                let is_resource = self.kind(open.checked_sub(1)?)? == TokenKind::Name;
                is_resource.then(|| resource(before, inside))
            }
            "(" if open + 1 == index && LOOKUP_FUNCTIONS.contains(&before) => {
                let key = hieratic::lookup::Key::parse(inside).map(|key| key.root().to_string());
                Some(Symbol::Key(key.unwrap_or_else(|_| inside.to_owned())))
            }
            "(" => {
                let (_, folder) = FILE_FUNCTIONS.iter().find(|(name, _)| *name == before)?;
                Some(Symbol::File(folder, inside.to_owned()))
            }
            _ => None,
        }
    }
}

fn resource(of: &str, title: &str) -> Symbol {
    Symbol::Resource { of: plain(of).to_lowercase(), title: title.to_owned() }
}

#[cfg(test)]
mod tests {
    use lsp_types::Url;

    use super::*;
    use crate::document::Language;
    use crate::positions::Encoding;

    pub(crate) fn document(text: &str) -> Document {
        let uri = Url::parse("file:///a.pp").unwrap();
        Document::new("/a.pp".into(), uri, None, Language::Manifest, text, Encoding::Utf8)
    }

    #[test]
    fn surrounding_tokens_determine_the_symbol() {
        let text = "class a::b inherits base {\n  include x::y, '::z'\n  file { '/f':\n    ensure => file,\n    source => 'puppet:///modules/m/f',\n  }\n  class { 'web': port => lookup('k.x', Integer) }\n  $v = $facts['os'].dig('name')\n  Exec['e'] -> my::type { 't': }\n  notify { 'n': message => template('m/t.erb') }\n";
        let document = document(text);
        let words = CodeWords::new(&document);
        let at = |part: &str| words.symbol(words.index_at(text.find(part).unwrap() + 1)?);
        assert_eq!(at("a::b"), Some(Symbol::Class("a::b".into())));
        assert_eq!(at("base"), Some(Symbol::Class("base".into())));
        assert_eq!(at("include"), Some(Symbol::Function("include".into())));
        assert_eq!(at("x::y"), Some(Symbol::Class("x::y".into())));
        assert_eq!(at("'::z'"), Some(Symbol::Class("z".into())));
        assert_eq!(at("file {"), Some(Symbol::ResourceType("file".into())));
        assert_eq!(at("ensure"), Some(Symbol::Attribute { of: "file".into(), title: None, name: "ensure".into() }));
        assert_eq!(at("'puppet:"), Some(Symbol::File("files", "m/f".into())));
        assert_eq!(at("'web'"), Some(Symbol::Class("web".into())));
        assert_eq!(
            at("port"),
            Some(Symbol::Attribute { of: "class".into(), title: Some("web".into()), name: "port".into() })
        );
        assert_eq!(at("lookup"), Some(Symbol::Function("lookup".into())));
        assert_eq!(at("'k.x'"), Some(Symbol::Key("k".into())));
        assert_eq!(at("$facts"), Some(Symbol::Variable("facts".into())));
        assert_eq!(at("'os'"), Some(Symbol::Fact(vec!["os".into()])));
        assert_eq!(at("dig"), Some(Symbol::Function("dig".into())));
        assert_eq!(at("Exec"), Some(Symbol::Type("Exec".into())));
        assert_eq!(at("my::type"), Some(Symbol::ResourceType("my::type".into())));
        assert_eq!(at("'m/t.erb'"), Some(Symbol::File("templates", "m/t.erb".into())));
        let file = Symbol::Resource { of: "file".into(), title: "/f".into() };
        assert_eq!(at("'/f'"), Some(file));
        assert_eq!(at("'e'"), Some(Symbol::Resource { of: "exec".into(), title: "e".into() }));
        assert_eq!(at("'t'"), Some(Symbol::Resource { of: "my::type".into(), title: "t".into() }));
        let call = words.call_around(words.index_at(text.find("Integer").unwrap() + 1).unwrap());
        assert_eq!(call.map(|(name, _, commas)| (name, commas)), Some(("lookup".into(), 1)));
    }
}
