//! The table of rules, in the order in which puppet-lint checks and fixes.

mod alignment;
mod arrows;
mod class_names;
mod classes;
mod comments;
mod conditionals;
mod enclosed;
mod facts;
mod facts_table;
mod line_length;
mod names;
mod parameter_docs;
mod parameters;
mod references;
mod resource_order;
mod resources;
mod scope;
mod spaces_braces;
mod spaces_brackets;
mod spaces_lines;
mod spaces_names;
mod strings;
mod trailing;
mod variables;
mod versions;

use crate::failure::Failure;
use crate::fix::{Edit, NoFix, make_relative, quote};
use crate::manifest::Manifest;
use crate::problem::{Data, Problem, Severity};
use crate::settings::Settings;
use crate::token::Id;

/// A function that looks for breaches of a rule.
type Check = for<'c, 's> fn(&mut Context<'c, 's>) -> Result<(), Failure>;

/// A function that fixes one.
type FixFn = for<'e, 's> fn(&mut Edit<'e, 's>) -> Result<(), NoFix>;

/// A rule of puppet-lint or of a plugin.
#[derive(Debug)]
pub struct Rule {
    /// The name in puppet-lint.
    pub name: &'static str,
    /// The plugin of the rule. `None` for a rule of puppet-lint.
    pub plugin: Option<&'static str>,
    /// Whether the rule is enabled by default.
    pub is_on: bool,
    /// A sentence about its findings.
    pub about: &'static str,
    pub(crate) check: Check,
    pub(crate) fix: Option<FixFn>,
}

impl Rule {
    /// Returns whether its violations can be fixed.
    pub fn has_fix(&self) -> bool {
        self.fix.is_some()
    }
}

/// Returns the rule with this name.
pub fn find(name: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.name == name)
}

/// The input of a rule, and its findings.
pub(crate) struct Context<'c, 's> {
    pub(crate) manifest: &'c Manifest<'s>,
    pub(crate) settings: &'c Settings,
    /// The absolute path of the manifest.
    pub(crate) path: &'c str,
    pub(crate) rule: &'static Rule,
    pub(crate) found: Vec<Problem>,
}

impl Context<'_, '_> {
    /// Reports a warning about a token.
    pub(crate) fn warn(&mut self, token: Id, message: impl Into<String>, data: Data) {
        self.report(Severity::Warning, token, message.into(), data);
    }

    /// Reports an error about a token.
    pub(crate) fn error(&mut self, token: Id, message: impl Into<String>, data: Data) {
        self.report(Severity::Error, token, message.into(), data);
    }

    fn report(&mut self, severity: Severity, token: Id, message: String, data: Data) {
        let token = self.manifest.token(token);
        self.found.push(Problem {
            rule: self.rule.name,
            severity,
            message,
            line: token.line,
            column: token.column,
            span: token.span.clone(),
            ignored: None,
            is_fixed: false,
            data,
        });
    }
}

macro_rules! rules {
    ($($name:literal, $plugin:expr, $on:literal, $check:path, $fix:expr, $about:literal;)*) => {
        /// All rules, in the order in which puppet-lint checks and fixes.
        pub static ALL: &[&Rule] = &[$(&Rule {
            name: $name,
            plugin: $plugin,
            is_on: $on,
            about: $about,
            check: $check,
            fix: $fix,
        }),*];
    };
}

rules! {
    "arrow_on_right_operand_line", None, true, arrows::on_right_line, Some(arrows::move_to_right_line),
        "A chaining arrow belongs on the line of its right operand.";
    "autoloader_layout", None, true, classes::layout, None,
        "A class or defined type is in the file where it is looked for.";
    "class_inherits_from_params_class", None, false, classes::inherits_params, None,
        "A class does not inherit from a class `params`.";
    "code_on_top_scope", None, false, classes::top_scope, None,
        "Code is in a class or a defined type.";
    "inherits_across_namespaces", None, true, classes::inherits_across, None,
        "A class inherits only from a class of the same module.";
    "names_containing_dash", None, true, class_names::dash, None,
        "The name of a class or defined type has no dash.";
    "names_containing_uppercase", None, true, class_names::uppercase, Some(class_names::to_lowercase),
        "The name of a class or defined type has no capital letter.";
    "nested_classes_or_defines", None, true, classes::nested, None,
        "A class contains no other class or defined type.";
    "parameter_order", None, true, parameters::order, None,
        "Required parameters come before optional ones.";
    "right_to_left_relationship", None, true, arrows::right_to_left, None,
        "Relationships are written from left to right.";
    "variable_scope", None, true, scope::scope, None,
        "A variable that the class does not set is written with its scope.";
    "slash_comments", None, true, comments::slash, Some(comments::slash_to_hash),
        "Comments begin with `#`, not with `//`.";
    "star_comments", None, true, comments::star, Some(comments::star_to_hash),
        "Comments begin with `#`, not with `/*`.";
    "case_without_default", None, true, conditionals::case_default, None,
        "A `case` has a default.";
    "selector_inside_resource", None, true, conditionals::selector, None,
        "A resource contains no selector.";
    "documentation", None, true, comments::documentation, None,
        "A class or defined type has a comment above it.";
    "unquoted_node_name", None, true, names::node, Some(quote),
        "The name of a node is quoted.";
    "duplicate_params", None, true, resources::duplicates, None,
        "A resource has each attribute once.";
    "ensure_first_param", None, true, resource_order::ensure_first, Some(resource_order::move_ensure),
        "`ensure` is the first attribute.";
    "ensure_not_symlink_target", None, true, resources::symlink, Some(resources::split_symlink),
        "The target of a link is in `target`, not in `ensure`.";
    "file_mode", None, true, resources::mode, Some(resources::pad_mode),
        "The mode of a file has four digits, or is symbolic.";
    "unquoted_file_mode", None, true, resources::unquoted_mode, Some(quote),
        "The mode of a file is quoted.";
    "unquoted_resource_title", None, true, names::title, Some(quote),
        "The title of a resource is quoted.";
    "double_quoted_strings", None, true, strings::double_quotes, Some(quote),
        "A string without variables is in single quotes.";
    "only_variable_string", None, true, strings::only_variable, Some(strings::unquote_variable),
        "A variable alone needs no quotes.";
    "puppet_url_without_modules", None, true, strings::url, Some(strings::add_modules),
        "A URL of a file in a module has `modules/`.";
    "quoted_booleans", None, false, strings::booleans, Some(strings::unquote_boolean),
        "`true` and `false` are not quoted.";
    "single_quote_string_with_variables", None, true, strings::single_quotes, None,
        "A string in single quotes has no `${`.";
    "variables_not_enclosed", None, true, enclosed::not_enclosed, Some(enclosed::enclose),
        "A variable in a string is in braces.";
    "variable_contains_dash", None, true, variables::dash, None,
        "The name of a variable has no dash.";
    "variable_is_lowercase", None, true, variables::lowercase, None,
        "The name of a variable has no capital letter.";
    "140chars", None, true, line_length::of_140, None,
        "A line has at most 140 characters.";
    "2sp_soft_tabs", None, true, trailing::two_spaces, None,
        "An indentation is a multiple of two spaces.";
    "80chars", None, false, line_length::of_80, None,
        "A line has at most 80 characters.";
    "arrow_alignment", None, true, alignment::check, Some(alignment::align),
        "The arrows of a block are in one column.";
    "hard_tabs", None, true, trailing::tabs, Some(trailing::replace_tabs),
        "Whitespace has no tab.";
    "space_before_arrow", None, true, arrows::space_before, Some(arrows::set_space_before),
        "One space is in front of an arrow.";
    "trailing_whitespace", None, true, trailing::whitespace, Some(trailing::remove_whitespace),
        "A line does not end with whitespace.";
    "legacy_facts", None, true, facts::legacy, Some(facts::to_modern),
        "Facts are structured ones.";
    "top_scope_facts", None, true, facts::top_scope, Some(facts::to_hash),
        "Facts are read from `$facts`, not from the top scope.";
    "relative_classname_inclusion", Some("absolute_classname"), true, references::inclusion, Some(make_relative),
        "The name of an included class does not begin with `::`.";
    "relative_classname_reference", Some("absolute_classname"), true, references::class, Some(make_relative),
        "The name of a class in a reference does not begin with `::`.";
    "anchor_resource", Some("anchor"), true, resources::anchor, None,
        "`contain` has replaced the resource `anchor`.";
    "file_ensure", Some("file_ensure"), true, resources::file_present, Some(resources::to_file),
        "`ensure` of a file is `file`, not `present`.";
    "leading_zero", Some("leading_zero"), true, names::leading_zero, Some(quote),
        "A number with a leading zero is quoted.";
    "lookup_in_parameter", Some("lookup_in_parameter"), true, parameters::lookup, None,
        "The default of a parameter is not looked up.";
    "manifest_whitespace_arrows_single_space_after", Some("manifest_whitespace"), true, arrows::space_after, Some(arrows::set_space),
        "One space is behind an arrow.";
    "manifest_whitespace_inherits_name_single_space_before", Some("manifest_whitespace"), true, spaces_names::inherited, Some(spaces_names::set_space),
        "One space is between `inherits` and the name.";
    "manifest_whitespace_class_name_single_space_before", Some("manifest_whitespace"), true, spaces_names::before, Some(spaces_names::set_space),
        "One space is in front of the name of a class or defined type.";
    "manifest_whitespace_class_name_single_space_after", Some("manifest_whitespace"), true, spaces_names::after, Some(spaces_names::set_space_after),
        "One space is behind the name of a class or defined type.";
    "manifest_whitespace_closing_brace_before", Some("manifest_whitespace"), true, spaces_braces::before_closing, Some(spaces_braces::fix_before_closing),
        "One space or the end of a line is in front of a closing brace.";
    "manifest_whitespace_closing_brace_after", Some("manifest_whitespace"), true, spaces_braces::after_closing, Some(spaces_braces::fix_after_closing),
        "No space is between a closing brace and punctuation.";
    "manifest_whitespace_closing_bracket_before", Some("manifest_whitespace"), true, spaces_brackets::before_closing, Some(spaces_brackets::fix_before_closing),
        "No space is in front of a closing bracket.";
    "manifest_whitespace_closing_bracket_after", Some("manifest_whitespace"), true, spaces_brackets::after_closing, Some(spaces_braces::fix_after_closing),
        "No space is between a closing bracket and punctuation.";
    "manifest_whitespace_two_empty_lines", Some("manifest_whitespace"), true, spaces_lines::two_empty, Some(spaces_lines::remove),
        "No two empty lines follow each other.";
    "manifest_whitespace_newline_beginning_of_file", Some("manifest_whitespace"), true, spaces_lines::beginning, Some(spaces_lines::remove),
        "A file does not begin with an empty line.";
    "manifest_whitespace_missing_newline_end_of_file", Some("manifest_whitespace"), true, spaces_lines::missing_end, Some(spaces_lines::add_end),
        "A file ends with the end of a line.";
    "manifest_whitespace_double_newline_end_of_file", Some("manifest_whitespace"), true, spaces_lines::double_end, Some(spaces_lines::remove_plain),
        "A file does not end with an empty line.";
    "manifest_whitespace_opening_brace_before", Some("manifest_whitespace"), true, spaces_braces::before_opening, Some(spaces_braces::fix_before_opening),
        "One space is in front of an opening brace.";
    "manifest_whitespace_opening_brace_after", Some("manifest_whitespace"), true, spaces_braces::after_opening, Some(spaces_braces::fix_after_opening),
        "One space or the end of a line is behind an opening brace.";
    "manifest_whitespace_opening_bracket_before", Some("manifest_whitespace"), true, spaces_brackets::before_opening, Some(spaces_brackets::fix_before_opening),
        "One space is in front of an opening bracket.";
    "manifest_whitespace_opening_bracket_after", Some("manifest_whitespace"), true, spaces_brackets::after_opening, Some(spaces_brackets::fix_after_opening),
        "No space is behind an opening bracket.";
    "optional_default", Some("optional_default"), true, parameters::optional, None,
        "An Optional parameter has the default undef.";
    "parameter_documentation", Some("param-docs"), true, parameter_docs::check, None,
        "Each parameter is documented, and nothing else is.";
    "parameter_types", Some("param-types"), true, parameters::types, None,
        "Each parameter has a type.";
    "params_empty_string_assignment", Some("params_empty_string"), true, parameters::empty_string, None,
        "A String parameter has no empty default.";
    "params_not_optional_with_undef", Some("params_not_optional_with_undef"), true, parameters::undef, None,
        "A parameter with the default undef is Optional.";
    "resource_reference_chain_without_whitespace", Some("resource_reference_syntax"), true, references::type_space, None,
        "No space is between a type and its bracket.";
    "resource_reference_with_unquoted_title", Some("resource_reference_syntax"), true, references::unquoted, Some(quote),
        "The title in a reference is quoted.";
    "resource_reference_without_title_capital", Some("resource_reference_syntax"), true, references::capital, None,
        "The title in a reference has no capital letter without quotes.";
    "resource_reference_without_whitespace", Some("resource_reference_syntax"), true, references::space, None,
        "No space is between a reference and its bracket.";
    "topscope_variable", Some("topscope-variable"), true, variables::absolute, Some(make_relative),
        "The name of a variable of another class does not begin with `::`.";
    "trailing_comma", Some("trailing_comma"), true, trailing::comma, Some(trailing::add_comma),
        "A comma is behind the last element of a list on several lines.";
    "trailing_newline", Some("trailing_newline"), false, spaces_lines::trailing, Some(spaces_lines::append),
        "A file ends with the end of a line.";
    "unquoted_string_in_case", Some("unquoted_string"), true, conditionals::unquoted_case, Some(quote),
        "A string in a `case` is quoted.";
    "unquoted_string_in_selector", Some("unquoted_string"), true, conditionals::unquoted_selector, Some(quote),
        "A string in a selector is quoted.";
    "variable_contains_upcase", Some("variable_contains_upcase"), true, variables::upcase, Some(variables::to_lowercase),
        "The name of a variable has no capital letter.";
    "version_comparison", Some("version_comparison"), true, versions::check, Some(versions::compare),
        "Versions are compared with `versioncmp`.";
}
