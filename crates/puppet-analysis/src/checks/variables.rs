//! Variables and facts that nothing sets.

use hieratic::puppet_eval;
use hieratic::puppet_validator::{Role, Scope, ScopeKind, Use, variables};
use hieratic::value::ErasedSort as _;
use hieratic::value::collections::HashSet;
use hieratic_diagnostics::Span;
use hieratic_puppet_syntax::ast::{self, Expr, Node, Variable};
use hieratic_puppet_syntax::visit::each_expression;

use crate::facts::{SERVER_FACTS, TRUSTED, common_facts, fact_path, members, near_fact_with};
use crate::finding::{Finding, UNDEFINED_FACT, UNSET_VARIABLE};
use crate::names::{all_names, is_misspelling, plain, written_name};
use crate::program::Program;
use crate::summary::{Definition, DefinitionKind, variables_around};
use crate::walk::Walk;

/// Variables of every scope, and of the top scope of every node.
pub(crate) const GIVEN: &[&str] = &[
    "facts",
    "trusted",
    "server_facts",
    "environment",
    "servername",
    "serverip",
    "serverip6",
    "serverversion",
    "clientcert",
    "clientversion",
    "clientnoop",
    "title",
    "name",
    "module_name",
    "caller_module_name",
    "settings",
    "_",
    "pe_build",
    "agent_specified_environment",
];

/// Shorter names of facts resemble too many others.
const SHORTEST_FACT: usize = 5;

/// The longest chain of parents that is followed.
const MOST_PARENTS: usize = 30;

impl<'t> Walk<'t> {
    /// Reports variables that nothing sets.
    pub(crate) fn check_variables(&mut self, tree: &'t ast::Program) {
        let mut interpolated: HashSet<Span> = HashSet::default();
        each_expression(&tree.body, &mut |expr| match &expr.node {
            Node::Variable(Variable::Qualified(name)) => self.check_qualified(name, expr.span),
            Node::Text(inner) => drop(interpolated.insert(inner.span)),
            _ => {}
        });
        if let Node::Epp(epp) = &tree.body.node {
            return self.check_variables_of_template(epp);
        }
        let found = variables(tree);
        let reads = found.uses.iter().filter(|one| one.role == Role::Read && one.scope.is_none());
        let unset: Vec<(&Use<'_>, &Scope<'_>)> =
            reads.filter_map(|one| Some((one, definition_around(&found.scopes, one.within)?))).collect();
        let mut set: Vec<&Use<'_>> = found.uses.iter().filter(|one| one.role != Role::Read).collect();
        set.sort_erased_by_key(|one| one.span.start);
        for (one, scope) in unset {
            if !self.may_be_set(one.name, scope) {
                self.report_unset(one, scope, &set, &interpolated);
            }
        }
    }

    /// Reports variables that a template with a list of parameters does not see. Those that resemble a parameter have a
    /// finding by another rule.
    fn check_variables_of_template(&mut self, epp: &'t ast::Epp) {
        let Some(parameters) = &epp.parameters else { return };
        let mut known = variables_around(&epp.body);
        known.extend(parameters.iter().map(|one| one.name.clone()));
        let mut reported: Vec<&str> = Vec::new();
        let mut reads: Vec<(&str, Span)> = Vec::new();
        each_expression(&epp.body, &mut |expr| {
            if let Node::Variable(Variable::Local(name)) = &expr.node
                && !known.contains(name)
            {
                reads.push((name, expr.span));
            }
        });
        reads.sort_erased_by_key(|(_, span)| span.start);
        for (name, span) in reads {
            let may_be_set = GIVEN.contains(&name)
                || name.starts_with(|first: char| first.is_ascii_digit())
                || self.program.may_have_top_variable(name);
            let is_near = hieratic_diagnostics::nearest(name, parameters.iter().map(|one| &*one.name)).is_some();
            if may_be_set || is_near || reported.contains(&name) {
                continue;
            }
            reported.push(name);
            let message = format!("the template has no parameter '${name}', and does not see variables of classes");
            let finding = Finding::new(&UNSET_VARIABLE, span, message);
            self.report(finding.help("add it to the parameters, and pass it where the template is rendered"));
        }
    }

    fn may_be_set(&self, name: &str, scope: &Scope<'_>) -> bool {
        let is_given = GIVEN.contains(&name) || name.starts_with(|first: char| first.is_ascii_digit());
        // The metaparameters of a resource are variables of its code.
        let is_meta = matches!(scope.kind, ScopeKind::Class | ScopeKind::Define)
            && puppet_eval::metaparameters().any(|known| known == name);
        is_given
            || is_meta
            || self.program.has_top_variable(name)
            || scope.inherits.is_some_and(|parent| self.class_has(parent, name) != Some(false))
    }

    fn class_has(&self, class: &str, name: &str) -> Option<bool> {
        class_has(self.program, class, name)
    }

    /// The text that replaces the name of a variable, without its dollar, so that the fact is read. `is_in_string` is set
    /// if a string has the variable itself, not an expression that reads it.
    fn modern_name(&self, modern: &str, name: Span, is_in_string: bool) -> Option<String> {
        let fact = modern.strip_prefix('$').filter(|fact| fact.starts_with("facts["))?;
        let before = &self.source.text()[..name.first()];
        if before.ends_with("${") {
            return Some(fact.to_owned());
        }
        // A name with keys needs braces in a string.
        let text = if is_in_string { format!("{{{fact}}}") } else { fact.to_owned() };
        before.ends_with('$').then_some(text)
    }

    /// A classifier can set any variable of the top scope, so a name must resemble one that is set, or be a part of code
    /// in which only parameters are visible.
    ///
    /// `set` are the places that set a variable, in their order, and `interpolated` the expressions in strings.
    fn report_unset(&mut self, one: &Use<'_>, scope: &Scope<'_>, set: &[&Use<'_>], interpolated: &HashSet<Span>) {
        if let Some(modern) = self.program.successor_of_fact(one.name) {
            let message = format!("nothing sets the variable '${}' here, and Puppet 8 has no such fact", one.name);
            let finding = Finding::new(&UNSET_VARIABLE, one.span, message);
            let finding = finding.help(format!("write `{modern}` in the place of the legacy fact"));
            let span = self.name_span(one.span, one.name);
            let finding = match self.modern_name(&modern, span, interpolated.contains(&one.span)) {
                Some(text) => finding.fix(format!("Write {modern}"), span, text, true),
                None => finding,
            };
            return self.report(finding);
        }
        let first = set.partition_point(|other| other.span.start < scope.span.start);
        let from_scope = set.get(first..).unwrap_or_default().iter();
        let own =
            from_scope.take_while(|other| other.span.start <= scope.span.end).filter(|other| is_within(other, scope));
        let mut names: Vec<&str> = own.map(|other| other.name).collect();
        let index = self.program.index();
        let parent = scope.inherits.and_then(|parent| index.find(DefinitionKind::Class, &plain(parent).to_lowercase()));
        if let Some(parent) = parent {
            names.extend(parent.parameters.iter().map(|one| &*one.name));
            names.extend(parent.variables.iter().map(|name| &**name));
        }
        let near = hieratic_diagnostics::nearest(one.name, names.iter().copied());
        if near.is_none() && matches!(scope.kind, ScopeKind::Program | ScopeKind::Node) {
            return;
        }
        let name_span = self.name_span(one.span, one.name);
        let message = format!("nothing sets the variable '${}' here", one.name);
        let finding = Finding::new(&UNSET_VARIABLE, one.span, message);
        let finding = match near {
            Some(near) => finding.help(format!("did you mean '${near}'?")).fix(
                format!("Change to '${near}'"),
                name_span,
                near.to_owned(),
                false,
            ),
            None => finding.help("set it, or write '$facts' or '$::' if it is a fact or a variable of the top scope"),
        };
        self.report(finding);
    }

    fn name_span(&self, span: Span, name: &str) -> Span {
        let at = self.source.slice(span).find(name).unwrap_or(0);
        Span::new(span.first() + at, span.first() + at + name.len())
    }

    /// Reports a variable of a class that the class does not have.
    fn check_qualified(&mut self, written: &str, span: Span) {
        let Some((class, name)) = plain(written).rsplit_once("::") else { return };
        if self.program.index().find(DefinitionKind::Class, &class.to_lowercase()).is_none() {
            return self.check_class_of_variable(class, name, span, written);
        }
        if self.class_has(class, name) != Some(false)
            || matches!(name, "title" | "name" | "module_name" | "caller_module_name")
        {
            return;
        }
        let Some(found) = self.program.index().find(DefinitionKind::Class, &class.to_lowercase()).cloned() else {
            return;
        };
        let names: Vec<&str> =
            found.parameters.iter().map(|one| &*one.name).chain(found.variables.iter().map(|name| &**name)).collect();
        let at = self.name_span(span, written);
        let last = Span { start: at.end - u32::try_from(name.len()).unwrap_or_default(), ..at };
        let message = format!("the class '{class}' has no variable '${name}'");
        let finding = Finding::new(&UNSET_VARIABLE, span, message);
        let finding = finding.suggest(name, Some(last), names);
        self.report(finding.related(&found.source, crate::checks::resources::head(&found), "the class"));
    }

    /// Reports a class that does not exist, if one with nearly the same name has the variable.
    fn check_class_of_variable(&mut self, class: &str, name: &str, span: Span, written: &str) {
        let index = self.program.index();
        let near = hieratic_diagnostics::nearest(class, index.names(DefinitionKind::Class));
        let Some(near) = near.filter(|near| is_misspelling(class, near)) else { return };
        if self.class_has(near, name) != Some(true) {
            return;
        }
        let message = format!("there is no class '{class}' with a variable '${name}'");
        let at = self.name_span(span, written);
        let text = format!("{near}::{name}");
        let finding = Finding::new(&UNSET_VARIABLE, span, message).help(format!("did you mean '${text}'?"));
        self.report(finding.fix(format!("Change to '${text}'"), at, text, false));
    }

    /// Reports a member that a structured fact has on no node.
    pub(crate) fn check_fact(&mut self, left: &'t Expr, keys: &'t [Expr]) {
        let [key] = keys else { return };
        let Some(name) = written_name(key) else { return };
        let known: &[&str] = match &left.node {
            Node::Variable(Variable::Local(variable)) if &**variable == "trusted" => &TRUSTED,
            Node::Variable(Variable::Local(variable)) if &**variable == "server_facts" => &SERVER_FACTS,
            _ if is_facts(left) => return self.check_fact_name(&name, key),
            _ if self.check_near_fact(left, &name) => return,
            _ => match fact_path(left).as_deref().and_then(members) {
                Some(known) => known,
                None => return,
            },
        };
        if known.contains(&&*name) {
            return;
        }
        let text = self.source.slice(left.span);
        let message = format!("{text} has no member '{name}' on any node");
        let at = self.inside_quotes(key);
        let finding = Finding::new(&UNDEFINED_FACT, key.span, message).suggest(&name, Some(at), known.iter().copied());
        self.report(finding);
    }
}

impl<'t> Walk<'t> {
    /// Reports a name of `$facts` that nothing known adds, and that resembles a fact. Facts can have any name.
    fn check_fact_name(&mut self, name: &str, key: &'t Expr) {
        if name.len() < SHORTEST_FACT || self.is_known_fact(name) {
            return;
        }
        let program = self.program;
        let known = all_names(program.fact_names().into_iter(), common_facts());
        let message = format!("no fact '{name}' is known");
        let finding = Finding::new(&UNDEFINED_FACT, key.span, message);
        let finding = finding.suggest(name, Some(self.inside_quotes(key)), known);
        // `disk` beside `disks` may be another fact.
        let is_plural = |near: &str| near.trim_end_matches('s') == name.trim_end_matches('s');
        if finding.suggestion().is_some_and(|near| is_misspelling(name, near) && !is_plural(near)) {
            self.report(finding);
        }
    }

    /// Reports the name of a fact that nothing known adds, if a fact that it resembles has the member. Returns whether it
    /// did.
    fn check_near_fact(&mut self, left: &'t Expr, member: &str) -> bool {
        let Node::Access { left: root, keys } = &left.node else { return false };
        let [key] = &keys[..] else { return false };
        let Some(name) = written_name(key).filter(|name| is_facts(root) && !self.is_known_fact(name)) else {
            return false;
        };
        // Longer names are judged without their members.
        let Some(near) = near_fact_with(&name, member).filter(|_| name.len() < SHORTEST_FACT) else { return false };
        let finding = Finding::new(&UNDEFINED_FACT, key.span, format!("no fact '{name}' is known"));
        let at = self.inside_quotes(key);
        let finding = finding.help(format!("did you mean '{near}'?"));
        self.report(finding.fix(format!("Change to '{near}'"), at, near.to_owned(), false));
        true
    }

    fn is_known_fact(&self, name: &str) -> bool {
        self.program.is_fact(name) || common_facts().any(|known| known == name)
    }
}

/// Returns whether an expression is the variable of all facts.
fn is_facts(expr: &Expr) -> bool {
    match &expr.node {
        Node::Variable(Variable::Local(name)) => &**name == "facts",
        Node::Variable(Variable::Qualified(name)) => plain(name) == "facts",
        _ => false,
    }
}

/// Returns whether a class or one that it inherits from has a variable; `None` if a class is not known.
pub(crate) fn class_has(program: &dyn Program, class: &str, name: &str) -> Option<bool> {
    let mut class = plain(class).to_lowercase();
    for _ in 0..MOST_PARENTS {
        let found = program.index().find(DefinitionKind::Class, &class)?;
        if has_variable(found, name) {
            return Some(true);
        }
        match &found.parent {
            Some(parent) => class = parent.to_string(),
            None => return Some(false),
        }
    }
    None
}

fn has_variable(class: &Definition, name: &str) -> bool {
    class.parameter(name).is_some() || class.variables.binary_search_by(|known| (**known).cmp(name)).is_ok()
}

/// The definition around a scope.
fn definition_around<'s, 't>(scopes: &'s [Scope<'t>], mut at: usize) -> Option<&'s Scope<'t>> {
    loop {
        let scope = scopes.get(at)?;
        match scope.parent {
            Some(parent) => at = parent,
            None => return Some(scope),
        }
    }
}

fn is_within(one: &Use<'_>, scope: &Scope<'_>) -> bool {
    scope.span.start <= one.span.start && one.span.end <= scope.span.end
}
