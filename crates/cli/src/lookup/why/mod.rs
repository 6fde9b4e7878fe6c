//! `hieratic lookup KEY --why`: explains an answer on one screen.
//!
//! With `--full` nothing is folded or truncated.
//!
//! The library collects the reasons ([`Why`]) and describes them ([`WhyReport`]). This module prints the result as a
//! diagram of the layers in the terminal ([`picture`]), as a self-contained page, or as data for tools
//! ([`hieratic::explain::reasons`]).

mod picture;

use hieratic::budget::Budget;
pub(super) use hieratic::explain::Links;
use hieratic::explain::{ContributingLevel, Places, Why, WhyReport};
use hieratic::lookup::{SearchedLocation, nearest_keys};
use hieratic::{Error, Node, Query, Value};
use hieratic_diagnostics::render;
use hieratic_output::RenderAs;
use hieratic_report::pages::{Explanations, Imprint, NodeLevels, explanation_page};

use crate::report::Reporter;

/// The output format of explanations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Show {
    /// A diagram in the terminal.
    Picture,
    /// A web page.
    Page,
    /// Data in a format.
    Data(RenderAs),
}

impl Show {
    /// Parses the value of `--format`.
    pub(super) fn parse(name: Option<&str>) -> Result<Show, String> {
        match name {
            None | Some("s") => Ok(Show::Picture),
            Some("html") => Ok(Show::Page),
            Some(name) => name.parse().map(Show::Data).map_err(|error: hieratic_output::Error| error.to_string()),
        }
    }
}

/// The extent of an explanation, and the links of its positions.
#[derive(Clone, Debug, Default)]
pub(super) struct WhyOptions {
    /// Everything, however long it is.
    pub(super) full: bool,
    /// The address of a line of a file at a forge.
    pub(super) links: Option<Links>,
    /// The node of a page.
    pub(super) node: String,
    /// The imprint of a page.
    pub(super) imprint: Imprint,
}

/// Prints the explanations of some lookups; returns the errors of those without an answer.
pub(super) fn print(
    node: &Node,
    queries: &[Query<'_>],
    show: Show,
    options: &WhyOptions,
    reporter: &Reporter,
) -> Result<Vec<(usize, Error)>, String> {
    let whys: Vec<Why> = queries.iter().map(|query| node.why(query)).collect();
    let redactor = reporter.redactor();
    let places = Places { name: &crate::output::relative_file, links: options.links.as_ref() };
    let reports = || {
        whys.iter().map(|reason| {
            let mut report = WhyReport::new(reason, redactor, &suggestions(node, reason), places);
            // A page folds them.
            if options.full || show == Show::Page {
                report.others = others(node, reason, &report);
            }
            report
        })
    };
    match show {
        Show::Picture => {
            let style = picture::Style { full: options.full, ..picture::Style::of_process(reporter.colors_answers()) };
            // Errors in the data are reported separately, with an excerpt.
            let answered =
                reports().zip(&whys).filter(|(_, reason)| reason.answer.as_ref().err().is_none_or(is_missing));
            let pictures: Vec<String> = answered.map(|(report, _)| picture::draw(&report, &style)).collect();
            reporter.print_redacted(pictures.join("\n").as_bytes(), RenderAs::S);
        }
        Show::Page => {
            let reasons: Vec<(&Why, WhyReport)> = whys.iter().zip(reports()).collect();
            let levels = NodeLevels::new(node, &Budget::default());
            let explanations =
                Explanations { node: &options.node, reasons: &reasons, levels: &levels, places, redactor };
            let page = explanation_page(&explanations, &options.imprint);
            reporter.print_redacted(render::sanitize(&page).as_bytes(), RenderAs::S);
        }
        Show::Data(format) => {
            let all: Vec<Value> = whys.iter().map(|reason| hieratic::explain::reasons(reason, redactor)).collect();
            let document = match all.as_slice() {
                [only] => only.clone(),
                _ => all.into(),
            };
            reporter.print_redacted_data(&document, format)?;
        }
    }
    Ok(whys.into_iter().enumerate().filter_map(|(index, reason)| Some((index, reason.answer.err()?))).collect())
}

/// Returns the locations of the hierarchy that contribute nothing because they lack the key, or do not exist.
fn others(node: &Node, why: &Why, report: &WhyReport) -> Vec<SearchedLocation> {
    let is_reported = |place: &str| {
        let is_of =
            |other: &str| other.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'));
        report.layers.iter().any(|ContributingLevel { place, .. }| is_of(place))
            || report.hidden.iter().any(|place| is_of(place))
    };
    let mut others: Vec<SearchedLocation> = Vec::new();
    for SearchedLocation { name, is_there } in nearest_keys(node, &why.key).places {
        let name = crate::output::relative_file(name.as_ref());
        if !is_reported(&name) && !others.iter().any(|other| other.name == name) {
            others.push(SearchedLocation { name, is_there });
        }
    }
    others
}

/// Returns whether the data is valid and only lacks the key.
pub(super) fn is_missing(error: &Error) -> bool {
    error.code() == Node::NOT_FOUND
}

/// Returns the suggestions for a missing key.
fn suggestions(node: &Node, why: &Why) -> Vec<String> {
    match &why.answer {
        Err(error) if error.code() == Node::NOT_FOUND => nearest_keys(node, &why.key).keys,
        _ => Vec::new(),
    }
}

/// The answer of a report as YAML.
fn yaml(report: &WhyReport) -> Option<String> {
    let text = String::from_utf8(crate::output::rendered(report.value.as_ref()?, RenderAs::Yaml).ok()?).ok()?;
    let text = text.strip_prefix("---").unwrap_or(&text);
    Some(text.trim_start_matches([' ', '\n']).trim_end().to_owned())
}
