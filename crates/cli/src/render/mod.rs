//! `hieratic render`: a template as text.

mod flags;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hieratic::powers::{Files, Mounted};
use hieratic::value::text::REDACTED;
use hieratic::{
    Error, ErrorKind, Facts, Hash, Inventory, Jinja2, RenderFailure, Role, Template, TemplateLanguage, Value, Vault,
};
use hieratic_diagnostics::{Diagnostic, Severity, Source};

use crate::code::{diagnostic, environment, invalid_text, options, show_logs};
use crate::codes;
use crate::eval::tree_context;
use crate::report::Reporter;
use crate::usage::usage;
use crate::{documents, files, hints, output, place};

pub(crate) use flags::RenderArguments;

/// Runs the verb.
pub(crate) fn run(arguments: &RenderArguments) -> ExitCode {
    let reporter =
        Reporter::new(arguments.messages.message_format, arguments.messages.color).revealing(arguments.reveal.reveal);
    let language = match language(arguments) {
        Ok(language) => language,
        Err((message, help)) => {
            reporter.plain_error(codes::USAGE, &message, &[help.to_owned()]);
            return ExitCode::from(2);
        }
    };
    let jinja2 = match jinja2(arguments, language) {
        Ok(jinja2) => jinja2,
        Err(message) => {
            let help =
                "they are for templates of Jinja2: --extension do, loopcontrols or i18n, --line-statement-prefix TEXT";
            reporter.plain_error(codes::USAGE, &message, &[help.to_owned()]);
            return ExitCode::from(2);
        }
    };
    match render(arguments, language, jinja2, &reporter) {
        Ok(status) => status,
        Err(error) => {
            reporter.error("", &error);
            ExitCode::FAILURE
        }
    }
}

/// The language that the flags or the file's name mean; a message and help if they mean none.
fn language(arguments: &RenderArguments) -> Result<TemplateLanguage, (String, &'static str)> {
    const NAMED: &str = "the only format is text: what the template prints";
    if let Some(format) = arguments.render_as.as_deref().filter(|format| !matches!(*format, "text" | "s")) {
        return Err((format!("Unknown format '{format}'"), NAMED));
    }
    if let Some(name) = &arguments.language {
        return name.parse().map_err(|message| (message, "pass --language epp, erb, jinja2 or hcl"));
    }
    let path = &arguments.template;
    TemplateLanguage::of_file(path).ok_or_else(|| {
        let name = if is_standard_input(path) { "standard input".to_owned() } else { path.display().to_string() };
        (format!("the language of {name} is unknown"), "pass --language epp, erb, jinja2 or hcl")
    })
}

/// What the flags add to Jinja2; a message if that cannot be.
fn jinja2(arguments: &RenderArguments, language: TemplateLanguage) -> Result<Jinja2, String> {
    let mut jinja2 = Jinja2 { template_vars: !arguments.no_template_vars, ..Jinja2::default() };
    for name in &arguments.extension {
        jinja2.extensions.add(name)?;
    }
    for (flag, given, prefix) in [
        ("--line-statement-prefix", &arguments.line_statement_prefix, &mut jinja2.lines.statement),
        ("--line-comment-prefix", &arguments.line_comment_prefix, &mut jinja2.lines.comment),
    ] {
        match given.as_deref() {
            Some("") => return Err(format!("{flag} is empty, which would start every line")),
            Some(text) => prefix.push_str(text),
            None => {}
        }
    }
    let given =
        !arguments.extension.is_empty() || !jinja2.lines.statement.is_empty() || !jinja2.lines.comment.is_empty();
    if given && language != TemplateLanguage::Jinja2 {
        return Err("this template is none of Jinja2, which alone has extensions and statements in lines".to_owned());
    }
    if given && arguments.tree.file.is_some() {
        return Err("templates over a tree have no extensions and no statements in lines, as in Unfurl".to_owned());
    }
    Ok(jinja2)
}

fn render(
    arguments: &RenderArguments,
    language: TemplateLanguage,
    jinja2: Jinja2,
    reporter: &Reporter,
) -> Result<ExitCode, Error> {
    let environment = environment(&arguments.place, reporter)?;
    let vault = arguments.vault.open(reporter)?;
    let commit = arguments.place.revision.as_ref();
    let permissions = place::permissions(&arguments.place);
    let role = match &arguments.role {
        Some(folder) => {
            Some(Role::open(folder, &Mounted::over(commit, permissions.files_below(&around(folder))), &vault)?)
        }
        None => None,
    };
    let path = match &role {
        Some(role) if !is_standard_input(&arguments.template) => template_of(role, &arguments.template)?,
        _ => arguments.template.clone(),
    };
    let inventory = match &arguments.inventory {
        Some(file) => {
            let files = Mounted::over(commit, permissions.files_below(&around(file)));
            Some(Inventory::read(file, role.as_ref().map(Role::playbook), &files, &vault)?)
        }
        None => None,
    };
    let host = match &inventory {
        Some(inventory) => Some(host_of(inventory, arguments)?),
        None => None,
    };
    let hosts = inventory.as_ref().map(Inventory::all_variables).transpose()?.unwrap_or_default();
    let own = hosts.iter().find(|(name, _)| Some(name) == host.as_ref()).map(|(_, variables)| variables);
    let of_inventory = inventory.as_ref().zip(own);
    let facts = facts(arguments, language, role.as_ref().map(|role| (role, &*path)), of_inventory, &vault, reporter)?;
    let readable = permissions.files_named(&path);
    let text = text(&path, &Mounted::over(commit, readable), &vault)?;
    let (name, folder) = match is_standard_input(&path) {
        true => ("standard input".to_owned(), PathBuf::from(".")),
        false => (output::relative_file(&path), documents::folder(&path)),
    };
    let mut jinja2 = Jinja2 { hosts, vault, ..jinja2 };
    if let Some(role) = &role {
        (jinja2.search, jinja2.readable) = (role.search(), role.readable());
    }
    if arguments.tree.file.is_some() && language == TemplateLanguage::Jinja2 {
        return over_tree(arguments, &facts, &name, &text, reporter);
    }
    let template = Template { source: Source::new(name, text), language, folder, jinja2 };
    let rendering = template.render(environment.as_ref(), &facts, &options(&arguments.place, &arguments.code_may));
    show_logs(&rendering.logs, reporter);
    match rendering.text {
        Ok(_) if rendering.secret && !reporter.mask().reveals() => {
            output::print(format!("{REDACTED}\n").as_bytes());
            let note = Diagnostic::new(
                Severity::Warning,
                codes::SECRET,
                "the output contains a Sensitive value and was not printed",
            );
            reporter.diagnostic(&note.help("pass --reveal to print it"));
            Ok(ExitCode::SUCCESS)
        }
        Ok(text) => {
            reporter.print_text(text.as_bytes());
            Ok(ExitCode::SUCCESS)
        }
        Err(RenderFailure::Epp(failure) | RenderFailure::Erb(failure)) => {
            let node = facts.node().unwrap_or("localhost");
            reporter.diagnostic(&diagnostic(&failure, node));
            Ok(ExitCode::FAILURE)
        }
        Err(RenderFailure::Data(error)) => Err(error),
        Err(fault) => {
            hints::tell(reporter, &fault, hints::ALLOW_FILES);
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Renders a template over a tree of instances or a document: with `SELF`, and Unfurl's filters and lookups.
fn over_tree(
    arguments: &RenderArguments,
    facts: &Facts,
    name: &str,
    text: &str,
    reporter: &Reporter,
) -> Result<ExitCode, Error> {
    let known = facts.facts().iter().chain(facts.variables().iter());
    let vars = known.map(|(name, value)| (name.to_text(), value.clone())).collect();
    let context = tree_context(&arguments.tree, &arguments.place, arguments.code_may.limits(), vars, reporter)?;
    match context.render_text(name, text) {
        Ok(text) => {
            reporter.print_text(text.as_bytes());
            Ok(ExitCode::SUCCESS)
        }
        Err(fault) => {
            reporter.failure(&fault);
            Ok(ExitCode::FAILURE)
        }
    }
}

/// The host of the inventory that the template is rendered for.
fn host_of(inventory: &Inventory, arguments: &RenderArguments) -> Result<String, Error> {
    let hosts: Vec<&str> = inventory.hosts().collect();
    let named = arguments.host.as_deref().or(arguments.place.node.as_deref());
    let (message, help) = match (named, hosts.as_slice()) {
        (Some(name), hosts) if hosts.contains(&name) => return Ok(name.to_owned()),
        (None, [only]) => return Ok((*only).to_owned()),
        (Some(name), hosts) => {
            let help = match hieratic_diagnostics::nearest(name, hosts.iter().copied()) {
                Some(near) => format!("did you mean '{near}'?"),
                None => format!("its hosts are {}", shown(hosts)),
            };
            (format!("the inventory has no host '{name}'"), help)
        }
        (None, hosts) => ("no host is named".to_owned(), format!("pass --host NAME: the hosts are {}", shown(hosts))),
    };
    Err(Error::new(ErrorKind::Fatal, codes::USAGE, message).help(help))
}

/// The first of some names.
fn shown(names: &[&str]) -> String {
    let more = if names.len() > 5 { ", ..." } else { "" };
    format!("{}{more}", names.get(..5).unwrap_or(names).join(", "))
}

/// The folder that a role is in: the roles that it depends on are there, too.
fn around(role: &Path) -> PathBuf {
    let role = std::path::absolute(role).unwrap_or_else(|_| role.to_path_buf());
    role.parent().map_or(role.clone(), Path::to_path_buf)
}

/// The file of a template of a role.
fn template_of(role: &Role, name: &Path) -> Result<PathBuf, Error> {
    role.template(name).ok_or_else(|| {
        let all = role.templates().unwrap_or_default();
        let names: Vec<String> = all.iter().map(|path| path.display().to_string()).collect();
        let meant = hieratic_diagnostics::nearest(&name.to_string_lossy(), names.iter().map(String::as_str));
        let error = files::unreadable(name, &std::io::Error::from(std::io::ErrorKind::NotFound));
        error.help(match meant {
            Some(meant) => format!("the role '{}' has the template '{meant}'", role.name()),
            None => format!("it was looked for in the role '{}' and in its folder templates", role.name()),
        })
    })
}

/// The text of the template, which Ansible Vault may have encrypted.
fn text(path: &Path, files: &Files, vault: &Vault) -> Result<String, Error> {
    let (name, bytes) = match is_standard_input(path) {
        true => {
            let mut bytes = Vec::new();
            ("standard input".to_owned(), std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes))
        }
        false => (path.display().to_string(), files.read(path)),
    };
    let unreadable = |error| files::unreadable(path, &error);
    let text = String::from_utf8(bytes.map_err(unreadable)?)
        .map_err(|error| invalid_text(&name, error.as_bytes(), error.utf8_error().valid_up_to()))?;
    if !Vault::is_encrypted(text.as_bytes()) {
        return Ok(text);
    }
    vault.decrypt(&text).map_err(|why| {
        usage(format!("the template {name} cannot be decrypted: {why}"))
            .help("pass the password with --vault-password-file FILE, or with --vault-id LABEL@FILE")
    })
}

fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The facts of the node with all variables beside them; those of flags win over those of files.
fn facts(
    arguments: &RenderArguments,
    language: TemplateLanguage,
    role: Option<(&Role, &Path)>,
    inventory: Option<(&Inventory, &Hash)>,
    vault: &Vault,
    reporter: &Reporter,
) -> Result<Facts, Error> {
    let mut facts = place::known_facts(&arguments.place, reporter)?;
    let of_role = match role {
        Some((role, _)) => [role.defaults()?, role.vars()?, role.magic()],
        None => Default::default(),
    };
    let [defaults, vars, magic] = of_role;
    let of_host = match inventory {
        Some((inventory, variables)) => {
            let mut known = variables.clone().into_map();
            known.insert("groups".into(), inventory.groups().into());
            known.into()
        }
        None if role.is_some() => {
            [("inventory_hostname", Value::from(facts.node().unwrap_or("localhost")))].into_iter().collect()
        }
        None => Hash::default(),
    };
    // Facts count more than defaults and inventories, and less than vars.
    let told = facts.told();
    let gathered = told.get("ansible_facts").and_then(Value::as_hash).cloned().unwrap_or_default();
    let is_fact = |name: &Value| told.get_value(name).is_some() || gathered.get_value(name).is_some();
    let below = defaults.iter().chain(of_host.iter()).filter(|(name, _)| !is_fact(name));
    let of_template: Hash = match role {
        Some((_, template)) => [
            ("template_path", Value::from(arguments.template.display().to_string())),
            ("template_fullpath", template.display().to_string().into()),
        ]
        .into_iter()
        .collect(),
        None => Hash::default(),
    };
    for (name, value) in below.chain(vars.iter()).chain(magic.iter()).chain(of_template.iter()) {
        if let Value::String(name) = name {
            facts.set_variable_value(name, value.clone());
        }
    }
    for file in &arguments.vars {
        let files = place::permissions(&arguments.place).files_named(file);
        for (name, value) in language.variables_of_file(file, &files, vault)?.iter() {
            if let Value::String(name) = name {
                facts.set_variable_value(name, value.clone());
            }
        }
    }
    for assignment in &arguments.place.var {
        let (name, value) = language.variable(assignment)?;
        facts.set_variable_value(&name.into(), value);
    }
    Ok(facts)
}
