//! The tokens of YAML 1.2.

use std::borrow::Cow;

use super::cursor::Mark;

/// A token and its position.
#[derive(Debug)]
pub(super) struct Token<'t> {
    pub kind: TokenKind<'t>,
    pub start: Mark,
    pub end: Mark,
}

/// The kind of a token. Those that begin and end blocks, and keys, mark positions that the source only shows by
/// columns.
#[derive(Debug)]
pub(super) enum TokenKind<'t> {
    StreamEnd,
    Directive(Directive<'t>),
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    FlowSequenceStart,
    FlowMappingStart,
    FlowSequenceEnd,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias(&'t str),
    Anchor(&'t str),
    Tag(Tag<'t>),
    Scalar { text: Cow<'t, str>, style: Style },
}

/// The style of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Quoted,
    Block,
}

/// A line before a document.
#[derive(Debug)]
pub(super) enum Directive<'t> {
    /// `%YAML 1.2`: the first of its numbers.
    Yaml(u64),
    /// `%TAG !e! prefix`.
    Tag(&'t str, Cow<'t, str>),
    /// Any other directive, which has no effect.
    Other,
}

/// A tag as written: its handle and its suffix. The handle is `None` in `!<...>` and for `!`.
#[derive(Debug)]
pub(super) struct Tag<'t> {
    pub handle: Option<&'t str>,
    pub suffix: Cow<'t, str>,
}

impl TokenKind<'_> {
    /// The name of the kind in messages.
    pub(super) fn name(&self) -> &'static str {
        match self {
            TokenKind::StreamEnd => "<stream end>",
            TokenKind::Directive(_) => "<directive>",
            TokenKind::DocumentStart => "<document start>",
            TokenKind::DocumentEnd => "<document end>",
            TokenKind::BlockSequenceStart => "<block sequence start>",
            TokenKind::BlockMappingStart => "<block mapping start>",
            TokenKind::BlockEnd => "<block end>",
            TokenKind::FlowSequenceStart => "[",
            TokenKind::FlowMappingStart => "{",
            TokenKind::FlowSequenceEnd => "]",
            TokenKind::FlowMappingEnd => "}",
            TokenKind::BlockEntry => "-",
            TokenKind::FlowEntry => ",",
            TokenKind::Key => "?",
            TokenKind::Value => ":",
            TokenKind::Alias(_) => "<alias>",
            TokenKind::Anchor(_) => "<anchor>",
            TokenKind::Tag(_) => "<tag>",
            TokenKind::Scalar { .. } => "<scalar>",
        }
    }
}
