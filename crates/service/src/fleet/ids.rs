//! The ids of the lists in the index of all nodes.

use hieratic::value::define_ids;

define_ids! {
    /// The id of a node that was read.
    pub(crate) struct NodeId: "nodes";
    /// The id of a class of nodes with the same answers.
    pub(crate) struct ClassId: "classes of nodes";
    /// The id of a key.
    pub(crate) struct KeyId: "keys";
    /// The id of an answer to a key.
    pub(super) struct AnswerId: "answers";
    /// The id of a variable whose values are placeholders.
    pub(super) struct VariableId: "variables";
    /// The id of a value of a variable.
    pub(super) struct ValueId: "values of variables";
    /// The id of a file that nodes read.
    pub(super) struct PathId: "files";
    /// The id of a string of a stored index.
    pub(super) struct StringId: "strings";
    /// The id of a piece of lists of answers.
    pub(super) struct AnswerPieceId: "pieces of lists of answers";
    /// The id of a piece of lists of files.
    pub(super) struct FilePieceId: "pieces of lists of files";
}
