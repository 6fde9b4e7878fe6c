//! Unfurl's eval expressions, over a tree of instances or a plain document.
