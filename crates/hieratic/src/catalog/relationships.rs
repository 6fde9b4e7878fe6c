//! Cycles among the relationships of a catalog, found and reported as the agent does.
//!
//! The agent orders resources, not containers: each container is split into an anchor before its contents and one after
//! them. Relationships that providers add implicitly (for example between a file and its folder) are not known here.

use std::borrow::Cow;

use hieratic_puppet_eval::{CompiledCatalog, CompiledResource, plain_data};
use hieratic_value::Value;
use hieratic_value::collections::{FixedState, HashMap, HashSet};
use indexmap::IndexSet;

/// The attributes that order resources, in the agent's order: whether they name what comes before, and whether what comes after is
/// refreshed.
const ORDERING: [(&str, bool, bool); 4] =
    [("require", true, false), ("subscribe", true, true), ("before", false, false), ("notify", false, true)];

/// The maximum number of steps in the search for a path around a cycle.
const MAX_STEPS: usize = 20_000;

/// Resources that wait for each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The references along the cycle. The last one equals the first.
    pub path: Vec<String>,
}

/// Returns the cycles among the relationships of a catalog.
pub fn cycles(catalog: &CompiledCatalog) -> Vec<Cycle> {
    let graph = Graph::new(catalog);
    let mut components: Vec<Vec<usize>> = graph.components();
    components.retain(|one| one.len() > 1 || one.iter().any(|at| graph.next(*at).contains(at)));
    for component in &mut components {
        component.sort_by_cached_key(|at| graph.reference(*at));
    }
    components.sort_by_cached_key(|all| all.iter().map(|at| graph.reference(*at)).collect::<Vec<String>>());
    components.iter().map(|component| Cycle { path: graph.way_around(component) }).collect()
}

/// Returns the agent's message about cycles.
pub fn cycle_message(cycles: &[Cycle]) -> String {
    let count = cycles.len();
    let mut text = format!("Found {count} dependency {}:\n", if count == 1 { "cycle" } else { "cycles" });
    for cycle in cycles {
        // The agent writes the letters of a line end here, not a line end.
        text.push_str(&format!("({})\\n", cycle.path.join(" => ")));
    }
    text
}

/// Resources, and for each container two anchors, with what comes next.
struct Graph<'c> {
    catalog: &'c CompiledCatalog,
    /// The containers; each has two vertices after those of the resources.
    containers: Vec<usize>,
    /// The successors of all vertices, concatenated.
    next: Vec<usize>,
    /// The index of the first successor of each vertex, followed by the end.
    starts: Vec<usize>,
    /// Vertices in their order; containers are taken out.
    order: Vec<usize>,
}

impl<'c> Graph<'c> {
    fn new(catalog: &'c CompiledCatalog) -> Graph<'c> {
        let count = catalog.resources.len();
        let is_container = |resource: &CompiledResource| resource.sort != "compilable_type" || resource.kind == "Stage";
        let containers: Vec<usize> = (0..count).filter(|at| is_container(&catalog.resources[*at])).collect();
        let mut anchors: Vec<Option<(usize, usize)>> = vec![None; count];
        for (number, at) in containers.iter().enumerate() {
            anchors[*at] = Some((count + 2 * number, count + 2 * number + 1));
        }
        let anchors_of = |at: usize| anchors.get(at).copied().flatten();
        let admissible = |at: usize| anchors_of(at).map_or(at, |anchors| anchors.0);
        let completed = |at: usize| anchors_of(at).map_or(at, |anchors| anchors.1);
        let mut contents: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (container, content) in &catalog.edges {
            contents[*container].push(*content);
        }
        // Relationships that no container has a part in stay as they are.
        let mut edges: IndexSet<(usize, usize), FixedState> = IndexSet::default();
        let mut with: Vec<Vec<(usize, usize)>> = vec![Vec::new(); count];
        for Relationship { source, target, .. } in relationships(catalog) {
            let ends = [Some(source), Some(target).filter(|target| *target != source)];
            let mut is_apart = true;
            for end in ends.into_iter().flatten().filter(|end| anchors_of(*end).is_some()) {
                with[end].push((source, target));
                is_apart = false;
            }
            if is_apart {
                edges.insert((source, target));
            }
        }
        let mut touched: IndexSet<usize, FixedState> = IndexSet::default();
        let mut add = |source: usize, target: usize, touches: [usize; 2]| {
            edges.insert((source, target));
            touched.extend(touches.into_iter().filter(|at| *at >= count));
        };
        for at in &containers {
            let (first, last) = (admissible(*at), completed(*at));
            if contents[*at].is_empty() {
                add(first, last, [first, last]);
            }
            for content in &contents[*at] {
                add(first, admissible(*content), [first, admissible(*content)]);
                add(completed(*content), last, [completed(*content), last]);
            }
            for (source, target) in &with[*at] {
                let (source, target) = (completed(*source), admissible(*target));
                add(source, target, [source, target]);
            }
        }
        let mut order: Vec<usize> = (0..count).filter(|at| anchors_of(*at).is_none()).collect();
        order.extend(touched);
        let mut starts = vec![0; count + 2 * containers.len() + 1];
        for (source, _) in &edges {
            starts[source + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let (mut next, mut free) = (vec![0; edges.len()], starts.clone());
        for (source, target) in &edges {
            next[free[*source]] = *target;
            free[*source] += 1;
        }
        Graph { catalog, containers, next, starts, order }
    }

    /// Returns the successors of a vertex.
    fn next(&self, at: usize) -> &[usize] {
        &self.next[self.starts[at]..self.starts[at + 1]]
    }

    /// Returns the container of an anchor, and whether it is the anchor after the contents.
    fn anchored(&self, at: usize) -> Option<(usize, bool)> {
        let number = at.checked_sub(self.catalog.resources.len())?;
        Some((*self.containers.get(number / 2)?, number % 2 == 1))
    }

    /// Returns the agent's sort key of a vertex.
    fn reference(&self, at: usize) -> String {
        match self.anchored(at) {
            Some((_, is_last)) => {
                format!("Whit[{}_{}]", if is_last { "completed" } else { "admissible" }, self.name(at))
            }
            None => self.name(at),
        }
    }

    /// Returns the display name of a vertex.
    fn name(&self, at: usize) -> String {
        self.catalog.resources[self.anchored(at).map_or(at, |(container, _)| container)].reference()
    }

    /// The strongly connected components, as Tarjan finds them.
    fn components(&self) -> Vec<Vec<usize>> {
        let count = self.starts.len() - 1;
        let (mut index, mut low, mut on_stack) = (vec![usize::MAX; count], vec![0; count], vec![false; count]);
        let (mut stack, mut found, mut number) = (Vec::new(), Vec::new(), 0);
        for root in &self.order {
            if index[*root] != usize::MAX {
                continue;
            }
            let mut work = vec![(*root, 0)];
            while let Some((at, step)) = work.pop() {
                if step == 0 {
                    (index[at], low[at]) = (number, number);
                    number += 1;
                    stack.push(at);
                    on_stack[at] = true;
                } else if let Some(child) = self.next(at).get(step - 1) {
                    low[at] = low[at].min(low[*child]);
                }
                let mut step = step;
                let mut deeper = None;
                while let Some(child) = self.next(at).get(step) {
                    step += 1;
                    if index[*child] == usize::MAX {
                        deeper = Some(*child);
                        break;
                    }
                    if on_stack[*child] {
                        low[at] = low[at].min(index[*child]);
                    }
                }
                if let Some(child) = deeper {
                    work.push((at, step));
                    work.push((child, 0));
                    continue;
                }
                if low[at] == index[at] {
                    let mut component = Vec::new();
                    while let Some(top) = stack.pop() {
                        on_stack[top] = false;
                        component.push(top);
                        if top == at {
                            break;
                        }
                    }
                    found.push(component);
                }
            }
        }
        found
    }

    /// Returns the shortest path from the first vertex of a component to a vertex that is already on the path, as the
    /// agent finds it. If there are too many paths, returns the whole component.
    fn way_around(&self, component: &[usize]) -> Vec<String> {
        let members: HashSet<usize> = component.iter().copied().collect();
        let Some(first) = component.first() else { return Vec::new() };
        // Breadth first; each step refers to the step before it.
        let mut steps: Vec<(usize, Option<usize>)> = vec![(*first, None)];
        let mut next = 0;
        while let Some((at, before)) = steps.get(next).copied() {
            let mut way = Vec::new();
            let mut step = before;
            while let Some((vertex, earlier)) = step.and_then(|step| steps.get(step)).copied() {
                way.push(vertex);
                step = earlier;
            }
            if way.contains(&at) {
                way.reverse();
                way.push(at);
                return way.into_iter().map(|one| self.name(one)).collect();
            }
            if steps.len() > MAX_STEPS {
                break;
            }
            steps.extend(self.next(at).iter().filter(|one| members.contains(one)).map(|one| (*one, Some(next))));
            next += 1;
        }
        component.iter().chain([first]).map(|one| self.name(*one)).collect()
    }
}

/// An edge of the catalog: one resource comes before another.
pub(super) struct Relationship {
    /// The index of the resource that comes first.
    pub(super) source: usize,
    /// The index of the resource that comes after it.
    pub(super) target: usize,
    /// Whether a change of the first refreshes the second.
    pub(super) refreshes: bool,
}

/// The relationships that the attributes of resources name.
pub(super) fn relationships(catalog: &CompiledCatalog) -> Vec<Relationship> {
    let names = ResourceNames::new(catalog);
    let mut found = Vec::new();
    for (at, resource) in catalog.resources.iter().enumerate() {
        for (name, comes_before, refreshes) in ORDERING {
            let Some(parameter) = resource.parameter(name) else { continue };
            names.each(&parameter.value, &mut |other| {
                let (source, target) = if comes_before { (other, at) } else { (at, other) };
                found.push(Relationship { source, target, refreshes });
            });
        }
    }
    found
}

/// The names of the resources of a catalog: titles, aliases, and what else names them.
struct ResourceNames<'c>(HashMap<(&'c str, Cow<'c, str>), usize>);

impl<'c> ResourceNames<'c> {
    fn new(catalog: &'c CompiledCatalog) -> ResourceNames<'c> {
        let resources = || catalog.resources.iter().enumerate();
        let mut table: HashMap<(&str, Cow<'_, str>), usize> =
            resources().map(|(at, one)| ((one.kind.as_str(), one.title.as_str().into()), at)).collect();
        for (at, resource) in resources() {
            let mut name = |text: Cow<'c, str>| {
                table.entry((&resource.kind, text)).or_insert(at);
            };
            if let Some(alias) = resource.parameter("alias") {
                texts(&alias.value, &mut name);
            }
            for one in ["path", "name"] {
                if let Some(text) = resource.parameter(one).and_then(|parameter| parameter.value.as_str()) {
                    name(text.into());
                }
            }
        }
        ResourceNames(table)
    }

    /// Returns the resource for a reference of the form `Type[title]`.
    fn find(&self, reference: &str) -> Option<usize> {
        let (kind, rest) = reference.split_once('[')?;
        let title = rest.strip_suffix(']')?;
        let known = |title: &str| self.0.get(&(kind, Cow::Borrowed(title))).copied();
        // A path may have slashes at its end.
        known(title).or_else(|| known(title.trim_end_matches('/')))
    }

    /// The resources that a value refers to.
    fn each(&self, value: &Value, found: &mut dyn FnMut(usize)) {
        match value {
            Value::Array(all) => all.iter().for_each(|one| self.each(one, found)),
            Value::String(text) => self.find(text).into_iter().for_each(found),
            other => texts(&plain_data(other, String::new, &mut |_| {}), &mut |text| {
                self.find(&text).into_iter().for_each(&mut *found);
            }),
        }
    }
}

fn texts<'v>(value: &'v Value, each: &mut dyn FnMut(Cow<'v, str>)) {
    match value {
        Value::Array(all) => all.iter().for_each(|one| texts(one, each)),
        Value::Undef => {}
        Value::String(text) => each(Cow::Borrowed(text)),
        one => each(one.to_text().into()),
    }
}
