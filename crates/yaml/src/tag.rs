//! The tags of Psych: most are ignored, some convert the value, and those that name a class are errors.

use hieratic_value::{Rich, Value};

use super::conversion_error::ConversionError;
use super::scalar::{self, Plain};
use hieratic_json::number;

/// The tag of strings.
pub(super) const STRING: &str = "tag:yaml.org,2002:str";

/// The conversion of a mapping.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mapping {
    /// A hash.
    Hash,
    /// The string under the key `str`.
    String,
    /// The hash under the key `elements`; instance variables are dropped.
    Elements,
    /// Nothing: an exception, whose content is read before its class is refused.
    Exception,
}

/// The conversion of a sequence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sequence {
    /// An array.
    Array,
    /// A hash: each element is a key and a value.
    Omap,
}

/// A scalar with a tag.
pub(super) fn scalar(tag: &str, text: &str, symbols: bool) -> Result<Plain, ConversionError> {
    match tag {
        "!binary" | "tag:yaml.org,2002:binary" => return Ok(Plain::Value(binary(text.as_bytes()))),
        STRING => return Ok(Plain::Text),
        "!ruby/object:BigDecimal" | "!ruby/object:DateTime" | "!ruby/object:Complex" | "!ruby/object:Rational" => {
            return Err(ConversionError::class(&tag["!ruby/object:".len()..]));
        }
        "!ruby/encoding" => return Err(encoding(tag, text)),
        "!ruby/class" | "!ruby/module" => {
            return match text {
                "" => Ok(Value::Undef.into()),
                "Symbol" if symbols => Err(ConversionError::unsupported(tag)),
                class => Err(ConversionError::class(class)),
            };
        }
        "tag:yaml.org,2002:float" | "!float" => return float(text, symbols),
        "!ruby/regexp" => return Err(ConversionError::class("Regexp")),
        "!ruby/range" => return Err(ConversionError::class("Range")),
        _ => {}
    }
    if let Some(class) = string_class(tag) {
        allocate(class, symbols)?;
        return Ok(Plain::Text);
    }
    if after(tag, "!ruby/sym").is_some() {
        return if symbols { Ok(scalar::symbol_value(text).into()) } else { Err(ConversionError::class("Symbol")) };
    }
    scalar::resolve(text, symbols)
}

/// A sequence with a tag.
pub(super) fn sequence(tag: &str, symbols: bool) -> Result<Sequence, ConversionError> {
    if matches!(tag, "!omap" | "tag:yaml.org,2002:omap") {
        return Ok(Sequence::Omap);
    }
    if let Some(class) = after(tag, "!seq:").or_else(|| after(tag, "!ruby/array:")) {
        return Err(no_instance(class, symbols));
    }
    Ok(Sequence::Array)
}

/// A mapping with a tag.
pub(super) fn mapping(tag: &str, symbols: bool) -> Result<Mapping, ConversionError> {
    if let Some(class) = after(tag, "!ruby/struct") {
        let class = class.strip_prefix(':').unwrap_or(class);
        return Err(if class.is_empty() { ConversionError::class("Struct") } else { no_instance(class, symbols) });
    }
    if let Some(class) = after(tag, "!ruby/object") {
        return match class.strip_prefix(':').unwrap_or(class) {
            "" => Err(ConversionError::class("Object")),
            "Hash" => Ok(Mapping::Hash),
            class => Err(no_instance(class, symbols)),
        };
    }
    if tag == STRING {
        return Ok(Mapping::String);
    }
    if let Some(class) = string_class(tag) {
        allocate(class, symbols)?;
        return Ok(Mapping::String);
    }
    if let Some(class) = after(tag, "!ruby/array:") {
        return Err(no_instance(class, symbols));
    }
    match tag {
        "!ruby/range" => return Err(ConversionError::class("Range")),
        "!set" | "tag:yaml.org,2002:set" => return Err(ConversionError::class("Psych::Set")),
        "!omap" | "tag:yaml.org,2002:omap" => return Err(ConversionError::class("Psych::Omap")),
        _ => {}
    }
    if after(tag, "!ruby/exception").is_some() {
        return Ok(Mapping::Exception);
    }
    if let Some(class) = after(tag, "!ruby/hash-with-ivars") {
        return match class.strip_prefix(':') {
            // `$` does not match after anything else, so such a tag is an unknown one.
            None if !class.is_empty() => Ok(Mapping::Hash),
            None => Ok(Mapping::Elements),
            Some(class) => Err(no_instance(class, symbols)),
        };
    }
    let classes = ["!map:", "!ruby/hash:", "!ruby/marshalable:"];
    match classes.iter().find_map(|prefix| after(tag, prefix)) {
        Some(class) => Err(no_instance(class, symbols)),
        None => Ok(Mapping::Hash),
    }
}

/// The reason why an exception is refused, once its content has been read.
pub(super) fn exception(tag: &str, symbols: bool) -> ConversionError {
    let class = after(tag, "!ruby/exception").unwrap_or_default();
    match class.strip_prefix(':').unwrap_or(class) {
        "" => ConversionError::class("Exception"),
        class => no_instance(class, symbols),
    }
}

/// The rest of a tag after a prefix at the beginning of any of its lines. Escapes can put line breaks into tags.
fn after<'t>(tag: &'t str, prefix: &str) -> Option<&'t str> {
    tag.split('\n').find_map(|line| line.strip_prefix(prefix))
}

/// The class that a string tag names, empty for none.
fn string_class(tag: &str) -> Option<&str> {
    tag.split('\n').find_map(|line| {
        let class = line.strip_prefix("!str").or_else(|| line.strip_prefix("!ruby/string"))?;
        if class.is_empty() { Some(class) } else { class.strip_prefix(':') }
    })
}

/// Passes where no class is named.
fn allocate(class: &str, symbols: bool) -> Result<(), ConversionError> {
    if class.is_empty() { Ok(()) } else { Err(no_instance(class, symbols)) }
}

/// The error for an instance of a class: only Symbol is ever allowed, and a symbol cannot be created empty.
fn no_instance(class: &str, symbols: bool) -> ConversionError {
    match class {
        "" => ConversionError::ruby("undefined method `allocate' for nil:NilClass"),
        "Symbol" if symbols => ConversionError::ruby("allocator undefined for Symbol"),
        class => ConversionError::class(class),
    }
}

/// The error of Ruby for an instance variable of a value, named after a key.
pub(super) fn check_instance_variable(value: &Value, key: &Value) -> Result<(), ConversionError> {
    let name = key.to_text();
    let name = name.strip_prefix('@').unwrap_or(&name);
    let letter = |c: char| c == '_' || c.is_ascii_alphabetic() || !c.is_ascii();
    if !name.starts_with(letter) || !name.chars().all(|c| letter(c) || c.is_ascii_digit()) {
        return Err(ConversionError::ruby(format!("`@{name}' is not allowed as an instance variable name")));
    }
    match value {
        // Arrays and hashes too can have instance variables.
        Value::String(_) | Value::Array(_) | Value::Hash(_) => Ok(()),
        _ => Err(ConversionError::ruby(format!("can't modify frozen {}: {}", value.ruby_class(), value.inspect()))),
    }
}

fn float(text: &str, symbols: bool) -> Result<Plain, ConversionError> {
    let value = match scalar::resolve(text, symbols)? {
        Plain::Text => {
            return match number::float(text) {
                Some(number) => Ok(Value::Float(number).into()),
                None if text.contains('\0') => Err(ConversionError::ruby("string for Float contains null byte")),
                None => Err(ConversionError::invalid_number("Float", text)),
            };
        }
        Plain::Value(value) => value,
    };
    let name = match &value {
        Value::Float(_) => return Ok(value.into()),
        // Rust rounds to the nearest float too.
        Value::Integer(integer) => return Ok(Value::Float(*integer as f64).into()),
        Value::Undef => "nil",
        Value::Boolean(true) => "true",
        Value::Boolean(false) => "false",
        Value::Rich(rich) => match &**rich {
            // The digits of an integer read as a float round correctly, whatever their number.
            Rich::BigInteger(number) => {
                return Ok(Value::Float(number.to_string().parse().unwrap_or(f64::NAN)).into());
            }
            _ => rich.ruby_class(),
        },
        other => other.ruby_class(),
    };
    Err(ConversionError::ruby(format!("can't convert {name} into Float")))
}

/// `Encoding.find`: an encoding is not data, and an unknown one fails in Ruby too.
fn encoding(tag: &str, text: &str) -> ConversionError {
    const KNOWN: [&str; 12] = [
        "UTF-8",
        "UTF-16",
        "UTF-16LE",
        "UTF-16BE",
        "UTF-32",
        "UTF-32LE",
        "UTF-32BE",
        "US-ASCII",
        "ASCII",
        "ASCII-8BIT",
        "BINARY",
        "ISO-8859-1",
    ];
    if KNOWN.iter().any(|known| known.eq_ignore_ascii_case(text)) {
        ConversionError::unsupported(tag)
    } else {
        ConversionError::ruby(format!("unknown encoding name - {text}"))
    }
}

/// Base 64, read as leniently as Ruby's `unpack('m')`: characters that are not digits are skipped, `=` ends it.
///
/// ASCII bytes become a string, which Ruby does not distinguish; other bytes stay binary.
fn binary(text: &[u8]) -> Value {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let mut group = [0u8; 4];
    let mut count = 0;
    for &byte in text {
        match digit(byte) {
            Some(value) => {
                group[count] = value;
                count += 1;
            }
            // Before the second digit of a group, a stray `=` is skipped as anything else is.
            None if byte == b'=' && count >= 2 => break,
            None => {}
        }
        if count == 4 {
            bytes.extend([group[0] << 2 | group[1] >> 4, group[1] << 4 | group[2] >> 2, group[2] << 6 | group[3]]);
            count = 0;
        }
    }
    if count >= 2 {
        bytes.push(group[0] << 2 | group[1] >> 4);
    }
    if count == 3 {
        bytes.push(group[1] << 4 | group[2] >> 2);
    }
    match String::from_utf8(bytes) {
        Ok(text) if text.is_ascii() => Value::from(text),
        Ok(text) => Rich::Binary(text.into_bytes()).into(),
        Err(error) => Rich::Binary(error.into_bytes()).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure<T>(result: Result<T, ConversionError>) -> String {
        result.err().map(|failure| failure.message("f")).unwrap_or_default()
    }

    #[test]
    fn classes_are_refused_by_name() {
        assert_eq!(failure(mapping("!ruby/object:Foo", true)), "(f): Tried to load unspecified class: Foo");
        assert_eq!(failure(mapping("!ruby/object", true)), "(f): Tried to load unspecified class: Object");
        assert_eq!(failure(mapping("!ruby/object:Symbol", true)), "allocator undefined for Symbol");
        assert_eq!(failure(mapping("!ruby/struct", true)), "(f): Tried to load unspecified class: Struct");
        assert_eq!(failure(mapping("tag:yaml.org,2002:set", true)), "(f): Tried to load unspecified class: Psych::Set");
        assert_eq!(failure(sequence("!seq:Foo", true)), "(f): Tried to load unspecified class: Foo");
        assert_eq!(failure(scalar("!ruby/regexp", "/a/", true)), "(f): Tried to load unspecified class: Regexp");
        assert_eq!(failure(scalar("!float", "abc", true)), "invalid value for Float(): \"abc\"");
        assert_eq!(failure(scalar("!float", "", true)), "can't convert nil into Float");
    }

    #[test]
    fn unknown_tags_are_ignored() {
        assert_eq!(scalar("!include", "12", true), Ok(Value::from(12).into()));
        assert_eq!(mapping("!include", true).ok(), Some(Mapping::Hash));
        assert_eq!(scalar("!ruby/object:Foo", "bar", true), Ok(Plain::Text));
    }

    #[test]
    fn base_64_is_lenient() {
        for (text, bytes) in [
            ("aGVsbG8=", &b"hello"[..]),
            ("aGV sbG8", b"hello"),
            ("=aG=Vs", b"h"),
            ("a=GVs", b"hel"),
            ("!!!", b""),
            ("a b", b"i"),
            ("/", b""),
        ] {
            assert_eq!(binary(text.as_bytes()), Value::from(String::from_utf8_lossy(bytes).as_ref()), "{text}");
        }
        assert!(matches!(binary(b"//79").as_rich(), Some(Rich::Binary(bytes)) if bytes == &[0xff, 0xfe, 0xfd]));
    }
}
