use super::*;
use crate::parse;

fn key(text: &str) -> Value {
    match text.parse::<i64>() {
        Ok(number) => Value::from(number),
        Err(_) if text.starts_with(|c: char| c.is_ascii_uppercase()) => parse(text).unwrap().into_value(),
        Err(_) => Value::from(text),
    }
}

#[test]
fn errors_name_their_subject() {
    for (base, keys, blame, message) in [
        ("Array", &["Integer", "1", "2", "3"][..], Blame::Whole, "Array-Type[] accepts 1 to 3 arguments. Got 4"),
        ("Hash", &["Integer", "1"], Blame::Key(1), "Hash-Type[] arguments must be types. Got Integer"),
        ("Any", &["1"], Blame::Left, "Operator '[]' is not applicable to an Any-Type."),
        ("String", &["3", "1"], Blame::Below, "'from' must be less or equal to 'to'. Got (3, 1"),
        ("Regexp", &["a", "b"], Blame::Key(1), "A Regexp-Type[] accepts 1 argument. Got 2"),
        (
            "Struct",
            &["a"],
            Blame::Key(0),
            "Error creating type specialization of a Struct-Type, Cannot use String where Hash is expected",
        ),
        (
            "File",
            &["a", "1"],
            Blame::Key(1),
            "Error creating type specialization of a File-Type, Cannot use Integer where a resource title String is \
             expected",
        ),
        (
            "Resource",
            &["1"],
            Blame::Key(0),
            "First argument to Resource[] must be a resource type or a String. Got Integer.",
        ),
        (
            "Class",
            &["1"],
            Blame::Key(0),
            "Illegal Class name in class reference. An Integer cannot be used where a String is expected",
        ),
    ] {
        let keys: Vec<Value> = keys.iter().map(|text| key(text)).collect();
        let error = parameterize(&parse(base).unwrap(), &keys).unwrap_err();
        assert_eq!((error.message.as_str(), error.blame), (message, blame), "{base}");
    }
}

#[test]
fn several_titles_give_several_references() {
    let result = |base: &str, keys: &[&str]| {
        let keys: Vec<Value> = keys.iter().map(|text| key(text)).collect();
        parameterize(&parse(base).unwrap(), &keys).unwrap().value.to_text()
    };
    assert_eq!(result("File", &["/a"]), "File['/a']");
    assert_eq!(result("Resource", &["file", "/a"]), "File['/a']");
    assert_eq!(result("Resource", &["my::thing"]), "My::Thing");
    let class = parameterize(&Type::Class(None), &[Value::from("::A::B")]).unwrap();
    assert_eq!(class.value.to_text(), "Class[a::b]");
    let files = parameterize(&parse("File").unwrap(), &[key("/a"), key("/b")]).unwrap().value;
    assert_eq!(files.as_array().unwrap().len(), 2);
    let nothing = parameterize(&parse("File").unwrap(), &[Value::Undef]).unwrap();
    assert_eq!((nothing.value, nothing.warnings.len()), (Value::Undef, 1));
}

#[test]
fn types_cannot_grow_without_end() {
    let mut kind = Type::INTEGER;
    let grown = (0..1000).try_for_each(|_| {
        let value = kind.clone().into_value();
        let Some(result) = Type::of_value(&parameterize(&Type::tuple([]), &[value.clone(), value])?.value).cloned()
        else {
            return fail(Blame::Whole, "no type");
        };
        kind = result;
        Ok(())
    });
    assert_eq!(grown.unwrap_err().message, "The type is too large or nested too deep");
}
