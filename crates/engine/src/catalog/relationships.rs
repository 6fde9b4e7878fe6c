//! Cycles among the relationships of a catalog, found and told as the agent does.
//!
//! The agent orders resources, not containers: each container is taken apart into an anchor before its contents and one behind
//! them. Relationships that providers add by themselves (a file and its folder, say) are not known here.

use hieratic_puppet::{CompiledCatalog, CompiledResource};
use hieratic_value::Value;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

/// The attributes that order resources, in the agent's order: whether they name what comes before, and whether what comes after is
/// refreshed.
const ORDERING: [(&str, bool, bool); 4] =
    [("require", true, false), ("subscribe", true, true), ("before", false, false), ("notify", false, true)];

/// How many steps of ways around a cycle are looked at.
const MOST_STEPS: usize = 20_000;

/// Resources that wait for each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// A way around, as references: the last is the first again.
    pub path: Vec<String>,
}

/// The cycles among the relationships of a catalog.
pub fn cycles(catalog: &CompiledCatalog) -> Vec<Cycle> {
    let graph = Graph::of(catalog);
    let mut components: Vec<Vec<usize>> = graph.components();
    components.retain(|one| one.len() > 1 || one.iter().any(|at| graph.next[*at].contains(at)));
    for component in &mut components {
        component.sort_by(|one, other| graph.references[*one].cmp(&graph.references[*other]));
    }
    components.sort_by(|one, other| {
        let names = |all: &[usize]| all.iter().map(|at| graph.references[*at].clone()).collect::<Vec<String>>();
        names(one).cmp(&names(other))
    });
    components.iter().map(|component| Cycle { path: graph.way_around(component) }).collect()
}

/// The agent's message about cycles.
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
struct Graph {
    /// What the agent sorts by.
    references: Vec<String>,
    /// What it shows.
    names: Vec<String>,
    next: Vec<IndexSet<usize, FxBuildHasher>>,
    /// Vertices in their order; containers are taken out.
    order: Vec<usize>,
}

impl Graph {
    fn of(catalog: &CompiledCatalog) -> Graph {
        let count = catalog.resources.len();
        let is_container = |resource: &CompiledResource| resource.sort != "compilable_type" || resource.kind == "Stage";
        let containers: Vec<usize> = (0..count).filter(|at| is_container(&catalog.resources[*at])).collect();
        let mut graph = Graph {
            references: catalog.resources.iter().map(CompiledResource::reference).collect(),
            names: Vec::new(),
            next: vec![IndexSet::default(); count],
            order: Vec::new(),
        };
        graph.names = graph.references.clone();
        let mut anchors: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
        for at in &containers {
            let name = graph.references[*at].clone();
            let first = graph.references.len();
            for word in ["admissible", "completed"] {
                graph.references.push(format!("Whit[{word}_{name}]"));
                graph.names.push(name.clone());
                graph.next.push(IndexSet::default());
            }
            anchors.insert(*at, (first, first + 1));
        }
        let admissible = |at: usize| anchors.get(&at).map_or(at, |anchors| anchors.0);
        let completed = |at: usize| anchors.get(&at).map_or(at, |anchors| anchors.1);
        let mut touched: IndexSet<usize, FxBuildHasher> = IndexSet::default();
        let mut contents: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for (container, content) in &catalog.edges {
            contents.entry(*container).or_default().push(*content);
        }
        let relationships: Vec<(usize, usize)> =
            relationships(catalog).into_iter().map(|one| (one.source, one.target)).collect();
        // Relationships that no container has a part in stay as they are.
        for (source, target) in &relationships {
            if !anchors.contains_key(source) && !anchors.contains_key(target) {
                graph.next[*source].insert(*target);
            }
        }
        let mut with: FxHashMap<usize, Vec<(usize, usize)>> = FxHashMap::default();
        for edge in &relationships {
            for end in FxHashSet::from_iter([edge.0, edge.1]) {
                if anchors.contains_key(&end) {
                    with.entry(end).or_default().push(*edge);
                }
            }
        }
        for at in &containers {
            let inside = contents.get(at).map_or(&[][..], Vec::as_slice);
            if inside.is_empty() {
                graph.next[admissible(*at)].insert(completed(*at));
                touched.extend([admissible(*at), completed(*at)]);
            }
            for content in inside {
                graph.next[admissible(*at)].insert(admissible(*content));
                touched.extend([admissible(*at), admissible(*content)]);
                graph.next[completed(*content)].insert(completed(*at));
                touched.extend([completed(*content), completed(*at)]);
            }
            for (source, target) in with.get(at).into_iter().flatten() {
                graph.next[completed(*source)].insert(admissible(*target));
                touched.extend([completed(*source), admissible(*target)]);
            }
        }
        graph.order = (0..count).filter(|at| !anchors.contains_key(at)).collect();
        graph.order.extend(touched.into_iter().filter(|at| *at >= count));
        graph
    }

    /// The strongly connected components, as Tarjan finds them.
    fn components(&self) -> Vec<Vec<usize>> {
        let count = self.next.len();
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
                } else if let Some(child) = self.next[at].get_index(step - 1) {
                    low[at] = low[at].min(low[*child]);
                }
                let mut step = step;
                let mut deeper = None;
                while let Some(child) = self.next[at].get_index(step) {
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

    /// The shortest way from the first of a component to a vertex that is on the way already, as the agent finds it. Where there are
    /// too many ways, all of the component.
    fn way_around(&self, component: &[usize]) -> Vec<String> {
        let members: FxHashSet<usize> = component.iter().copied().collect();
        let Some(first) = component.first() else { return Vec::new() };
        // Breadth first; each step knows the step before it.
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
                return way.into_iter().map(|one| self.names[one].clone()).collect();
            }
            if steps.len() > MOST_STEPS {
                break;
            }
            steps.extend(self.next[at].iter().filter(|one| members.contains(one)).map(|one| (*one, Some(next))));
            next += 1;
        }
        component.iter().chain([first]).map(|one| self.names[*one].clone()).collect()
    }
}

/// What the attributes of resources order: places of what comes first and of what follows.
/// That a resource comes before another one.
pub(super) struct Relationship {
    /// What comes before, as a place of a resource.
    pub(super) source: usize,
    /// What comes after.
    pub(super) target: usize,
    /// Whether a change of the first refreshes the second.
    pub(super) refreshes: bool,
}

/// The relationships that the attributes of resources name.
pub(super) fn relationships(catalog: &CompiledCatalog) -> Vec<Relationship> {
    let mut table: FxHashMap<String, usize> =
        catalog.resources.iter().enumerate().map(|(at, one)| (one.reference(), at)).collect();
    for (at, resource) in catalog.resources.iter().enumerate() {
        // Other names of a resource: its aliases, and a path without slashes at its end.
        let aliases = resource.parameter("alias").map(|alias| texts(&alias.value)).unwrap_or_default();
        let named =
            ["path", "name"].iter().filter_map(|name| resource.parameter(name)?.value.as_str().map(str::to_owned));
        for name in aliases.into_iter().chain(named) {
            table.entry(format!("{}[{name}]", resource.kind)).or_insert(at);
        }
    }
    let find = |reference: &str| {
        let known = table.get(reference).copied();
        known.or_else(|| table.get(&format!("{}]", reference.strip_suffix(']')?.trim_end_matches('/'))).copied())
    };
    let mut found = Vec::new();
    for (at, resource) in catalog.resources.iter().enumerate() {
        for (name, comes_before, refreshes) in ORDERING {
            let Some(parameter) = resource.parameter(name) else { continue };
            for reference in texts(&hieratic_puppet::plain_data(&parameter.value, "", &mut |_| {})) {
                let Some(other) = find(&reference) else { continue };
                let (source, target) = if comes_before { (other, at) } else { (at, other) };
                found.push(Relationship { source, target, refreshes });
            }
        }
    }
    found
}

fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(all) => all.iter().flat_map(texts).collect(),
        Value::Undef => Vec::new(),
        one => vec![one.to_text()],
    }
}
