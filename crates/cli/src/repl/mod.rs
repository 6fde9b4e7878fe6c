//! `hieratic repl`: the Puppet language at a prompt.
//!
//! Variables keep their values between lines, and may be reassigned. Lines that begin with a colon are commands of the
//! prompt.

#[cfg(not(target_os = "wasi"))]
mod complete;
mod incomplete;

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::Args;
use hieratic::code::{program_form, read_code, type_text};
use hieratic::puppet_eval::Evaluator;
use hieratic::{Code, Error};
use hieratic_diagnostics::Source;

use crate::args::{CodeArguments, MessageArguments, PlaceArguments, RevealArguments};
use crate::codes;
use crate::report::Reporter;
use crate::streams::ANSWERS;
use crate::target::Target;
use crate::usage::usage;
use crate::{code, output};

const HELP: &str = "\
Type an expression to see its value. Incomplete input continues on the next line.

  :type EXPRESSION    print the type of its value
  :parse EXPRESSION   print its syntax tree
  :vars               print the top-scope variables
  :help               print this help
  :quit               exit (also: exit, Ctrl-D)

Tab completes functions, types and variables; the arrow keys recall the history.
";

/// The flags of `repl`.
#[derive(Args, Debug)]
pub(crate) struct ReplArguments {
    #[command(flatten)]
    pub(crate) code_may: CodeArguments,
    #[command(flatten)]
    pub(crate) place: PlaceArguments,
    #[command(flatten)]
    pub(crate) reveal: RevealArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// Runs the verb.
pub(crate) fn run(arguments: &ReplArguments) -> ExitCode {
    let reporter =
        Reporter::new(arguments.messages.message_format, arguments.messages.color).revealing(arguments.reveal.reveal);
    match start(arguments, &reporter) {
        Ok(status) => status,
        Err(error) => {
            reporter.error("", &error);
            ExitCode::FAILURE
        }
    }
}

fn start(arguments: &ReplArguments, reporter: &Reporter) -> Result<ExitCode, Error> {
    let target = Target::new(&arguments.place);
    let environment = target.open_if_any(reporter)?;
    let options = code::options(&target, &arguments.code_may);
    let facts = target.facts(reporter)?;
    let code = Code::new(environment.as_ref(), facts, options);
    let mut session = Session { evaluator: code.evaluator(), code: &code, reporter };
    if std::io::stdin().is_terminal() {
        session.interactive()?;
    } else {
        session.piped()?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The state of one prompt.
struct Session<'c, 'e> {
    evaluator: Evaluator<'c>,
    code: &'c Code<'e>,
    reporter: &'c Reporter,
}

/// The action after a line.
enum Next {
    GoOn,
    /// The text is not complete.
    More,
    Quit,
}

impl Session<'_, '_> {
    /// Without a terminal, all lines come from a file or a pipe.
    #[cfg(target_os = "wasi")]
    fn interactive(&mut self) -> Result<(), Error> {
        self.piped()
    }

    #[cfg(not(target_os = "wasi"))]
    fn interactive(&mut self) -> Result<(), Error> {
        use complete::Assistant;
        use rustyline::error::ReadlineError;
        use rustyline::history::DefaultHistory;
        use rustyline::{CompletionType, Config, Editor};

        let config = Config::builder().completion_type(CompletionType::List).auto_add_history(false).build();
        let editor: rustyline::Result<Editor<Assistant, DefaultHistory>> = Editor::with_config(config);
        // A terminal that cannot be driven still has lines.
        let Ok(mut editor) = editor else { return self.piped() };
        editor.set_helper(Some(Assistant::default()));
        let history = history_file();
        if let Some(file) = &history {
            // The file does not exist the first time.
            let _ = editor.load_history(file);
        }
        output::print(b"hieratic: the Puppet language. :help lists the commands, Ctrl-D exits.\n");
        let mut text = String::new();
        loop {
            if let Some(helper) = editor.helper_mut() {
                helper.variables = self.evaluator.variable_names().map(|name| format!("${name}")).collect();
            }
            match editor.readline(if text.is_empty() { "puppet> " } else { "     -> " }) {
                Ok(line) => {
                    if !text.is_empty() {
                        text.push('\n');
                    }
                    text.push_str(&line);
                    match self.line(&text) {
                        // An empty line ends input that can never be complete.
                        Next::More if !line.trim().is_empty() => continue,
                        Next::More => self.evaluate(&text),
                        Next::GoOn => {}
                        Next::Quit => break,
                    }
                    let _ = editor.add_history_entry(text.as_str());
                    text.clear();
                }
                Err(ReadlineError::Interrupted) => text.clear(),
                // The end of the input, or a terminal that is gone.
                Err(_) => break,
            }
        }
        if let Some(file) = &history {
            // A history that cannot be saved is not an error.
            let _ = file.parent().map(std::fs::create_dir_all);
            let _ = editor.save_history(file);
        }
        Ok(())
    }

    /// Lines from a file or a pipe: as at a prompt, without one.
    ///
    /// # Errors
    /// Standard input cannot be read to its end.
    fn piped(&mut self) -> Result<(), Error> {
        let mut text = String::new();
        for line in std::io::stdin().lines() {
            let line = line.map_err(|error| {
                usage(format!("standard input cannot be read: {error}")).help("write expressions as text in UTF-8")
            })?;
            // The reader of the output has gone.
            if ANSWERS.is_gone() {
                return Ok(());
            }
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&line);
            match self.line(&text) {
                Next::More => continue,
                Next::GoOn => text.clear(),
                Next::Quit => return Ok(()),
            }
        }
        if !text.trim().is_empty() {
            self.evaluate(&text);
        }
        Ok(())
    }

    fn line(&mut self, text: &str) -> Next {
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return Next::GoOn;
        }
        if let Some(command) = trimmed.strip_prefix(':').filter(|rest| !rest.starts_with(':')) {
            return self.command(command);
        }
        // Shells and other prompts end with these words. As values they are useless.
        if matches!(trimmed, "exit" | "quit") {
            return Next::Quit;
        }
        if incomplete::is_incomplete(text) {
            return Next::More;
        }
        self.evaluate(text);
        Next::GoOn
    }

    fn command(&mut self, command: &str) -> Next {
        let (name, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        match name {
            "quit" | "q" | "exit" => return Next::Quit,
            "help" | "h" | "?" => output::print(HELP.as_bytes()),
            "vars" => {
                let mut names: Vec<&str> = self.evaluator.variable_names().collect();
                names.sort_unstable();
                let lines: String = names.iter().map(|name| format!("${name}\n")).collect();
                output::print(lines.as_bytes());
            }
            "type" if !rest.trim().is_empty() => {
                if let Some(value) = self.value(rest) {
                    self.reporter.print_text(format!("{}\n", type_text(&value)).as_bytes());
                }
            }
            "parse" if !rest.trim().is_empty() => {
                let source = Source::new("", rest.trim());
                let parsed = hieratic_puppet_syntax::parse(&source, &Default::default());
                for problem in &parsed.problems {
                    self.reporter.diagnostic(&problem.diagnostic(&source));
                }
                if let Some(program) = parsed.program {
                    output::print(format!("{}\n", hieratic_puppet_syntax::pn::dump(&program)).as_bytes());
                }
            }
            "type" | "parse" => {
                self.reporter.plain_error(codes::USAGE, &format!("':{name}' needs an expression"), &[]);
            }
            other => {
                let help = ["':help' lists the commands".to_owned()];
                self.reporter.plain_error(codes::USAGE, &format!("unknown command ':{other}'"), &help);
            }
        }
        Next::GoOn
    }

    fn evaluate(&mut self, text: &str) {
        if let Some(value) = self.value(text) {
            let value = self.reporter.redactor().open_value(&value);
            output::print(format!("=> {}\n", program_form(&value)).as_bytes());
        }
    }

    fn value(&mut self, text: &str) -> Option<hieratic::Value> {
        let source = Source::new("", text);
        let read = read_code(&source, false, self.code.options());
        read.report_to(&source, &mut self.evaluator);
        let outcome = read.program.and_then(|program| self.evaluator.run_more(&program));
        code::show_logs(&self.evaluator.take_logs(), self.reporter);
        match outcome {
            Ok(value) => Some(value),
            Err(failure) => {
                let node = &self.code.options().node;
                self.reporter.diagnostic(&code::diagnostic(&failure, node));
                None
            }
        }
    }
}

/// Returns the file of the history.
#[cfg(not(target_os = "wasi"))]
fn history_file() -> Option<std::path::PathBuf> {
    Some(crate::places::state()?.join("history"))
}
