//! The names of functions in a template.

use std::sync::Arc;

use hieratic_go_template::{Branch, Command, Control, Node, Operand, OperandKind, Pipeline, Templates};
use hieratic_value::ErasedSort as _;
use hieratic_value::collections::HashSet;

/// Returns each function that templates call, with the line of its first call in the text.
pub(super) fn functions(templates: &Templates, text: &str) -> Vec<(Arc<str>, usize)> {
    let mut walk = Walk::default();
    for template in templates.iter() {
        walk.waiting.push(Part::Nodes(&template.nodes));
    }
    walk.run();
    let mut seen = HashSet::default();
    walk.found.sort_erased_by_key(|(_, start)| *start);
    let first = walk.found.into_iter().filter(|(name, _)| seen.insert(name.clone()));
    first.map(|(name, start)| (name, line(text, start))).collect()
}

fn line(text: &str, start: usize) -> usize {
    text.as_bytes().iter().take(start).filter(|byte| **byte == b'\n').count() + 1
}

/// A part that is still to be walked. There is no recursion, because templates nest deeply.
enum Part<'t> {
    Nodes(&'t [Node]),
    Pipeline(&'t Pipeline),
    Operand(&'t Operand),
}

#[derive(Default)]
struct Walk<'t> {
    waiting: Vec<Part<'t>>,
    found: Vec<(Arc<str>, usize)>,
}

impl<'t> Walk<'t> {
    fn run(&mut self) {
        while let Some(part) = self.waiting.pop() {
            match part {
                Part::Nodes(nodes) => nodes.iter().for_each(|node| self.node(node)),
                Part::Pipeline(pipeline) => {
                    let operands = pipeline.commands.iter().flat_map(|Command { operands, .. }| operands);
                    self.waiting.extend(operands.map(Part::Operand));
                }
                Part::Operand(operand) => match &operand.kind {
                    OperandKind::Function(name) => self.found.push((name.clone(), operand.span.start as usize)),
                    OperandKind::Chain { operand, .. } => self.waiting.push(Part::Operand(operand)),
                    OperandKind::Pipeline(pipeline) => self.waiting.push(Part::Pipeline(pipeline)),
                    _ => {}
                },
            }
        }
    }

    fn node(&mut self, node: &'t Node) {
        match node {
            Node::Action(pipeline) => self.waiting.push(Part::Pipeline(pipeline)),
            Node::If(control) | Node::With(control) | Node::Range(control) => self.control(control),
            Node::Template { argument, .. } => self.waiting.extend(argument.iter().map(Part::Pipeline)),
            Node::Text { .. } | Node::Break(_) | Node::Continue(_) => {}
        }
    }

    fn control(&mut self, control: &'t Control) {
        for Branch { pipeline, nodes } in &control.branches {
            self.waiting.extend([Part::Pipeline(pipeline), Part::Nodes(nodes)]);
        }
        self.waiting.extend(control.otherwise.iter().map(|nodes| Part::Nodes(nodes)));
    }
}
