//! [`Traits`]: the taint behavior of native methods.
//!
//! The result of a method without an entry is tainted as a whole if one of its inputs is. => [`Traits`]: the taint
//! behavior of native methods.
//!
//! If an input of a method without traits is tainted, the whole result is tainted.

/// Traits of a native method, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Traits(u16);

impl Traits {
    /// Runs other code with its arguments, and returns the result of the code.
    pub const PASSES: Traits = Traits(1);
    /// Returns a property: a length, a position, an order.
    pub const PROPERTY: Traits = Traits(2);
    /// Concatenates strings without changing them.
    pub const COPIES: Traits = Traits(4);
    /// Returns parts of its receiver.
    pub const CUTS: Traits = Traits(8);
    /// Changes its receiver.
    pub const CHANGES: Traits = Traits(16);
    /// Appends to its receiver.
    pub const APPENDS: Traits = Traits(32);
    /// Replaces the receiver by its argument.
    pub const REPLACES: Traits = Traits(64);
    /// Returns or removes an element of a collection.
    pub const ELEMENT: Traits = Traits(128);
    /// Formats strings.
    pub const FORMATS: Traits = Traits(256);
    /// Replaces the matches of its first argument.
    pub const SUBSTITUTES: Traits = Traits(512);
    /// Logs or writes something.
    pub const LOGS: Traits = Traits(1024);
    /// Shows the elements of its receiver.
    pub const SHOWS: Traits = Traits(2048);

    /// Replaces each character by another one, if the length of the string stays the same.
    pub const CHARACTERS: Traits = Traits(4096);
    /// Returns the position of its argument in its receiver. With a known receiver, the position is equivalent to the
    /// argument.
    pub const POSITION: Traits = Traits(8192);
    /// Flattens nested collections.
    pub const OPENS: Traits = Traits(16384);

    pub const fn and(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }

    /// Returns whether the method looks into nested collections.
    pub fn looks_inside(self) -> bool {
        let shows = Traits::COPIES.and(Traits::SHOWS).and(Traits::FORMATS).and(Traits::LOGS);
        self.has(Traits::OPENS) || self.has(shows) && !self.has(Traits::ELEMENT)
    }

    #[inline]
    pub fn has(self, other: Traits) -> bool {
        self.0 & other.0 != 0
    }
}

/// The traits of a method of a class.
pub(crate) fn traits_of(class: &str, name: &str) -> Traits {
    let changes = Traits::CHANGES;
    match (class, name) {
        ("Module" | "Class" | "Proc" | "Method" | "UnboundMethod", _) => Traits::PASSES,
        ("HieraticNative", "self.json" | "self.yaml") => Traits::COPIES,
        ("HieraticNative", "self.log" | "self.warn_once") => Traits::LOGS,
        ("HieraticNative", "self.digest" | "self.hmac" | "self.pbkdf2" | "self.parse_json" | "self.parse_yaml") => {
            Traits::default()
        }
        ("HieraticNative", _) => Traits::PASSES,
        ("Exception", _) => Traits::SHOWS.and(Traits::COPIES),
        ("Kernel" | "BasicObject", "puts" | "print" | "p" | "warn" | "printf") => Traits::LOGS,
        ("Kernel", "format" | "sprintf") => Traits::FORMATS,
        ("Kernel", "Array" | "Hash" | "String" | "itself" | "freeze" | "dup" | "clone") => {
            Traits::COPIES.and(Traits::ELEMENT)
        }
        ("Kernel" | "BasicObject", "inspect" | "to_s") => Traits::SHOWS.and(Traits::COPIES),
        ("Kernel" | "BasicObject", "hash" | "Integer" | "Float") => Traits::default(),
        ("Kernel" | "BasicObject", "<=>" | "=~" | "object_id" | "__id__") => Traits::PROPERTY,
        // A number is its own identity, and the size of a range of numbers follows from its ends.
        ("Integer", "object_id" | "__id__") | ("Range", "count" | "size") => Traits::default(),
        ("Kernel" | "BasicObject", _) => Traits::PASSES,
        ("NilClass" | "TrueClass" | "FalseClass", _) => Traits::PROPERTY,
        (_, "to_enum" | "enum_for" | "to_proc" | "initialize" | "-initialize") => Traits::PASSES,
        ("MatchData", "begin" | "end" | "offset" | "regexp" | "size" | "length") => Traits::PROPERTY,
        ("MatchData", "inspect") => Traits::COPIES,
        ("MatchData", _) => Traits::ELEMENT,
        (_, "count" | "index" | "rindex" | "byteindex" | "find_index" | "=~") => Traits::PROPERTY.and(Traits::POSITION),
        (_, "length" | "size" | "bytesize" | "<=>" | "casecmp") => Traits::PROPERTY,
        (_, "bit_length" | "encoding" | "hieratic_encoding" | "options") => Traits::PROPERTY,
        ("String", "<<" | "concat") => changes.and(Traits::APPENDS).and(Traits::COPIES),
        ("String", "clear" | "replace") => changes.and(Traits::REPLACES).and(Traits::COPIES),
        ("String", "prepend" | "insert" | "[]=") => changes.and(Traits::COPIES),
        ("String", "sub!" | "gsub!") => changes.and(Traits::COPIES).and(Traits::SUBSTITUTES),
        ("String", "sub" | "gsub") => Traits::COPIES.and(Traits::SUBSTITUTES),
        ("String", "%") => Traits::FORMATS,
        (
            "String",
            "slice!" | "strip!" | "lstrip!" | "rstrip!" | "chomp!" | "chop!" | "delete_prefix!" | "delete_suffix!",
        ) => changes.and(Traits::CUTS),
        ("String", "force_encoding") => Traits::COPIES,
        ("String", "upcase!" | "downcase!" | "capitalize!" | "swapcase!" | "tr!") => changes.and(Traits::CHARACTERS),
        ("String", "upcase" | "downcase" | "capitalize" | "swapcase" | "tr" | "succ" | "next") => Traits::CHARACTERS,
        ("String", name) if name.ends_with('!') => changes,
        (
            "String",
            "[]" | "slice" | "byteslice" | "split" | "lines" | "chars" | "strip" | "lstrip" | "rstrip" | "chomp"
            | "chop" | "partition" | "rpartition" | "scan" | "delete_prefix" | "delete_suffix",
        ) => Traits::CUTS,
        (
            "String",
            "+" | "*" | "center" | "ljust" | "rjust" | "inspect" | "dump" | "to_s" | "to_str" | "b" | "+@" | "-@"
            | "self.new" | "scrub",
        ) => Traits::COPIES,
        ("Array" | "Hash" | "Range", "inspect" | "to_s" | "join") | ("Array", "*") => Traits::COPIES,
        ("Array" | "Hash", "flatten" | "to_h" | "transpose" | "product" | "zip" | "invert") => {
            Traits::OPENS.and(Traits::ELEMENT)
        }
        ("Array", "flatten!") => changes.and(Traits::OPENS).and(Traits::ELEMENT),
        (
            "Array" | "Hash",
            "<<" | "push" | "append" | "unshift" | "prepend" | "insert" | "concat" | "fill" | "[]=" | "store"
            | "replace" | "update" | "default=" | "default_proc=",
        ) => changes.and(Traits::ELEMENT),
        ("Array" | "Hash" | "Range", name) if name.ends_with('!') => changes.and(Traits::ELEMENT),
        ("Array", "pack" | "sum") => Traits::OPENS,
        ("Array" | "Hash" | "Range", _) => Traits::ELEMENT,
        ("Symbol", "inspect" | "to_s" | "name" | "id2name" | "to_sym") => Traits::COPIES,
        ("Regexp", "self.last_match") => Traits::PASSES,
        ("Regexp", "source" | "to_s" | "inspect" | "self.escape" | "self.quote") => Traits::COPIES,
        _ => Traits::default(),
    }
}
