//! A report as workflow commands of GitHub.

use hieratic::diagnostics::render::visible_line;

use crate::change::Annotation;
use crate::place::Place;
use crate::report::Report;

impl Report {
    /// Returns the report as workflow commands of GitHub: an annotation for each change, at the line that causes it.
    /// See <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>.
    pub fn to_annotations(&self) -> String {
        let mut out = String::new();
        for group in self.sections().flat_map(|(_, groups)| groups) {
            let (nodes, within) = (self.title(group), self.within(&group.environments));
            for change in &group.changes {
                out.push_str(&command(&change.annotation(&nodes, &within)));
            }
        }
        for lone in &self.lone {
            let subject = match lone.side {
                hieratic_impact::Side::Head => "is new",
                hieratic_impact::Side::Base => "is removed",
            };
            out.push_str(&notice("Environments", &format!("The environment {} {subject}", lone.name)));
        }
        self.notes.iter().for_each(|note| out.push_str(&notice("Not compared", note)));
        self.ignored_summary().iter().for_each(|ignored| out.push_str(&notice("Ignored", ignored)));
        out.push_str(&format!("{}\n", visible_line(&self.headline())));
        out
    }
}

/// An annotation without a place.
fn notice(title: &str, message: &str) -> String {
    let (title, message) = (title.to_owned(), visible_line(message));
    command(&Annotation { level: "notice", place: None, title, message })
}

fn command(Annotation { level, place, title, message }: &Annotation) -> String {
    let place = place
        .as_ref()
        .map_or(String::new(), |Place { file, line }| format!("file={},line={line},", property(&visible_line(file))));
    format!("::{level} {place}title={}::{}\n", property(&visible_line(title)), data(message))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
