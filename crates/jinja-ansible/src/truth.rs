//! The words that Ansible converts to booleans:
//! <https://github.com/ansible/ansible/blob/stable-2.15/lib/ansible/module_utils/parsing/convert_bool.py>.

/// Returns the boolean that a word stands for, or `None` for another text. Case and whitespace around it do not count.
///
/// ```
/// use hieratic_jinja_ansible::truth_of_word;
///
/// assert_eq!(truth_of_word(" Yes"), Some(true));
/// assert_eq!(truth_of_word("off"), Some(false));
/// assert_eq!(truth_of_word("enabled"), None);
/// ```
pub fn truth_of_word(text: &str) -> Option<bool> {
    match text.trim().to_lowercase().as_str() {
        "y" | "yes" | "on" | "1" | "true" | "t" | "1.0" => Some(true),
        "n" | "no" | "off" | "0" | "false" | "f" | "0.0" => Some(false),
        _ => None,
    }
}
