//! Resolves the locations of variables.
//!
//! The variables of loops, macros and other bodies are in slots, which need no search. If a nested macro keeps the
//! variables beyond the end of their body, and at the top of templates and blocks, they are in scopes, by name. A name
//! can be set in several enclosing bodies, not all of which need have been evaluated: it is looked up in each of them.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use super::ast::{
    Arguments, Block, Body, BodyLocation, Expr, ExprKind, Filter, For, Location, Macro, Name, Node, NodeKind, Target,
    Unit,
};

/// Resolves the location of each variable of a template, and of its blocks and macros.
pub fn resolve_template(body: &[Node]) -> Arc<Unit> {
    let mut resolver = VariableResolver::default();
    resolver.top(body);
    resolver.done()
}

#[derive(Default)]
struct VariableResolver<'t> {
    unit: Unit,
    /// The slots that have a name where the resolver is, the innermost last.
    visible: HashMap<&'t str, Vec<usize>>,
    /// Names that are never set in the unit.
    given: HashMap<&'t str, usize>,
    /// Names that are set in scopes of the unit.
    named: HashSet<&'t str>,
    /// The number of constructs so far that may read the variable `loop`. An included file is not analyzed for it: as
    /// in Jinja2, it sees the variable only if the loop itself names it.
    looks: usize,
    /// The loops and bodies that look up names again which are never set, each with the index of the one around it; and
    /// the current one.
    frames: Vec<(&'t OnceLock<Vec<usize>>, Option<usize>)>,
    turn: Option<usize>,
    /// The names that are never set, each with the frame that reads it, or `None` outside of all.
    reads: HashSet<(&'t str, Option<usize>)>,
}

impl<'t> VariableResolver<'t> {
    fn done(self) -> Arc<Unit> {
        for (at, (frame, _)) in self.frames.iter().enumerate() {
            let is_anew = |name: &str| self.reads.contains(&(name, Some(at))) && !self.is_read_around(name, at);
            let anew = self.given.iter().filter(|(name, _)| is_anew(name)).map(|(_, place)| *place).collect();
            let _ = frame.set(anew);
        }
        let names = self.reads.iter().filter(|(_, turn)| turn.is_none()).map(|(name, _)| Arc::from(*name)).collect();
        Arc::new(Unit { given: self.given.len(), names, ..self.unit })
    }

    /// Returns whether a frame around this one reads a name.
    fn is_read_around(&self, name: &str, at: usize) -> bool {
        let mut outer = self.frames.get(at).and_then(|(_, outer)| *outer);
        loop {
            if self.reads.contains(&(name, outer)) {
                return true;
            }
            let Some(at) = outer else { return false };
            outer = self.frames.get(at).and_then(|(_, outer)| *outer);
        }
    }

    /// Resolves the statements of a template or a block. The variables that they set are in a scope, where macros see
    /// them, and in slots as well.
    fn top(&mut self, nodes: &'t [Node]) {
        self.inner_scopes(nodes);
        let mut names = Names::default();
        assigned(nodes, &mut |name| {
            // A name that an inner scope may set is looked up in each scope.
            if !self.named.contains(name) {
                self.declare(name, &mut names);
            }
        });
        assigned(nodes, &mut |name| self.name(name));
        self.unit.top = self.unit.slots.len();
        self.nodes(nodes);
    }

    /// Records the names that these statements, which have a scope, set in scopes.
    fn scoped(&mut self, nodes: &'t [Node]) {
        assigned(nodes, &mut |name| self.name(name));
        self.inner_scopes(nodes);
    }

    /// Records the names that nested statements set in scopes.
    fn inner_scopes(&mut self, nodes: &'t [Node]) {
        bodies(nodes, &mut |body, bindings| {
            if keeps_scope(&body.nodes) {
                bindings.iter().for_each(|(target, _)| targets(target, &mut |name| self.name(name)));
                self.scoped(&body.nodes);
            }
        });
        loops(nodes, &mut |definition| {
            if keeps_scope(&definition.body.nodes) {
                self.named.insert("loop");
                targets(&definition.target, &mut |name| self.name(name));
            }
        });
    }

    fn name(&mut self, name: &'t str) {
        self.named.insert(name);
    }

    fn nodes(&mut self, nodes: &'t [Node]) {
        for node in nodes {
            self.node(&node.kind);
        }
    }

    fn node(&mut self, node: &'t NodeKind) {
        match node {
            NodeKind::Text(_) | NodeKind::Jump(_) => {}
            NodeKind::Output(expr) | NodeKind::Do(expr) | NodeKind::Extends(expr) => self.expr(expr),
            NodeKind::For(definition) => self.for_loop(definition),
            NodeKind::If { branches, otherwise } => {
                for (condition, body) in branches {
                    self.expr(condition);
                    self.nodes(body);
                }
                self.nodes(otherwise);
            }
            NodeKind::Set { target, value } => {
                self.expr(value);
                self.target(target);
            }
            NodeKind::SetBlock { target, filters, body } => {
                self.body(body, &[]);
                self.filters(filters);
                self.target(target);
            }
            NodeKind::Macro(definition) => {
                self.assigned(&definition.name);
                self.inside(definition);
            }
            NodeKind::Call { caller, call } => {
                self.expr(call);
                self.inside(caller);
            }
            NodeKind::FilterBlock { filters, body } => {
                self.body(body, &[]);
                self.filters(filters);
            }
            NodeKind::With { bindings, body } => {
                bindings.iter().for_each(|(_, value)| self.expr(value));
                self.body(body, bindings);
            }
            NodeKind::Autoescape { on, body } => {
                self.expr(on);
                self.body(body, &[]);
            }
            NodeKind::Block(block) => {
                self.looks += usize::from(block.scoped);
                resolve_block(block);
            }
            NodeKind::Include { name, .. } => self.expr(name),
            NodeKind::Import { name, target, .. } => {
                self.expr(name);
                self.assigned(target);
            }
            NodeKind::From { name, names, .. } => {
                self.expr(name);
                names.iter().for_each(|(_, alias)| self.assigned(alias));
            }
        }
    }

    /// Resolves statements with their own variables, including the bindings that they begin with.
    fn body(&mut self, body: &'t Body, bindings: &'t [(Target, Expr)]) {
        self.frames.push((&body.anew, self.turn));
        let outer = self.turn.replace(self.frames.len() - 1);
        self.body_in_frame(body, bindings);
        self.turn = outer;
    }

    fn body_in_frame(&mut self, body: &'t Body, bindings: &'t [(Target, Expr)]) {
        if keeps_scope(&body.nodes) {
            bindings.iter().for_each(|(target, _)| self.target(target));
            self.nodes(&body.nodes);
            let _ = body.level.set(BodyLocation::Scope);
            return;
        }
        let start = self.unit.slots.len();
        let mut names = Names::default();
        bindings.iter().for_each(|(target, _)| targets(target, &mut |name| self.declare(name, &mut names)));
        assigned(&body.nodes, &mut |name| self.declare(name, &mut names));
        let range = start..self.unit.slots.len();
        bindings.iter().for_each(|(target, _)| self.target(target));
        self.nodes(&body.nodes);
        self.hide(names);
        let _ = body.level.set(BodyLocation::Slots(range));
    }

    fn for_loop(&mut self, definition: &'t For) {
        self.expr(&definition.iterable);
        self.frames.push((&definition.anew, self.turn));
        let outer = self.turn.replace(self.frames.len() - 1);
        let looks = self.looks;
        let nodes = &definition.body.nodes;
        let mut fresh = 0..0;
        let level = if keeps_scope(nodes) {
            self.target(&definition.target);
            definition.condition.iter().for_each(|condition| self.expr(condition));
            self.assigned(&definition.state);
            self.nodes(nodes);
            BodyLocation::Scope
        } else {
            let start = self.unit.slots.len();
            let mut names = Names::default();
            // The condition sees neither `loop` nor the variables that the statements set.
            let state = self.slot("loop");
            targets(&definition.target, &mut |name| self.declare(name, &mut names));
            self.target(&definition.target);
            definition.condition.iter().for_each(|condition| self.expr(condition));
            self.show("loop", state, &mut names);
            self.assigned(&definition.state);
            let first = self.unit.slots.len();
            assigned(nodes, &mut |name| self.declare(name, &mut names));
            fresh = first..self.unit.slots.len();
            self.nodes(nodes);
            self.hide(names);
            BodyLocation::Slots(start..fresh.end)
        };
        let _ = definition.body.level.set(level);
        let _ = definition.details.set((fresh, definition.recursive || self.looks > looks));
        self.turn = outer;
        self.body(&definition.otherwise, &[]);
    }

    fn inside(&mut self, definition: &'t Macro) {
        let mut resolver = VariableResolver::default();
        let special = || {
            let (uses, special) = (definition.uses, &definition.special);
            let names =
                [(uses.varargs, &special.varargs), (uses.kwargs, &special.kwargs), (uses.caller, &special.caller)];
            names.into_iter().filter(|(used, _)| *used).map(|(_, name)| name)
        };
        let parameters = || definition.parameters.iter().map(|(name, _)| name).chain(special());
        let nodes = &definition.body.nodes;
        let level = if keeps_scope(nodes) {
            resolver.named.extend(parameters().map(|name| &*name.text));
            resolver.scoped(nodes);
            BodyLocation::Scope
        } else {
            let mut names = Names::default();
            parameters().for_each(|name| resolver.declare(name, &mut names));
            assigned(nodes, &mut |name| resolver.declare(name, &mut names));
            BodyLocation::Slots(0..resolver.unit.slots.len())
        };
        parameters().for_each(|name| resolver.assigned(name));
        definition
            .parameters
            .iter()
            .filter_map(|(_, default)| default.as_ref())
            .for_each(|default| resolver.expr(default));
        resolver.nodes(nodes);
        self.looks += resolver.looks;
        let _ = definition.body.level.set(level);
        let _ = definition.unit.set(resolver.done());
    }

    fn target(&mut self, target: &'t Target) {
        match target {
            Target::Name(name) => self.assigned(name),
            Target::Attribute(name, _) => self.read(name),
            Target::Several(targets) => targets.iter().for_each(|target| self.target(target)),
        }
    }

    /// Resolves a variable that is set: to the innermost slot, which belongs to the statements that set it.
    fn assigned(&mut self, name: &'t Name) {
        let slot = self.visible.get(&*name.text).and_then(|slots| slots.last());
        let place = |slot: &usize| if *slot < self.unit.top { Location::Both(*slot) } else { Location::Slot(*slot) };
        let _ = name.location.set(slot.map_or(Location::Named, place));
    }

    /// Resolves a variable that is read.
    fn read(&mut self, name: &'t Name) {
        let text = &*name.text;
        self.looks += usize::from(text == "loop");
        let place = match self.visible.get(text).map_or(&[][..], Vec::as_slice) {
            [] if self.named.contains(text) => Location::Named,
            [] => {
                self.reads.insert((text, self.turn));
                let next = self.given.len();
                Location::Input(*self.given.entry(text).or_insert(next))
            }
            [slot] => Location::Slot(*slot),
            slots => Location::Slots(slots.iter().rev().copied().collect()),
        };
        let _ = name.location.set(place);
    }

    fn slot(&mut self, name: &str) -> usize {
        self.unit.slots.push(name.into());
        self.unit.slots.len() - 1
    }

    fn show(&mut self, name: &'t str, slot: usize, names: &mut Names<'t>) {
        if names.0.insert(name) {
            self.visible.entry(name).or_default().push(slot);
        }
    }

    /// A slot for a variable, unless the same statements have one.
    fn declare(&mut self, name: &'t str, names: &mut Names<'t>) {
        if !names.0.contains(name) {
            let slot = self.slot(name);
            self.show(name, slot, names);
        }
    }

    fn hide(&mut self, names: Names<'t>) {
        for name in names.0 {
            self.visible.get_mut(name).map(Vec::pop);
        }
    }

    fn filters(&mut self, filters: &'t [Filter]) {
        filters.iter().for_each(|filter| self.arguments(&filter.arguments));
    }

    fn arguments(&mut self, arguments: &'t Arguments) {
        let Arguments { positional, named, list, dictionary } = arguments;
        positional.iter().for_each(|expr| self.expr(expr));
        named.iter().for_each(|(_, expr)| self.expr(expr));
        list.iter().chain(dictionary).for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &'t Expr) {
        match &expr.kind {
            ExprKind::Constant(..) => {}
            ExprKind::Name(name) => self.read(name),
            ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Concat(items) => {
                items.iter().for_each(|item| self.expr(item));
            }
            ExprKind::Dict(entries) => entries.iter().for_each(|(key, value)| {
                self.expr(key);
                self.expr(value);
            }),
            ExprKind::Attribute(value, _)
            | ExprKind::Not(value)
            | ExprKind::Negative(value)
            | ExprKind::Positive(value) => self.expr(value),
            ExprKind::Item(left, right)
            | ExprKind::Arithmetic(_, left, right)
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Slice(value, parts) => {
                self.expr(value);
                parts.iter().flatten().for_each(|part| self.expr(part));
            }
            ExprKind::Call(callee, arguments) => {
                self.expr(callee);
                self.arguments(arguments);
            }
            ExprKind::Filter(value, filter) | ExprKind::Test(value, filter) => {
                self.expr(value);
                self.arguments(&filter.arguments);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.expr(condition);
                self.expr(then);
                otherwise.iter().for_each(|expr| self.expr(expr));
            }
            ExprKind::Compare(first, rest) => {
                self.expr(first);
                rest.iter().for_each(|(_, expr)| self.expr(expr));
            }
        }
    }
}

/// The names that statements set in slots.
#[derive(Default)]
struct Names<'t>(HashSet<&'t str>);

fn resolve_block(block: &Block) {
    let mut resolver = VariableResolver::default();
    resolver.top(&block.body);
    let _ = block.unit.set(resolver.done());
}

/// Returns whether a macro in the statements keeps their variables.
fn keeps_scope(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match &node.kind {
        NodeKind::Macro(_) | NodeKind::Call { .. } => true,
        NodeKind::If { branches, otherwise } => {
            branches.iter().any(|(_, body)| keeps_scope(body)) || keeps_scope(otherwise)
        }
        NodeKind::For(definition) => keeps_scope(&definition.body.nodes) || keeps_scope(&definition.otherwise.nodes),
        NodeKind::SetBlock { body, .. }
        | NodeKind::FilterBlock { body, .. }
        | NodeKind::With { body, .. }
        | NodeKind::Autoescape { body, .. } => keeps_scope(&body.nodes),
        _ => false,
    })
}

/// Finds the names that statements set, except in nested bodies with their own variables.
fn assigned<'t>(nodes: &'t [Node], found: &mut dyn FnMut(&'t str)) {
    for node in nodes {
        match &node.kind {
            NodeKind::Set { target, .. } | NodeKind::SetBlock { target, .. } => targets(target, found),
            NodeKind::Import { target, .. } => found(target),
            NodeKind::From { names, .. } => names.iter().for_each(|(_, alias)| found(alias)),
            NodeKind::Macro(definition) => found(&definition.name),
            NodeKind::If { branches, otherwise } => {
                branches.iter().for_each(|(_, body)| assigned(body, found));
                assigned(otherwise, found);
            }
            _ => {}
        }
    }
}

/// The names that take something.
fn targets<'t>(target: &'t Target, found: &mut dyn FnMut(&'t str)) {
    match target {
        Target::Name(name) => found(name),
        Target::Attribute(..) => {}
        Target::Several(several) => several.iter().for_each(|target| targets(target, found)),
    }
}

/// Finds the bodies with their own variables that are directly in statements, with their bindings.
fn bodies<'t>(nodes: &'t [Node], found: &mut dyn FnMut(&'t Body, &'t [(Target, Expr)])) {
    for node in nodes {
        match &node.kind {
            NodeKind::For(definition) => {
                found(&definition.body, &[]);
                found(&definition.otherwise, &[]);
            }
            NodeKind::SetBlock { body, .. }
            | NodeKind::FilterBlock { body, .. }
            | NodeKind::Autoescape { body, .. } => found(body, &[]),
            NodeKind::With { body, bindings } => found(body, bindings),
            NodeKind::If { branches, otherwise } => {
                branches.iter().for_each(|(_, body)| bodies(body, found));
                bodies(otherwise, found);
            }
            _ => {}
        }
    }
}

/// The loops that are right inside of statements.
fn loops<'t>(nodes: &'t [Node], found: &mut dyn FnMut(&'t For)) {
    for node in nodes {
        match &node.kind {
            NodeKind::For(definition) => found(definition),
            NodeKind::If { branches, otherwise } => {
                branches.iter().for_each(|(_, body)| loops(body, found));
                loops(otherwise, found);
            }
            _ => {}
        }
    }
}
