#![no_main]
//! Any text as a Jinja2 template: an answer or a fault, never a panic, in bounded time and memory.

use hieratic_jinja_ansible::engine;
use hieratic_jinja::Options;
use hieratic_jinja::extend::minijinja::context;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if text.len() > 2000 {
        return;
    }
    let engine = engine(&Options::default());
    let variables = || context! { name => "web", port => 80, list => vec![1, 2, 3], nested => context! { a => "b" } };
    let _ = engine.render(text, variables());
    let _ = engine.render_text("template.j2", text, variables());
    let _ = engine.render("{{ data | json_query(text) }}", context! { data => variables(), text => text });
});
