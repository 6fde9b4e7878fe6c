//! [`Reporter`]: prints diagnostics on standard error, and answers on standard output. It redacts secrets.

use hieratic::lookup::{LostKnockout, SkippedLevels, Warning};
use hieratic::sandbox::RefusedPaths;
use hieratic::secrets::Secrets;
use hieratic::{Environment, Error, Redactor, Value};
use hieratic_diagnostics::{Code, Diagnose, Diagnostic, Severity, render};
use hieratic_lint::rules;
use hieratic_output::RenderAs;
use serde_json::Value as Json;

use crate::args::{Color, MessageFormat};
use crate::codes;
use crate::streams::MESSAGES;
use crate::{output, terminal};
use hieratic::sandbox::SlashPath as _;

/// Prints diagnostics in the user's format, and answers. Secrets are redacted in both unless they are revealed.
pub(crate) struct Reporter {
    format: MessageFormat,
    color: bool,
    when: Color,
    redactor: Redactor,
}

impl Reporter {
    pub(crate) fn new(format: MessageFormat, when: Color) -> Reporter {
        Reporter { format, color: terminal::colors(when, &std::io::stderr()), when, redactor: Redactor::default() }
    }

    /// Reveals secrets if the flag is set.
    pub(crate) fn revealing(mut self, reveal: bool) -> Reporter {
        self.redactor = Redactor::new(Secrets::default(), reveal);
        self
    }

    /// Returns whether answers on standard output are colored.
    pub(crate) fn colors_answers(&self) -> bool {
        terminal::colors(self.when, &std::io::stdout())
    }

    /// Returns the layout of lines with origins on standard output.
    pub(crate) fn layout(&self) -> output::Layout {
        output::Layout::of_process(self.when)
    }

    /// Redacts the secrets of the environment from now on.
    pub(crate) fn redact_secrets_of(&self, environment: &Environment) {
        self.redactor.add(environment.secrets());
    }

    /// Returns the redactor that redacts secrets.
    pub(crate) fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// Prints text that data or code produced.
    pub(crate) fn print_text(&self, text: &[u8]) {
        output::print(&self.redactor().bytes(text));
    }

    /// Writes a report of ours to standard output: data stand under these keys, everything else is structure.
    pub(crate) fn print_report(&self, report: &Json, data: &[&str]) {
        self.print_redacted(format!("{}\n", self.redactor().report(report, data)).as_bytes(), RenderAs::Json);
    }

    /// Writes a value to standard output.
    pub(crate) fn print_data(&self, value: &Value, format: RenderAs) -> Result<(), String> {
        output::print(&output::rendered(&self.redactor().value(value), format)?);
        Ok(())
    }

    /// Prints a report about data that is already redacted. Unlike an answer, it contains nothing that CI systems take
    /// for a command.
    pub(crate) fn print_redacted(&self, text: &[u8], format: RenderAs) {
        match (format, std::str::from_utf8(text)) {
            // The text contains data that cannot be escaped without changing its meaning.
            (RenderAs::Yaml, _) | (_, Err(_)) => output::print(text),
            (RenderAs::Json | RenderAs::RichDataJson | RenderAs::Pson, Ok(text)) => {
                output::print(render::sanitize_json(text).as_bytes());
            }
            (_, Ok(text)) => output::print(render::escape_commands(text).as_bytes()),
        }
    }

    /// Prints a report about data that is already redacted, as data.
    pub(crate) fn print_redacted_data(&self, value: &Value, format: RenderAs) -> Result<(), String> {
        let (text, format) = output::rendered_report(value, format)?;
        self.print_redacted(&text, format);
        Ok(())
    }

    /// Writes a log line to standard error: its source and its message. Messages of code may contain anything, and are
    /// only quoted.
    pub(crate) fn log_line(&self, who: &str, message: &str, by_code: bool) {
        let message = if by_code { self.redactor().text(message) } else { self.redactor().message(message) };
        let line = render::sanitize(&format!("{who}{message}"));
        // Messages of code stay as the code has them.
        send(&if by_code { line } else { terminal::fitted(&line, &std::io::stderr()) });
    }

    /// Logs a message that is also data: as a line in the reference's format, or as a JSON object.
    pub(crate) fn log(&self, diagnostic: &Diagnostic, line: &str, by_code: bool) {
        match self.format {
            MessageFormat::Human => self.log_line("", line, by_code),
            MessageFormat::Json if by_code => {
                let message = self.redactor().text(&diagnostic.message).into_owned();
                self.write_json(&render::json(&Diagnostic { message, ..diagnostic.clone() }));
            }
            MessageFormat::Json => self.write(diagnostic),
        }
    }

    /// Writes a JSON message that is already redacted to standard error.
    pub(crate) fn write_json(&self, text: &str) {
        send(&render::sanitize_json(text));
    }

    /// Reports an error that ends the command before it has an answer; `prefix` is the reference's prefix.
    pub(crate) fn error(&self, prefix: &str, error: &Error) {
        for mut diagnostic in error.diagnose() {
            // Ciphertext means nothing to people, and takes many lines.
            diagnostic.message = hieratic::eyaml::shortened(&format!("{prefix}{}", diagnostic.message));
            self.write(&diagnostic);
        }
    }

    /// Reports an error or another problem with all its diagnostics.
    pub(crate) fn failure(&self, error: &dyn Diagnose) {
        self.diagnostics(error.diagnose());
    }

    pub(crate) fn warning(&self, warning: &Warning) {
        let diagnostic = |message| Diagnostic::new(Severity::Warning, codes::WARNING, message);
        self.write(&match warning.place() {
            Some(place) => place.show_in(diagnostic(warning.message().to_owned())),
            None => diagnostic(warning.to_string()),
        });
    }

    /// Warns of skipped levels: a server may return other answers.
    pub(crate) fn warn_skipped_levels(&self, skipped_levels: &SkippedLevels) {
        for level in skipped_levels.levels() {
            let message = format!(
                "The level '{}' was not asked: {}; a server may give another answer",
                level.level,
                level.reason()
            );
            let warning = Diagnostic::new(Severity::Warning, hieratic::hiera::codes::LEVEL_NOT_ASKED, message);
            let warning = match &level.config {
                Some(file) => warning.location(file.to_slashes(), None, None),
                None => warning,
            };
            self.write(&if level.is_named {
                warning
            } else {
                warning.help("name a program or a file in hieratic.yaml that answers for it")
            });
        }
    }

    /// Warns of files that were not read because they are outside of the repository, or because their names cannot be
    /// resolved.
    pub(crate) fn warn_refused_files(&self, all: &RefusedPaths) {
        const SHOWN: usize = 5;
        let refused = all.paths();
        for path in refused.iter().take(SHOWN) {
            let message = format!(
                "{} is outside of the repository, or a link leads there, and was not read",
                output::relative_file(path)
            );
            let note = Diagnostic::new(Severity::Warning, rules::OUTSIDE.code, message);
            self.write(&note.help("pass --allow-outside, or trust the repository with `hieratic trust`"));
        }
        if refused.len() > SHOWN {
            let message = format!("{} more paths outside of the repository were not read", refused.len() - SHOWN);
            self.write(&Diagnostic::new(Severity::Warning, rules::OUTSIDE.code, message));
        }
        let unnamed = all.unnamed();
        for path in unnamed.iter().take(SHOWN) {
            let message = format!("{} has a name that is not Unicode, and was not read", output::relative_file(path));
            let warning = Diagnostic::new(Severity::Warning, codes::WARNING, message);
            self.write(&warning.help("rename it: no level, module or template can name it"));
        }
        if unnamed.len() > SHOWN {
            let message = format!("{} more names that are not Unicode were not read", unnamed.len() - SHOWN);
            self.write(&Diagnostic::new(Severity::Warning, codes::WARNING, message));
        }
    }

    /// Warns that no lookup finds data of an environment, where an answer would say nothing of it.
    pub(crate) fn missing_hierarchy(&self, environment: &Environment) {
        if let Some(missing) = environment.missing_hierarchy() {
            let root = output::relative_file(&environment.layers().environment.root);
            let message = format!("Nothing is looked up in the data of {root}: {missing}");
            let warning = Diagnostic::new(Severity::Warning, codes::WARNING, message);
            self.write(&warning.help("add a hiera.yaml of version 5, or name a global one with --hiera_config"));
        }
    }

    pub(crate) fn lost_knockout(&self, lost: &LostKnockout) {
        let LostKnockout { key, knockout, path, place, back_from } = lost;
        let inside = if path.is_empty() { String::new() } else { format!(", in '{path}'") };
        let message = format!("The knockout '{knockout}' of key '{key}'{inside} was lost");
        self.write(
            &Diagnostic::new(Severity::Warning, rules::LOST_KNOCKOUT.code, message)
                .note(format!(
                    "{place} removes the element, but {back_from} restores it: knockouts only apply to the next level"
                ))
                .help("add `strict_knockout: true` to the merge options, or pass --strict-knockout"),
        );
    }

    pub(crate) fn plain_error(&self, code: Code, message: &str, help: &[String]) {
        let mut diagnostic = Diagnostic::new(Severity::Error, code, message);
        for help in help {
            diagnostic = diagnostic.help(help);
        }
        self.write(&diagnostic);
    }

    /// Writes a finding to standard output, which is where the answer of a check belongs.
    pub(crate) fn print_finding(&self, finding: &Diagnostic) {
        let finding = &self.redactor().diagnostic(finding);
        let style = terminal::message_style(self.colors_answers(), &std::io::stdout());
        self.print_redacted(render::human(finding, &style).as_bytes(), RenderAs::S);
    }

    /// Writes any diagnostic.
    pub(crate) fn diagnostic(&self, diagnostic: &Diagnostic) {
        self.write(diagnostic);
    }

    /// Writes several diagnostics.
    pub(crate) fn diagnostics(&self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        diagnostics.into_iter().for_each(|diagnostic| self.write(&diagnostic));
    }

    fn write(&self, diagnostic: &Diagnostic) {
        // Redaction comes first: rendering truncates text and escapes control characters.
        let diagnostic = &self.redactor().diagnostic(diagnostic);
        let text = match self.format {
            MessageFormat::Human => render::human(diagnostic, &terminal::message_style(self.color, &std::io::stderr())),
            MessageFormat::Json => render::json(diagnostic),
        };
        match self.format {
            MessageFormat::Human => send(&render::escape_commands(&text)),
            MessageFormat::Json => self.write_json(&text),
        }
    }
}

impl Drop for Reporter {
    /// Prints one note if any output was redacted by searching, and not by a mark.
    fn drop(&mut self) {
        if self.redactor.has_found() {
            self.log_line("", FOUND, false);
        }
    }
}

/// The note that output was redacted by searching.
const FOUND: &str = "note: text that equals a secret was redacted, wherever it comes from";

/// Writes a message with a newline at its end.
pub(crate) fn send(text: &str) {
    MESSAGES.write(format!("{}\n", text.trim_end_matches('\n')).as_bytes());
}
