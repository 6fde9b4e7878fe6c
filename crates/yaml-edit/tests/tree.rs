//! The tree reader beside the reader of values: by Ruby's rules both give the same.

use hieratic_yaml as yaml;
use hieratic_yaml_edit::tree::{Reading, parse_as};

#[test]
fn by_the_rules_of_ruby_the_tree_is_the_value() {
    for text in [
        "a: yes\nb: 0644\nc: 1_000\nd: ~\ne: :symbol\nf: '1'\ng: 1:30\n",
        "b: 9\n<<: {b: 1, c: 2}\n",
        "<<: {b: 1, c: 2}\nb: 9\n",
        "x: &x {p: 1, q: 1}\ny: &y {q: 2, r: 2}\nz: {q: 0, <<: [*x, *y], r: 9}\n",
        "a: 1\na: 2\n",
        "'<<': {a: 1}\nb: 2\n",
        "<<: 3\n",
        "a: 1\n---\nb: 2\n",
        "- !!str 1\n- !!float 2\n- !!binary aGk=\n",
    ] {
        let tree = parse_as(text, 0, "test.yaml", Reading::Ruby).unwrap().to_value();
        let value = yaml::parse(text.as_bytes(), &yaml::Options::new("test.yaml")).unwrap();
        assert_eq!(tree.inspect(), value.inspect(), "{text}");
    }
}
