//! [`Access`]: the files and programs that a verb may use.
//!
//! The rule: a user's own lookup in the working tree may read data, keys and modules outside of the repository if the
//! configuration names them, as the reference does. A verb that checks, compares or rewrites a repository, or that
//! reads a revision, may not: the configuration may be untrusted, and others may read the output. `hieratic trust` and
//! flags permit more.
//!
//! `docs/security.md` contains [`table`].

use hieratic::Permissions;
#[cfg(not(target_os = "wasi"))]
use hieratic_service::{Reads, routes};

/// The access of a verb. By default, a verb reads only files that the user names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Access {
    /// A user's own question about the files as they are.
    Own,
    /// A check, a comparison or an edit of a repository, or a read of a revision.
    Shared,
    /// As [`Shared`](Self::Shared), by rules that run no program.
    Check,
    /// A document that is expanded or restored.
    Document,
    /// A background run while the user types: the language server, completions.
    Editor,
    /// Files that the user names, but no files that these refer to.
    #[default]
    Named,
}

/// The authority that permits something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// It is never permitted.
    Never,
    /// The person, by a flag or by trust.
    Permission,
    /// The configuration of the repository.
    Configuration,
}

impl Rule {
    const fn words(self) -> &'static str {
        match self {
            Rule::Never => "never",
            Rule::Permission => "with permission",
            Rule::Configuration => "as configured",
        }
    }
}

/// The rules for a kind of access.
#[derive(Clone, Copy, Debug)]
struct Rules {
    programs: Rule,
    /// Data levels, keys and modules that the configuration places outside.
    levels: Rule,
    /// Other files outside, and variables of the environment.
    outside: Rule,
    network: Rule,
}

impl Access {
    const fn rules(self) -> Rules {
        use Rule::{Configuration, Never, Permission};
        let [programs, levels, outside, network] = match self {
            Access::Own => [Permission, Configuration, Permission, Permission],
            Access::Shared => [Permission, Permission, Permission, Permission],
            Access::Check | Access::Document => [Never, Permission, Permission, Permission],
            Access::Editor | Access::Named => [Never, Never, Never, Never],
        };
        Rules { programs, levels, outside, network }
    }

    /// The access of a verb.
    pub(crate) fn for_verb(verb: &str) -> Access {
        // An unlisted verb has no access. A test compares the table with the verbs.
        VERBS.iter().find(|(name, ..)| *name == verb).map_or_else(Access::default, |(_, access, _)| *access)
    }

    /// The access to a revision: a stranger may have committed it.
    pub(crate) const fn of_revision(self) -> Access {
        match self {
            Access::Own => Access::Shared,
            other => other,
        }
    }

    /// The permissions of a repository, given those that the user granted by flags or by trust.
    pub(crate) fn permissions(self, given: Permissions) -> Permissions {
        let Rules { programs, levels, outside, network } = self.rules();
        Permissions {
            programs: given.programs && programs == Rule::Permission,
            outside: given.outside && outside == Rule::Permission,
            network: given.network && network == Rule::Permission,
            confined: levels != Rule::Configuration,
        }
    }
}

/// The row that applies to all verbs.
const AT_REVISION: &str = "any verb with `--revision`";

/// The verbs, each with its access and a description of the other files that it reads.
const VERBS: [(&str, Access, &str); 35] = [
    ("lookup", Access::Own, "`facter`, for the facts of this machine"),
    ("eval", Access::Own, ""),
    ("render", Access::Own, ""),
    ("job", Access::Own, "folders of `--allow-files` and `--base`; variables `NOMAD_VAR_*`"),
    ("repl", Access::Own, ""),
    ("catalog", Access::Own, ""),
    ("compare", Access::Own, ""),
    ("enc", Access::Own, ""),
    ("external", Access::Own, "a query on standard input"),
    ("serve", Access::Own, "each route as below"),
    (AT_REVISION, Access::Own.of_revision(), ""),
    ("catalog --all", Access::Shared, ""),
    ("diff", Access::Shared, ""),
    ("affected", Access::Shared, ""),
    ("history", Access::Shared, ""),
    ("refactor", Access::Shared, ""),
    ("schema", Access::Shared, ""),
    ("types", Access::Shared, ""),
    ("query", Access::Shared, ""),
    ("check", Access::Check, "promises are part of it; variables `NOMAD_VAR_*`, for jobs"),
    ("init", Access::Check, "as `check`; writes new files after a question"),
    ("doctor", Access::Check, "as `check`"),
    ("expand", Access::Document, ""),
    ("restore", Access::Document, ""),
    ("lsp", Access::Editor, "files of facts that the editor names"),
    ("completions", Access::Editor, ""),
    ("parse", Access::Named, ""),
    ("pack", Access::Named, "files of the repository of the pack, or below its folder if it is in none"),
    ("fmt", Access::Named, ""),
    ("secret", Access::Named, "keys and variables that flags and eyaml's own configuration name; `$EDITOR`"),
    ("trust", Access::Named, "your settings"),
    ("config", Access::Named, "your settings, and those of the repository"),
    ("explain", Access::Named, "nothing"),
    ("version", Access::Named, "nothing; `--check --allow-network` asks for the newest release"),
    ("man", Access::Named, "nothing"),
];

/// The access of every verb and of every route of the service, as tables in Markdown.
pub(crate) fn table() -> String {
    let mut text = String::from(
        "| verb | programs | data levels, keys and modules outside | other files outside, environment variables | network | besides |\n\
         |---|---|---|---|---|---|\n",
    );
    for (verb, access, besides) in VERBS {
        let Rules { programs, levels, outside, network } = access.rules();
        let name = if verb == AT_REVISION { verb.to_owned() } else { format!("`{verb}`") };
        let cells = [programs, levels, outside, network].map(Rule::words).join(" | ");
        text += &format!("| {name} | {cells} | {besides} |\n");
    }
    #[cfg(not(target_os = "wasi"))]
    add_routes(&mut text);
    text
}

/// Adds the table of routes.
#[cfg(not(target_os = "wasi"))]
fn add_routes(text: &mut String) {
    *text += "\n| route | reads | data levels, keys and modules outside | programs |\n|---|---|---|---|\n";
    for (route, reads) in routes() {
        let (levels, programs) = rules_of(reads);
        *text += &format!("| `{route}` | {} | {} | {} |\n", reads.words(), levels.words(), programs.words());
    }
}

/// The rules for levels and programs of a route, derived from the access that it has with all permissions and with
/// none.
#[cfg(not(target_os = "wasi"))]
fn rules_of(reads: Reads) -> (Rule, Rule) {
    let (of_all, of_none) = (reads.permissions(Permissions::all()), reads.permissions(Permissions::default()));
    let levels = match (of_none.confined, of_all.outside) {
        (false, _) => Rule::Configuration,
        (true, true) => Rule::Permission,
        (true, false) => Rule::Never,
    };
    (levels, if of_all.programs { Rule::Permission } else { Rule::Never })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_questions_leave_the_repository_without_permission() {
        for (verb, access, _) in VERBS {
            let permissions = access.permissions(Permissions::default());
            assert_eq!(
                (permissions.programs, permissions.outside, permissions.network),
                (false, false, false),
                "{verb}"
            );
            assert_eq!(permissions.confined, access != Access::Own, "{verb}");
            assert!(access.of_revision().permissions(Permissions::default()).confined, "{verb}");
        }
    }

    #[test]
    fn an_unlisted_verb_has_no_access() {
        assert_eq!(Access::for_verb("nothing"), Access::Named);
        for verb in ["check", "expand", "job", "serve"] {
            assert_ne!(Access::for_verb(verb), Access::Named, "{verb}");
        }
    }

    #[test]
    fn only_permissions_let_a_check_leave_the_repository() {
        let permissions = Access::Check.permissions(Permissions::all());
        assert_eq!(permissions, Permissions { programs: false, outside: true, network: true, confined: true });
        assert_eq!(
            Access::Editor.permissions(Permissions::all()),
            Permissions { confined: true, ..Permissions::default() }
        );
    }
}
