//! Methods, classes, modules.

use std::sync::{Arc, OnceLock};

use ruby_prism::{ConstantList, Node as Prism};

use super::calls::SuperArguments;
use super::jumps::{self, Jump};
use super::lower::{Lowered, Lowering, Scope, kinds};
use crate::ast::{Body, ClassDef, Def, Expr, Node, UnreadMethod};

impl Lowering<'_> {
    pub(super) fn definition(&mut self, node: &Prism<'_>, line: u32) -> Lowered<Option<Node>> {
        Ok(Some(kinds!(node,
            DefNode as_def_node n => {
                let name = self.name(n.name().as_slice());
                let singleton = n.receiver().map(|node| self.expr(&node)).transpose()?;
                self.scopes.push(Scope::default());
                self.declare(&n.locals());
                let parameters = self.parameters(n.parameters())?;
                if let Some(scope) = self.scopes.last_mut() {
                    scope.parameters = Some(SuperArguments::from_parameters(&parameters));
                }
                let expr = jumps::without(self.optional(n.body(), line)?, Jump::Return);
                let body = self.close(expr);
                let (file, number) = (self.file.clone(), (self.number, self.defs));
                self.defs += 1;
                let unread = self.unread.get(&line).map(|source| UnreadMethod { source, read: OnceLock::new() });
                Node::Def(Arc::new(Def { name, singleton, parameters, body, line, file, number, unread }))
            },
            ClassNode as_class_node n => {
                let scope = self.class_scope(&n.constant_path())?;
                let superclass = n.superclass().map(|node| self.expr(&node)).transpose()?;
                let body = self.class_body(&n.locals(), n.body(), line)?;
                let name = self.name(n.name().as_slice());
                Node::Class(Box::new(ClassDef { scope, name, superclass, body }))
            },
            ModuleNode as_module_node n => {
                let scope = self.class_scope(&n.constant_path())?;
                let body = self.class_body(&n.locals(), n.body(), line)?;
                let name = self.name(n.name().as_slice());
                Node::Module(Box::new(ClassDef { scope, name, superclass: None, body }))
            },
            SingletonClassNode as_singleton_class_node n => {
                let object = self.boxed(&n.expression())?;
                Node::SingletonClass(object, self.class_body(&n.locals(), n.body(), line)?)
            },
            AliasMethodNode as_alias_method_node n => {
                match (self.expr(&n.new_name())?.node, self.expr(&n.old_name())?.node) {
                    (Node::Sym(new), Node::Sym(old)) => Node::Alias(new, old),
                    _ => Node::Unsupported("an alias with a computed name".into()),
                }
            },
            UndefNode as_undef_node n => {
                let names = self.all(&n.names())?;
                Node::Undef(names.iter().filter_map(|one| if let Node::Sym(name) = one.node { Some(name) } else { None }).collect())
            },
            _ => return Ok(None)
        )))
    }

    fn class_scope(&mut self, path: &Prism<'_>) -> Lowered<Option<Option<Expr>>> {
        match path.as_constant_path_node() {
            None => Ok(None),
            Some(path) => Ok(Some(path.parent().map(|node| self.expr(&node)).transpose()?)),
        }
    }

    fn class_body(&mut self, locals: &ConstantList<'_>, body: Option<Prism<'_>>, line: u32) -> Lowered<Arc<Body>> {
        self.scopes.push(Scope::default());
        self.declare(locals);
        let expr = self.optional(body, line)?;
        Ok(Arc::new(self.close(expr)))
    }
}
