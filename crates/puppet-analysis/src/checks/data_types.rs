//! The data types that code names.

use hieratic::puppet_eval;
use hieratic::puppet_types::{TYPE_NAMES, Type, capitalize_segments, parse};
use hieratic::value::Str;
use hieratic_puppet_syntax::ast::Expr;

use crate::finding::UNDEFINED_TYPE;
use crate::names::{all_names, plain};
use crate::program::ResourceAnswer;
use crate::summary::DefinitionKind;
use crate::walk::Walk;

impl<'t> Walk<'t> {
    /// Reports a name with capital letters that is neither a data type nor a resource type.
    pub(crate) fn check_reference(&mut self, expr: &'t Expr, name: &str) {
        let name = plain(name);
        if self.is_type_name(name) {
            return;
        }
        let index = self.program.index();
        let own = index.names(DefinitionKind::Alias).chain(index.names(DefinitionKind::Define));
        let known = all_names(own.chain(self.program.ruby_type_names()), puppet_eval::resource_type_names());
        let capitalized: Vec<Str> = known.into_iter().map(capitalize_segments).collect();
        let of_language = puppet_eval::type_aliases().chain(TYPE_NAMES);
        let names = all_names(capitalized.iter().map(|name| &**name), of_language);
        let message = format!("there is no type '{name}'");
        self.report_name(&UNDEFINED_TYPE, name, expr.span, message, names);
    }

    fn is_type_name(&self, name: &str) -> bool {
        let lower = name.to_lowercase();
        let index = self.program.index();
        !matches!(parse(name), Ok(Type::Reference(_)))
            || index.find(DefinitionKind::Alias, &lower).is_some()
            || index.find(DefinitionKind::Define, &lower).is_some()
            || matches!(lower.split("::").next(), Some("puppet" | "pcore" | "deferred" | "target" | "error"))
            || puppet_eval::type_aliases().any(|known| known.eq_ignore_ascii_case(name))
            || self.program.has_ruby_data_type(&lower)
            || !matches!(self.program.resource_type(&lower), ResourceAnswer::Absent)
    }
}
