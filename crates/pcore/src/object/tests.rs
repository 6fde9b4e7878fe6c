use crate::parse;

#[test]
fn the_types_of_the_language_are_there() {
    for name in ["Error", "Deferred"] {
        let kind = parse(name).unwrap();
        assert!(kind.to_string().starts_with(&format!("Object[{{name => '{name}'")), "{kind}");
    }
}
