//! [`RuleContext`]: the input of a rule, and the list of its findings.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use hieratic_puppet_syntax::ast::Program;

use super::Kind;
use crate::analysis::Analyzed;
use crate::code_folders::CodeFolders;
use crate::finding::Finding;
use crate::hygiene::{Needed, ReadSets};
use crate::options::Options;
use crate::workspace::{Answers, Code, SampleNodes, Workspace};

/// A key that a rule could not judge, with the first file that has it.
pub(crate) type UnjudgedKey = (PathBuf, String);

/// All that a rule about an environment is given. A rule reads the fields that it needs.
///
/// A context belongs to one thread, so that findings keep their order. A rule that works on all cores collects its
/// findings first, and reports them then.
pub(crate) struct RuleContext<'a> {
    /// The environment: its configurations and its data.
    pub(crate) workspace: &'a Workspace,
    /// Its code.
    pub(crate) code: &'a Code,
    /// The nodes on which lookups are tried.
    pub(crate) nodes: &'a SampleNodes<'a>,
    /// The options of the check.
    pub(crate) options: &'a Options,
    /// The answers of synthetic nodes that are known from an earlier check.
    pub(crate) answers: &'a Answers,
    /// The entries of data that another environment needs.
    pub(crate) needed: &'a Needed,
    /// The findings of the analysis in an earlier check.
    pub(crate) analyzed: &'a Analyzed,
    findings: RefCell<Vec<Finding>>,
    omissions: RefCell<Vec<UnjudgedKey>>,
}

impl<'a> RuleContext<'a> {
    /// The context of rules that run in sequence.
    pub(crate) fn new(
        workspace: &'a Workspace,
        code: &'a Code,
        nodes: &'a SampleNodes<'a>,
        options: &'a Options,
        earlier: (&'a Answers, &'a Analyzed),
        needed: &'a Needed,
    ) -> RuleContext<'a> {
        let (answers, analyzed) = earlier;
        RuleContext {
            workspace,
            code,
            nodes,
            options,
            answers,
            needed,
            analyzed,
            findings: RefCell::default(),
            omissions: RefCell::default(),
        }
    }

    /// Takes a finding.
    pub(crate) fn report(&self, finding: Finding) {
        self.findings.borrow_mut().push(finding);
    }

    /// Takes several findings, in their order.
    pub(crate) fn report_all(&self, findings: impl IntoIterator<Item = Finding>) {
        // They are collected first, because an iterator may report something itself.
        let mut findings: Vec<Finding> = findings.into_iter().collect();
        self.findings.borrow_mut().append(&mut findings);
    }

    /// Takes a key that could not be judged, with the first file that has it.
    pub(crate) fn omit(&self, file: &Path, key: &str) {
        self.omissions.borrow_mut().push((file.to_owned(), key.to_owned()));
    }

    /// The files that nodes read, in the order of the levels: for the rules of hygiene, which share them.
    pub(crate) fn read_sets(&self) -> &ReadSets {
        self.nodes.read_sets.get_or_init(|| ReadSets::new(self.workspace, self.nodes, self.options))
    }

    /// All findings and omissions.
    pub(crate) fn into_parts(self) -> (Vec<Finding>, Vec<UnjudgedKey>) {
        (self.findings.into_inner(), self.omissions.into_inner())
    }
}

/// All that a rule about a manifest or a template of EPP is given.
pub(crate) struct ProgramContext<'a> {
    /// Its tree, with the source.
    pub(crate) program: &'a Program,
    /// The options of the check.
    pub(crate) options: &'a Options,
    /// Whether it is a plan.
    pub(crate) is_plan: bool,
    /// The folders in which environments look for code.
    pub(crate) code: &'a CodeFolders,
    findings: RefCell<Vec<Finding>>,
}

impl<'a> ProgramContext<'a> {
    /// The context of the rules about a program.
    pub(crate) fn new(
        program: &'a Program,
        options: &'a Options,
        is_plan: bool,
        code: &'a CodeFolders,
    ) -> ProgramContext<'a> {
        ProgramContext { program, options, is_plan, code, findings: RefCell::default() }
    }

    /// Takes a finding.
    pub(crate) fn report(&self, finding: Finding) {
        self.findings.borrow_mut().push(finding);
    }

    /// Takes several findings, in their order.
    pub(crate) fn report_all(&self, findings: impl IntoIterator<Item = Finding>) {
        findings.into_iter().for_each(|finding| self.report(finding));
    }

    /// Returns the findings.
    pub(crate) fn into_findings(self) -> Vec<Finding> {
        self.findings.into_inner()
    }

    /// Runs the rules about programs, in the order of their rows.
    pub(crate) fn run(self) -> Vec<Finding> {
        for kind in super::ALL.iter().flat_map(|rule| rule.kinds) {
            if let Kind::Program(check) = kind {
                check(&self);
            }
        }
        self.into_findings()
    }
}
