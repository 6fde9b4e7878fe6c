//! Parameters of methods and blocks.

use ruby_prism::{Node as Prism, ParametersNode};

use super::lower::{Lowered, Lowering};
use crate::ast::{Parameter, Parameters};
use crate::symbol::known;

impl Lowering<'_> {
    pub(super) fn parameters(&mut self, node: Option<ParametersNode<'_>>) -> Lowered<Parameters> {
        let Some(node) = node else { return Ok(Parameters { simple: true, ..Parameters::default() }) };
        let mut result = Parameters::default();
        let required: Lowered<Vec<_>> = node.requireds().iter().map(|one| self.parameter(&one)).collect();
        result.required = required?.into();
        let mut optional = Vec::new();
        for one in &node.optionals() {
            if let Some(one) = one.as_optional_parameter_node() {
                let slot = self.local(one.name().as_slice(), 0).slot;
                optional.push((slot, self.expr(&one.value())?));
            }
        }
        result.optional = optional.into();
        match node.rest() {
            Some(Prism::ImplicitRestNode { .. }) => result.excess_comma = true,
            Some(rest) => {
                let rest = rest.as_rest_parameter_node();
                result.anonymous_rest = rest.as_ref().is_none_or(|rest| rest.name().is_none());
                result.rest = Some(match rest.and_then(|rest| rest.name()) {
                    Some(name) => self.local(name.as_slice(), 0).slot,
                    None => self.hidden("*"),
                });
            }
            None => {}
        }
        let post: Lowered<Vec<_>> = node.posts().iter().map(|one| self.parameter(&one)).collect();
        result.post = post?.into();
        let mut keywords = Vec::new();
        for one in &node.keywords() {
            if let Some(one) = one.as_required_keyword_parameter_node() {
                let slot = self.local(one.name().as_slice(), 0).slot;
                keywords.push((self.name(one.name().as_slice()), slot, None));
            } else if let Some(one) = one.as_optional_keyword_parameter_node() {
                let slot = self.local(one.name().as_slice(), 0).slot;
                keywords.push((self.name(one.name().as_slice()), slot, Some(self.expr(&one.value())?)));
            }
        }
        result.keywords = keywords.into();
        match node.keyword_rest() {
            Some(Prism::NoKeywordsParameterNode { .. }) => result.no_keywords = true,
            Some(Prism::ForwardingParameterNode { .. }) => {
                result.rest = Some(self.hidden("*"));
                result.keyword_rest = Some(self.hidden("**"));
                result.block = Some(self.hidden("&"));
            }
            Some(rest) => {
                let name = rest.as_keyword_rest_parameter_node().and_then(|rest| rest.name());
                result.keyword_rest = Some(match name {
                    Some(name) => self.local(name.as_slice(), 0).slot,
                    None => self.hidden("**"),
                });
            }
            None => {}
        }
        if let Some(block) = node.block().and_then(|block| block.as_block_parameter_node()) {
            result.block = Some(match block.name() {
                Some(name) => self.local(name.as_slice(), 0).slot,
                None => self.hidden("&"),
            });
        }
        result.simple = result.optional.is_empty()
            && result.rest.is_none()
            && result.post.is_empty()
            && result.keywords.is_empty()
            && result.keyword_rest.is_none()
            && !result.no_keywords
            && result.block.is_none()
            && !result.excess_comma
            && result
                .required
                .iter()
                .enumerate()
                .all(|(at, one)| matches!(one, Parameter::Slot(slot) if *slot as usize == at));
        Ok(result)
    }

    fn parameter(&mut self, node: &Prism<'_>) -> Lowered<Parameter> {
        if let Some(one) = node.as_required_parameter_node() {
            return Ok(Parameter::Slot(self.local(one.name().as_slice(), 0).slot));
        }
        match node.as_multi_target_node() {
            Some(multi) => Ok(Parameter::Pattern(self.targets(&multi.lefts(), multi.rest(), &multi.rights())?)),
            None => Ok(Parameter::Slot(self.hidden("_"))),
        }
    }

    /// The parameters of a block or lambda, whichever way they are written, and how many of them are numbered.
    pub(super) fn block_parameters(&mut self, node: Option<Prism<'_>>) -> Lowered<(Parameters, u32)> {
        let Some(node) = node else { return Ok((self.parameters(None)?, 0)) };
        if let Some(numbered) = node.as_numbered_parameters_node() {
            let count = u32::from(numbered.maximum());
            let slots = (1..=count).map(|at| Parameter::Slot(self.hidden(&format!("_{at}")))).collect::<Vec<_>>();
            return Ok((Parameters { required: slots.into(), ..Parameters::default() }, count));
        }
        if node.as_it_parameters_node().is_some() {
            let slot = self.slot_of(known::IT);
            return Ok((Parameters { required: Box::new([Parameter::Slot(slot)]), ..Parameters::default() }, 1));
        }
        match node.as_block_parameters_node() {
            Some(parameters) => Ok((self.parameters(parameters.parameters())?, 0)),
            None => Ok((self.parameters(None)?, 0)),
        }
    }
}
