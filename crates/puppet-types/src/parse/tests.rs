use super::*;

fn shown(text: &str) -> String {
    parse(text).map_or_else(|error| format!("!! {error}"), |found| found.to_string())
}

#[test]
fn types_are_written_as_the_reference_writes_them() {
    for (text, written) in [
        ("  Integer  # comment", "Integer"),
        ("STRING", "String"),
        ("::Integer", "Integer"),
        ("Integer[0x1F, default]", "Integer[31]"),
        ("Integer[-99999999999999999999, 010]", "Integer[-99999999999999999999, 8]"),
        ("Float[1, 2.5]", "Float[1.0, 2.5]"),
        ("Enum[b, 'a', \"c\\u{41}\", b]", "Enum['a', 'b', 'cA']"),
        (
            "Struct[{Optional[a]=>Integer, NotUndef['b']=>Any, c=>Any,},]",
            "Struct[{Optional['a'] => Integer, NotUndef['b'] => Any, 'c' => Any}]",
        ),
        ("Struct[a => Integer, b => String]", "Struct[{'a' => Integer, 'b' => String}]"),
        ("Pattern[/a\\/b/, 'c']", "Pattern[/a\\/b/, /c/]"),
        ("Tuple[String, Integer, 1, default]", "Tuple[String, Integer, 1]"),
        ("Variant[Variant[Integer, String], Integer]", "Variant[Integer, String]"),
        ("Sensitive[Integer[0,5]]", "Sensitive[Integer]"),
        ("Callable[[String, 1, 2], Integer]", "Callable[[String, 1, 2], Integer]"),
        ("File['/x']", "File['/x']"),
        ("Puppet::LookupValue", "Puppet::LookupValue"),
        ("Stdlib::Port", "TypeReference['Stdlib::Port']"),
        ("Array[1]", "Array[Any, 1]"),
    ] {
        assert_eq!(shown(text), written, "{text}");
    }
}

#[test]
fn errors_have_the_words_of_the_reference() {
    for (text, message) in [
        ("", "The expression <> is not a valid type specification."),
        ("String[", "Syntax error at end of input"),
        ("String[]", "Syntax error at ']' (line: 1, column: 8)"),
        ("Integer\n[1]", "The expression <Integer\n[1]> is not a valid type specification."),
        ("Integer[5,3]", "'from' must be less or equal to 'to'. Got (5, 3"),
        ("Hash[String]", "Invalid number of type parameters specified: Hash requires 2 to 4, 1 provided"),
        ("Data[1]", "Not a parameterized type <Data>"),
        ("Enum[1]", "Enum parameters must be identifiers or strings"),
        ("Enum['abc", "Unclosed quote after \"'\" followed by 'abc...' (line: 1, column: 7)"),
        ("Integer[08]", "Not a valid octal number 08 (line: 1, column: 9)"),
        ("Integer, String", "illegal comma separated argument list (line: 1, column: 8)"),
    ] {
        assert_eq!(shown(text), format!("!! {message}"), "{text}");
    }
}

#[test]
fn errors_name_the_place_and_the_expectation() {
    let error = parse("Struct[{a Integer}]").unwrap_err();
    assert_eq!((error.offset(), error.expected()), (Some(10), Some("`=>`")));
    let error = parse("Integer[$x]").unwrap_err();
    assert_eq!(
        (error.to_string().as_str(), error.offset()),
        ("The expression <$x> is not a valid type specification.", Some(8))
    );
}

#[test]
fn names_are_required() {
    let port = crate::Alias::new("Stdlib::Port", Type::integer(Some(1), Some(65535)).unwrap());
    let found =
        parse_with("Optional[Stdlib::Port]", &|name| (name == "Stdlib::Port").then(|| Type::Alias(port.clone())));
    let found = found.unwrap();
    assert_eq!(found.to_string(), "Optional[Stdlib::Port]");
    assert_eq!(found.to_expanded_string(), "Optional[Stdlib::Port = Integer[1, 65535]]");
    assert!(found.is_instance(&80.into()) && !found.is_instance(&0.into()));
}

#[test]
fn depth_is_bounded() {
    let deep = "Array[".repeat(100_000);
    assert_eq!(shown(&deep), "!! The type is nested more than 100 levels deep");
    let minus = "-".repeat(100_000);
    assert_eq!(shown(&minus), "!! The type is nested more than 100 levels deep");
    let nested = format!("{}Integer{}", "Optional[".repeat(90), "]".repeat(90));
    assert_eq!(parse(&nested).unwrap().normalize().to_string(), "Optional[Integer]");
}
