//! The notation of a part of a value: `packages[2]: nginx`. Values are YAML.

use hieratic::Value;
use hieratic::explain::segment_text;
pub use hieratic::explain::yaml_text;

/// Returns the path of a part. An element of a set has no index: it is `packages[]`, or `servers[name: web]` if a name
/// or an id identifies it.
///
/// ```
/// use hieratic::Value;
///
/// let path = ["profile.web".into(), "ports".into(), Value::from(2)];
/// assert_eq!(hieratic_report::part_path(&path), "'profile.web'.ports[2]");
/// ```
pub fn part_path(path: &[Value]) -> String {
    let mut out = String::new();
    for segment in path {
        match segment {
            Value::Integer(index) => out.push_str(&format!("[{index}]")),
            Value::Undef => out.push_str("[]"),
            Value::Hash(identity) => {
                let pairs = identity.iter().map(|(name, value)| format!("{}: {}", name.to_text(), yaml_text(value)));
                out.push_str(&format!("[{}]", pairs.collect::<Vec<_>>().join(", ")));
            }
            key => {
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(&segment_text(key));
            }
        }
    }
    out
}

/// Returns the path of a part and its value on one line.
///
/// ```
/// use hieratic::Value;
/// use hieratic_report::part_text;
///
/// assert_eq!(part_text(&["ports".into(), Value::from(1)], &Value::from(80)), "ports[1]: 80");
/// assert_eq!(part_text(&[Value::Undef], &Value::from("vim")), "- vim");
/// assert_eq!(part_text(&[], &Value::from("vim")), "vim");
/// ```
pub fn part_text(path: &[Value], value: &Value) -> String {
    match path {
        [] => yaml_text(value),
        [Value::Undef] => format!("- {}", yaml_text(value)),
        path => format!("{}: {}", part_path(path), yaml_text(value)),
    }
}
