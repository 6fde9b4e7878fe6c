//! The line `#jinja2: trim_blocks:True, ...` with which a template changes its syntax settings:
//! <https://docs.ansible.com/ansible/latest/collections/ansible/builtin/template_module.html#notes>.

use minijinja::Value;

use crate::python::literal;
use crate::settings::Settings;

const HEADER: &str = "#jinja2:";

/// Applies the settings in the template's first line, and returns the template without it.
pub fn apply(mut settings: Settings, text: &str) -> Result<(Settings, &str), String> {
    let Some(rest) = text.strip_prefix(HEADER) else {
        return Ok((settings, text));
    };
    let (line, body) = rest.split_once('\n').unwrap_or((rest, ""));
    for pair in line.split(',') {
        let Some((name, value)) = pair.split_once(':') else {
            return Err(format!(
                "failed to parse jinja2 override '{}'. Did you use something different from colon as key-value separator?",
                pair.trim()
            ));
        };
        let (name, written) = (name.trim(), value.trim());
        let Some(value) = literal::parse(written) else {
            return Err(format!("the value of the jinja2 override '{name}' is not a Python literal: {written}"));
        };
        set(&mut settings, name, &value)?;
    }
    Ok((settings, body))
}

/// Changes one setting.
pub fn set(settings: &mut Settings, name: &str, value: &Value) -> Result<(), String> {
    let text = || match value.as_str() {
        Some(text) if !text.is_empty() => Ok(text.to_string()),
        _ => Err(format!("the jinja2 override '{name}' must be a non-empty string")),
    };
    match name {
        "trim_blocks" => settings.trim_blocks = value.is_true(),
        "lstrip_blocks" => settings.lstrip_blocks = value.is_true(),
        "keep_trailing_newline" => settings.keep_trailing_newline = value.is_true(),
        "block_start_string" => settings.block.0 = text()?,
        "block_end_string" => settings.block.1 = text()?,
        "variable_start_string" => settings.variable.0 = text()?,
        "variable_end_string" => settings.variable.1 = text()?,
        "comment_start_string" => settings.comment.0 = text()?,
        "comment_end_string" => settings.comment.1 = text()?,
        "line_statement_prefix" if value.is_none() => settings.line_statement.clear(),
        "line_statement_prefix" => settings.line_statement = text()?,
        "line_comment_prefix" if value.is_none() => settings.line_comment.clear(),
        "line_comment_prefix" => settings.line_comment = text()?,
        "newline_sequence" => {
            let known = ["\n", "\r\n", "\r"].into_iter().find(|known| value.as_str() == Some(known));
            settings.newline = known.ok_or("newline_sequence set to unknown line ending string.")?;
        }
        "autoescape" => settings.autoescape = value.is_true(),
        _ => {
            return Err(format!(
                "unknown jinja2 override '{name}': the overrides are trim_blocks, lstrip_blocks, \
                                 keep_trailing_newline, line_statement_prefix, line_comment_prefix and the delimiters such as \
                                 variable_start_string"
            ));
        }
    }
    Ok(())
}
