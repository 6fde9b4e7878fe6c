//! The names of functions before the module gave them a namespace: they warn once and forward the call.

use hieratic_puppet_functions::{Call, Dispatch, Doc, Function, Outcome};

/// Declares a function that forwards to the function with the same name in the module's namespace.
macro_rules! shim {
    ($name:literal) => {
        Function::new(
            $name,
            Doc::renamed(concat!("stdlib::", $name)),
            &[Dispatch::new(&["Any *args", "&?Callable block"], |call| forward(call, $name))],
        )
    };
}

pub(crate) static FUNCTIONS: &[Function] = &[
    shim!("batch_escape"),
    shim!("ensure_packages"),
    shim!("fqdn_rand_string"),
    shim!("fqdn_rotate"),
    shim!("has_interface_with"),
    shim!("has_ip_address"),
    shim!("has_ip_network"),
    shim!("merge"),
    shim!("os_version_gte"),
    shim!("parsehocon"),
    shim!("powershell_escape"),
    shim!("seeded_rand"),
    shim!("seeded_rand_string"),
    shim!("shell_escape"),
    shim!("to_json"),
    shim!("to_json_pretty"),
    shim!("to_python"),
    shim!("to_ruby"),
    shim!("to_toml"),
    shim!("to_yaml"),
    shim!("type_of"),
    shim!("validate_domain_name"),
    shim!("validate_email_address"),
    // These two have different messages.
    Function::new(
        "time",
        Doc::renamed("stdlib::time"),
        &[Dispatch::new(&["Any *args"], |call| call.host.call_function("stdlib::time", call.arguments, None))],
    ),
    Function::new(
        "stdlib::time",
        Doc::new("Returns the seconds since 1970."),
        &[Dispatch::new(&["Optional[String] timezone?"], |call| {
            call.host.warn_once(
                "The stdlib `time` function is deprecated. Please direcly use native Puppet functionality instead. eg. \
                 `Integer(Timestamp().strftime('%s'))`"
                    .into(),
            );
            let seconds = hieratic_puppet_types::quantities::Timestamp::now().nanoseconds() / 1_000_000_000;
            Ok(hieratic_value::Value::Integer(i64::try_from(seconds).unwrap_or(i64::MAX)))
        })],
    ),
    Function::new(
        "parsepson",
        Doc::new("Parses JSON, with an optional default; the name is deprecated."),
        &[Dispatch::new(&["String[1] pson_string", "Any default?"], |call| {
            call.host.warn_once(
                "This method is deprecated. From Puppet 8, PSON is no longer natively supported. Please use JSON.parse()."
                    .into(),
            );
            call.host.call_function("parsejson", call.arguments, None)
        })],
    ),
];

fn forward(call: &mut Call<'_>, name: &str) -> Outcome {
    let site = call.host.site();
    let place = site.file.map(|file| format!(" at {file}:{}", site.line)).unwrap_or_default();
    call.host.warn_once(format!("This function is deprecated, please use stdlib::{name} instead.{place}"));
    call.host.call_function(&format!("stdlib::{name}"), call.arguments, call.block)
}
