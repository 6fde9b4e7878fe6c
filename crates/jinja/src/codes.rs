//! The codes of errors of templates. Each has a page in `docs/errors`.

hieratic_diagnostics::codes! {
    TEMPLATE_RENDER = "template-render", "A template cannot be rendered";
    TEMPLATE_SYNTAX = "template-syntax", "A Jinja2 or ERB template cannot be read";
    TEMPLATE_UNDEFINED = "template-undefined", "A template uses an undefined value";
}
